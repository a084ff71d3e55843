"""Shows the suite at work: conversations go in; answers, a topic, a skill and a profile come out.

Run by `make demo`. Everything goes through the command line, as a person would do it; each command
is printed before its output, of which long ones are cut. The data lives in a temporary directory.
Any failure ends the demo with that failure.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from anamnesis_libs.environment import USER_VARIABLE

ROOT = Path(__file__).resolve().parent.parent
ANAMNESIS = (sys.executable, "-m", "anamnesis_cli.main")
SERVICES = (
    "anamnesis.memory.v1.MemoryService",
    "anamnesis.ingestion.v1.IngestionService",
    "anamnesis.cluster.v1.ClusterService",
    "anamnesis.retrieval.v1.RetrievalService",
)
START_S_MAX = 120.0
STOP_S_MAX = 15.0
STEP_S_MAX = 120.0

USER = "mara"
COLUMNS = 80
LINES_MAX = 60
CUT = "..."
"""In the place of lines that are not shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command, and the lines of its output that are shown: so many of those of a form."""

    command: str
    form: str = ""
    lines_max: int = LINES_MAX


@dataclass(frozen=True, slots=True)
class Step:
    """The words that announce a step, and the commands that show it."""

    announced: str
    commands: tuple[Shown, ...]


STEPS = (
    Step(
        "1. Conversations go in. What Mara tells her assistant is hers alone; what a coding "
        "agent does for Tomas is for all of the team.",
        (
            Shown("-n demo ingest examples/conversations --agent juno", r"events| files "),
            Shown(
                "-n demo ingest examples/sessions --agent coder --user tomas --visibility shared",
                r"events| files ",
            ),
        ),
    ),
    Step(
        "2. At once all of it is found, word for word.",
        (
            Shown(
                "-n demo search 'what is Mara allergic to?' --limit 1 "
                "--at-least-revision {revision}",
                r"^(?!more:)",
            ),
            Shown("-n demo search 林悦对什么过敏 --limit 1", r"^(?!more:)"),
        ),
    ),
    Step(
        "3. Facts, lessons and procedures are learned from it, here by rules alone.",
        (Shown("-n demo learn", r"sessions|^ +\d"),),
    ),
    Step(
        "4. Lessons about one thing are a topic; Mara's own are apart.",
        (
            Shown("-n demo clusters run", r"lessons|^ +\d"),
            Shown("-n demo clusters list", r"^(?!\s*t-)"),
            Shown("-n demo clusters show {topic}", r"[^ ─]"),
        ),
    ),
    Step(
        "5. Five lessons of a topic make a skill. It is a proposal until you publish it: "
        "anamnesis skills publish NAME.",
        (Shown("-n demo skills make"), Shown("-n demo skills show {skill}", lines_max=20)),
    ),
    Step(
        "6. What holds of Mara now, and what of all this the next prompt needs.",
        (
            Shown("-n demo profile"),
            Shown("-n demo context 'alembic upgrade fails: database is locked' --budget 300"),
        ),
    ),
)
TOLD = {
    "revision": re.compile(r"^revision (\S+)", re.MULTILINE),
    "topic": re.compile(r" lessons, ready, .*\n\s*(t-\w+)"),
    "skill": re.compile(r"^  skill (\S+)", re.MULTILINE),
}
"""Where commands tell what later ones name."""
AWAITED = re.compile(r" --at-least-revision \S+")


NEXT = """
Now with conversations of your own. In this terminal: make serve. In another,
for CHATS the file or the folder that has them:

  export PATH="$PWD/.venv/bin:$PATH"
  anamnesis ingest CHATS --learn
  anamnesis search "what was said about it"
  anamnesis profile                  # and: facts, clusters list, skills make

What else there is: README.md, docs/index.md, and `anamnesis --help`."""


class DemoFailed(Exception):
    """A step did not do what it should; the message says which."""


def main() -> None:
    """Runs the demo."""
    started_s = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="anamnesis-demo-") as directory:
            _show(Path(directory))
    except DemoFailed as failed:
        sys.exit(f"demo: {failed}")
    took_s = time.monotonic() - started_s
    _say(f"\nThe suite has stopped; nothing of it is left. It took {took_s:.1f} seconds.\n{NEXT}")


def _show(directory: Path) -> None:
    told: dict[str, str] = {}
    with serving(directory) as server:
        _say(f"\n$ export {USER_VARIABLE}={USER}")
        for step in STEPS:
            _say("\n" + textwrap.fill(step.announced, COLUMNS))
            for shown in step.commands:
                printed = _run(server, _named(shown.command, told), shown)
                found = {name: pattern.search(printed) for name, pattern in TOLD.items()}
                told |= {name: match[1] for name, match in found.items() if match}


def _named(command: str, told: Mapping[str, str]) -> str:
    """The command with what others told before it."""
    try:
        return command.format_map(told)
    except KeyError as missing:
        raise DemoFailed(f"the commands above told no {missing.args[0]}") from missing


def _run(server: str, arguments: str, shown: Shown) -> str:
    """Prints a command, then what is shown of its output; a command that fails ends the demo.

    It is printed as it is for a server at the usual address, and without the revision to wait for.
    """
    _say(f"$ anamnesis {re.sub(AWAITED, '', arguments)}")
    finished = subprocess.run(  # noqa: S603  # our own command
        [*ANAMNESIS, "--server", server, *shlex.split(arguments)],
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=STEP_S_MAX,
        check=False,
    )
    if finished.returncode:
        _say(finished.stdout.rstrip())
        raise DemoFailed(f"the command above ended with exit code {finished.returncode}")
    _say("\n".join(_lines(finished.stdout, shown)))
    return finished.stdout


def _environment() -> dict[str, str]:
    """Ours, on a screen of this width; without colours, as lines are read and counted."""
    ours = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    return ours | {USER_VARIABLE: USER, "COLUMNS": str(COLUMNS)}


def _lines(printed: str, shown: Shown) -> Iterator[str]:
    """The lines that are shown, folded where they are wider than the screen."""
    kept = [line.rstrip() for line in printed.splitlines() if line.strip()]
    kept = [line for line in kept if re.search(shown.form, line)]
    for line in kept[: shown.lines_max]:
        yield from textwrap.wrap(line, COLUMNS, subsequent_indent="    ", break_on_hyphens=False)
    if len(kept) > shown.lines_max:
        yield CUT


@contextmanager
def serving(directory: Path) -> Iterator[str]:
    """The address of a running suite, which is stopped in good order in the end."""
    arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", str(directory / "data")]
    _say(f"$ anamnesis {shlex.join(arguments)} &")
    log = directory / "serve.log"
    with log.open("w") as errors:
        process = subprocess.Popen(  # noqa: S603  # our own command
            [*ANAMNESIS, *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
        )
    try:
        server = _address(process, log)
        _await_serving(server)
        yield server
        _stop(process, log)
    finally:
        process.kill()
        process.wait()


def _address(process: "subprocess.Popen[str]", log: Path) -> str:
    """The address at which the suite listens, from the line that it prints when it is ready."""
    assert process.stdout is not None
    too_late = threading.Timer(START_S_MAX, process.kill)
    too_late.start()
    line = process.stdout.readline()
    too_late.cancel()
    ready = re.search(r"ready on (\S+):", line)
    if ready is None:
        raise DemoFailed(f"the suite did not start; its log:\n{log.read_text()}")
    _say(line.rstrip())
    return ready[1]


def _await_serving(server: str) -> None:
    """Waits until every service says SERVING."""
    deadline_s = time.monotonic() + START_S_MAX
    with grpc.insecure_channel(server) as channel:
        for service in SERVICES:
            while not _is_serving(channel, service):
                if time.monotonic() > deadline_s:
                    raise DemoFailed(f"{service} is not SERVING after {START_S_MAX:g} seconds")
                time.sleep(0.1)
    _say(f"health: {len(SERVICES)} services SERVING")


def _is_serving(channel: grpc.Channel, service: str) -> bool:
    try:
        request = HealthCheckRequest(service=service)
        answer = HealthStub(channel).Check(request, timeout=5)  # type: ignore[attr-defined]  # stubs
    except grpc.RpcError as failed:
        raise DemoFailed(f"the health of {service} is not told: {failed.details()}") from failed
    return bool(answer.status == HealthCheckResponse.SERVING)


def _stop(process: "subprocess.Popen[str]", log: Path) -> None:
    process.terminate()
    try:
        exit_code = process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired as late:
        raise DemoFailed(f"the suite did not stop within {STOP_S_MAX:g} seconds") from late
    if exit_code:
        raise DemoFailed(f"the suite stopped with exit code {exit_code}:\n{log.read_text()}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
