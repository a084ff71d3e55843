"""Snapshots of indexes on disk, so that opening a namespace need not read it all.

A snapshot's name carries the incarnation and the watermark; it is written beside,
made durable, then renamed. A damaged one is set aside, never deleted, and the index
is rebuilt from the store.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from libs.index.port import Index
from libs.logs import logger

_LOG = logger("memory.snapshots")
_SUFFIX = ".idx"
_UNFINISHED = ".tmp"


class Snapshots:
    """The snapshots of one data directory."""

    def __init__(self, directory: Path, make_index: Callable[[int], Index]) -> None:
        self._directory = directory
        self._make_index = make_index
        directory.mkdir(parents=True, exist_ok=True)

    def restore(self, incarnation: str, dimension: int, newest: int) -> tuple[Index, int]:
        """The index as last saved, and its watermark; an empty one at 0 where there is none.

        A snapshot beyond `newest`, the store's revision, belongs to another history of
        the store and is set aside too. What an interrupted `save` left is removed.
        """
        for unfinished in self._directory.glob(f"{incarnation}-*{_UNFINISHED}*"):
            unfinished.unlink()
        for path, watermark in self._of(incarnation):
            index = self._make_index(dimension)
            try:
                if watermark > newest:
                    raise ValueError(f"is at {watermark}, the store at {newest}")
                index.load(path)
            except (ValueError, OSError) as error:
                self._set_aside(path, error)
                continue
            return index, watermark
        return self._make_index(dimension), 0

    def path_for(self, incarnation: str, watermark: int) -> Path:
        """Where to write a snapshot, before `keep`."""
        return self._directory / f"{incarnation}-{watermark:x}{_UNFINISHED}"

    def keep(self, written: Path) -> None:
        """Make a written snapshot the one that counts and remove older ones."""
        with written.open("rb") as file:
            os.fsync(file.fileno())
        kept = written.with_suffix(_SUFFIX)
        written.replace(kept)
        incarnation = kept.stem.rsplit("-", 1)[0]
        for path, _ in self._of(incarnation):
            if path != kept:
                path.unlink()

    def _of(self, incarnation: str) -> list[tuple[Path, int]]:
        """Snapshots of a namespace, newest first."""
        found = [
            (path, int(path.stem.rsplit("-", 1)[1], 16))
            for path in self._directory.glob(f"{incarnation}-*{_SUFFIX}")
        ]
        return sorted(found, key=lambda one: one[1], reverse=True)

    def _set_aside(self, path: Path, error: Exception) -> None:
        aside = path.with_suffix(f".damaged-{int(time.time())}")
        path.replace(aside)
        _LOG.error("snapshot.set_aside", file=aside.name, why=str(error))
