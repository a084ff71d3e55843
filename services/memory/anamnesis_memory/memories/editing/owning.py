"""Making what a namespace shares each user's own: one write for a session, one for some memories.

What is taken from a user's memories goes with them. What is taken from several users' is nobody's
afterwards: only an operator sees it, for no user may see what another said.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict
from anamnesis_libs.participants import participants, together
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.knowledge.change_visibility import (
    FactMoves,
    Move,
    lines_of_moves,
    moved_names,
    within,
)
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Kind, Memory, Visibility
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    NamespaceStore,
    ReadSet,
    ReadView,
    TopicMember,
    WriteSet,
)
from anamnesis_memory.ports.knowledge import LineWanted

NOBODY = ""
EDGES_MAX = 100_000


@dataclass(frozen=True, slots=True)
class OwnSession:
    """Makes a shared session its user's; the result counts it, if it was shared."""

    session_id: str

    def wanted(self) -> ReadSet:
        """The session."""
        return ReadSet(sessions=(self.session_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Change who sees it; what is private, or nobody's, stays as it is."""
        session = seen.sessions.get(self.session_id)
        if session is None or not is_shared_of_a_user(session):
            return Decision(0)
        after = replace(
            session,
            visibility=Visibility.PRIVATE_TO_USER,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        return Decision(1, WriteSet(sessions=(after,)))


@dataclass(frozen=True, slots=True)
class OwnMemories:
    """Makes memories their users'; the result are those whose readers changed.

    Args:
        users: whose each memory becomes, those included that were taken from them.
        lines: those of the facts among them, before and after.
        topic_id: topics that lessons found for themselves begin with it.
    """

    users: Mapping[str, str]
    lines: tuple[LineWanted, ...]
    topic_id: str

    def wanted(self) -> ReadSet:
        """The memories with all that hangs on them."""
        ids = tuple(self.users)
        return ReadSet(
            memories=ids,
            edges_of=ids,
            copies_of=ids,
            mentions_of=ids,
            lines=self.lines,
            documents=(POLICY_KEY,),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[tuple[Memory, ...]]:
        """Change who sees the memories, and move their facts, names and topics accordingly.

        Raises:
            Conflict: something was derived from the memories since they were looked at, or told
                otherwise.
            InvalidArgument: a fact says what its user's own says already.
        """
        moves = [Move(seen.memories[one.memory_id], one) for one in self._owned(seen, stamp)]
        if self._grown(seen) or not within(moves, self.lines):
            raise Conflict("memories have changed meanwhile", metadata={"resource": "memory"})
        predicates = policy_of(seen.documents.get(POLICY_KEY)).predicates
        edits = FactMoves(seen, stamp, predicates).move(moves)
        settled = {one.memory_id: one for one in (*(one.after for one in moves), *edits.memories)}
        return Decision(
            tuple(one.after for one in moves),
            replace(
                edits,
                memories=tuple(settled.values()),
                unmentioned=tuple(one.after.memory_id for one in moves),
                mentions=moved_names(moves, seen),
                digests=memory_digests([one.after for one in moves]),
                topic_members=tuple(self._topics(moves)),
            ),
        )

    def _owned(self, seen: ReadView, stamp: CommitStamp) -> Iterator[Memory]:
        for memory_id, user_id in self.users.items():
            memory = seen.memories.get(memory_id)
            if memory is None:
                continue
            after = as_owned(memory, user_id)
            if scope_of(after) != scope_of(memory):
                yield replace(after, update_time_us=stamp.now_us, revision=stamp.revision)

    def _grown(self, seen: ReadView) -> bool:
        return any(
            edge.target_id in self.users and edge.source_id not in self.users
            for edge in seen.edges
            if edge.type is EdgeType.DERIVED_FROM
        )

    def _topics(self, moves: Sequence[Move]) -> Iterator[TopicMember]:
        """Lessons leave the topics of those who no longer see them."""
        lessons = [one.after for one in moves if one.after.kind is Kind.LEARNING]
        for place, lesson in enumerate(lessons):
            topic_id = f"{self.topic_id}{place or ''}"
            yield TopicMember(
                lesson.memory_id,
                topic_id,
                lesson.category or "lesson",
                scope_of(lesson),
                held=False,
            )


async def owning(store: NamespaceStore, users: Mapping[str, str], topic_id: str) -> OwnMemories:
    """The write that makes memories these users' own, with all that was taken from them."""
    sources = {memory_id: {user_id} for memory_id, user_id in users.items()}
    frontier = list(sources)
    while frontier:
        grown: dict[str, None] = {}
        for edge in await store.edges_of(frontier, (EdgeType.DERIVED_FROM,), EDGES_MAX):
            known = sources.setdefault(edge.source_id, set())
            more = sources.get(edge.target_id, set())
            if edge.target_id in sources and not more <= known:
                known |= more
                grown[edge.source_id] = None
        frontier = list(grown)
    found = await store.memories([one for one, theirs in sources.items() if theirs], None)
    for one in found:
        if one.kind is not Kind.EPISODIC:
            copies = await store.copies_of(one.memory_id)
            sources[one.memory_id] |= {copy.memory.user_id for copy in copies}
    owners = {one.memory_id: _owner(one, sources[one.memory_id]) for one in found}
    moves = [Move(one, as_owned(one, owners[one.memory_id])) for one in found]
    predicates = policy_of(await store.document(POLICY_KEY)).predicates
    return OwnMemories(owners, lines_of_moves(moves, predicates), topic_id)


def as_owned(memory: Memory, user_id: str) -> Memory:
    """The memory as one user's alone; `NOBODY` sees what nobody may."""
    return replace(memory, visibility=Visibility.PRIVATE_TO_USER, user_id=user_id)


def is_shared_of_a_user(one: Session | Memory) -> bool:
    """True if everybody sees a record that has a user as its owner."""
    return one.visibility is Visibility.SHARED and bool(one.user_id)


def _owner(memory: Memory, sources: set[str]) -> str:
    """The owners of a memory: the users to whom it and all its sources belong."""
    users = [set(participants(one)) for one in {*sources, memory.user_id} - {NOBODY}]
    return together(set.intersection(*users)) if users else NOBODY
