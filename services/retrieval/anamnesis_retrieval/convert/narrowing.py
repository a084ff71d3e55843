"""The part of a scope that a mode looks at: its filter made narrower, never wider."""

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1 import filter_pb2, memory_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.talk.standing import STANDING_CATEGORIES
from anamnesis_retrieval.convert.times import optional_timestamp
from anamnesis_retrieval.model import Mode, Part
from anamnesis_retrieval.ranking.named_time import Window, window_of

STRUCTURED_KINDS = (
    memory_pb2.MEMORY_KIND_SEMANTIC,
    memory_pb2.MEMORY_KIND_PROCEDURAL,
    memory_pb2.MEMORY_KIND_LEARNING,
)
"""The kinds of what was distilled."""

_PARTS = {
    Part.SAID: (memory_pb2.MEMORY_KIND_EPISODIC,),
    Part.KNOWN: (memory_pb2.MEMORY_KIND_SEMANTIC,),
    Part.LEARNED: (memory_pb2.MEMORY_KIND_PROCEDURAL, memory_pb2.MEMORY_KIND_LEARNING),
}
"""The kinds of each part; what stands is of any, and known by its category."""

NO_TIME = "the query names no time that could be read: searched without one"


def narrowed(
    given: filter_pb2.MemoryFilter, mode: Mode, query: str, asked_at: datetime
) -> tuple[filter_pb2.MemoryFilter, tuple[str, ...]]:
    """The filter of a mode, and what could not be done of it.

    Raises:
        InvalidArgument: the filter leaves out all kinds that the mode looks at.
    """
    if mode is Mode.STRUCTURED:
        return _structured(given), ()
    if mode is not Mode.TEMPORAL:
        return given, ()
    window = window_of(query, asked_at)
    return (given, (NO_TIME,)) if window is None else (_within(given, window), ())


def part_of(given: filter_pb2.MemoryFilter, part: Part) -> filter_pb2.MemoryFilter | None:
    """The filter of a part of a brief; None where the filter leaves all of it out."""
    narrow = filter_pb2.MemoryFilter()
    narrow.CopyFrom(given)
    if kinds := _PARTS.get(part, ()):
        left = [kind for kind in kinds if not given.kinds or kind in given.kinds]
        narrow.ClearField("kinds")
        narrow.kinds.extend(left)
        return narrow if left else None
    categories = [
        one for one in STANDING_CATEGORIES if not given.categories or one in given.categories
    ]
    narrow.ClearField("categories")
    narrow.categories.extend(categories)
    return narrow if categories else None


def _structured(given: filter_pb2.MemoryFilter) -> filter_pb2.MemoryFilter:
    kinds = [kind for kind in STRUCTURED_KINDS if not given.kinds or kind in given.kinds]
    if not kinds:
        raise invalid_field("filter.kinds", "leaves out all that STRUCTURED looks at: no turns")
    narrow = filter_pb2.MemoryFilter()
    narrow.CopyFrom(given)
    narrow.ClearField("kinds")
    narrow.kinds.extend(kinds)
    return narrow


def _within(given: filter_pb2.MemoryFilter, window: Window) -> filter_pb2.MemoryFilter:
    """The filter whose range is what it has in common with a window; nothing where nothing is."""
    narrow = filter_pb2.MemoryFilter()
    narrow.CopyFrom(given)
    own = narrow.time_range
    since, until = optional_timestamp(window.since), optional_timestamp(window.until)
    if since and (not own.HasField("start_time") or _instant(own.start_time) < _instant(since)):
        own.start_time.CopyFrom(since)
    if until and (not own.HasField("end_time") or _instant(until) < _instant(own.end_time)):
        own.end_time.CopyFrom(until)
    if _ends_early(own) and not _ends_early(given.time_range):
        own.end_time.CopyFrom(own.start_time)
    return narrow


def _ends_early(span: filter_pb2.TimeRange) -> bool:
    """True if a range ends before it begins, which memory refuses."""
    both = span.HasField("start_time") and span.HasField("end_time")
    return both and _instant(span.end_time) < _instant(span.start_time)


def _instant(moment: Timestamp) -> tuple[int, int]:
    return moment.seconds, moment.nanos
