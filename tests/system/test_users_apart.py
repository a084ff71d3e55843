"""Two users of one namespace: what keeps them apart lasts, and taking one away leaves the other."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from anamnesis_cli.main import anamnesis
from tests.support.chat_suite import chat_suite
from tests.support.openai_server import openai_server
from tests.support.processes import Process, start

Run = Callable[..., Result]
STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
SHARED_WORDS = "We water the fern on Mondays."
SAID = {
    "ada": ("I was diagnosed with epilepsy last year, I take lamotrigine.", "I live in Delft."),
    "bo": ("I'm allergic to peanuts.", "I live in Porto and I work at Datadog."),
}
THEIRS = {"ada": ("epilepsy", "lamotrigine", "Delft"), "bo": ("peanuts", "Porto", "Datadog")}
MOVING = ('"revision"', '"retention"', '"hit_count"', '"last_hit_time"', '"stability')
READS = (
    ("search", "Which medication do I take?", "--limit", "50"),
    ("search", "where do I live and work", "--explain"),
    ("facts",),
    ("activity",),
    ("palace", "--depth", "drawers"),
)


def _run(process: Process) -> Run:
    def with_server(*words: str) -> Result:
        done = CliRunner().invoke(anamnesis, ["--server", process.address, "-n", "team", *words])
        assert done.exit_code == 0, done.output
        return done

    return with_server


def _tell(run: Run, folder: Path) -> None:
    for user, said in SAID.items():
        lines = [
            {"role": "user", "content": text, "timestamp": f"2026-03-0{day}T09:00:00Z"}
            for day, text in enumerate((*said, SHARED_WORDS), start=1)
        ]
        path = folder / f"{user}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        run("ingest", str(path), "--user", user, "--session", f"talk-{user}", "--end")
    run("learn")


def _seen(run: Run, user: str) -> str:
    """All that the reading commands print for a user."""
    return "\n".join(run(*words, "--user", user, "--json").stdout for words in READS)


@pytest.fixture
def suite(tmp_path: Path) -> Iterator[Process]:
    """A suite with what both have said, learned from."""
    process = start(tmp_path / "data", settings=STATIC)
    _tell(_run(process), tmp_path)
    yield process
    process.stop()


def _apart(run: Run) -> None:
    for user, other in (("ada", "bo"), ("bo", "ada"), ("", "ada"), ("", "bo")):
        seen = _seen(run, user)
        assert not [word for word in THEIRS[other] if word in seen], (user, seen)
    assert "lamotrigine" in _seen(run, "ada")
    assert "Datadog" in _seen(run, "bo")


@pytest.mark.long
def test_after_a_restart_and_a_move_each_still_sees_their_own(
    suite: Process, tmp_path: Path
) -> None:
    _apart(_run(suite))
    _run(suite)("export", str(tmp_path / "team.jsonl"))
    suite.kill()
    again = start(tmp_path / "data", settings=STATIC)
    _apart(_run(again))
    again.stop()
    elsewhere = start(tmp_path / "other", settings=STATIC)
    _run(elsewhere)("import", str(tmp_path / "team.jsonl"))
    _apart(_run(elsewhere))
    elsewhere.stop()


def test_erasing_one_leaves_the_other_byte_for_byte(suite: Process) -> None:
    run = _run(suite)
    before = _lasting(_seen(run, "bo"))
    run("erase", "--user", "ada", "--yes")
    assert _lasting(_seen(run, "bo")) == before
    assert "lamotrigine" not in _seen(run, "ada")


@pytest.mark.long
async def test_a_chat_model_is_sent_one_users_words_at_a_time(tmp_path: Path) -> None:
    async with (
        openai_server() as server,
        chat_suite(server, tmp_path / "data") as suite,
    ):
        run = _run(suite.process)
        await asyncio.to_thread(_tell, run, tmp_path)
        await asyncio.to_thread(_tell_more, run, tmp_path)
        sent = [json.dumps(request.json, ensure_ascii=False) for request in server.requests]
        await asyncio.to_thread(_apart, run)
    for user, words in THEIRS.items():
        assert any(word in prompt for prompt in sent for word in words), user
    mixed = [p for p in sent if all(any(w in p for w in words) for words in THEIRS.values())]
    assert mixed == []


def _tell_more(run: Run, folder: Path) -> None:
    """Another session of each, of which what was learned before is held against."""
    for user in SAID:
        path = folder / f"{user}-more.jsonl"
        line = {"role": "user", "content": "I moved away.", "timestamp": "2026-04-01T09:00:00Z"}
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
        run("ingest", str(path), "--user", user, "--session", f"more-{user}", "--end", "--learn")


def _lasting(text: str) -> list[str]:
    """What is said without what moves by itself: the clock, the revision, what was shown."""
    return [line for line in text.splitlines() if not any(word in line for word in MOVING)]
