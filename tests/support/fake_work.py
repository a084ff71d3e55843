"""Work, segments and what they taught in plain dicts: a part of what the fake store keeps."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.usage import TOTAL_MAX, HourUsage
from anamnesis_memory.model.work import Claimable, WorkItem, WorkKey, WorkState
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage.pipeline_rows import tombstone_mark


@dataclass(slots=True)
class PipelineRecords:
    """Of one namespace. A tombstone is kept as its mark, as in a database."""

    work: dict[WorkKey, WorkItem] = field(default_factory=dict)
    last_token: int = 0
    segments: dict[str, Segment] = field(default_factory=dict)
    activities: list[Activity] = field(default_factory=list)
    usages: dict[tuple[int, str], HourUsage] = field(default_factory=dict)
    tombstone_key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    tombstones: set[bytes] = field(default_factory=set)

    def see(
        self,
        wanted: ReadSet,
        seen: ReadView,
        sessions: Mapping[str, Session],
        memories: Iterable[Memory],
    ) -> ReadView:
        """What a write may look at besides; `memories` come in the order of their places."""
        found = () if wanted.claimable is None else self._claimable(wanted.claimable)
        segments = {key: self._segments_of(key) for key in wanted.segments_of}
        listed = [one for each in segments.values() for one in each]
        return replace(
            seen,
            sessions={
                **seen.sessions,
                **{one.session_id: sessions[one.session_id] for one in found if one.session_id},
            },
            work={key: self.work[key] for key in wanted.work if key in self.work},
            claimable=found,
            next_ready_us=None if wanted.claimable is None else self._next(wanted.claimable),
            next_token=self.last_token + 1,
            segments=segments,
            learned=_learned(listed, memories) if listed else {},
            tombstones=frozenset(
                digest for digest in wanted.tombstones if self._mark(digest) in self.tombstones
            ),
        )

    def apply(self, edits: WriteSet) -> None:
        """Put and remove what the edits name."""
        for item in edits.work:
            self.put_work(item)
        for segment_id in edits.removed_segments:
            self.segments.pop(segment_id, None)
        self.segments.update((segment.segment_id, segment) for segment in edits.segments)
        for activity in edits.activities:
            self._put_activity(activity)
        for usage in edits.usages:
            self._add(usage)
        self.tombstones.update(map(self._mark, edits.tombstones))

    def _put_activity(self, activity: Activity) -> None:
        """Put an activity, in place of the one of its revision and segment."""
        key = (activity.revision, activity.segment_id)
        held = [one for one in self.activities if (one.revision, one.segment_id) != key]
        self.activities = [*held, activity]

    def put_work(self, item: WorkItem) -> None:
        """Put a piece of work; its token was given out."""
        self.work[item.key] = item
        self.last_token = max(self.last_token, item.token)

    def forget(self, memory_id: str) -> None:
        """Take a memory out of what was learned."""
        self.activities = [
            replace(one, memory_ids=tuple(each for each in one.memory_ids if each != memory_id))
            for one in self.activities
        ]

    def erase(self, session_id: str) -> None:
        """Take away all that is about a session."""
        self.work = {key: item for key, item in self.work.items() if key[1] != session_id}
        self.segments = {
            key: one for key, one in self.segments.items() if one.session_id != session_id
        }
        self.activities = [one for one in self.activities if one.session_id != session_id]

    def _mark(self, digest: bytes) -> bytes:
        return tombstone_mark(self.tombstone_key, digest)

    def _claimable(self, asked: Claimable) -> tuple[WorkItem, ...]:
        ready = [
            (item.ready_us, item.session_id, item)
            for item in self.work.values()
            if item.kind is asked.kind
            and asked.session_id in ("", item.session_id)
            and item.ready_us is not None
            and (item.ready_us <= asked.before_us or _is_early(item, asked))
        ]
        return tuple(item for _, _, item in sorted(ready)[: asked.limit])

    def _next(self, asked: Claimable) -> int | None:
        times = [item.ready_us for item in self.work.values() if item.kind is asked.kind]
        return min(
            (one for one in times if one is not None and one > asked.before_us), default=None
        )

    def _segments_of(self, session_id: str) -> tuple[Segment, ...]:
        held = [one for one in self.segments.values() if one.session_id == session_id]
        return tuple(sorted(held, key=lambda one: one.first_index))

    def _add(self, usage: HourUsage) -> None:
        key = (usage.hour_us, usage.purpose)
        known = self.usages.get(key, HourUsage(*key, 0, 0, 0))
        self.usages[key] = HourUsage(
            *key,
            min(known.calls + usage.calls, TOTAL_MAX),
            min(known.input_tokens + usage.input_tokens, TOTAL_MAX),
            min(known.output_tokens + usage.output_tokens, TOTAL_MAX),
        )


def _is_early(item: WorkItem, asked: Claimable) -> bool:
    return asked.even_if_early and item.state is WorkState.PENDING


def _learned(segments: Sequence[Segment], memories: Iterable[Memory]) -> dict[str, tuple[str, ...]]:
    """Which active memories carry the tag of each segment, whatever its case."""
    tagged = [
        (memory.memory_id, {tag.casefold() for tag in memory.tags})
        for memory in memories
        if memory.status is Status.ACTIVE
    ]
    return {
        one.segment_id: tuple(memory_id for memory_id, tags in tagged if one.tag in tags)
        for one in segments
    }
