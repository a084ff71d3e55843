"""Reads a session file of any layout as a stream: JSON Lines, one JSON document, or a chat's text.

A document's messages are read as lines are, and "line" then means the place of a message in it,
from 1. Nothing is known of a document before its end, so its events come with `close`; so do those
of a chat, whose dates can be read in two orders until all are known.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from anamnesis_ingestion.intake.files.document_reading import DocumentReader
from anamnesis_ingestion.intake.files.documents import DocumentHolder
from anamnesis_ingestion.intake.files.jsonl import JsonlReader
from anamnesis_ingestion.intake.files.whatsapp import read_whatsapp
from anamnesis_ingestion.intake.files.whatsapp_holder import ChatHolder
from anamnesis_ingestion.model import FileReport, Shape, SourceEvent


class SessionReader:
    """Turns the bytes of one file into events, whichever its layout."""

    def __init__(
        self,
        shape: Shape,
        *,
        line_bytes_max: int,
        document_bytes_max: int,
        announced_bytes: int = 0,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._rows = JsonlReader(shape, line_bytes_max=line_bytes_max, names=names)
        self._chat = ChatHolder(document_bytes_max)
        self._holder = DocumentHolder(line_bytes_max, document_bytes_max, announced_bytes)
        self._line_bytes_max = line_bytes_max

    def feed(self, chunk: bytes) -> Iterator[SourceEvent]:
        """Return the events that this chunk completes.

        Raises:
            ResourceExhausted: a document or chat is beyond its limit (TOO_LARGE).
        """
        return self._rows.feed(self._holder.feed(self._chat.feed(chunk)))

    def close(self) -> Iterator[SourceEvent]:
        """Yield the events that are left, those of a document as they are decoded.

        Raises:
            InvalidArgument: the file is a document that cannot be read (DOCUMENT_UNREADABLE).
        """
        held, is_chat = self._chat.close()
        if is_chat:
            yield from map(self._rows.feed_event, read_whatsapp(held))
            return
        yield from self._rows.feed(self._holder.feed(bytes(held)))
        held, is_document = self._holder.close()
        if is_document:
            messages = DocumentReader(held, self._line_bytes_max).messages()
            for number, message in enumerate(messages, start=1):
                yield from self._rows.feed_value(message, number)
            return
        yield from self._rows.feed(bytes(held))
        yield from self._rows.close()

    @property
    def held_bytes(self) -> int:
        """Number of bytes of the file that are held in memory."""
        return self._chat.held_bytes + self._holder.held_bytes + self._rows.held_bytes

    @property
    def looks_binary(self) -> bool:
        """True if the bytes so far are no text of JSON."""
        return self._rows.looks_binary

    def report(self) -> FileReport:
        """Return what reading has come to so far; it is final after `close`."""
        return self._rows.report()
