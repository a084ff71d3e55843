"""A disk that can lose power: it knows what was synced and what was not.

Files are real and lie in one directory a life. Beside each the disk keeps what would be
left of it without power: its content at the last sync, and every write and truncation
since. A kill copies the files as they are; a power cut writes what was synced and a
seeded part of the rest: some writes, in any order of survival, cut at sectors; names
whose directory was not synced may be gone, deleted ones may be back. The next life opens
the copy, the old one may finish into files that nobody reads again.
"""

import random
import shutil
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import apsw

SECTOR_BYTES = 512


class Cut(StrEnum):
    """How a life ends at once."""

    KILL = "kill"
    POWER = "power"


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that went to a place in a file."""

    data: bytes
    offset: int


Unsynced = Write | int
"""A write, or the size to which a file was truncated."""


@dataclass(slots=True)
class Kept:
    """What is known of one file: what is safe, and what is not yet."""

    safe: bytearray
    unsynced: list[Unsynced] = field(default_factory=list)
    name_is_safe: bool = False
    deleted: bool = False

    def sync(self) -> None:
        """Everything so far is safe."""
        for change in self.unsynced:
            apply(self.safe, change)
        self.unsynced.clear()


def apply(content: bytearray, change: Unsynced) -> None:
    """Change a content as the file was changed."""
    if isinstance(change, int):
        del content[change:]
        content.extend(bytes(change - len(content)))
        return
    content.extend(bytes(max(0, change.offset + len(change.data) - len(content))))
    content[change.offset : change.offset + len(change.data)] = change.data


class Disk:
    """The files of a simulated machine over its lives."""

    def __init__(self, root: Path, generator: random.Random) -> None:
        self._root = root
        self._generator = generator
        self._files: dict[str, Kept] = {}
        self._life = 0
        self._cut_at: tuple[int, Cut] | None = None
        self._failing_at: int | None = None
        self.directory = root / "life-0"
        self.directory.mkdir()
        self.operations = 0
        self.failures = 0
        self.cut: Cut | None = None
        self.page_bytes = 4096
        self.checkpoint_pages = 1000
        self._writers: list[apsw.Connection] = []

    def cut_after(self, operations: int, cut: Cut) -> None:
        """Plan the end of this life: after so many operations from now."""
        self._cut_at = (self.operations + operations, cut)

    def fail_after(self, operations: int) -> None:
        """Plan one write or sync of a log that fails, so many operations from now."""
        self._failing_at = self.operations + operations

    def set_full(self, full: bool) -> None:
        """Let no database grow, or let them grow again."""
        for writer in tuple(self._writers):
            try:
                pages = int(writer.pragma("page_count")) if full else 1 << 30
                writer.pragma("max_page_count", max(1, pages))
            except apsw.ConnectionClosedError:
                self._writers.remove(writer)

    def happen(self, cut: Cut) -> None:
        """End this life now; what is on the disk goes to the next one."""
        if self.cut is not None:
            return
        self.cut = cut
        self._writers.clear()
        following = self._root / f"life-{self._life + 1}"
        shutil.copytree(self.directory, following, ignore=shutil.ignore_patterns("*-shm"))
        if cut is Cut.POWER:
            self._lose_power(following)

    def next_life(self) -> None:
        """Go on with what the last life left; all of it is safe by now."""
        self._life += 1
        self.directory = self._root / f"life-{self._life}"
        self._files.clear()
        self.cut = None
        self.end_plans()

    def end_plans(self) -> None:
        """From now on nothing fails by plan; what is open stays open."""
        self._cut_at = self._failing_at = None
        self.set_full(False)

    def step(self) -> None:
        """One operation is about to happen, of SQLite or of a snapshot."""
        self.operations += 1
        if self._cut_at is not None and self.operations >= self._cut_at[0]:
            (_, cut), self._cut_at = self._cut_at, None
            self.happen(cut)

    def fails(self, path: str, *, commits: bool) -> bool:
        """Whether this operation is the one that fails; only those of a commit do."""
        due = self._failing_at is not None and self.operations >= self._failing_at
        if not (due and commits and path.endswith("-wal")):
            return False
        self._failing_at = None
        self.failures += 1
        return True

    def holds(self, path: str) -> bool:
        """Whether a file is of this life."""
        return path.startswith(f"{self.directory}/")

    def opened(self, path: str, *, made: bool) -> None:
        """A file is about to be used."""
        if self.holds(path) and (made or path not in self._files):
            there = b"" if made else Path(path).read_bytes()
            self._files[path] = Kept(bytearray(there), name_is_safe=not made)

    def kept(self, path: str) -> Kept | None:
        """What is kept of a file of this life; None for others."""
        return self._files.get(path) if self.holds(path) else None

    def deleted(self, path: str, *, directory_synced: bool) -> None:
        """A file is gone; whether its name comes back is open until its directory is synced."""
        kept = self._files.get(path)
        if kept is not None:
            kept.deleted = True
            kept.unsynced.clear()
        if directory_synced:
            self.directory_synced(Path(path).parent)

    def directory_synced(self, directory: Path) -> None:
        """Names in a directory are safe, and so is that others are gone."""
        for path in [path for path in self._files if Path(path).parent == directory]:
            if self._files[path].deleted:
                del self._files[path]
            else:
                self._files[path].name_is_safe = True

    def check_closed(self) -> None:
        """Hold that nobody has a file of this life open.

        Raises:
            AssertionError: somebody has.
        """
        for connection in apsw.connections():
            assert not self.holds(connection.filename), f"{connection.filename} is still open"

    def connected(self, connection: apsw.Connection) -> None:
        """Bring a new connection to this run's sizes."""
        if connection.readonly("main") or not connection.filename.startswith(str(self.directory)):
            return
        connection.pragma("page_size", self.page_bytes)
        connection.pragma("wal_autocheckpoint", self.checkpoint_pages)
        self._writers.append(connection)

    def _lose_power(self, copy: Path) -> None:
        survive = self._generator.choice((0.0, 0.3, 0.7, 1.0))
        for path, kept in self._files.items():
            left = copy / Path(path).relative_to(self.directory)
            if self._has_name(kept):
                left.write_bytes(self._remains(kept, survive))
            else:
                left.unlink(missing_ok=True)

    def _has_name(self, kept: Kept) -> bool:
        """Creation and deletion of a name are safe once its directory was synced, or by chance."""
        if kept.name_is_safe != kept.deleted:
            return kept.name_is_safe
        return self._lucky(0.5)

    def _remains(self, kept: Kept, survive: float) -> bytes:
        """What was synced, and of the rest what reached the platter by chance."""
        content = bytearray(kept.safe)
        for change in kept.unsynced:
            if isinstance(change, int):
                if self._lucky(survive):
                    apply(content, change)
                continue
            for start in range(0, len(change.data), SECTOR_BYTES):
                if self._lucky(survive):
                    sector = change.data[start : start + SECTOR_BYTES]
                    apply(content, Write(sector, change.offset + start))
        return bytes(content)

    def _lucky(self, chance: float) -> bool:
        return self._generator.random() < chance
