"""Scopes: who may see a memory, as a word that all members of one topic share."""

from collections.abc import Collection

from anamnesis_libs.participants import MARK
from anamnesis_libs.scopes import SHARED_SCOPE, agent_scope, scopes_seen, user_scope
from anamnesis_memory.model.memory import Caller, Memory, Visibility


def scope_of(memory: Memory) -> str:
    """The scope of a memory, as a word that two memories of one topic share."""
    return scope_named(memory.visibility, memory.agent_id, memory.user_id)


def scope_named(visibility: Visibility, agent_id: str, user_id: str) -> str:
    """The same of a visibility and its owners."""
    match visibility:
        case Visibility.SHARED:
            return SHARED_SCOPE
        case Visibility.PRIVATE_TO_AGENT:
            return agent_scope(agent_id)
        case Visibility.PRIVATE_TO_USER:
            return user_scope(user_id)


def owners_of(scope: str) -> tuple[str, str]:
    """The agent and the user that a scope is private to; both empty for what all see."""
    kind, _, owner = scope.partition(":")
    return (owner, "") if kind == "agent" else ("", owner)


def visibility_in(scope: str) -> Visibility:
    """The visibility of a memory in a scope."""
    agent_id, user_id = owners_of(scope)
    if agent_id:
        return Visibility.PRIVATE_TO_AGENT
    return Visibility.PRIVATE_TO_USER if user_id else Visibility.SHARED


def is_in_scopes(scope: str, scopes: Collection[str]) -> bool:
    """True if a scope is among those of `scopes_of`, or of several users with one of them."""
    return scope in scopes or any(one.startswith(MARK) and one in scope for one in scopes)


def scopes_of(caller: Caller) -> list[str]:
    """The scopes that a caller may see; what begins with a mark is in those of several users."""
    return scopes_seen(caller.agent_id, caller.user_id)
