"""Policies between the wire and the model."""

import pytest

from anamnesis.memory.v1 import policy_pb2
from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.api.convert.policy import from_context_policy, from_policy, to_policy_change
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.memories.policy import AgentSwitch, Policy

BEFORE = Policy(agents=(AgentSwitch("quiet", recall_off=True),), cold_days=7)


def test_without_a_mask_what_is_set_changes_and_nothing_else() -> None:
    given = policy_pb2.Policy(forgetting=policy_pb2.FORGETTING_POLICY_ADAPTIVE, cold_days=0)
    after = to_policy_change(given, [])(BEFORE)
    assert (after.forgetting, after.cold_days) == (Forgetting.ADAPTIVE, 0)
    assert after.agents == BEFORE.agents


def test_what_a_mask_names_and_the_policy_lacks_is_emptied() -> None:
    after = to_policy_change(policy_pb2.Policy(), ["policy.agents"])(BEFORE)
    assert (after.agents, after.cold_days) == ((), 7)


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        (policy_pb2.Policy(), ["pseudonym_key"]),
        (policy_pb2.Policy(redaction_kinds=["SHOE_SIZE"]), []),
        (policy_pb2.Policy(agents=[policy_pb2.AgentSwitch(agent_id="a")] * 2), []),
    ],
)
def test_what_is_not_known_or_said_twice_is_refused(
    given: policy_pb2.Policy, paths: list[str]
) -> None:
    with pytest.raises(InvalidArgument):
        to_policy_change(given, paths)


def test_a_policy_comes_back_as_it_was_sent() -> None:
    told = from_policy(BEFORE)
    assert to_policy_change(told, [])(Policy()) == BEFORE
    assert [one.agent_id for one in told.agents] == ["quiet"]


def test_contexts_have_a_budget_and_a_floor_of_their_own() -> None:
    given = policy_pb2.Policy(context_tokens=400, context_floor=0.05)
    after = to_policy_change(given, [])(BEFORE)
    told = from_context_policy(after)
    assert (told.tokens, told.floor) == (400, 0.05)
    assert after.cold_days == BEFORE.cold_days
    none = to_policy_change(policy_pb2.Policy(context_tokens=0), [])(after)
    assert (none.context_tokens, none.context_floor) == (0, 0.05)


def test_where_people_are_is_a_zone_that_there_is() -> None:
    zone = to_policy_change(policy_pb2.Policy(time_zone="Asia/Shanghai"), [])(Policy())
    assert zone.time_zone == "Asia/Shanghai"
    assert from_policy(zone).time_zone == "Asia/Shanghai"
    assert to_policy_change(policy_pb2.Policy(), ["policy.time_zone"])(zone).time_zone == ""
    with pytest.raises(InvalidArgument) as refused:
        to_policy_change(policy_pb2.Policy(time_zone="Shanghai"), [])
    assert refused.value.violations[0].field == "policy.time_zone"
