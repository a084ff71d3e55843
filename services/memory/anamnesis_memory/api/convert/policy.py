"""Policies between the wire and the model."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from anamnesis.memory.v1 import memory_service_pb2, policy_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.redaction.policy import KINDS
from anamnesis_libs.zones import checked_zone
from anamnesis_memory.api.convert.enums import FORGETTING, REDACTION_ACTION, REDACTION_LEVEL
from anamnesis_memory.api.convert.values import stated_visibility, told_visibility
from anamnesis_memory.memories.policy import AgentSwitch, Policy

PolicyChange = Callable[[Policy], Policy]


def to_policy_change(given: policy_pb2.Policy, paths: list[str]) -> PolicyChange:
    """The change that makes the new policy of the old; without paths, all that is set.

    Raises:
        InvalidArgument: a path or a kind is not known, or an agent is named twice.
    """
    named = [path.removeprefix("policy.") for path in paths] or _set(given)
    for name in named:
        if name not in _CHANGES:
            raise invalid_field("update_mask", f"{name!r} is not one of {', '.join(_CHANGES)}")
    _check(given)

    def change(policy: Policy) -> Policy:
        for name in named:
            policy = _CHANGES[name](policy, given)
        return policy

    return change


def from_policy(policy: Policy) -> policy_pb2.Policy:
    """A policy for the wire; the key of its pseudonyms stays where it is."""
    redaction = policy.redaction
    return policy_pb2.Policy(
        forgetting=FORGETTING.to_pb(policy.forgetting),
        redaction_level=REDACTION_LEVEL.to_pb(redaction.level),
        redaction_action=REDACTION_ACTION.to_pb(redaction.action),
        redaction_kinds=sorted(redaction.kinds or ()),
        visibility_default=told_visibility(policy.visibility),
        agents=[
            policy_pb2.AgentSwitch(
                agent_id=one.agent_id, recall_off=one.recall_off, mining_off=one.mining_off
            )
            for one in policy.agents
        ],
        cold_days=policy.cold_days,
        single_valued_predicates=sorted(policy.predicates.added),
        many_valued_predicates=sorted(policy.predicates.removed),
        share_experience=policy.share_experience,
        context_tokens=policy.context_tokens,
        context_floor=policy.context_floor,
        time_zone=policy.time_zone,
        seeds_to=policy.seeds_to,
    )


def from_context_policy(policy: Policy) -> memory_service_pb2.ContextPolicy:
    """The part of a policy that is about contexts, for who builds them."""
    return memory_service_pb2.ContextPolicy(
        tokens=policy.context_tokens, floor=policy.context_floor, time_zone=policy.time_zone
    )


def _set(given: policy_pb2.Policy) -> list[str]:
    return [field.name for field, _ in given.ListFields()]


def _check(given: policy_pb2.Policy) -> None:
    unknown = sorted(set(given.redaction_kinds) - KINDS.keys())
    if unknown:
        known = ", ".join(sorted(KINDS))
        raise invalid_field("policy.redaction_kinds", f"{', '.join(unknown)}: not among {known}")
    agents = [one.agent_id for one in given.agents]
    if len(set(agents)) < len(agents):
        raise invalid_field("policy.agents", "names an agent twice")
    if given.time_zone:
        checked_zone(given.time_zone, "policy.time_zone")


def _forgetting(policy: Policy, given: policy_pb2.Policy) -> Policy:
    if not given.forgetting:
        return policy
    return replace(policy, forgetting=FORGETTING.from_pb(given.forgetting))


def _level(policy: Policy, given: policy_pb2.Policy) -> Policy:
    if not given.redaction_level:
        return policy
    level = REDACTION_LEVEL.from_pb(given.redaction_level)
    return replace(policy, redaction=replace(policy.redaction, level=level))


def _action(policy: Policy, given: policy_pb2.Policy) -> Policy:
    if not given.redaction_action:
        return policy
    action = REDACTION_ACTION.from_pb(given.redaction_action)
    return replace(policy, redaction=replace(policy.redaction, action=action))


def _kinds(policy: Policy, given: policy_pb2.Policy) -> Policy:
    kinds = frozenset(given.redaction_kinds) or None
    return replace(policy, redaction=replace(policy.redaction, kinds=kinds))


def _visibility(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, visibility=stated_visibility(given.visibility_default))


def _agents(policy: Policy, given: policy_pb2.Policy) -> Policy:
    switches = tuple(
        AgentSwitch(one.agent_id, one.recall_off, one.mining_off) for one in given.agents
    )
    return replace(policy, agents=switches)


def _cold_days(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, cold_days=given.cold_days) if given.HasField("cold_days") else policy


def _share_experience(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, share_experience=given.share_experience)


def _context_tokens(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, context_tokens=given.context_tokens)


def _context_floor(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, context_floor=given.context_floor)


def _time_zone(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, time_zone=given.time_zone)


def _seeds_to(policy: Policy, given: policy_pb2.Policy) -> Policy:
    return replace(policy, seeds_to=tuple(given.seeds_to))


def _single_valued(policy: Policy, given: policy_pb2.Policy) -> Policy:
    added = frozenset(given.single_valued_predicates)
    return replace(policy, predicates=replace(policy.predicates, added=added))


def _many_valued(policy: Policy, given: policy_pb2.Policy) -> Policy:
    removed = frozenset(given.many_valued_predicates)
    return replace(policy, predicates=replace(policy.predicates, removed=removed))


_CHANGES: Mapping[str, Callable[[Policy, policy_pb2.Policy], Policy]] = {
    "forgetting": _forgetting,
    "redaction_level": _level,
    "redaction_action": _action,
    "redaction_kinds": _kinds,
    "visibility_default": _visibility,
    "agents": _agents,
    "cold_days": _cold_days,
    "single_valued_predicates": _single_valued,
    "many_valued_predicates": _many_valued,
    "share_experience": _share_experience,
    "context_tokens": _context_tokens,
    "context_floor": _context_floor,
    "time_zone": _time_zone,
    "seeds_to": _seeds_to,
}
