"""From the bytes of one file to events with a place, whole lines at a time.

A line that holds something the ledger would refuse is left out and reported like one that cannot
be read: it must not cost the lines that are sent with it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from anamnesis_ingestion.intake.files.file_sessions import (
    FileHeader,
    FileSession,
    FileSessions,
    Unplaceable,
)
from anamnesis_ingestion.intake.files.jsonl import SKIPPED_LINES_MAX
from anamnesis_ingestion.intake.files.limits import broken_limit, may_be_stored, size_bytes
from anamnesis_ingestion.intake.files.session_reader import SessionReader
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import SkippedLine, SourceEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """Limits in bytes for a file, a document, a line, an event, and one write to the ledger."""

    file_bytes_max: int
    document_bytes_max: int
    line_bytes_max: int
    batch_events_max: int
    batch_bytes_max: int
    event_bytes_max: int


@dataclass(frozen=True, slots=True)
class Placed:
    """An event, where it goes, and how large it is at most."""

    session: FileSession
    event: LedgerEvent
    size_bytes: int


class FileReading:
    """From bytes to placed events. A binary file never gives one: it has no line of JSON."""

    def __init__(self, header: FileHeader, limits: FileLimits) -> None:
        self.reader = SessionReader(
            header.shape,
            line_bytes_max=limits.line_bytes_max,
            document_bytes_max=limits.document_bytes_max,
            announced_bytes=header.size_bytes,
            names=header.names,
        )
        self.sessions = FileSessions(header)
        self.skipped: list[SkippedLine] = []
        self.skipped_count = self.silent_lines = self.events = self.undated = 0
        self._event_bytes_max = limits.event_bytes_max

    def feed(self, piece: bytes) -> list[Placed]:
        """Return the events that this piece completes."""
        return list(self._placed(self.reader.feed(piece)))

    def close(self) -> Iterator[Placed]:
        """Yield the events of a last line without an ending, or of a document."""
        return self._placed(self.reader.close())

    def _placed(self, events: Iterable[SourceEvent]) -> Iterator[Placed]:
        for (_, number), line in groupby(events, key=_place_in_file):
            yield from self._line(number, line)

    def _line(self, number: int, line: Iterable[SourceEvent]) -> Iterator[Placed]:
        """Place a line as a whole, or leave it out as a whole."""
        events = [event for event in line if _says_enough(event)]
        if not events:
            self.silent_lines += 1
            return
        try:
            session = self._room_for(events)
        except Unplaceable as reason:
            self._skip(number, str(reason))
            return
        self.events += len(events)
        for event in events:
            placed = self.sessions.place(event, session)
            self.undated += placed.event_time is None
            yield Placed(session, placed, size_bytes(event))

    def _room_for(self, events: list[SourceEvent]) -> FileSession:
        for event in events:
            reason = broken_limit(event, self._event_bytes_max)
            if reason:
                raise Unplaceable(reason)
        return self.sessions.of(events[0], len(events))

    def _skip(self, line: int, reason: str) -> None:
        self.skipped_count += 1
        if len(self.skipped) < SKIPPED_LINES_MAX:
            self.skipped.append(SkippedLine(line, reason))


def _place_in_file(event: SourceEvent) -> tuple[int, int]:
    return event.conversation, event.source_line


def _says_enough(event: SourceEvent) -> bool:
    return may_be_stored(
        event.role, event.content, calls=bool(event.tool_calls), reasoning=bool(event.reasoning)
    )
