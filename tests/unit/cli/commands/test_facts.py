"""`anamnesis facts` and `anamnesis timeline` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.entity_pb2 import ENTITY_KIND_PERSON, Entity
from anamnesis.memory.v1.knowledge_pb2 import (
    FACT_FLAG_NEEDS_REVIEW,
    FACT_FLAG_SUPERSEDED,
    KnownFact,
)
from anamnesis.memory.v1.knowledge_service_pb2 import (
    GetTimelineRequest,
    GetTimelineResponse,
    ListFactsRequest,
    ListFactsResponse,
)
from anamnesis.memory.v1.memory_pb2 import (
    FACT_KIND_EVENT,
    FACT_KIND_EXPERIENCE,
    TIME_PRECISION_MONTH,
    TIME_PRECISION_YEAR,
    Fact,
    FactKind,
    Memory,
)
from anamnesis.memory.v1.memory_service_pb2 import BatchGetMemoriesResponse
from anamnesis_libs.errors.not_found import EntityNameNotFound, NamespaceNotFound
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_ROTTERDAM = KnownFact(
    memory=Memory(
        memory_id="m-1",
        content="[x] lived in\nRotterdam\x1b[2J.",
        confidence=0.85,
        fact=Fact(
            subject="Nadia [x]",
            predicate="lives_in",
            object="Rotterdam\x1b[2J",
            valid_from=at("2018-01-01"),
            valid_to=at("2021-03-01T10:00:00"),
            time_precision=TIME_PRECISION_YEAR,
        ),
    ),
    flags=[FACT_FLAG_SUPERSEDED, FACT_FLAG_NEEDS_REVIEW],
    sources=["chat", "mail"],
)
_UTRECHT = KnownFact(
    memory=Memory(
        memory_id="m-2",
        confidence=0.8,
        fact=Fact(
            subject="Nadia",
            predicate="lives_in",
            object="Utrecht",
            valid_from=at("2021-03-01"),
            time_precision=TIME_PRECISION_MONTH,
        ),
    )
)
_TIMELESS = KnownFact(
    memory=Memory(
        memory_id="m-3",
        confidence=1.0,
        fact=Fact(subject="Nadia", predicate="speaks", object="Dutch", valid_to=at("2020-02-28")),
    )
)
_NADIA = Entity(
    entity_id="e-1", kind=ENTITY_KIND_PERSON, name="Nadia", aliases=["Nadia [x]", "N. Visser"]
)


def _rows(stdout: str) -> list[list[str]]:
    lines = stdout.splitlines()
    return [line.split() for line in lines if " m-" in line]


def test_a_row_a_fact_with_its_times_and_flags(run: Run, script: Script) -> None:
    script.answer("ListFacts", ListFactsResponse(facts=[_ROTTERDAM, _UTRECHT, _TIMELESS]))
    answer = run("facts")
    assert answer.exit_code == 0
    first, second, third = _rows(answer.stdout)
    assert first == [
        *("2018", "2021-03-01", "10:00", "UTC", "[x]", "lived", "in", "Rotterdam␛[2J."),
        *("(superseded)", "(needs", "review)", "0.85", "chat,", "mail", "m-1"),
    ]
    assert second == ["2021-03", "still", "Nadia", "lives", "in", "Utrecht", "0.80", "-", "m-2"]
    assert third == ["unknown", "2020-02-28", "Nadia", "speaks", "Dutch", "1.00", "-", "m-3"]


@pytest.mark.parametrize("kind", [FACT_KIND_EVENT, FACT_KIND_EXPERIENCE])
def test_what_happened_has_its_date_and_does_not_go_on(
    run: Run, script: Script, kind: FactKind.ValueType
) -> None:
    went = KnownFact(
        memory=Memory(
            memory_id="m-4",
            confidence=0.7,
            content="Nadia went to Delft.",
            fact=Fact(
                subject="Nadia",
                predicate="did",
                object="went to Delft",
                valid_from=at("2023-05-07"),
                fact_kind=kind,
            ),
        )
    )
    script.answer("ListFacts", ListFactsResponse(facts=[went]))
    (row,) = _rows(run("facts").stdout)
    assert row == ["2023-05-07", "Nadia", "went", "to", "Delft.", "0.70", "-", "m-4"]


def test_a_row_is_a_line_and_names_its_memory_in_full(run: Run, script: Script) -> None:
    memory_id = "01a20259daf542860870d60933b01264"
    known = KnownFact(sources=["2ccc0b885e96723417d6225e7333e204", "mail", "cv"])
    known.memory.CopyFrom(_UTRECHT.memory)
    known.memory.memory_id = memory_id
    script.answer("ListFacts", ListFactsResponse(facts=[known]))
    (row,) = [line for line in run("facts").stdout.splitlines() if "Utrecht" in line]
    assert row.split()[-4:] == ["0.80", "2ccc0b885e96723417d622…", "+2", memory_id]


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_a_fact_is_a_block_and_ids_are_whole(run: Run, script: Script) -> None:
    sources = ["2ccc0b885e96723417d6225e7333e204", "8073cf0c1544b6666d7a8344eaae93de"]
    known = KnownFact(sources=sources)
    known.memory.CopyFrom(_ROTTERDAM.memory)
    known.memory.memory_id = "01a20259daf542860870d60933b01264"
    timeless = KnownFact(memory=Memory(content="Nadia sings.", confidence=1, memory_id="m-9"))
    script.answer("ListFacts", ListFactsResponse(facts=[known, timeless]))
    lines = [line.rstrip() for line in run("facts").stdout.splitlines()]
    assert lines == [
        "[x] lived in Rotterdam␛[2J.",
        "   2018 until 2021-03-01 10:00 UTC",
        f"   said by {sources[0]}, {sources[1]}",
        "   sure 0.85, memory 01a20259daf542860870d60933b01264",
        "Nadia sings.",
        "   still, since when is unknown",
        "   sure 1.00, memory m-9",
    ]


def test_rows_that_leave_no_room_for_whole_ids_are_blocks(run: Run, script: Script) -> None:
    known = KnownFact(sources=["2ccc0b885e96723417d6225e7333e204"])
    known.memory.CopyFrom(_UTRECHT.memory)
    known.memory.memory_id = "01a20259daf542860870d60933b01264"
    known.memory.fact.valid_from.CopyFrom(at("2021-03-01T09:00:00"))
    known.memory.fact.valid_to.CopyFrom(at("2022-03-01T09:00:00"))
    known.memory.fact.ClearField("time_precision")
    script.answer("ListFacts", ListFactsResponse(facts=[known]))
    told = run("facts").stdout
    assert f"memory {known.memory.memory_id}" in told
    assert "…" not in told


@pytest.mark.usefixtures("narrow")
def test_who_says_it_is_told_by_name_and_drawer(run: Run, script: Script) -> None:
    known = KnownFact(sources=["2ccc0b885e96723417d6225e7333e204", "cv"])
    known.memory.CopyFrom(_UTRECHT.memory)
    known.memory.fact.source_memory_ids.append("m-7")
    drawer = Memory(
        memory_id="m-7", session_id=known.sources[0], pointer="§ W-001/R-01/D-016", content="Hi."
    )
    drawer.episode.name = "Nadia"
    script.answer("ListFacts", ListFactsResponse(facts=[known]))
    script.answer("BatchGetMemories", BatchGetMemoriesResponse(memories=[drawer]))
    assert "   said by Nadia at § W-001/R-01/D-016, cv" in [
        line.rstrip() for line in run("facts").stdout.splitlines()
    ]


def test_wide_rows_have_all_parts_and_cut_nothing(run: Run, script: Script) -> None:
    known = KnownFact(sources=["2ccc0b885e96723417d6225e7333e204", "mail"])
    known.memory.CopyFrom(_UTRECHT.memory)
    known.memory.content = "Nadia says that " + "very " * 40 + "gladly she lives in Utrecht."
    script.answer("GetTimeline", GetTimelineResponse(entity=_NADIA, facts=[known]))
    lines = run("timeline", "nadia", "--wide").stdout.splitlines()
    (head,) = [line for line in lines if "predicate" in line]
    (row,) = [line for line in lines if " m-2" in line]
    assert head.split()[:6] == ["from", "until", "fact", "subject", "predicate", "object"]
    assert known.memory.content in row
    assert row.split()[-7:] == [
        *("Nadia", "lives_in", "Utrecht", "0.80", "2ccc0b885e96723417d6225e7333e204,", "mail"),
        "m-2",
    ]


def test_facts_asks_what_the_options_say(run: Run, script: Script) -> None:
    script.answer("ListFacts", ListFactsResponse(facts=[_UTRECHT], next_page_token="t-2"))
    answer = run(
        *("facts", "-n", "team-a", "--subject", "Nadia", "--predicate", "lives_in"),
        *("--object", "Utrecht", "--as-of", "May 2021", "--known-at", "2022-01-05"),
        *("--limit", "7", "--page-token", "t-1", "--user", "nadia", "--as-agent", "juno"),
    )
    (asked,) = script.asked(ListFactsRequest)
    assert (asked.namespace, asked.subject, asked.predicate) == ("team-a", "Nadia", "lives_in")
    assert (asked.object, asked.page_size, asked.page_token) == ("Utrecht", 7, "t-1")
    assert asked.as_of == at("2021-05-01")
    assert asked.known_at == at("2022-01-05T23:59:59.999999")
    assert (asked.caller.user_id, asked.caller.agent_id) == ("nadia", "juno")
    assert "--page-token t-2" in answer.stderr


def test_no_time_is_sent_unasked(run: Run, script: Script) -> None:
    script.answer("ListFacts", ListFactsResponse())
    run("facts")
    (asked,) = script.asked(ListFactsRequest)
    assert not asked.HasField("as_of")
    assert not asked.HasField("known_at")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ((), "anamnesis learn"),
        (("--subject", "Nadia"), "without options"),
        (("--as-of", "1990"), "without --as-of"),
    ],
)
def test_nothing_says_what_to_try(
    run: Run, script: Script, arguments: tuple[str, ...], hint: str
) -> None:
    script.answer("ListFacts", ListFactsResponse())
    answer = run("facts", *arguments)
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert hint in answer.stderr


def test_a_time_that_is_none_is_wrong_usage(run: Run, script: Script) -> None:
    answer = run("facts", "--as-of", "1/5/2021")
    assert answer.exit_code == 2
    assert "31 May 2021" in " ".join(answer.stderr.split())
    assert script.requests == []


def test_facts_as_json(run: Run, script: Script) -> None:
    script.answer("ListFacts", ListFactsResponse(facts=[_ROTTERDAM]))
    (fact,) = json.loads(run("facts", "--json").stdout)["facts"]
    assert fact["flags"] == ["FACT_FLAG_SUPERSEDED", "FACT_FLAG_NEEDS_REVIEW"]
    assert fact["sources"] == ["chat", "mail"]
    assert fact["memory"]["fact"]["valid_to"] == "2021-03-01T10:00:00Z"


def test_a_namespace_that_is_not_there(run: Run, script: Script) -> None:
    script.answer("ListFacts", NamespaceNotFound("team-a"))
    answer = run("facts", "-n", "team-a")
    assert answer.exit_code == 1
    assert "anamnesis stats" in answer.stderr


def test_a_timeline_names_whose_it_is(run: Run, script: Script) -> None:
    script.answer("GetTimeline", GetTimelineResponse(entity=_NADIA, facts=[_ROTTERDAM, _UTRECHT]))
    answer = run("timeline", "nadia", "visser", "--known-at", "2022")
    (asked,) = script.asked(GetTimelineRequest)
    assert (asked.name, asked.entity_id) == ("nadia visser", "")
    assert asked.known_at == at("2022-12-31T23:59:59.999999")
    assert answer.stdout.splitlines()[0] == "Nadia person, also Nadia [x], N. Visser  e-1"
    assert [row[-1] for row in _rows(answer.stdout)] == ["m-1", "m-2"]


def test_a_timeline_by_id(run: Run, script: Script) -> None:
    script.answer("GetTimeline", GetTimelineResponse(entity=_NADIA))
    entity_id = "e-" + "0123456789abcdef" * 2
    answer = run("timeline", entity_id, "--user", "nadia", "--limit", "3")
    (asked,) = script.asked(GetTimelineRequest)
    assert (asked.name, asked.entity_id, asked.page_size) == ("", entity_id, 3)
    assert asked.caller.user_id == "nadia"
    assert not asked.HasField("known_at")
    assert "there are no facts about it" in answer.stderr


def test_a_timeline_before_anything_was_known(run: Run, script: Script) -> None:
    script.answer("GetTimeline", GetTimelineResponse(entity=_NADIA))
    assert "known at that time" in run("timeline", "nadia", "--known-at", "1990").stderr


def test_a_name_that_nobody_has(run: Run, script: Script) -> None:
    script.answer("GetTimeline", EntityNameNotFound("Nadja"))
    answer = run("timeline", "Nadja")
    assert answer.exit_code == 1
    assert "'Nadja'" in answer.stderr
    assert "anamnesis entities" in answer.stderr


def test_a_timeline_as_json(run: Run, script: Script) -> None:
    script.answer("GetTimeline", GetTimelineResponse(entity=_NADIA, facts=[_UTRECHT]))
    told = json.loads(run("timeline", "nadia", "--json").stdout)
    assert told["entity"]["aliases"] == ["Nadia [x]", "N. Visser"]
    assert told["facts"][0]["memory"]["memory_id"] == "m-2"
