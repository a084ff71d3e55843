"""Exporting training rows: the segments that went well, as messages."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from anamnesis_ingestion.ledger import Caller
from anamnesis_ingestion.pipeline.ports import Sessions
from anamnesis_ingestion.pipeline.work import Segment
from anamnesis_ingestion.trajectory.sft import SftOptions, SftRow, sft_row
from anamnesis_libs.errors.not_found import SessionNotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class SftFilter:
    """The filter for exported segments; `limit` 0 means all."""

    namespace: str
    caller: Caller
    min_score: float
    task_type: str = ""
    since: datetime | None = None
    limit: int = 0
    render_tools: bool = False


@dataclass(frozen=True, slots=True)
class ExportedRow:
    """A row and the segment that it is of."""

    row: SftRow
    segment: Segment


async def export_sft(where: SftFilter, sessions: Sessions) -> AsyncIterator[ExportedRow]:
    """Give the rows by session and place in it; what the ledger no longer holds is left out."""
    given, page_token = 0, ""
    while True:
        segments, page_token = await sessions.segments_seen_by(
            where.namespace, where.caller, where.task_type, where.min_score, page_token
        )
        for segment in segments:
            row = await _row(segment, where, sessions)
            if row is None:
                continue
            yield ExportedRow(row, segment)
            given += 1
            if given == where.limit:
                return
        if not page_token:
            return


async def _row(segment: Segment, where: SftFilter, sessions: Sessions) -> SftRow | None:
    """The row of one segment, unless it is too old or gone meanwhile."""
    try:
        events = await sessions.events(
            where.namespace, segment.session_id, segment.first_index, segment.last_index
        )
    except SessionNotFound:
        return None
    times = [event.event_time for event in events if event.event_time is not None]
    if where.since is not None and (not times or max(times) < where.since):
        return None
    options = SftOptions(tools_as_text=where.render_tools)
    return sft_row(events, segment.topic, options) if events else None
