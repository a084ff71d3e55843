"""The ends that were told alone on one line; each ends what says the same more narrowly, too."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from anamnesis_libs.talk.narrowing import object_words, wider


@dataclass(slots=True)
class Ends:
    """The ends that were told alone on one line, by the words of their objects."""

    _at: dict[tuple[str, ...], list[int]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """True where an end was told."""
        return bool(self._at)

    def add(self, ended: str, at_us: int) -> None:
        """Note the end of an object."""
        self._at.setdefault(object_words(ended), []).append(at_us)

    def of(self, told: str) -> Iterator[int]:
        """The ends of an object: its own, and those of all that it narrows."""
        for each in wider(object_words(told)):
            yield from self._at.get(each, ())
