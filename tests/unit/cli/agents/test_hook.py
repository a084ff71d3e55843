"""The hook: what it asks and says for each event, and that nothing goes wrong aloud."""

import base64
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from anamnesis_cli.agents.hook import events, project, settings, states, transcripts
from tests.support.connect_edge import Edge, JsonObject, connect_edge

Serve = Callable[..., JsonObject]
RULE = "<memory_context>\nStanding\nuser: Never push to main.\n</memory_context>"
LAST = "<memory_context>\n20 November\nassistant: Left: retry.py.\n</memory_context>"


@pytest.fixture(scope="module")
def running() -> Iterator[Edge]:
    with connect_edge() as edge:
        yield edge


@pytest.fixture
def edge(running: Edge) -> Edge:
    for kept in (running.answers, running.asked, running.keys):
        kept.clear()
    return running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [*os.environ]:
        if name.startswith(("XDG_", "ANAMNESIS_")):
            monkeypatch.delenv(name)
    (tmp_path / "harbor" / ".git").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def serve(
    home: Path, edge: Edge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Serve:
    """Runs the hook on an event as an agent does; {} where it says nothing."""

    def run(name: str, *options: str, agent: str = "claude-code", **more: object) -> JsonObject:
        event = {"session_id": "s-1", "cwd": str(home / "harbor"), "hook_event_name": name, **more}
        words = ["hook", agent, "--url", edge.url, "--user", "mara", *options]
        monkeypatch.setattr(sys, "argv", words)
        given = io.BytesIO(json.dumps(event).encode())
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=given))
        assert events.main() == 0
        told = capsys.readouterr()
        assert told.err == ""
        answer: JsonObject = json.loads(told.out) if told.out else {}
        return answer

    return run


def told(answer: JsonObject) -> str:
    said = answer.get("hookSpecificOutput", {})
    assert isinstance(said, dict)
    return str(said.get("additionalContext", ""))


def context(text: str, tokens: int) -> JsonObject:
    return {"text": text, "tokenCount": tokens}


def log(home: Path) -> str:
    file = home / ".local/state/anamnesis/hooks/hooks.log"
    return file.read_text() if file.exists() else ""


def test_a_session_begins_with_the_brief_of_the_suite(serve: Serve, edge: Edge) -> None:
    edge.say("BuildContext", context(RULE, 30))
    assert told(serve("SessionStart", source="startup")) == RULE
    assert edge.requests("BuildContext") == [
        {
            "namespace": "harbor",
            "query": "",
            "tokenBudget": 600,
            "caller": {"agentId": "claude-code", "userId": "mara", "sessionId": "s-1"},
            "excludeShown": True,
            "excludeOwnSession": True,
        }
    ]


def test_a_suite_that_is_too_old_for_a_brief_is_asked_for_rules_and_what_was_left(
    serve: Serve, edge: Edge, home: Path
) -> None:
    edge.say("BuildContext", context(RULE, 30), context(LAST, 25))
    edge.answers["BuildContext"].insert(0, (400, {"code": "invalid_argument"}))
    assert told(serve("SessionStart", source="startup")) == (
        "<memory_context>\nStanding\nuser: Never push to main.\n"
        "20 November\nassistant: Left: retry.py.\n</memory_context>"
    )
    asked = edge.requests("BuildContext")
    assert [one["tokenBudget"] for one in asked] == [600, 150, 570]
    assert [bool(one["query"]) for one in asked] == [False, True, True]
    assert log(home) == ""


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_tokyo")
def test_a_suite_that_is_too_old_for_zones_is_asked_without_one(
    serve: Serve, edge: Edge, tmp_path: Path, home: Path
) -> None:
    refusal: JsonObject = {
        "code": "invalid_argument",
        "message": "timeZone: there is no such field",
    }
    edge.say("BuildContext", context(RULE, 30))
    edge.answers["BuildContext"].insert(0, (400, refusal))
    assert told(serve("UserPromptSubmit", prompt="What are the rules?")) == RULE
    first, second = edge.requests("BuildContext")
    assert first == {**second, "timeZone": "+0900"}
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"{}")
    edge.say("IngestFile", {"error": {**refusal, "message": "header.timeZone: no such field"}}, {})
    serve("Stop", transcript_path=str(file))
    zones = [dict(one["header"]).get("timeZone") for one in edge.requests("IngestFile")[::2]]  # type: ignore[call-overload]
    assert zones == ["+0900", None]
    assert log(home) == ""


def test_the_person_is_told_once_what_is_kept(serve: Serve) -> None:
    assert "harbor" in str(serve("SessionStart", source="startup")["systemMessage"])
    assert serve("SessionStart", source="startup") == {}
    assert serve("SessionStart", "--keep", "no", "--namespace", "b", source="startup") == {}


def test_of_a_resumed_session_nothing_is_told_twice_and_of_a_compacted_one_all_is(
    serve: Serve, edge: Edge
) -> None:
    edge.say("BuildContext", context(RULE, 30))
    assert told(serve("SessionStart", source="startup"))
    assert told(serve("SessionStart", source="resume")) == ""
    assert told(serve("SessionStart", source="compact"))
    sessions = [one["caller"]["sessionId"] for one in edge.requests("BuildContext")]  # type: ignore[index]
    assert sessions == ["s-1", "s-1/1"]


def test_the_first_prompt_has_more_room_than_later_ones_and_these_are_few(
    serve: Serve, edge: Edge
) -> None:
    edge.say("BuildContext", context(RULE, 30))
    for prompt in ("Fix the test.", "And now the migration.", "Now the map."):
        assert told(serve("UserPromptSubmit", "--later-max", "2", prompt=prompt)) == RULE
    assert serve("UserPromptSubmit", "--later-max", "2", prompt="Now the gate.") == {}
    asked = [(one["tokenBudget"], one.get("limit")) for one in edge.requests("BuildContext")]
    assert asked == [(400, None), (200, 5), (200, 5)]


@pytest.mark.parametrize("prompt", ["", "   ", "/compact", 7])
def test_what_is_no_prompt_asks_nothing(serve: Serve, edge: Edge, prompt: object) -> None:
    assert serve("UserPromptSubmit", prompt=prompt) == {}
    assert edge.asked == []


def test_silence_and_no_note_where_nothing_is_relevant_or_there(
    serve: Serve, edge: Edge, home: Path
) -> None:
    edge.say("BuildContext", {"emptyReason": "EMPTY_REASON_ALREADY_SHOWN"})
    assert serve("UserPromptSubmit", prompt="Fix it.") == {}
    edge.say("BuildContext", {"code": "not_found"}, status=404)
    assert serve("UserPromptSubmit", prompt="Fix it.") == {}
    assert log(home) == ""


@pytest.mark.parametrize(
    ("url", "status"),
    [("http://127.0.0.1:1", 200), ("", 200), ("nonsense", 200), (None, 401), (None, 500)],
)
def test_what_goes_wrong_is_a_note_without_the_prompt(
    serve: Serve, edge: Edge, home: Path, url: str | None, status: int
) -> None:
    edge.say("BuildContext", {"code": "unauthenticated"}, status=status)
    given = () if url is None else ("--url", url)
    assert serve("UserPromptSubmit", *given, prompt="Zorblatt is secret.") == {}
    serve("SessionStart", *given, source="startup")
    assert log(home).count("UserPromptSubmit") == 1
    assert log(home).count("brief") == 1
    assert "Zorblatt" not in log(home)


@pytest.mark.parametrize("event", [b"", b"[]", b'{"session_id": 4}', b"\xff", b'{"cwd": []}'])
@pytest.mark.usefixtures("home")
def test_any_input_ends_well(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    event: bytes,
) -> None:
    monkeypatch.setattr(sys, "argv", ["hook", "claude-code"])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(event)))
    assert events.main() == 0
    assert capsys.readouterr().out == ""


def test_the_log_stays_small(home: Path) -> None:
    for _ in range(3000):
        states.note("a line of the log that says what went wrong")
    assert len(log(home)) <= states.LOG_BYTES_MAX + 100


def test_a_transcript_goes_over_whole_and_again_when_it_has_grown(
    serve: Serve, edge: Edge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "CHUNK_BYTES", 4)
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"x" * 10)
    serve("Stop", transcript_path=str(file))
    header, *chunks = edge.requests("IngestFile")
    assert b"".join(base64.b64decode(str(one["chunk"])) for one in chunks) == b"x" * 10
    wanted = {"namespace": "harbor", "agentId": "claude-code", "userId": "mara", "sizeBytes": 10}
    assert {**header["header"], **wanted} == header["header"]  # type: ignore[dict-item]
    for content, event, sent in (
        (b"x" * 10, "PreCompact", 0),
        (b"x" * 11, "Stop", 0),
        (b"x" * 11, "PreCompact", 4),
        (b"x" * 16, "Stop", 5),
    ):
        edge.asked.clear()
        file.write_bytes(content)
        serve(event, transcript_path=str(file))
        assert len(edge.requests("IngestFile")) == sent, (content, event)


def test_a_transcript_that_was_refused_is_sent_again(
    serve: Serve, edge: Edge, tmp_path: Path, home: Path
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"{}")
    edge.say("IngestFile", {"error": {"code": "unavailable"}})
    serve("Stop", transcript_path=str(file))
    assert "unavailable" in log(home)
    edge.say("IngestFile", {})
    edge.asked.clear()
    serve("Stop", transcript_path=str(file))
    assert edge.requests("IngestFile")


def test_the_rest_of_a_session_that_ended_goes_with_another(
    serve: Serve, edge: Edge, tmp_path: Path, home: Path
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"x" * 100)
    serve("Stop", transcript_path=str(file), session_id="old")
    file.write_bytes(b"x" * 101)
    state = home / ".local/state/anamnesis/hooks/taken-old.json"
    past = time.time() - transcripts.RESTED_S - 1
    os.utime(state, (past, past))
    edge.asked.clear()
    serve("Stop", transcript_path=str(tmp_path / "none"), agent="codex")
    (header, _) = edge.requests("IngestFile")
    assert header["header"]["agentId"] == "claude-code"  # type: ignore[index]


def test_nothing_is_kept_or_asked_where_it_is_switched_off(
    serve: Serve, edge: Edge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"{}")
    serve("Stop", "--keep", "no", transcript_path=str(file))
    monkeypatch.setenv("ANAMNESIS_HOOKS_OFF", "yes")
    assert serve("SessionStart", source="startup") == {}
    assert edge.asked == []


def test_cursor_is_told_in_its_own_words(serve: Serve, edge: Edge, tmp_path: Path) -> None:
    edge.say("BuildContext", context(RULE, 30))
    more = {"session_id": None, "conversation_id": "c-1", "cwd": None}
    roots = {"workspace_roots": [str(tmp_path / "harbor")]}
    answer = serve("sessionStart", agent="cursor", **more, **roots)
    assert "Never push to main." in str(answer.pop("additional_context"))
    assert answer == {}
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"{}")
    serve("stop", agent="cursor", transcript_path=str(file), **more, **roots)
    header = edge.requests("IngestFile")[0]["header"]
    assert (header["sessionId"], header["namespace"]) == ("c-1", "harbor")  # type: ignore[index]


def test_settings_are_of_the_command_else_the_environment_else_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / ".config/anamnesis/hooks.json"
    file.parent.mkdir(parents=True)
    projects = {str(home / "a"): {"namespace": "of-a", "off": True}}
    file.write_text(
        json.dumps({"namespace": "f", "user": "f", "later_max": 3, "projects": projects})
    )
    monkeypatch.setenv("ANAMNESIS_HOOKS_USER", "e")
    found = settings.settings_of(["--brief-tokens", "9"], str(home / "b"))
    names = ("namespace", "user", "later_max", "brief_tokens", "timeout_s", "off")
    assert [found[name] for name in names] == ["f", "e", "3", "9", "2", "False"]
    own = settings.settings_of([], str(home / "a"))
    assert (own["namespace"], settings.is_true(own["off"])) == ("of-a", True)


def test_a_key_goes_with_the_request(serve: Serve, edge: Edge, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("s3cret\n")
    serve("UserPromptSubmit", "--api-key-file", str(key), prompt="Fix it.")
    assert edge.keys == ["Bearer s3cret"]


def test_a_project_is_its_repository_wherever_in_it_or_in_a_worktree(home: Path) -> None:
    root = home / "harbor"
    (root / "src").mkdir()
    tree = home / "trees" / "fix"
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {root}/.git/worktrees/fix\n")
    for folder in (root, root / "src", tree):
        assert project.project_root(str(folder)) == str(root)
    assert project.project_root(str(home)) == str(home)


@pytest.mark.parametrize(
    ("folder", "namespace"),
    [
        ("/src/My App", "my-app"),
        ("/src/.dotfiles", "dotfiles"),
        ("/src/a_b.c", "a_b.c"),
        (f"/src/{'x' * 80}", "x" * 63),
    ],
)
def test_a_namespace_is_named_as_one_may_be(folder: str, namespace: str) -> None:
    assert project.namespace_of(folder) == namespace


def test_names_in_other_letters_stay_apart() -> None:
    assert project.namespace_of("/src/项目") != project.namespace_of("/src/小说")
