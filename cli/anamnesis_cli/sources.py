"""The files that the arguments of `ingest` mean. They are read by the client, and streamed.

A file that is named is taken, whatever it is called. A directory is searched below itself for
files of known names (`known_files.py`); hidden parts and symbolic links in it are left out. What
is missing or cannot be read is a problem to report, and no reason to leave out the rest.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO

from anamnesis_cli import known_files

STDIN = "-"
_SPOOL_BYTES_MAX = 32 * 1024 * 1024
_COPY_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """One file to send: by `label` the server knows it again.

    `shown` is its path for people, `within` its short name: below the directory that was asked for.
    """

    shown: str
    within: str
    label: str
    size_bytes: int
    changed: datetime | None
    open: Callable[[], IO[bytes]]
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of people, by the ids that the file has for them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A path that gives no file, and why."""

    path: str
    reason: str


def find_sources(
    paths: Sequence[str], stdin: BinaryIO, *, texts: bool = False
) -> Iterator[Source | Problem]:
    """The files that the arguments mean, each once, in their order."""
    seen: set[str] = set()
    for path in paths:
        if path == STDIN:
            given: Iterator[Source | Problem] = iter([_standard_input(stdin)])
        else:
            given = _in_path(Path(path), texts=texts, alone=len(paths) == 1)
        for found in given:
            if isinstance(found, Problem):
                yield found
            elif found.label not in seen:
                seen.add(found.label)
                yield found


def _in_path(path: Path, *, texts: bool, alone: bool) -> Iterator[Source | Problem]:
    if path.is_dir():
        yield from _in_directory(path, "" if alone else path.resolve().name, texts=texts)
    else:
        yield _file(path, Path(path.name))


def _in_directory(directory: Path, name: str, *, texts: bool) -> Iterator[Source | Problem]:
    """The files of a directory; `name` stands before theirs."""
    is_sought = known_files.is_text if texts else known_files.is_session
    unreadable: list[OSError] = []
    found = False
    for parent, directories, files in os.walk(directory, onerror=unreadable.append):
        directories[:] = sorted(name for name in directories if not _is_hidden(name))
        for path in (Path(parent, name) for name in sorted(files)):
            if is_sought(path) and path.is_file() and not path.is_symlink():
                found = True
                yield _file(path, Path(name, path.relative_to(directory)))
    yield from (_problem(Path(str(error.filename)), error) for error in unreadable)
    if not (found or unreadable):
        yield Problem(_text(directory), _nothing_in(texts=texts))


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _nothing_in(*, texts: bool) -> str:
    if texts:
        return f"holds no text; searched for are {known_files.TEXTS_SOUGHT}"
    return (
        f"holds no conversation; searched for are {known_files.SESSIONS_SOUGHT}; "
        "a folder of notes is taken with --text"
    )


def _file(path: Path, within: Path) -> Source | Problem:
    try:
        stat = path.stat()
    except OSError as error:
        return _problem(path, error)
    return Source(
        shown=_text(path),
        within=_text(within),
        label=_text(path.resolve()),
        size_bytes=stat.st_size,
        changed=datetime.fromtimestamp(stat.st_mtime, UTC),
        open=lambda: path.open("rb"),
        names=known_files.people_of(path),
    )


def _problem(path: Path, error: OSError) -> Problem:
    return Problem(_text(path), (error.strerror or str(error)).lower())


def _text(path: Path) -> str:
    """The path as valid UTF-8, whatever bytes its name has."""
    return os.fsencode(path).decode("utf-8", "replace")


def _standard_input(stdin: BinaryIO) -> Source:
    """Read to its end first: its content names it, so that another input is another session."""
    spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES_MAX)  # noqa: SIM115  # kept open
    digest = hashlib.sha256()
    while block := stdin.read(_COPY_BYTES):
        digest.update(block)
        spool.write(block)
    size_bytes = spool.tell()
    spool.seek(0)
    label = f"stdin:{digest.hexdigest()[:16]}"
    return Source("standard input", "standard input", label, size_bytes, None, lambda: spool)
