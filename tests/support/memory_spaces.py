"""What the scripted memory services keep of a namespace: lessons, their log, topics, a cursor.

Revisions are numbers of one clock a namespace, told as memory tells them.
"""

from dataclasses import dataclass, field

import numpy as np

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import (
    event_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_pb2,
    topic_service_pb2,
)
from tests.support.memory_work import Work

LIFE = "0123456789abcdef0123"


def token(revision: int) -> str:
    """A revision as memory tells it."""
    return f"{LIFE}-{revision:x}"


def number(revision: str) -> int:
    """The number in a revision; 0 for none."""
    return int(revision.rpartition("-")[2], 16) if revision else 0


@dataclass
class KeptTopic:
    """A topic with its members, in the order in which they joined."""

    label: str
    members: list[str] = field(default_factory=list)


@dataclass
class Space:
    """One namespace: lessons, their change log, topics, and the cursor."""

    revision: int = 1
    topics_revision: int = 1
    assigned: int = 1
    work: Work = field(default_factory=Work)
    oldest: int = 0
    lessons: dict[str, memory_pb2.Memory] = field(default_factory=dict)
    # revision, id, whether it is gone
    log: list[tuple[int, str, bool]] = field(default_factory=list)
    topics: dict[str, KeptTopic] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)

    @property
    def reached(self) -> int:
        """The revision up to which every lesson is assigned."""
        if self.assigned < self.oldest:
            return self.assigned
        waiting = [at for at, one in self._latest().items() if at > self.assigned and one]
        return min(waiting) - 1 if waiting else self.revision

    @property
    def due(self) -> bool:
        """Whether a lesson waits for its topic."""
        return self.reached < self.revision

    def _latest(self) -> dict[int, bool]:
        """The revisions of the log, and whether a lesson that is still there changed last there."""
        last = {one: (at, gone) for at, one, gone in self.log}
        return {at: not gone for at, gone in last.values()}

    def topic_of(self, memory_id: str) -> str:
        """The topic a lesson is in; empty for none."""
        return next((key for key, topic in self.topics.items() if memory_id in topic.members), "")

    def leave(self, memory_id: str) -> None:
        """Take a lesson out of its topic; the last member takes the topic along."""
        topic_id = self.topic_of(memory_id)
        if not topic_id:
            return
        self.topics[topic_id].members.remove(memory_id)
        self.topics_revision = self.revision
        if not self.topics[topic_id].members:
            del self.topics[topic_id]

    def scope_of(self, topic_id: str) -> str:
        """Who may see a topic: what all its members share."""
        scopes = {scope(self.lessons[one]) for one in self.topics[topic_id].members}
        assert len(scopes) == 1, f"{topic_id} mixes {scopes}"
        return scopes.pop()

    def centroid_of(self, topic_id: str) -> list[float]:
        """The mean of the members' vectors."""
        rows = [self.lessons[one].embedding.vector for one in self.topics[topic_id].members]
        return list(np.mean(rows, axis=0).tolist())


def scope(memory: memory_pb2.Memory) -> str:
    """Who may see a memory."""
    match memory.visibility:
        case event_pb2.VISIBILITY_PRIVATE_TO_AGENT:
            return f"agent:{memory.agent_id}"
        case event_pb2.VISIBILITY_PRIVATE_TO_USER:
            return f"user:{memory.user_id}"
        case _:
            return "shared"


def sees(caller: caller_pb2.Caller, owner: str) -> bool:
    """Whether a caller may see what has this scope."""
    return owner in ("shared", f"agent:{caller.agent_id}", f"user:{caller.user_id}")


def items(space: Space, after: int, reached: int) -> list[memory_service_pb2.WatchMemoriesResponse]:
    """What the log tells, each memory only as it changed last."""
    latest = {one: (at, gone) for at, one, gone in space.log if after < at <= reached}
    upserted, deleted = (
        memory_service_pb2.CHANGE_TYPE_UPSERTED,
        memory_service_pb2.CHANGE_TYPE_DELETED,
    )
    return [
        memory_service_pb2.WatchMemoriesResponse(
            revision=token(at), memory_id=one, change_type=deleted if gone else upserted
        )
        for one, (at, gone) in sorted(latest.items(), key=lambda entry: entry[1][0])
    ]


def shown(space: Space, topic_id: str, with_centroid: bool) -> topic_pb2.Topic:
    topic = space.topics[topic_id]
    return topic_pb2.Topic(
        topic_id=topic_id,
        label=topic.label,
        member_count=len(topic.members),
        centroid=space.centroid_of(topic_id) if with_centroid else (),
        scope=space.scope_of(topic_id),
    )


def move(space: Space, one: topic_service_pb2.TopicAssignment) -> None:
    passed_over = one.memory_id in space.held and not one.HasField("held")
    if one.memory_id not in space.lessons or passed_over:
        return
    space.held = space.held - {one.memory_id} | ({one.memory_id} if one.held else set())
    if space.topic_of(one.memory_id) == one.topic_id:
        return
    space.leave(one.memory_id)
    space.topics.setdefault(one.topic_id, KeptTopic(one.label)).members.append(one.memory_id)
    space.scope_of(one.topic_id)
    space.topics_revision = space.revision
