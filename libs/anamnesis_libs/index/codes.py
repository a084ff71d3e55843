"""Strings as small numbers, so that filters compare arrays and not strings."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

UNKNOWN = -1


class Codes:
    """Each string once; the empty string is 0."""

    def __init__(self, texts: Sequence[str] = ("",)) -> None:
        self._take(texts)

    def give(self, text: str) -> int:
        """The code of a string, a new one where it has none."""
        code = self._codes.setdefault(text, len(self.texts))
        if code == len(self.texts):
            self.texts.append(text)
        return code

    def find(self, text: str) -> int:
        """The code of a string, or UNKNOWN."""
        return self._codes.get(text, UNKNOWN)

    def find_all(self, texts: Iterable[str]) -> list[int]:
        """The codes of the strings, UNKNOWN for those that have none."""
        return [self.find(text) for text in texts]

    def keep(self, used: Sequence[int]) -> NDArray[np.int32]:
        """Forget all but the codes used (and 0); tell the new code of each old one."""
        kept = sorted({0, *used})
        moved = np.full(len(self.texts), UNKNOWN, np.int32)
        moved[kept] = np.arange(len(kept))
        self._take([self.texts[code] for code in kept])
        return moved

    def _take(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        self._codes = {text: code for code, text in enumerate(self.texts)}
