"""`anamnesis search` against a scripted server."""

import json

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_EPISODIC, MEMORY_KIND_LEARNING, Memory
from anamnesis.memory.v1.memory_service_pb2 import (
    READ_PURPOSE_INTERNAL,
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
)
from anamnesis.retrieval.v1.retrieval_pb2 import (
    DETAIL_L1,
    RANKING_RECENT,
    SEARCH_MODE_GRAPH,
    SEARCH_MODE_HYBRID,
)
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at, found, result
from tests.unit.cli.conftest import Run


def test_prints_a_row_a_result(run: Run, script: Script) -> None:
    script.answer("Search", found(result("peanuts, and nothing else", score=0.734)))
    answer = run("search", "what", "is", "Mara", "allergic", "to")
    assert answer.exit_code == 0
    row = next(line for line in answer.stdout.splitlines() if "peanuts" in line)
    assert row.split() == [
        *("1", "0.734", "§", "W-001/R-002/D-003", "2026-03-02", "09:15", "UTC", "Mara"),
        *("peanuts,", "and", "nothing", "else"),
    ]
    assert script.asked(SearchRequest)[0].query == "what is Mara allergic to"


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_a_result_is_a_block(run: Run, script: Script) -> None:
    long = result("peanuts, and nothing else " * 5, score=0.734, name="Bash: git log " * 9)
    script.answer("Search", found(long))
    head, *text = run("search", "x").stdout.splitlines()
    assert head.startswith("1. 0.734  § W-001/R-002/D-003  2026-03-02 09:15 UTC  Bash: git log")
    assert len(head) == 80
    assert " ".join(" ".join(text).split()) == long.memory.summary.strip()
    assert all(line.startswith("   ") for line in text)


def test_of_a_long_text_the_line_that_matches_is_shown(run: Run, script: Script) -> None:
    script.answer("Search", found(result("# Notes")))
    body = Memory(memory_id="m-1", content="# Notes\n\nMilk is out.\nShe is allergic to nuts.\n")
    script.answer("BatchGetMemories", BatchGetMemoriesResponse(memories=[body]))
    told = run("search", "what is she allergic to").stdout
    assert "She is allergic to nuts." in told
    assert "# Notes" not in told
    (read,) = script.asked(BatchGetMemoriesRequest)
    assert (list(read.memory_ids), read.purpose) == (["m-1"], READ_PURPOSE_INTERNAL)


def test_what_nothing_speaks_for_is_not_shown(run: Run, script: Script) -> None:
    weak = [result("weak", score=0.0), result("opposed", score=-1.5)]
    weak[0].routes[:] = ["dense"]
    script.answer("Search", found(result("strong"), *weak))
    answer = run("search", "x")
    assert "strong" in answer.stdout
    assert "weak" not in answer.stdout
    assert "opposed" not in answer.stdout
    assert "2 with a score of zero or less are not shown" in answer.stderr
    assert "opposed" in run("search", "x", "--explain").stdout
    assert len(json.loads(run("search", "x", "--json").stdout)["results"]) == 3
    script.answer("Search", found(*weak))
    assert "nothing relevant" in run("search", "x").stderr


def test_the_only_memory_is_shown_for_its_words_though_nothing_is_weighed_against_it(
    run: Run, script: Script
) -> None:
    script.answer("Search", found(result("The gate code", score=0.0)))
    assert "The gate code" in run("search", "gate").stdout


def test_what_a_reranker_puts_first_is_shown_whatever_its_score(run: Run, script: Script) -> None:
    script.answer(
        "Search", found(result("first", score=-1), result("next"), result("last", score=-2))
    )
    answer = run("search", "x", "--rerank")
    assert "first" in answer.stdout
    assert "last" not in answer.stdout
    assert "1 with a score of zero or less are not shown" in answer.stderr


def test_the_same_words_of_two_sessions_come_once(run: Run, script: Script) -> None:
    said = [result("We ship on  Thursdays."), result("we ship on Thursdays.")]
    said.append(result("We ship on Thursdays.", name="Juno"))
    for number, each in enumerate(said, start=1):
        each.memory.pointer = f"§ W-001/R-0{number}/D-001"
    script.answer("Search", found(*said))
    told = run("search", "x").stdout
    assert "We ship on Thursdays.  (also in § W-001/R-02/D-001)" in told
    assert told.count("Thursdays") == 2
    assert "§ W-001/R-03/D-001" in told


def test_a_path_of_headings_leaves_room_for_what_it_heads(run: Run, script: Script) -> None:
    path = "facts.md › Facts over time › Predicates with one object at a time"
    script.answer("Search", found(result("These are single-valued everywhere", name=path)))
    answer = run("search", "x")
    _, _, first, *_, last = filter(str.strip, answer.stdout.splitlines())
    assert "facts.md ›" in first
    assert "These are single-valued" in first
    assert last.strip().endswith("time")


def test_sends_every_filter(run: Run, script: Script) -> None:
    script.answer("Search", found())
    words = (
        "search x --kind episodic --kind LEARNING --category error --tag a --tag b --entity Mara "
        "--of-agent juno --of-user mara --session s-1 --session s-2 --origin observed "
        "--after 2026-03-01 --before 2026-03-02T12:00:00+02:00 --min-importance 0.5 "
        "--include-archived --as-agent me --user you --as-session here --mode hybrid "
        "--now 2026-04-01 --limit 3 --detail l1 --explain --rerank --at-least-revision r-9 "
        "-n team-a"
    )
    assert run(*words.split()).exit_code == 0
    (asked,) = script.asked(SearchRequest)
    assert asked.namespace == "team-a"
    assert list(asked.filter.kinds) == [MEMORY_KIND_EPISODIC, MEMORY_KIND_LEARNING]
    assert list(asked.filter.tags) == ["a", "b"]
    assert list(asked.filter.session_ids) == ["s-1", "s-2"]
    assert asked.filter.agent_id == "juno"
    assert asked.filter.include_archived
    assert asked.filter.time_range.start_time == at("2026-03-01")
    assert asked.filter.time_range.end_time == at("2026-03-02T10:00:00")
    assert asked.caller == Caller(agent_id="me", user_id="you", session_id="here")
    assert (asked.mode, asked.detail, asked.limit) == (SEARCH_MODE_HYBRID, DETAIL_L1, 3)
    assert asked.now == at("2026-04-01")
    assert asked.explain
    assert asked.rerank
    assert asked.at_least_revision == "r-9"


def test_sends_no_time_range_unasked(run: Run, script: Script) -> None:
    script.answer("Search", found())
    run("search", "x")
    (asked,) = script.asked(SearchRequest)
    assert not asked.filter.HasField("time_range")
    assert not asked.HasField("now")
    assert not asked.rerank


def test_explains_every_factor(run: Run, script: Script) -> None:
    script.answer("Search", found(result("peanuts", score=0.5)))
    answer = run("search", "allergy", "--explain")
    lines = [line.split() for line in answer.stdout.splitlines()]
    assert ["dense_window", "0.5000", "0.8000", "0.4000"] in lines
    assert ["text_turn", "0.2500", "0.4000", "0.1000"] in lines
    assert "profile speakers" in answer.stdout
    assert "text, dense" in answer.stdout


def test_json_is_one_document_with_the_names_of_the_protos(run: Run, script: Script) -> None:
    script.answer("Search", found(result("对花生过敏")))
    answer = run("search", "花生", "--json")
    document = json.loads(answer.stdout)
    assert document["results"][0]["memory"]["event_time"] == "2026-03-02T09:15:00Z"
    assert document["next_page_token"] == ""
    assert "对花生过敏" in answer.stdout


def test_says_how_to_get_more(run: Run, script: Script) -> None:
    script.answer("Search", found(result("one"), next_page_token="t-2"))
    answer = run("search", "x")
    assert "--page-token t-2" in answer.stderr
    assert run("search", "x", "--page-token", "t-2").exit_code == 0
    assert script.asked(SearchRequest)[1].page_token == "t-2"


def test_fetches_several_pages_as_one(run: Run, script: Script) -> None:
    first, last = found(result("one"), next_page_token="t-2"), found(result("two"))
    script.answer("Search", first, last)
    answer = run("search", "x", "--pages", "5", "--json")
    document = json.loads(answer.stdout)
    assert [each["memory"]["summary"] for each in document["results"]] == ["one", "two"]
    assert [asked.page_token for asked in script.asked(SearchRequest)] == ["", "t-2"]


def test_says_when_nothing_is_relevant(run: Run, script: Script) -> None:
    script.answer("Search", found())
    answer = run("search", "x", "--user", "bo", "--as-agent", "juno")
    assert answer.exit_code == 0
    assert answer.stdout == ""
    assert "nothing relevant in namespace default, as far as bo and juno may see" in answer.stderr
    assert "of what everybody sees" in run("search", "x", "--user", "").stderr


def test_says_what_is_degraded(run: Run, script: Script) -> None:
    page = found(result("one"))
    page.degraded.append("dense: 3 memories wait for their embedding")
    script.answer("Search", page)
    assert "3 memories wait" in run("search", "x").stderr


def test_what_people_said_reaches_the_terminal_as_text(run: Run, script: Script) -> None:
    script.answer("Search", found(result("[bold]a[/bold]\x1b[2J\nb"), result("[x] done [/]")))
    answer = run("search", "x")
    assert "[bold]a[/bold]␛[2J b" in answer.stdout
    assert "[x] done [/]" in answer.stdout
    assert "\x1b" not in answer.stdout


def test_a_memory_without_time_and_speaker_has_its_kind(run: Run, script: Script) -> None:
    bare = result("a lesson")
    bare.memory.ClearField("episode")
    bare.memory.ClearField("event_time")
    bare.memory.kind = MEMORY_KIND_LEARNING
    script.answer("Search", found(bare))
    row = next(line for line in run("search", "x").stdout.splitlines() if "lesson" in line)
    assert row.split()[4:6] == ["-", "learning"]


def test_a_speaker_without_a_name_has_its_role(run: Run, script: Script) -> None:
    script.answer("Search", found(result("peanuts", name="")))
    row = next(line for line in run("search", "x").stdout.splitlines() if "peanuts" in line)
    assert row.split()[-2:] == ["user", "peanuts"]


def test_text_without_spaces_is_folded_and_not_cut(run: Run, script: Script) -> None:
    script.answer("Search", found(result("过敏" * 100)))
    assert run("search", "x").stdout.count("过敏") == 100


def test_of_a_walk_of_the_graph_every_result_tells_how_far_it_is(run: Run, script: Script) -> None:
    begin, near = result("begin", score=0.5), result("near", score=-0.5)
    near.graph_distance = 2
    script.answer("Search", found(begin, near))
    options = ("--mode", "graph", "--seed", "m-1", "--ranking", "recent")
    told = run("search", "x", *options).stdout
    assert "near [2 edges away]" in told
    assert "begin [" not in told
    (asked,) = script.asked(SearchRequest)
    assert (asked.mode, asked.seed_memory_id) == (SEARCH_MODE_GRAPH, "m-1")
    assert asked.ranking == RANKING_RECENT
