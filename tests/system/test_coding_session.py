"""A coding session from recorded inputs of hooks: briefed, prompted, taken in, compacted, resumed.

The hook runs as agents run it, a process an event, against a suite that answers HTTP.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest
from anamnesis.memory.v1.knowledge_service_pb2 import ListFactsRequest
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_libs.tokens import load_counter
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import REPOSITORY, Process, start

pytestmark = pytest.mark.long
TOKENS = load_counter("o200k_base")
MARA = Caller(user_id="mara")
BLOCK = "<memory_context>\nuser: My name is Zenobia. I live in Quito.\n</memory_context>"
BEFORE = (
    ("user", "From now on never push to main directly. Can you fix the flaky queue test?"),
    ("assistant", "Fixed: the worker takes a clock now. Left: retry.py sleeps on the real clock."),
    ("user", "Leave retry.py for tomorrow. We use pnpm for the frontend, never npm."),
)
NOW = (
    ("user", f"{BLOCK}\nNow make retry.py take the clock as well."),
    (
        "assistant",
        [{"type": "tool_use", "id": "t1", "name": "mcp__anamnesis__recall", "input": {}}],
    ),
    ("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "Zenobia lives in Quito."}]),
    ("assistant", "Done: retry.py takes the clock. Left: the map has no legend yet."),
)
SUMMARY = "This session is being continued from a previous conversation that ran out of context."


@dataclass(frozen=True, slots=True)
class Session:
    """A session of Claude Code in a project, as its hooks see it."""

    home: Path
    url: str
    name: str

    @property
    def transcript(self) -> Path:
        """Its transcript."""
        return self.home / f"{self.name}.jsonl"

    def write(self, turns: Sequence[tuple[str, object]], *more: dict[str, object]) -> None:
        """Write the transcript anew, as Claude Code has it by then."""
        attached = {"type": "hook_additional_context", "content": [BLOCK]}
        rows: list[dict[str, object]] = [
            {"type": "attachment", "uuid": "a", "attachment": attached},
            *(_line(turn) for turn in turns),
            *more,
        ]
        stamped = [
            {
                "sessionId": self.name,
                "timestamp": f"2026-11-20T09:{n:02}:00Z",
                "uuid": f"u{n}",
                **row,
            }
            for n, row in enumerate(rows)
        ]
        self.transcript.write_text("".join(f"{json.dumps(row)}\n" for row in stamped))

    def hook(self, event: str, **more: object) -> str:
        """Run the hook; the context that it gives."""
        given = {
            "session_id": self.name,
            "transcript_path": str(self.transcript),
            "cwd": str(self.home / "harbor"),
            "permission_mode": "default",
            "hook_event_name": event,
            **more,
        }
        folder = REPOSITORY / "cli/anamnesis_cli/agents"
        options = ("--url", self.url, "--user", "mara", "--timeout-s", "30")
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(folder), "claude-code", *options],
            input=json.dumps(given).encode(),
            capture_output=True,
            check=True,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"]},
        )
        assert done.stderr == b""
        assert not (self.home / ".local/state/anamnesis/hooks/hooks.log").exists()
        said = json.loads(done.stdout or b"{}").get("hookSpecificOutput", {})
        return str(said.get("additionalContext", ""))


def _line(turn: tuple[str, object]) -> dict[str, object]:
    return {"type": turn[0], "message": {"role": turn[0], "content": turn[1]}}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_SERVER__HTTP_LISTEN": "127.0.0.1:0",
    }
    process = start(tmp_path_factory.mktemp("suite") / "data", "all", settings)
    yield process
    assert process.stop() == 0, "".join(process.output)


def url_of(process: Process) -> str:
    """The address over HTTP, once it is told."""
    for _ in range(600):
        if found := re.search(r"answers HTTP on (\S+)", "".join(process.output)):
            return found[1]
        time.sleep(0.05)
    raise AssertionError("".join(process.output))


async def learned(clients: Clients) -> None:
    run = RunPipelineRequest(namespace="harbor")
    assert [each async for each in clients.ingestion.RunPipeline(run, timeout=60)]


async def test_a_session_is_briefed_prompted_taken_in_compacted_and_resumed(
    suite: Process, tmp_path: Path
) -> None:
    (tmp_path / "harbor" / ".git").mkdir(parents=True)
    url = url_of(suite)
    async with clients_of(everywhere(suite.address)) as clients:
        first = Session(tmp_path, url, "s-1")
        assert first.hook("SessionStart", source="startup") == "", "nothing is known yet"
        first.write(BEFORE)
        first.hook("Stop", stop_hook_active=False)
        await learned(clients)

        session = Session(tmp_path, url, "s-2")
        brief = session.hook("SessionStart", source="startup")
        assert "never push to main" in brief
        assert "retry.py sleeps on the real clock" in brief
        assert "Learned" not in brief, "nothing went wrong"
        assert brief.count("pnpm") == 1, "a rule is no fact besides"
        assert TOKENS.count(brief) <= 600
        assert "Leave retry.py for tomorrow." in brief
        left = "What did we leave for tomorrow?"
        assert session.hook("UserPromptSubmit", prompt=left) == "", "the brief told it"
        assert session.hook("UserPromptSubmit", prompt="What sleeps on the real clock?") == ""
        assert session.hook("UserPromptSubmit", prompt="Thanks, that is all!") == ""
        session.write(NOW)
        session.hook("Stop", stop_hook_active=False)
        assert session.hook("UserPromptSubmit", prompt="Does the map have a legend?") == ""

        session.write(NOW, {**_line(("user", SUMMARY)), "isCompactSummary": True})
        session.hook("PreCompact", trigger="auto", custom_instructions="")
        again = session.hook("SessionStart", source="compact")
        assert "never push to main" in again
        assert "the map has no legend yet" in again
        assert session.hook("SessionStart", source="resume") == ""

        await learned(clients)
        await _nothing_of_our_own_came_back(clients)


async def _nothing_of_our_own_came_back(clients: Clients) -> None:
    search = SearchRequest(namespace="harbor", query="Where does Zenobia live?", caller=MARA)
    found = (await clients.retrieval.Search(search)).results
    assert not [one for one in found if "Quito" in one.memory.overview + one.memory.summary]
    kept = SearchRequest(namespace="harbor", query="make retry.py take the clock", caller=MARA)
    assert "Now make retry.py" in (await clients.retrieval.Search(kept)).results[0].memory.summary
    facts = await clients.knowledge.ListFacts(ListFactsRequest(namespace="harbor", caller=MARA))
    assert not [one for one in facts.facts if "Quito" in str(one) or "Zenobia" in str(one)]
