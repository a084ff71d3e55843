"""Ingesting a file: bytes in, batches of events out, as they are read.

Nothing is remembered between calls. An event's place depends on the file alone, so that sending it
again after a break stores what is missing and changes nothing else. What is held at any time is a
piece of the file (of a JSON document all of it, undecoded), the events that came out of it and one
batch; the next chunk is taken when the batches before it are committed. All files together hold no
more than their room.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import islice

from anamnesis_ingestion.intake.files.file_reading import FileLimits, FileReading, Placed
from anamnesis_ingestion.intake.files.file_sessions import FileHeader, FileSession
from anamnesis_ingestion.intake.files.file_writing import FileWriting, LedgerTally
from anamnesis_ingestion.intake.files.jsonl import SKIPPED_LINES_MAX
from anamnesis_ingestion.intake.files.room import Room, Share
from anamnesis_ingestion.ledger import Session
from anamnesis_ingestion.model import SkippedLine
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import InvalidArgument, ResourceExhausted, invalid_field

PIECE_BYTES = 64 * 1024
"""Parsed at once: bounds the events that one chunk of tiny lines turns into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestedFile:
    """The result of ingesting a file; `session` is None if the file holds no event.

    `skipped` holds the first lines that could not be read or stored, `skipped_count` counts all.
    `ignored` counts lines that are no messages, or say nothing; `retold` those of them that are
    summaries of a compaction. `undated` counts the events without a time.
    """

    lines: int
    events: int
    appended: int
    replaced: int
    unchanged: int
    skipped: tuple[SkippedLine, ...]
    skipped_count: int
    ignored: int
    retold: int
    undated: int
    session: Session | None
    side_sessions: tuple[Session, ...]
    revision: str


async def ingest_file(
    header: FileHeader,
    chunks: AsyncIterator[bytes],
    ledger: Ledger,
    limits: FileLimits,
    room: Room,
) -> IngestedFile:
    """Read a file to its end and store its events.

    Raises:
        InvalidArgument: it is no JSON Lines text (FILE_NOT_TEXT), a JSON document that cannot be
            read (DOCUMENT_UNREADABLE), or nothing says which session it is; nothing is stored.
        ResourceExhausted: it is too large (TOO_LARGE), or other files leave it no room now; what
            was committed before stays. Of a document that is too large nothing was.
    """
    reading = FileReading(header, limits)
    writing = FileWriting(header, limits, ledger)
    if header.size_bytes > limits.file_bytes_max:
        raise _too_large(limits.file_bytes_max, 0)
    received_bytes = 0
    with Share(room) as share:
        async for chunk in chunks:
            received_bytes += len(chunk)
            if received_bytes > limits.file_bytes_max:
                raise _too_large(limits.file_bytes_max, writing.tally.committed)
            for piece in _pieces(chunk):
                await writing.take(await asyncio.to_thread(reading.feed, piece))
                share.become(reading.reader.held_bytes)
        rest = reading.close()
        while events := await asyncio.to_thread(_some, rest, limits.batch_events_max):
            await writing.take(events)
    if reading.reader.looks_binary:
        raise _not_text(header.label)
    await writing.finish(reading.sessions)
    return _result(reading, writing.tally)


def _some(events: Iterator[Placed], count: int) -> list[Placed]:
    return list(islice(events, count))


def _pieces(chunk: bytes) -> Iterator[bytes]:
    return (chunk[at : at + PIECE_BYTES] for at in range(0, len(chunk), PIECE_BYTES))


def _result(reading: FileReading, tally: LedgerTally) -> IngestedFile:
    report = reading.reader.report()
    skipped = sorted((*report.skipped, *reading.skipped), key=lambda skipped: skipped.line)
    main, sides = _main_and_sides(list(reading.sessions))
    return IngestedFile(
        lines=report.lines,
        events=reading.events,
        appended=tally.appended,
        replaced=tally.replaced,
        unchanged=tally.unchanged,
        skipped=tuple(skipped[:SKIPPED_LINES_MAX]),
        skipped_count=report.skipped_count + reading.skipped_count,
        ignored=report.metadata_lines
        + report.unknown_roles
        + report.compaction_summaries
        + reading.silent_lines,
        retold=report.compaction_summaries,
        undated=reading.undated,
        session=tally.sessions[main.session_id] if main else None,
        side_sessions=tuple(tally.sessions[side.session_id] for side in sides),
        revision=tally.revision,
    )


def _main_and_sides(
    sessions: list[FileSession],
) -> tuple[FileSession | None, list[FileSession]]:
    """Return the session that stands for the file, and the others."""
    main = next((each for each in sessions if not each.parent_session_id), None)
    main = main or next(iter(sessions), None)
    return main, [each for each in sessions if each is not main]


def _not_text(label: str) -> InvalidArgument:
    return invalid_field(
        "chunk",
        "none of its lines is JSON in UTF-8; nothing was stored",
        reason="FILE_NOT_TEXT",
        metadata={"label": label},
    )


def _too_large(limit_bytes: int, committed: int) -> ResourceExhausted:
    return ResourceExhausted(
        f"the file is larger than {limit_bytes} bytes (ingestion.file_bytes_max). The first "
        f"{committed} events are stored and stay; raise the limit, or split the file and give "
        "each part a session_id of its own",
        reason="TOO_LARGE",
        retry_after_s=0.0,
        metadata={"limit_bytes": str(limit_bytes)},
    )
