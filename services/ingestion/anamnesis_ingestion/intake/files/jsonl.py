"""Reads a session file (one JSON object a line) as a stream; does no I/O itself.

    reader = JsonlReader(Shape.AUTO)
    for chunk in chunks:
        for event in reader.feed(chunk): ...
    for event in reader.close(): ...
    reader.report()

Rules of this file:
- The events do not depend on where the chunks were cut.
- A line that cannot be read costs that line, never the file; it is reported by number.
- With AUTO every row is read by what it carries, so that nothing has to be held back until the
  shape is known; the first telling row names the shape in the report. Rows of plain text read the
  same in every shape and tell nothing; a file that has only those is OPENAI.
- A file that grew gives the events it gave before, and then the new ones.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from anamnesis_ingestion.intake.files.formats import formats_of_a_file
from anamnesis_ingestion.intake.files.lines import LineSplitter, RawLine
from anamnesis_ingestion.intake.files.rows import Row, head_of, role_of, text_field
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.shapes_claude_code import is_envelope
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.outcomes import (
    METADATA,
    UNKNOWN_ROLE,
    LeftOut,
    LineOutcome,
    malformed,
)
from anamnesis_ingestion.model import FileReport, ParsedFile, Shape, SkippedLine, SourceEvent

LINE_BYTES_MAX = 10 * 1024 * 1024
SKIPPED_LINES_MAX = 1_000

_OPENAI_KEYS = ("tool_calls", "function_call", "reasoning_content", "tool_call_id")
_OPENAI_PARTS = frozenset({"image_url", "input_audio", "refusal"})


class JsonlReader:
    """Turns the bytes of one file into events, and counts what it leaves out."""

    def __init__(
        self,
        shape: Shape = Shape.AUTO,
        *,
        line_bytes_max: int = LINE_BYTES_MAX,
        skipped_lines_max: int = SKIPPED_LINES_MAX,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._forced = shape
        self._seen_shape = shape
        self._line_bytes_max = line_bytes_max
        self._skipped_lines_max = skipped_lines_max
        self._splitter = LineSplitter(line_bytes_max)
        self._formats = formats_of_a_file(names, self._read_row)
        self._left_out: Counter[LeftOut] = Counter()
        self._skipped: list[SkippedLine] = []
        self._first: SourceEvent | None = None
        self._event_count = 0
        self._nul_seen = False
        self._tried = self._decoded = self._objects = self._values = 0

    def feed(self, chunk: bytes) -> Iterator[SourceEvent]:
        """Return the events that this chunk completes. All of it is taken at once."""
        self._nul_seen = self._nul_seen or b"\x00" in chunk
        return iter([e for line in self._splitter.feed(chunk) for e in self._read_line(line)])

    def close(self) -> Iterator[SourceEvent]:
        """Return the events of a last line that has no line ending; closing twice is harmless."""
        return iter([e for line in self._splitter.close() for e in self._read_line(line)])

    def feed_value(self, value: object, number: int) -> tuple[SourceEvent, ...]:
        """Return the events of a message that is decoded already, the `number`-th of its file."""
        self._values += 1
        return self._counted(self._value(value, number), number)

    def feed_event(self, event: SourceEvent) -> SourceEvent:
        """Count an event of a file that is no JSON, and return it."""
        self._seen_shape = Shape.WHATSAPP
        self._values = event.source_line
        self._counted(LineOutcome((event,)), event.source_line)
        return event

    @property
    def held_bytes(self) -> int:
        """Number of bytes of an unfinished line that are held in memory."""
        return self._splitter.held_bytes

    @property
    def looks_binary(self) -> bool:
        """True if the bytes so far are no text of JSON lines."""
        if self._nul_seen:
            return not self._objects
        return bool(self._tried) and not self._decoded

    def report(self) -> FileReport:
        """Return what reading has come to so far; it is final after `close`."""
        shape = self._seen_shape
        if shape is Shape.AUTO and self._event_count:
            shape = Shape.OPENAI
        return FileReport(
            shape=shape,
            lines=self._splitter.lines + self._values,
            event_count=self._event_count,
            skipped=tuple(self._skipped),
            skipped_count=self._left_out[LeftOut.MALFORMED],
            metadata_lines=self._left_out[LeftOut.METADATA],
            unknown_roles=self._left_out[LeftOut.UNKNOWN_ROLE],
            compaction_summaries=self._left_out[LeftOut.COMPACTION],
            looks_binary=self.looks_binary,
            session_id=self._first.session_id if self._first else None,
            parent_session_id=self._first.parent_session_id if self._first else None,
        )

    def _read_line(self, line: RawLine) -> tuple[SourceEvent, ...]:
        if line.raw is not None and not line.raw.strip():
            return ()
        return self._counted(self._outcome(line), line.number)

    def _counted(self, outcome: LineOutcome, number: int) -> tuple[SourceEvent, ...]:
        if outcome.left_out is not None:
            self._leave_out(number, outcome.left_out, outcome.reason)
        elif self._first is None:
            self._first = outcome.events[0]
        self._event_count += len(outcome.events)
        return outcome.events

    def _outcome(self, line: RawLine) -> LineOutcome:
        if line.raw is None:
            return malformed(f"longer than {self._line_bytes_max} bytes")
        self._tried += 1
        try:
            value = _decode(line.raw)
        except UnicodeDecodeError:
            return malformed("not UTF-8 text")
        except ValueError:
            return malformed("not valid JSON")
        self._decoded += 1
        return self._value(value, line.number)

    def _value(self, value: object, number: int) -> LineOutcome:
        if not isinstance(value, dict):
            return malformed("not a JSON object")
        self._objects += 1
        try:
            return self._read_row(value, number)
        except RecursionError:
            return malformed("nested too deeply")

    def _read_row(self, row: Row, line: int) -> LineOutcome:
        if row.get("_type") == "metadata":
            return METADATA
        if self._forced is Shape.OPENAI and is_envelope(row):
            return METADATA
        of_format = next((each for each in self._formats if each.holds(row)), None)
        if self._seen_shape is Shape.AUTO:
            self._seen_shape = _told_shape(row, of_format.shape if of_format else Shape.AUTO)
        return of_format.reader.read(row, line) if of_format else self._read_message(row, line)

    def _read_message(self, row: Row, line: int) -> LineOutcome:
        if "role" not in row:
            return malformed("no role")
        role = role_of(row)
        if role is None:
            return UNKNOWN_ROLE
        expand = isinstance(row.get("content"), list) and self._forced is not Shape.OPENAI
        read = read_anthropic if expand else read_openai
        return LineOutcome(read(row, head_of(row, role, line)))

    def _leave_out(self, line: int, why: LeftOut, reason: str) -> None:
        self._left_out[why] += 1
        if why is LeftOut.MALFORMED and len(self._skipped) < self._skipped_lines_max:
            self._skipped.append(SkippedLine(line, reason))


def parse_jsonl(
    chunks: Iterable[bytes], shape: Shape = Shape.AUTO, *, line_bytes_max: int = LINE_BYTES_MAX
) -> ParsedFile:
    """Read a whole file and return its events with the report, for files that fit in memory."""
    reader = JsonlReader(shape, line_bytes_max=line_bytes_max)
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    events.extend(reader.close())
    return ParsedFile(reader.report(), tuple(events))


def _told_shape(row: Row, of_format: Shape) -> Shape:
    """Return the shape that this row gives away, AUTO if it could be any."""
    if of_format is Shape.CLAUDE_CODE:
        return of_format if "message" in row or "sessionId" in row else Shape.AUTO
    if of_format is not Shape.AUTO:
        return of_format
    content = row.get("content")
    if any(key in row for key in _OPENAI_KEYS) or row.get("role") == "tool":
        return Shape.OPENAI
    if not isinstance(content, list):
        return Shape.AUTO
    types = {text_field(block, "type") for block in content if isinstance(block, dict)}
    return Shape.OPENAI if types & _OPENAI_PARTS else Shape.ANTHROPIC


def _decode(raw: bytes) -> object:
    """Return the line's JSON value.

    Raises:
        UnicodeDecodeError: it is in another encoding; a guess at what was said would invent it.
        ValueError: it is no JSON, or nested beyond what can be read.
    """
    try:
        return json.loads(raw.decode())
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
