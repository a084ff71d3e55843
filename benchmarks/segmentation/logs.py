"""Real logs of work with their task boundaries, read from files that are not ours."""

import json
from pathlib import Path

from anamnesis_ingestion.intake.files.file_reading import FileLimits, FileReading
from anamnesis_ingestion.intake.files.file_sessions import FileHeader
from anamnesis_ingestion.ledger import LedgerEvent
from benchmarks.segmentation.conversations import Conversation

MARKS = Path(__file__).parents[2] / "tests" / "data" / "segmentation" / "logs.jsonl"
_BYTES_MAX = 64 * 1024 * 1024
_LIMITS = FileLimits(
    file_bytes_max=_BYTES_MAX,
    document_bytes_max=_BYTES_MAX,
    line_bytes_max=_BYTES_MAX,
    batch_events_max=1_000,
    batch_bytes_max=_BYTES_MAX,
    event_bytes_max=1024 * 1024,
)


def read(directory: Path) -> tuple[Conversation, ...]:
    """Return the marked logs below a directory, each its file's first session.

    Raises:
        ValueError: a log has another number of events than when it was marked.
    """
    marks = map(json.loads, MARKS.read_text(encoding="utf-8").splitlines())
    return tuple(
        _conversation(directory / mark["file"], mark["events"], mark["starts"]) for mark in marks
    )


def _conversation(path: Path, event_count: int, starts: list[int]) -> Conversation:
    events = _first_session(path)
    if len(events) != event_count:
        raise ValueError(f"{path.name} has {len(events)} events; marked were {event_count}")
    return Conversation(path.stem, "en", events, tuple(starts), tuned_on=False)


def _first_session(path: Path) -> tuple[LedgerEvent, ...]:
    reading = FileReading(FileHeader(namespace="logs", label=path.name), _LIMITS)
    placed = [*reading.feed(path.read_bytes()), *reading.close()]
    return tuple(each.event for each in placed if each.session is placed[0].session)
