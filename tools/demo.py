"""Shows the suite at work: it takes in conversations, searches them, and learns from them.

Run by `make demo`. Everything goes through the command line, as a person would do it; each command
is printed before its output. The data lives in a temporary directory. Any failure ends the demo
with that failure.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
COLUMNS = str(shutil.get_terminal_size().columns)
INGEST = "-n demo ingest examples/conversations --agent juno"
SEARCHES = (
    "-n demo search 'what is Mara allergic to?' --limit 2 --at-least-revision {revision}",
    "-n demo search 'what is Lin Yue allergic to?' --limit 3 --at-least-revision {revision}",
    "-n demo search 'database is locked' --limit 2 --explain",
    "-n demo search 林悦对什么过敏 --limit 3",
    "-n demo context 'when do new versions of the order page go up?' --budget 300",
)
LEARN = "-n demo learn"
LEARNED = (
    "-n demo stats",
    "-n demo palace --kind user",
    "-n demo profile --budget 200",
    "-n demo facts",
    "-n demo search 'what am I allergic to?' --kind semantic --limit 2 "
    "--at-least-revision {revision}",
)
AWAITED = re.compile(r" --at-least-revision \S+")
LEARNED_FACT = re.compile(r"allergic to .*hazelnuts")


NEXT = """
Now with conversations of your own. In this terminal:

  make serve

and in another one, for CHATS the file or the folder that has them:

  export PATH="$PWD/.venv/bin:$PATH"
  anamnesis ingest CHATS --learn
  anamnesis search "what was said about it"
  anamnesis facts

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
    with serving(directory) as server:
        _say(f"\n$ export {USER_VARIABLE}={USER}")
        revision = _revision(_run(server, INGEST))
        for search in SEARCHES:
            _run(server, search.format(revision=revision))
        revision = _revision(_run(server, LEARN))
        told = [_run(server, command.format(revision=revision)) for command in LEARNED]
        if not any(map(LEARNED_FACT.search, told)):
            raise DemoFailed("no fact was learned that the conversations tell")


def _revision(told: str) -> str:
    found = re.search(r"revision (\S+)", told)
    if found is None:
        raise DemoFailed("the command above told no revision")
    return found[1]


def _run(server: str, arguments: str) -> str:
    """Prints a command, then what it prints; a command that fails ends the demo.

    It is printed as it is for a server at the usual address, and without the revision to wait for.
    """
    command = f"--server {server} {arguments}"
    _say(f"\n$ anamnesis {re.sub(AWAITED, '', arguments)}")
    finished = subprocess.run(  # noqa: S603  # our own command
        [*ANAMNESIS, *shlex.split(command)],
        cwd=ROOT,
        env={**os.environ, USER_VARIABLE: USER, "COLUMNS": COLUMNS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=STEP_S_MAX,
        check=False,
    )
    _say(finished.stdout.rstrip())
    if finished.returncode:
        raise DemoFailed(f"the command above ended with exit code {finished.returncode}")
    return finished.stdout


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
