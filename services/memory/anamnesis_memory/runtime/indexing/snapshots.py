"""Snapshots of indexes on disk, so that opening a namespace need not read it all.

A snapshot's name carries the incarnation, the embedding model and the watermark, so that
vectors of two models never meet; it is written beside,
made durable, then renamed. One that another version wrote is removed, and the index is rebuilt from
the store; so it is of a damaged one, which is set aside under a name that says when, and removed
when there was time to look at it.
"""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.index.port import Index, OtherVersion
from anamnesis_libs.logs import logger
from anamnesis_memory.model.memory import Namespace

_LOG = logger("memory.snapshots")
_SUFFIX = ".idx"
_UNFINISHED = ".tmp"
_DAMAGED = ".damaged-"


DAMAGED_KEPT_S = 86_400.0
"""Seconds for which a damaged file is kept by default."""


class Snapshots:
    """The snapshots of one data directory."""

    def __init__(
        self,
        directory: Path,
        make_index: Callable[[int], Index],
        clock: Clock,
        damaged_kept_s: float = DAMAGED_KEPT_S,
    ) -> None:
        self._directory = directory
        self._make_index = make_index
        self._clock = clock
        self._damaged_kept_us = round(damaged_kept_s * 1e6)
        directory.mkdir(parents=True, exist_ok=True)

    def empty(self, dimension: int) -> Index:
        """An index that holds nothing."""
        return self._make_index(dimension)

    def restore(self, namespace: Namespace, newest: int) -> tuple[Index, int]:
        """The index as last saved, and its watermark; an empty one at 0 where there is none.

        A snapshot beyond `newest`, the store's revision, belongs to another history of
        the store and is set aside too. What an interrupted `save` left is removed.
        """
        dimension = namespace.embedding_dimension
        for unfinished in self._directory.glob(f"{_key(namespace)}-*{_UNFINISHED}*"):
            unfinished.unlink()
        for path, watermark in self._of(_key(namespace)):
            index = self._make_index(dimension)
            try:
                if watermark > newest:
                    raise ValueError(f"is at {watermark}, the store at {newest}")
                index.load(path)
            except OtherVersion as error:
                path.unlink()
                _LOG.info("snapshot.of_another_version", file=path.name, why=str(error))
                continue
            except (ValueError, OSError) as error:
                self._set_aside(path, error)
                continue
            return index, watermark
        return self._make_index(dimension), 0

    def check(self, namespace: Namespace) -> Mapping[str, str]:
        """Files of a namespace that cannot be read, and why; each is read in full."""
        faults = {}
        for path, _ in self._of(_key(namespace)):
            try:
                self._make_index(namespace.embedding_dimension).load(path)
            except (ValueError, OSError) as error:
                faults[path.name] = str(error)
        return faults

    def set_aside(self, name: str, why: str) -> None:
        """Keep a file that cannot be read out of the way, under another name."""
        self._set_aside(self._directory / name, ValueError(why))

    def purge(self) -> Sequence[str]:
        """Remove what was set aside long enough ago; the names of those files."""
        before_us = micros(self._clock.now()) - self._damaged_kept_us
        old = [
            path
            for path in self._directory.glob(f"*{_DAMAGED}*")
            if _set_aside_us(path) <= before_us
        ]
        for path in old:
            path.unlink(missing_ok=True)
            _LOG.info("snapshot.purged", file=path.name)
        return [path.name for path in old]

    def forget(self, namespace: Namespace) -> None:
        """Remove the snapshots of a namespace with this model; an index is made of the store."""
        for path, _ in self._of(_key(namespace)):
            path.unlink()

    def erase(self, namespace: Namespace, *, but_newest: bool = False) -> int:
        """Remove what is kept of a namespace, set aside and of other models too; how many files.

        With `but_newest` the snapshot stays that counts.
        """
        newest = self._of(_key(namespace))[:1] if but_newest else []
        kept = {path for path, _ in newest}
        gone = [path for path in self.files(namespace) if path not in kept]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def files(self, namespace: Namespace) -> Sequence[Path]:
        """Every file of a namespace, whatever its model and state."""
        return sorted(self._directory.glob(f"{namespace.incarnation}.*"))

    def mentions(self, namespace: Namespace, path: Path, texts: Sequence[str]) -> Sequence[int]:
        """Number of times that each text is in a file: in its index, or else in its bytes."""
        index = self._make_index(namespace.embedding_dimension)
        try:
            index.load(path)
        except (ValueError, OSError):
            held = path.read_bytes().decode(errors="replace").casefold()
            return [held.count(text.casefold()) for text in texts]
        return [index.mentions(text) for text in texts]

    def path_for(self, namespace: Namespace, watermark: int) -> Path:
        """The path to which a snapshot is written, before `keep`."""
        return self._directory / f"{_key(namespace)}-{watermark:x}{_UNFINISHED}"

    def keep(self, written: Path) -> None:
        """Make a written snapshot the one that counts and remove older ones."""
        with written.open("rb") as file:
            os.fsync(file.fileno())
        kept = written.with_suffix(_SUFFIX)
        written.replace(kept)
        key = kept.stem.rsplit("-", 1)[0]
        for path, _ in self._of(key):
            if path != kept:
                path.unlink()

    def _of(self, key: str) -> list[tuple[Path, int]]:
        """Snapshots of a namespace, newest first."""
        found = [
            (path, int(path.stem.rsplit("-", 1)[1], 16))
            for path in self._directory.glob(f"{key}-*{_SUFFIX}")
        ]
        return sorted(found, key=lambda one: one[1], reverse=True)

    def _set_aside(self, path: Path, error: Exception) -> None:
        aside = path.with_suffix(f"{_DAMAGED}{micros(self._clock.now())}")
        path.replace(aside)
        _LOG.error("snapshot.set_aside", file=aside.name, why=str(error))


def _set_aside_us(path: Path) -> int:
    """The time when a file was set aside, by its name: a copied directory has other file times."""
    told = path.name.rpartition(_DAMAGED)[2]
    return int(told) if told.isdecimal() else 0


def _key(namespace: Namespace) -> str:
    """The beginning of the names of a namespace's files, with its model."""
    model = hashlib.sha256(namespace.embedding_model.encode()).hexdigest()[:8]
    return f"{namespace.incarnation}.{model}"
