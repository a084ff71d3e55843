"""Times, vectors and enums between the wire and the model."""

from collections.abc import Sequence
from datetime import tzinfo

import numpy as np
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import event_pb2
from anamnesis_libs.clock import LAST_US, YEAR_ONE_US
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.index.port import Rows
from anamnesis_libs.zones import minutes_at
from anamnesis_memory.api.convert.enums import VISIBILITY
from anamnesis_memory.model.memory import Caller, Visibility


def to_micros(moment: Timestamp) -> int:
    """Whole microseconds of a timestamp."""
    return moment.seconds * 1_000_000 + moment.nanos // 1_000


def optional_micros(message: Message, field: str) -> int | None:
    """Microseconds of a timestamp field; None where it is not set.

    Raises:
        InvalidArgument: the time is outside the years 1 to 9999.
    """
    if not message.HasField(field):
        return None
    time_us = to_micros(getattr(message, field))
    if not YEAR_ONE_US <= time_us <= LAST_US:
        raise invalid_field(field, "must be a time between the years 1 and 9999")
    return time_us


def offset_minutes(message: Message, time_us: int | None, zone: tzinfo | None) -> int | None:
    """The clock beside UTC at a message's time: as it states, else by a zone; None is UTC."""
    if time_us is None:
        return None
    if message.HasField("utc_offset_minutes"):
        stated: int = getattr(message, "utc_offset_minutes")  # noqa: B009 any message that has one
        return stated
    return None if zone is None else minutes_at(zone, time_us)


def bounded_us(time_us: int) -> int:
    """A time that can be told, the nearest."""
    return min(max(time_us, YEAR_ONE_US), LAST_US)


def to_timestamp(time_us: int | None) -> Timestamp | None:
    """A timestamp; None stays unset, and what was added to a last time is told as the last one."""
    if time_us is None:
        return None
    if not YEAR_ONE_US <= time_us <= LAST_US:
        time_us = bounded_us(time_us)
    return Timestamp(seconds=time_us // 1_000_000, nanos=time_us % 1_000_000 * 1_000)


def to_duration(time_us: int) -> Duration:
    """A duration of microseconds."""
    return Duration(seconds=time_us // 1_000_000, nanos=time_us % 1_000_000 * 1_000)


def to_caller(caller: caller_pb2.Caller) -> Caller:
    """The caller of a request."""
    return Caller(caller.agent_id, caller.user_id, caller.session_id)


def stated_visibility(visibility: "event_pb2.Visibility.ValueType") -> Visibility | None:
    """A visibility, None where a write states none."""
    return VISIBILITY.from_pb(visibility) if visibility else None


def told_visibility(visibility: Visibility | None) -> "event_pb2.Visibility.ValueType":
    """A visibility for the wire; UNSPECIFIED where nobody has decided one."""
    return VISIBILITY.to_pb(visibility) if visibility else event_pb2.VISIBILITY_UNSPECIFIED


def to_rows(vector: Sequence[float], dimension: int, field: str) -> Rows | None:
    """A caller's vector as one row of unit length; None where there is none.

    Raises:
        InvalidArgument: the vector is of another dimension, or has no direction.
    """
    if not vector:
        return None
    if len(vector) != dimension:
        raise invalid_field(
            field,
            f"has {len(vector)} numbers, the namespace's model has {dimension}; "
            "leave it out to have it made here",
            reason="EMBEDDING_DIMENSION_MISMATCH",
            metadata={"expected": str(dimension), "given": str(len(vector))},
        )
    row = np.asarray(vector, dtype=np.float32)[None, :]
    norm = float(np.linalg.norm(row))
    if not np.isfinite(norm) or norm == 0.0:
        raise invalid_field(field, "must be finite and not all zeros")
    return row / np.float32(norm)


def mean_row(rows: Rows) -> Rows:
    """One vector of unit length for a text in several pieces."""
    mean: Rows = rows.mean(axis=0)
    norm = np.float32(np.linalg.norm(mean))
    unit: Rows = rows[0] if norm == 0 else mean / norm
    return unit
