"""Rules of writing: who may write where, and how narrow a write must be.

Nobody sees a derived memory without being allowed to see its sources, and nobody writes into a
session that they may not see.
"""

from collections.abc import Mapping
from dataclasses import replace

from anamnesis_libs.errors import InvalidArgument, PermissionDenied, invalid_field
from anamnesis_memory.model.edges import Edge, derived_from, source_ids
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.model.scopes import scope_named
from anamnesis_memory.model.session import Session


def narrowed(memory: Memory, known: Mapping[str, Memory]) -> Memory:
    """A memory with the visibility of the narrowest of its sources.

    What its agent and user may not see is no source of theirs, and counts as not there.

    Raises:
        InvalidArgument: its sources, or it and they, are private to an agent and to a user: no
            visibility is as narrow as both.
    """
    visibilities = {memory.visibility} | {one.visibility for one in sources_of(memory, known)}
    private = visibilities - {Visibility.SHARED}
    if len(private) > 1:
        raise InvalidArgument(
            "the sources are private to an agent and to a user; state what is from each apart"
        )
    return replace(memory, visibility=private.pop() if private else Visibility.SHARED)


def sources_of(memory: Memory, known: Mapping[str, Memory]) -> list[Memory]:
    """The known sources of a memory that its agent and user may see."""
    owner = Caller(memory.agent_id, memory.user_id)
    sources = (known[one] for one in source_ids(memory) if one in known)
    return [one for one in sources if owner.sees(one.visibility, one.agent_id, one.user_id)]


def derivations(memory: Memory, known: Mapping[str, Memory], now_us: int) -> tuple[Edge, ...]:
    """The edges from a memory to its sources, without sources that its owner may not see."""
    seen = {one.memory_id for one in sources_of(memory, known)}
    return tuple(
        edge
        for edge in derived_from(memory, now_us)
        if edge.target_id in seen or edge.target_id not in known
    )


def check_owned(visibility: Visibility, agent_id: str, user_id: str, path: str = "") -> None:
    """Refuse a private record that nobody may see; `path` is put before the field's name.

    Raises:
        InvalidArgument: nobody could see it.
    """
    if Caller(agent_id, user_id).sees(visibility, agent_id, user_id):
        return
    owner = "agent_id" if visibility is Visibility.PRIVATE_TO_AGENT else "user_id"
    raise invalid_field(f"{path}{owner}", f"is required: nobody could see it ({visibility.value})")


def as_narrow(
    visibility: Visibility, agent_id: str, user_id: str, writer: Caller, parent: Session | None
) -> Visibility:
    """The visibility of a session of these owners, that is no wider than its parent's.

    What the writer may not see is no parent, and counts as not there.

    Raises:
        InvalidArgument: both are private, but to others.
    """
    if parent is None or not writer.sees(parent.visibility, parent.agent_id, parent.user_id):
        return visibility
    if parent.visibility is Visibility.SHARED:
        return visibility
    own = parent.visibility if visibility is Visibility.SHARED else visibility
    scope = scope_named(parent.visibility, parent.agent_id, parent.user_id)
    if scope_named(own, agent_id, user_id) != scope:
        raise invalid_field("parent_session_id", "it is private to other owners than this session")
    return own


def check_session_owner(session: Session, caller: Caller) -> None:
    """Refuse everybody but its owner to overwrite, end or erase a session.

    Raises:
        PermissionDenied: the session is somebody else's.
    """
    if not session.owned_by(caller):
        owner = "user" if session.user_id else "agent"
        raise PermissionDenied(
            f"session {session.session_id!r} is another {owner}'s; only its owner, or an operator, "
            "may overwrite, end or erase it",
            metadata={"session_id": session.session_id},
        )


def check_writer(writer: Caller, known: Session | None) -> None:
    """Nobody writes into a session that is there, or learns of it, if it is private to others.

    Raises:
        PermissionDenied: the writer may not see it.
    """
    if known and not writer.sees(known.visibility, known.agent_id, known.user_id):
        raise PermissionDenied(
            f"session {known.session_id!r} is private to others; choose another session_id",
            metadata={"session_id": known.session_id},
        )
