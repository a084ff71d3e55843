"""The hook that coding agents run: it tells them memories, and hands over what was said.

    anamnesis-hook claude-code|codex|cursor [--namespace NAME ...]  < the event, as JSON

| event | does |
|---|---|
| session start | tells one brief: rules, what is known and was learned, where one stopped |
| prompt | tells the first one context, later ones what was not shown and answers by itself |
| stop, before a compaction | hands over the transcript, of which the suite adds what is new |

Rules of this file: the standard library alone and as little of it as will do, since an agent waits
for its start. It ends with 0 and says nothing where nothing is relevant or nobody answers; what
went wrong is a line in a small log. No process of its own outlives it. Nothing in a project's
folder is read for settings: where memories go is a person's to decide, not a repository's.
"""

import binascii
import json
import os
import sys
import time

JsonObject = dict[str, object]

DEFAULTS = {
    "url": "http://127.0.0.1:50080",  # where the suite answers JSON over HTTP
    "namespace": "",  # empty: the name of the project's folder
    "user": "",  # empty: the login name
    "api_key_file": "",
    "tls_ca": "",
    "brief_tokens": "600",
    "context_tokens": "400",  # of the first prompt's context
    "later_tokens": "200",  # of a later one
    "later_max": "5",  # so many later ones in a session
    "timeout_s": "2",  # for a prompt, and twice that for a brief
    "keep": "True",  # hand transcripts over
    "off": "False",  # do nothing
}
"""Every setting: `--name` on the command line, else `ANAMNESIS_HOOKS_NAME`, else the file."""
PREFIX = "ANAMNESIS_HOOKS_"
BUILD_CONTEXT = "/anamnesis.retrieval.v1.RetrievalService/BuildContext"
INGEST_FILE = "/anamnesis.ingestion.v1.IngestionService/IngestFile"
RULES = "What are the rules here?"
KNOWN = "What do you know about me, what did we learn here, and what went wrong?"
STOPPED = "Where did we stop, and what is left to do?"
LAID_DOWN, SAID = ["rule", "constraint", "amendment"], "MEMORY_KIND_EPISODIC"
DISTILLED = ["MEMORY_KIND_SEMANTIC", "MEMORY_KIND_PROCEDURAL", "MEMORY_KIND_LEARNING"]
OPENING, CLOSING = "<memory_context>", "</memory_context>"
PROMPT_CHARS_MAX = 8000
INPUT_BYTES_MAX, ANSWER_BYTES_MAX = 8 * 1024 * 1024, 1024 * 1024
LATER_MEMORIES_MAX, STOPPED_MEMORIES_MAX = 5, 8
GROWN_SHARE = 0.25
"""A transcript is handed over when it has grown by so much: each time it is archived whole;"""
RESTED_S = 900.0
"""or when it was not for so long."""
TAKEN = "taken-"
"""How the states of transcripts are named: another event may write the session's own."""
LEFT_BEHIND_MAX = 3
"""Transcripts of sessions that ended between two times, handed over with another's."""
HAND_OVER_TIMEOUT_S = 100
STREAMED = "application/connect+json"
CHUNK_BYTES = 512 * 1024
LOG_BYTES_MAX, STATE_DAYS = 64 * 1024, 30
EVENTS = {
    "sessionstart": "brief",
    "userpromptsubmit": "prompt",
    "stop": "stop",
    "precompact": "compact",
}


class Unanswered(ValueError):
    """The suite gave no answer to use; the message says why, without any text of a user."""


def main() -> int:
    """Serve one event of an agent; 0 whatever happens."""
    event: JsonObject = {}
    try:
        given = json.loads(sys.stdin.buffer.read(INPUT_BYTES_MAX))
        event = given if isinstance(given, dict) else {}
        root = project_root(_folder(event))
        answer = Hook(sys.argv[1], settings_of(sys.argv[2:], root), event, root).serve()
        if answer:
            sys.stdout.write(json.dumps(answer) + "\n")
    except Exception as error:
        note(f"{_text(event, 'hook_event_name')}: {type(error).__name__}: {error}")
    return 0


class Hook:
    """One event of one agent."""

    def __init__(self, agent: str, settings: dict[str, str], event: JsonObject, root: str) -> None:
        self.agent = agent
        self.settings = settings
        self.event = event
        self.session = _text(event, "session_id") or _text(event, "conversation_id")
        self.root = root
        self.namespace = settings["namespace"] or namespace_of(root)
        self.user = settings["user"] or login_name()
        self.state = read_state(self.session)
        self.deadline_s = time.monotonic() + float(settings["timeout_s"])

    def serve(self) -> JsonObject:
        """The answer to the agent; empty where there is nothing to say."""
        kind = EVENTS.get(_text(self.event, "hook_event_name").lower(), "")
        if not self.session or not kind or is_true(self.settings["off"]):
            return {}
        if kind == "brief":
            return self._start()
        if kind == "prompt":
            return self._said(self._prompt())
        if is_true(self.settings["keep"]):
            self._hand_over(at_once=kind == "compact")
        return {}

    def _start(self) -> JsonObject:
        """The brief, and on a project's first session a notice to its person."""
        self.deadline_s += float(self.settings["timeout_s"])
        source = _text(self.event, "source")
        if source == "compact":  # what was shown before is gone from the agent's sight
            self.state["compacted"] = _number(self.state, "compacted") + 1
        forget_old_states()
        has_it = source == "resume" and self.state.get("briefed")
        answer = self._said("" if has_it else self._brief())
        self.state["briefed"] = bool(has_it or answer)
        self._save()
        if self.agent != "cursor" and is_true(self.settings["keep"]):
            answer.update(first_notice(self.namespace, self.settings["url"]))
        return answer

    def _said(self, text: str) -> JsonObject:
        if not text:
            return {}
        if self.agent == "cursor":
            return {"additional_context": text}
        name = _text(self.event, "hook_event_name")
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}

    def _brief(self) -> str:
        """One block that answers three questions; the last gets what the others left."""
        left = int(self.settings["brief_tokens"])
        distilled: JsonObject = {"filter": {"kinds": DISTILLED}, "ranking": "RANKING_RECENT"}
        asked: list[tuple[str, int, JsonObject]] = [
            (RULES, left // 4, {"filter": {"categories": LAID_DOWN}}),
            (KNOWN, left // 4, distilled),
            (STOPPED, 0, {"filter": {"kinds": [SAID]}, "limit": STOPPED_MEMORIES_MAX}),
        ]
        bodies = []
        for query, tokens, more in asked:
            try:
                found = self._ask(query, tokens or left, more)
            except (OSError, ValueError) as error:
                note(f"brief: {type(error).__name__}: {error}")
                break
            if text := _text(found, "text"):
                left -= _number(found, "tokenCount")
                bodies.append(text.removeprefix(OPENING).removesuffix(CLOSING).strip("\n"))
        return "\n".join([OPENING, *bodies, CLOSING]) if bodies else ""

    def _prompt(self) -> str:
        """The context of a prompt; "" where it says nothing new, or enough was told already."""
        prompt = _text(self.event, "prompt").strip()[:PROMPT_CHARS_MAX]
        if not prompt or prompt.startswith("/"):
            return ""
        first = not self.state.get("prompted")
        told = _number(self.state, "told")
        if not first and told >= int(self.settings["later_max"]):
            return ""
        tokens = self.settings["context_tokens" if first else "later_tokens"]
        found = self._ask(prompt, int(tokens), {} if first else {"limit": LATER_MEMORIES_MAX})
        text = _text(found, "text")
        self.state.update(prompted=True, told=told + bool(text and not first))
        self._save()
        return text

    def _ask(self, query: str, tokens: int, more: JsonObject) -> JsonObject:
        """The answer of a context; empty where there is no such namespace, or no room to tell."""
        if tokens <= 0:
            return {}
        seen = _number(self.state, "compacted")
        session = f"{self.session}/{seen}" if seen else self.session
        caller = {"agentId": self.agent, "userId": self.user, "sessionId": session}
        request = {
            "namespace": self.namespace,
            "query": query,
            "tokenBudget": tokens,
            "caller": caller,
            "excludeShown": True,
            "excludeOwnSession": True,
            **more,
        }
        body = json.dumps(request).encode()
        kind = "application/json"
        return _answered(*exchange(BUILD_CONTEXT, kind, body, self.settings, self.deadline_s))

    def _hand_over(self, *, at_once: bool) -> None:
        """Hand the transcript over, and those that were left behind."""
        name = f"{TAKEN}{self.session}"
        taken: JsonObject = read_state(name) | {
            "path": _text(self.event, "transcript_path"),
            "agent": self.agent,
            "project": os.path.basename(self.root),
            "namespace": self.namespace,
            "user": self.user,
            # Cursor's transcripts name no session themselves
            "session": self.session if self.agent == "cursor" else "",
        }
        due = [(name, taken)] if is_due(taken, at_once=at_once) else []
        write_state(name, taken)
        for each, state in [*due, *left_behind(name)]:
            hand_over(state, self.settings)
            write_state(each, state)

    def _save(self) -> None:
        write_state(self.session, self.state)


def is_due(taken: JsonObject, *, at_once: bool = False) -> bool:
    """True where a transcript has more than when it was handed over, and enough more."""
    path, handed = _text(taken, "path"), _number(taken, "handed")
    size = os.path.getsize(path) if os.path.isfile(path) else handed
    if size == handed:
        return False
    rested = time.time() - _number(taken, "handed_s") >= RESTED_S
    return at_once or rested or size >= handed * (1 + GROWN_SHARE)


def hand_over(taken: JsonObject, settings: dict[str, str]) -> None:
    """Send one transcript, and note how far it went: what is known of it already stays as it is."""
    path = _text(taken, "path")
    with open(path, "rb") as file:
        content = file.read()
        written_s = os.fstat(file.fileno()).st_mtime
    header = {
        "namespace": taken["namespace"],
        "agentId": taken["agent"],
        "userId": taken["user"],
        "project": taken["project"],
        "sessionId": taken["session"],
        "label": path,
        "sizeBytes": len(content),
        "defaultEventTime": _utc(written_s),
    }
    pieces = [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]
    chunks = [{"chunk": binascii.b2a_base64(each, newline=False).decode()} for each in pieces]
    body = b"".join(map(_enveloped, [{"header": header}, *chunks]))
    deadline_s = time.monotonic() + HAND_OVER_TIMEOUT_S
    status, answer = exchange(INGEST_FILE, STREAMED, body, settings, deadline_s)
    # a stream ends with a message of its own, which has the error if there was one
    ended = _answered(status, _last(answer) if status == 200 else answer)
    if error := _object(ended, "error"):
        raise Unanswered(f"transcript: {_text(error, 'code')}")
    taken.update(handed=len(content), handed_s=int(time.time()))


def _enveloped(message: object) -> bytes:
    """A message of a stream in Connect: flags, length, JSON."""
    written = json.dumps(message).encode()
    return b"\0" + len(written).to_bytes(4, "big") + written


def _last(stream: bytes) -> bytes:
    """The last message of a stream."""
    at, last = 0, b""
    while at + 5 <= len(stream):
        end = at + 5 + int.from_bytes(stream[at + 1 : at + 5], "big")
        at, last = end, stream[at + 5 : end]
    return last


def exchange(
    path: str, kind: str, body: bytes, settings: dict[str, str], deadline_s: float
) -> tuple[int, bytes]:
    """The status and body of the answer to one request of the Connect protocol.

    Raises:
        OSError: nobody answers in time.
        ValueError: the answer is none of HTTP, or too long.
    """
    import socket

    scheme, _, address = settings["url"].rstrip("/").partition("://")
    host, _, port = address.partition(":")
    lines = [
        f"POST {path} HTTP/1.0",  # one answer, in one piece, and the end of the connection
        f"Host: {address}",
        f"Content-Type: {kind}",
        "Connect-Protocol-Version: 1",
        f"Connect-Timeout-Ms: {max(1, int((deadline_s - time.monotonic()) * 1000))}",
        f"Content-Length: {len(body)}",
    ]
    if settings["api_key_file"]:
        with open(settings["api_key_file"], encoding="utf-8") as file:
            lines.append(f"Authorization: Bearer {file.readline().strip()}")
    secure = scheme == "https"
    left_s = max(0.05, deadline_s - time.monotonic())
    # as bytes the name needs no codec for names, which takes a while to read
    place_of = (host.encode(), int(port or (443 if secure else 80)))
    with socket.create_connection(place_of, left_s) as plain:  # type: ignore[arg-type]
        channel = plain
        if secure:
            import ssl

            context = ssl.create_default_context(cafile=settings["tls_ca"] or None)
            channel = context.wrap_socket(plain, server_hostname=host)
        channel.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        answer = bytearray()
        while chunk := channel.recv(65536):
            answer += chunk
            if len(answer) > ANSWER_BYTES_MAX:
                raise Unanswered("the answer is too long")
            channel.settimeout(max(0.05, deadline_s - time.monotonic()))
    head, _, rest = bytes(answer).partition(b"\r\n\r\n")
    return int(head[9:12]), rest


def _answered(status: int, body: bytes) -> JsonObject:
    """The object of an answer; empty where what was asked for is not there."""
    found = json.loads(body)
    held: JsonObject = found if isinstance(found, dict) else {}
    if status != 200 and held.get("code") != "not_found":
        raise Unanswered(f"{status} {_text(held, 'code')}")
    return held if status == 200 else {}


def settings_of(arguments: list[str], root: str) -> dict[str, str]:
    """The settings: what is given, else of the environment, else of the file, else as usual.

    The file may say other things of single projects, by the paths of their folders.
    """
    file = _read(os.path.join(_home("CONFIG", ".config"), "hooks.json"))
    settings = {**DEFAULTS, **_known(file), **_known(_object(_object(file, "projects"), root))}
    for name in DEFAULTS:
        settings[name] = os.environ.get(PREFIX + name.upper(), settings[name])
    names = [name.removeprefix("--").replace("-", "_") for name in arguments[::2]]
    return settings | _known(dict(zip(names, arguments[1::2], strict=False)))


def is_true(value: str) -> bool:
    """True for a setting that is on."""
    return value.lower() in ("true", "yes", "on", "1")


def _known(given: JsonObject) -> dict[str, str]:
    return {name: str(value) for name, value in given.items() if name in DEFAULTS}


def project_root(folder: str) -> str:
    """The folder of the project: of a git worktree its repository's, else the folder itself."""
    at = os.path.abspath(folder)
    while at != os.path.dirname(at):
        mark = os.path.join(at, ".git")
        if os.path.isdir(mark):
            return at
        if os.path.isfile(mark):
            with open(mark, encoding="utf-8") as file:
                told = file.read(4096).partition("gitdir:")[2].strip()
            inside = os.path.join(at, told).partition(f"{os.sep}.git{os.sep}worktrees{os.sep}")
            return os.path.normpath(inside[0]) if inside[1] else at
        at = os.path.dirname(at)
    return os.path.abspath(folder)


def namespace_of(root: str) -> str:
    """The namespace of a project: the name of its folder in the characters that one may have."""
    name = os.path.basename(root).lower()
    allowed = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name)
    if slug := allowed[:63].strip("._-"):
        return slug
    return f"project-{binascii.crc32(name.encode()):08x}"


def login_name() -> str:
    """The person at this machine, as the command line names them."""
    if "ANAMNESIS_USER" in os.environ:
        return os.environ["ANAMNESIS_USER"]
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        if os.environ.get(name):
            return os.environ[name]
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


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


def read_state(session: str) -> JsonObject:
    """The state of a session: if it was briefed and prompted, or how far it was handed over."""
    return _read(_state_path(session))


def write_state(session: str, state: JsonObject) -> None:
    """Replace the state of a session, for its next event."""
    path = _state_path(session)
    with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(f"{path}.{os.getpid()}", path)


def left_behind(own: str) -> list[tuple[str, JsonObject]]:
    """Transcripts of other sessions that rest and have more than was handed over."""
    rest = [
        (name, read_state(name))
        for name, age_s in _states()
        if name.startswith(TAKEN) and name != _plain(own) and age_s >= RESTED_S
    ]
    return [(name, taken) for name, taken in rest if is_due(taken, at_once=True)][:LEFT_BEHIND_MAX]


def forget_old_states() -> None:
    """Remove what is known of sessions that ended long ago."""
    for name, age_s in _states():
        if age_s > STATE_DAYS * 24 * 3600:
            os.remove(_state_path(name))


def _states() -> list[tuple[str, float]]:
    """The states that there are, with the seconds since each was written."""
    with os.scandir(place("")) as entries:
        files = [(each.name, each.stat().st_mtime) for each in entries]
    return [(n[:-5], time.time() - written) for n, written in files if n.endswith(".json")]


def _state_path(session: str) -> str:
    return place(f"{_plain(session)}.json")


def _plain(session: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c == "-") else "_" for c in session)[:120]


def note(line: str) -> None:
    """Write a line to the log, which stays small; a log that cannot be written is no matter."""
    try:
        path = place("hooks.log")
        full = os.path.exists(path) and os.path.getsize(path) > LOG_BYTES_MAX
        with open(path, "w" if full else "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{_utc(time.time())} {line}\n")
    except OSError:
        pass


def _utc(at_s: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at_s))


def place(name: str) -> str:
    """The path of a file that hooks keep, in a folder that is the person's alone."""
    folder = os.path.join(_home("STATE", ".local/state"), "hooks")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, name)


def _home(kind: str, usual: str) -> str:
    """Our folder in the person's folder of configuration or state, as the XDG rules name them."""
    base = os.environ.get(f"XDG_{kind}_HOME") or os.path.join(os.path.expanduser("~"), usual)
    return os.path.join(base, "anamnesis")


def _read(path: str) -> JsonObject:
    """The object in a file; empty where there is none."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        held = json.load(file)
    return held if isinstance(held, dict) else {}


def _folder(event: JsonObject) -> str:
    roots = event.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return _text(event, "cwd") or str(first) or "."


def _text(held: JsonObject, name: str) -> str:
    value = held.get(name)
    return value if isinstance(value, str) else ""


def _object(held: JsonObject, name: str) -> JsonObject:
    value = held.get(name)
    return value if isinstance(value, dict) else {}


def _number(held: JsonObject, name: str) -> int:
    value = held.get(name)
    return value if isinstance(value, int) else 0
