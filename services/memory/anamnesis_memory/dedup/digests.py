"""Digests of lessons and documents: by these a store finds identical lessons, named documents."""

from collections.abc import Iterable

from anamnesis_memory.dedup.normalised import content_digest
from anamnesis_memory.model.edges import source_ids
from anamnesis_memory.model.json_documents import document_digest
from anamnesis_memory.model.memory import Kind, Memory, Visibility
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_named, scope_of


def digest_of(memory: Memory) -> bytes:
    """The digest that lessons share which say exactly the same to the same callers."""
    return _digest(memory, scope_of(memory))


def memory_digests(memories: Iterable[Memory]) -> dict[str, bytes]:
    """Digests by id, of the lessons and documents among some memories."""
    digests: dict[str, bytes] = {}
    for one in memories:
        if isinstance(one.part, JsonDocument):
            digests[one.memory_id] = document_digest(one, one.part)
        elif one.kind is Kind.LEARNING:
            digests[one.memory_id] = digest_of(one)
    return digests


def possible_digests(memories: Iterable[Memory]) -> tuple[bytes, ...]:
    """All digests that lessons may come to have when sources make them more private."""
    lessons = (one for one in memories if one.kind is Kind.LEARNING)
    found = (_digest(one, scope) for one in lessons for scope in _possible_scopes(one))
    return tuple(dict.fromkeys(found))


def _possible_scopes(memory: Memory) -> tuple[str, ...]:
    if not source_ids(memory):
        return (scope_of(memory),)
    scopes = (scope_named(one, memory.agent_id, memory.user_id) for one in Visibility)
    return tuple(dict.fromkeys(scopes))


def _digest(memory: Memory, scope: str) -> bytes:
    """The digest in a scope; a lesson that expires is one only with those that expire with it."""
    if memory.expire_time_us is not None:
        scope = f"{scope}\0{memory.expire_time_us}"
    return content_digest(memory.kind.value, memory.category, scope, memory.content)
