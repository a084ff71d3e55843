"""Files that the hook keeps on the person's disk: the states of sessions, and a small log."""

import json
import os
import time

from anamnesis_cli.agents.hook.objects import JsonObject, read_object
from anamnesis_cli.agents.hook.settings import home

LOG_BYTES_MAX, STATE_DAYS = 64 * 1024, 30


def read_state(name: str) -> JsonObject:
    """The state of a session: if it was briefed and prompted, or how far it was handed over."""
    return read_object(_state_path(name))


def write_state(name: str, state: JsonObject) -> None:
    """Replace the state of a session, for its next event."""
    path = _state_path(name)
    with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(f"{path}.{os.getpid()}", path)


def states() -> list[tuple[str, float]]:
    """The names of the states that there are, with the seconds since each was written."""
    with os.scandir(place("")) as entries:
        files = [(each.name, each.stat().st_mtime) for each in entries]
    return [(n[:-5], time.time() - written) for n, written in files if n.endswith(".json")]


def forget_old_states() -> None:
    """Remove what is known of sessions that ended long ago."""
    for name, age_s in states():
        if age_s > STATE_DAYS * 24 * 3600:
            os.remove(_state_path(name))


def plain(name: str) -> str:
    """A name in characters that a file's may have."""
    return "".join(c if c.isascii() and (c.isalnum() or c == "-") else "_" for c in name)[:120]


def first_notice(namespace: str, url: str) -> JsonObject:
    """A notice for the first session of a namespace: what is kept, and how to end that."""
    mark = place(f"{namespace}.noticed")
    if os.path.exists(mark):
        return {}
    os.close(os.open(mark, os.O_CREAT, 0o600))
    return {
        "systemMessage": f"Anamnesis remembers this project: what you, the agent and its tools say "
        f"is kept in the namespace {namespace!r} of {url}, without the secrets that it knows by "
        "their form. `anamnesis hooks uninstall` ends that; docs/coding-agents.md says more."
    }


def note(line: str) -> None:
    """Write a line to the log, which stays small; a log that cannot be written is no matter."""
    try:
        path = place("hooks.log")
        full = os.path.exists(path) and os.path.getsize(path) > LOG_BYTES_MAX
        with open(path, "w" if full else "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{utc(time.time())} {line}\n")
    except OSError:
        pass


def utc(at_s: float) -> str:
    """A time in seconds since 1970, as JSON has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at_s))


def here() -> dict[str, str]:
    """Where the person is by this machine's clock, for a request; nothing of one on UTC."""
    offset = time.strftime("%z")
    return {"timeZone": offset} if offset.strip("+-0") else {}


def place(name: str) -> str:
    """The path of a file that the hook keeps, in a folder that is the person's alone."""
    folder = os.path.join(home("STATE", ".local/state"), "hooks")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, name)


def _state_path(name: str) -> str:
    return place(f"{plain(name)}.json")
