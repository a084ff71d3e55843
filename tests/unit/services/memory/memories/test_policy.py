"""Policies as a namespace keeps them."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import FailedPrecondition
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.memories.policy import (
    POLICY_KEY,
    AgentSwitch,
    ChangePolicy,
    Policy,
    policy_of,
)
from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.ports import CommitStamp, ReadView

STAMP = CommitStamp(9, 1_000)


def test_a_policy_is_kept_and_its_pseudonyms_have_one_key_for_good() -> None:
    wanted = Policy(
        forgetting=Forgetting.ADAPTIVE,
        visibility=Visibility.PRIVATE_TO_USER,
        agents=(AgentSwitch("quiet", recall_off=True),),
        cold_days=0,
        context_tokens=400,
        context_floor=-0.05,
        time_zone="Asia/Shanghai",
    )
    first = ChangePolicy(lambda _: wanted).decide(ReadView(), STAMP)
    (document,) = first.edits.documents
    held = policy_of(document)
    assert held == first.result
    assert len(held.redaction.pseudonym_key) == 32
    assert replace(held, redaction=wanted.redaction) == wanted
    seen = ReadView(documents={POLICY_KEY: document})
    again = ChangePolicy(lambda _: Policy()).decide(seen, STAMP).result
    assert again.redaction.pseudonym_key == held.redaction.pseudonym_key
    assert again.agents == ()


def test_an_agent_is_switched_off_by_name() -> None:
    policy = Policy(
        agents=(AgentSwitch("quiet", recall_off=True), AgentSwitch("deaf", mining_off=True))
    )
    assert [policy.recalls(name) for name in ("quiet", "deaf", "", "other")] == [
        False,
        True,
        True,
        True,
    ]
    assert policy.unmined == {"deaf"}
    assert policy_of(None) == Policy()


def test_a_zone_that_only_another_machine_knew_is_said_instead_of_guessed() -> None:
    assert Policy().zone is None
    assert str(Policy(time_zone="Asia/Shanghai").zone) == "Asia/Shanghai"
    with pytest.raises(FailedPrecondition, match="tzdata"):
        _ = Policy(time_zone="Asia/Atlantis").zone
