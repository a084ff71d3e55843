"""`anamnesis fact` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.event_pb2 import VISIBILITY_SHARED
from anamnesis.memory.v1.knowledge_pb2 import KnownFact
from anamnesis.memory.v1.knowledge_service_pb2 import (
    AssertFactRequest,
    AssertFactResponse,
    RetractFactRequest,
    RetractFactResponse,
)
from anamnesis.memory.v1.memory_pb2 import FACT_KIND_IDENTITY, Fact, Memory
from anamnesis.memory.v1.memory_service_pb2 import CREATE_OUTCOME_CREATED, CREATE_OUTCOME_MERGED
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_MEMORY = Memory(
    memory_id="m-1",
    content="Mara lives in Utrecht.",
    fact=Fact(subject="Mara", predicate="lives_in", object="Utrecht", valid_from=at("2026-03-01")),
)
_ADDED = AssertFactResponse(
    fact=KnownFact(memory=_MEMORY), outcome=CREATE_OUTCOME_CREATED, closed_ids=["m-0"], revision="r"
)


def test_a_fact_is_stated_with_its_times(run: Run, script: Script) -> None:
    script.answer("AssertFact", _ADDED)
    words = ("Mara", "lives_in", "Utrecht", "--from", "2026-03", "--until", "2027-01-01")
    options = ("--kind", "identity", "--single-valued", "--visibility", "shared", "--user", "mara")
    answer = run("fact", "add", *words, *options, "-n", "team-a")
    assert answer.exit_code == 0, answer.output
    (asked,) = script.asked(AssertFactRequest)
    assert (asked.subject, asked.predicate, asked.object) == ("Mara", "lives_in", "Utrecht")
    assert (asked.valid_from, asked.valid_to) == (at("2026-03-01"), at("2027-01-01"))
    assert (asked.namespace, asked.user_id, asked.single_valued) == ("team-a", "mara", True)
    assert (asked.fact_kind, asked.visibility) == (FACT_KIND_IDENTITY, VISIBILITY_SHARED)
    assert not asked.HasField("confidence")
    assert "known: Mara lives in Utrecht. (since 2026-03-01), memory m-1" in answer.stdout
    assert "ended by it: m-0" in answer.stderr


@pytest.mark.parametrize("subject", ["me", "I", "我"])
def test_me_is_the_user_who_states_it(run: Run, script: Script, subject: str) -> None:
    script.answer("AssertFact", _ADDED)
    assert run("fact", "add", subject, "likes", "tea", "--user", "mara").exit_code == 0
    assert script.asked(AssertFactRequest)[0].subject == "mara"
    refused = run("fact", "add", subject, "likes", "tea", "--user", "")
    assert refused.exit_code == 2
    assert "--user" in refused.stderr


def test_what_is_known_already_is_told_so(run: Run, script: Script) -> None:
    again = AssertFactResponse(fact=KnownFact(memory=_MEMORY), outcome=CREATE_OUTCOME_MERGED)
    script.answer("AssertFact", again)
    assert "known already" in run("fact", "add", "Mara", "lives_in", "Utrecht").stdout


def test_a_fact_is_taken_back(run: Run, script: Script) -> None:
    script.answer("RetractFact", RetractFactResponse(memory=_MEMORY, reopened_ids=["m-0"]))
    answer = run("fact", "retract", "m-1", "--user", "mara", "--as-agent", "coder")
    (asked,) = script.asked(RetractFactRequest)
    assert (asked.memory_id, asked.caller.user_id, asked.caller.agent_id) == (
        "m-1",
        "mara",
        "coder",
    )
    assert "taken back: Mara lives in Utrecht." in answer.stdout
    assert "goes on: m-0" in answer.stderr
    told = json.loads(run("--json", "fact", "retract", "m-1").stdout)
    assert told["reopened_ids"] == ["m-0"]
