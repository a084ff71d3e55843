"""Putting memories into topics, as the cluster service decides.

A topic never mixes who may see its members: its scope is their visibility.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from libs.errors import Conflict
from libs.participants import MARK, among
from services.memory.model import Caller, Memory, Visibility
from services.memory.ports import Decision, Edits, Seen, Stamp, TopicMember, Wanted
from services.memory.work import Lease


@dataclass(frozen=True, slots=True)
class Assignment:
    """One memory goes into one topic."""

    memory_id: str
    topic_id: str
    label: str


@dataclass(frozen=True, slots=True)
class AssignTopicMembers:
    """The write behind `TopicService.AssignTopicMembers`."""

    assignments: Sequence[Assignment]
    expected_topics_revision: int
    assigned_revision: int | None
    lease: Lease | None = None

    def wanted(self) -> Wanted:
        """The memories, when topics last changed, and the work whose lease is shown."""
        ids = tuple(assignment.memory_id for assignment in self.assignments)
        work = () if self.lease is None else (self.lease.key,)
        return Wanted(memories=ids, topics=True, work=work)

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[int]:
        """Accept decisions that were made on the topics as they are.

        The store passes over a memory whose scope is not its topic's.

        A memory that is named twice goes where it is named last.

        The result is the revision before this write: who has assigned everything up to
        it has nothing left to assign.

        Raises:
            LeaseLost: somebody else assigns by now.
            Conflict: topics have changed since.
        """
        if self.lease is not None:
            self.lease.check(seen.work.get(self.lease.key))
        if self.assignments and seen.topics_revision != self.expected_topics_revision:
            raise Conflict(
                "topics have changed since they were listed; list them again",
                metadata={"resource": "topics"},
            )
        last = {one.memory_id: one for one in self.assignments}
        members = tuple(
            TopicMember(one.memory_id, one.topic_id, one.label, scope_of(memory))
            for one in last.values()
            if (memory := seen.memories.get(one.memory_id)) is not None
        )
        edits = Edits(topic_members=members, assigned_revision=self.assigned_revision)
        return Decision(stamp.revision - 1, edits)


def scope_of(memory: Memory) -> str:
    """Who may see a memory, as a word that two memories of one topic share."""
    return scope_named(memory.visibility, memory.agent_id, memory.user_id)


def scope_named(visibility: Visibility, agent_id: str, user_id: str) -> str:
    """The same of a visibility and its owners."""
    match visibility:
        case Visibility.SHARED:
            return "shared"
        case Visibility.PRIVATE_TO_AGENT:
            return f"agent:{agent_id}"
        case Visibility.PRIVATE_TO_USER:
            return f"user:{user_id}"


def is_in_scopes(scope: str, scopes: Collection[str]) -> bool:
    """Whether a scope is among those that `scopes_of` named, or of several with one of them."""
    return scope in scopes or any(one.startswith(MARK) and one in scope for one in scopes)


def scopes_of(caller: Caller) -> list[str]:
    """The scopes that a caller may see; what begins with a mark is in those of several users."""
    scopes = ["shared"]
    if caller.agent_id:
        scopes.append(f"agent:{caller.agent_id}")
    if caller.user_id:
        scopes += [f"user:{caller.user_id}", among(caller.user_id)]
    return scopes
