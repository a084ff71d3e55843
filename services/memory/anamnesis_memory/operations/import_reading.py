"""Reading an export: lines out of bytes, counted and checked to the last one."""

import hashlib
from collections.abc import Iterator, Sequence

from anamnesis_libs.errors import InvalidArgument, SchemaNewer
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.operations.import_rules import check, check_manifest, fault_of_merges
from anamnesis_memory.operations.portable import (
    FORMAT,
    VERSION,
    ExportTally,
    Manifest,
    Trailer,
    decode,
)
from anamnesis_memory.ports.upkeep import Counts, Cursors, Record, RecordType

LINE_BYTES_MAX = 64 << 20
VERSIONS = range(1, VERSION + 1)


def export_damaged(message: str, line: int) -> InvalidArgument:
    """The error for an import that is cut short, damaged or of another format, with its line."""
    told = f"line {line}: {message}"
    return InvalidArgument(told, reason="EXPORT_DAMAGED", metadata={"line": str(line)})


class Reader:
    """Takes an export in pieces of any size; `close` says whether it was whole."""

    def __init__(self) -> None:
        self._manifest: Manifest | None = None
        self._trailer: Trailer | None = None
        self._cursors: Cursors | None = None
        self._digest = hashlib.sha256()
        self._tally = ExportTally()
        self._merged: dict[str, str] = {}
        self._rest: list[bytes] = []
        self._rest_bytes = 0
        self.line = 0

    @property
    def manifest(self) -> Manifest:
        """The first line, which has been read.

        Raises:
            InvalidArgument: it has not.
        """
        if self._manifest is None:
            raise self._damaged("does not begin with a manifest")
        return self._manifest

    def feed(self, chunk: bytes) -> Sequence[Record]:
        """The records whose lines are whole by now.

        Raises:
            InvalidArgument: a line is not one of an export, or not in its place.
        """
        return [record for line in self._lines(chunk) for record in self._taken(line)]

    def close(self) -> None:
        """Compare counts and checksum.

        Raises:
            InvalidArgument: something is missing, too much or changed.
        """
        if self._trailer is None or self._rest_bytes:
            raise self._damaged("ends without its trailer: it was cut short")
        if self._trailer.sha256 != self._digest.hexdigest():
            raise self._damaged("the checksum does not match: something was changed")
        counts = self._tally.counts
        if not counts == _all(self._trailer.counts) == _all(self.manifest.counts):
            raise self._damaged("the counts of records differ from those stated")
        if self._cursors is None or self._cursors.revision != self.manifest.revision:
            raise self._damaged("does not hold the cursors of the manifest's revision")
        if fault := fault_of_merges(self._merged):
            raise self._damaged(fault)

    def _lines(self, chunk: bytes) -> Iterator[bytes]:
        """Whole lines; what is left waits for the next chunk."""
        first, *others = chunk.split(b"\n")
        self._keep(first)
        for following in others:
            yield b"".join(self._rest)
            self._rest, self._rest_bytes = [], 0
            self._keep(following)

    def _keep(self, part: bytes) -> None:
        self._rest_bytes += len(part)
        if self._rest_bytes > LINE_BYTES_MAX:
            raise self._damaged(f"is longer than {LINE_BYTES_MAX} bytes")
        if part:
            self._rest.append(part)

    def _taken(self, line: bytes) -> Iterator[Record]:
        self.line += 1
        if self._trailer is not None:
            raise self._damaged("comes after the trailer")
        value = self._decoded(line)
        if isinstance(value, Trailer):
            self._trailer = value
            return
        self._digest.update(line + b"\n")
        if isinstance(value, Manifest):
            self._begin(value)
            return
        yield self._record(value)

    def _decoded(self, line: bytes) -> Record | Manifest | Trailer:
        try:
            value = decode(line)
            if isinstance(value, Manifest):
                check_manifest(value)
            elif not isinstance(value, Trailer):
                check(value)
        except ValueError as error:
            raise self._damaged(str(error)) from error
        return value

    def _begin(self, manifest: Manifest) -> None:
        if self.line > 1:
            raise self._damaged("is a second manifest")
        if manifest.format == FORMAT and manifest.version > VERSION:
            raise SchemaNewer(
                f"the export is of version {manifest.version}, this server reads up to {VERSION}: "
                "import it with a newer Anamnesis"
            )
        if manifest.format != FORMAT or manifest.version not in VERSIONS:
            raise self._damaged(
                f"is of format {manifest.format!r} version {manifest.version}, "
                f"this server reads {FORMAT!r} versions {', '.join(map(str, VERSIONS))}"
            )
        self._manifest = manifest

    def _record(self, record: Record) -> Record:
        """A record behind the manifest; nothing comes behind the cursors."""
        if self._manifest is None or self._cursors is not None:
            raise self._damaged("is in the wrong place")
        if isinstance(record, Cursors):
            self._cursors = record
        if isinstance(record, KnownEntity):
            self._merged[record.entity_id] = record.merged_into_id
        self._tally.add([record])
        return record

    def _damaged(self, message: str) -> InvalidArgument:
        return export_damaged(message, self.line)


def _all(counts: Counts) -> Counts:
    """The counts of every type; those that an older version does not know are 0."""
    return dict.fromkeys(RecordType, 0) | dict(counts)
