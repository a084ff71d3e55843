"""Putting memories into topics, as the cluster service decides.

A topic never mixes who may see its members: its scope is their visibility.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from anamnesis_libs.errors import Conflict
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    ReadSet,
    ReadView,
    TopicLabel,
    TopicMember,
    WriteSet,
)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One memory goes into one topic; see `TopicMember` for `held`."""

    memory_id: str
    topic_id: str
    label: str
    held: bool | None = None


@dataclass(frozen=True, slots=True)
class AssignTopicMembers:
    """The write behind `TopicService.AssignTopicMembers`."""

    assignments: Sequence[Assignment]
    expected_topics_revision: int
    assigned_revision: int | None
    lease: Lease | None = None
    labels: Mapping[str, TopicLabel] = field(default_factory=dict)

    def wanted(self) -> ReadSet:
        """The memories, when topics last changed, and the work whose lease is shown."""
        ids = tuple(assignment.memory_id for assignment in self.assignments)
        work = () if self.lease is None else (self.lease.key,)
        return ReadSet(memories=ids, topics=True, work=work)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Accept decisions that were made on the topics as they are.

        The store passes over a memory whose scope is not its topic's, or that is held elsewhere.

        A memory that is named twice goes where it is named last.

        The result is the revision before this write: who has assigned everything up to
        it has nothing left to assign.

        Raises:
            LeaseLost: somebody else assigns by now.
            Conflict: topics have changed since.
        """
        if self.lease is not None:
            self.lease.check(seen.work.get(self.lease.key))
        decided = self.assignments or self.labels
        if decided and seen.topics_revision != self.expected_topics_revision:
            raise Conflict(
                "topics have changed since they were listed; list them again",
                metadata={"resource": "topics"},
            )
        last = {one.memory_id: one for one in self.assignments}
        members = tuple(
            TopicMember(one.memory_id, one.topic_id, one.label, scope_of(memory), one.held)
            for one in last.values()
            if (memory := seen.memories.get(one.memory_id)) is not None
        )
        edits = WriteSet(
            topic_members=members,
            topic_labels=self.labels,
            assigned_revision=self.assigned_revision,
        )
        return Decision(stamp.revision - 1, edits)
