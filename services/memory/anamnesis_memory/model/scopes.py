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


def is_in_scopes(scope: str, scopes: Collection[str]) -> bool:
    """True if a scope is among those of `scopes_of`, or of several users with one of them."""
    return scope in scopes or any(one.startswith(MARK) and one in scope for one in scopes)


def scopes_of(caller: Caller) -> list[str]:
    """The scopes that a caller may see; what begins with a mark is in those of several users."""
    return scopes_seen(caller.agent_id, caller.user_id)
