"""Conditions on paths of documents: with what they begin and end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

ANY = "*"
"""Stands for any one segment."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PathMatch:
    """A condition on a path: it begins with some segments, and ends with some."""

    prefix: Path = ()
    suffix: Path = ()

    def fits(self, path: Path) -> bool:
        """True if a path fits."""
        if len(path) < max(len(self.prefix), len(self.suffix)):
            return False
        begins = zip(path, self.prefix, strict=False)
        ends = zip(reversed(path), reversed(self.suffix), strict=False)
        return all(wanted in (ANY, one) for pairs in (begins, ends) for one, wanted in pairs)


def fixed_prefix(matches: Sequence[PathMatch]) -> Path:
    """The segments with which every path begins that fits, as far as they are named."""
    named = (tuple(takewhile(lambda one: one != ANY, match.prefix)) for match in matches)
    return max(named, key=len, default=())


def fitting(paths: Iterable[Path], matches: Sequence[PathMatch], depth_max: int) -> list[Path]:
    """The paths that fit all matches, each once and sorted, cut to a depth; 0 cuts none."""
    fit = (path for path in paths if all(match.fits(path) for match in matches))
    return sorted({path[:depth_max] if depth_max else path for path in fit})
