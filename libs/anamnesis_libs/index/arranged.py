"""The arrangement that queries over one scope share, kept from one query to the next."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable

from anamnesis_libs.index.arrangement import Arrangement
from anamnesis_libs.index.audiences import Audience, audiences_of, parts_of
from anamnesis_libs.index.port import SearchScope

SCOPES_KEPT_MIN = 8
"""More are kept as long as they hold no more pieces together than the index."""
_PIECE_BYTES = 80


class Arranged:
    """The arrangements of the scopes that were asked for last; None is one of an empty scope."""

    def __init__(self, arrange: Callable[[SearchScope], Arrangement | None]) -> None:
        self._arrange = arrange
        self._kept: OrderedDict[SearchScope, Arrangement | None] = OrderedDict()
        self._pieces = 0
        self._lock = threading.Lock()

    @property
    def memory_bytes(self) -> int:
        """Approximate bytes that the arrangement keeps."""
        return self._pieces * _PIECE_BYTES

    def of(self, scope: SearchScope, pieces_max: int) -> Arrangement | None:
        """The scope's arrangement, worked out where it is not kept.

        Those that were asked for longest ago go where all hold more than `pieces_max` together.
        """
        with self._lock:
            if scope not in self._kept:
                self._kept[scope] = self._arrange(scope)
                self._pieces += _pieces_of(self._kept[scope])
                while len(self._kept) > SCOPES_KEPT_MIN and self._pieces > pieces_max:
                    _, gone = self._kept.popitem(last=False)
                    self._pieces -= _pieces_of(gone)
            self._kept.move_to_end(scope)
            return self._kept[scope]

    def forget(self, audiences: Iterable[Audience]) -> None:
        """Forget the scopes whose callers see what has changed; others stay as they are."""
        changed = {part for audience in audiences for part in parts_of(audience)}
        for scope in list(self._kept):
            if not changed.isdisjoint(audiences_of(scope)):
                self._pieces -= _pieces_of(self._kept.pop(scope))

    def forget_all(self) -> None:
        """Forget every scope."""
        self._kept.clear()
        self._pieces = 0


def _pieces_of(arrangement: Arrangement | None) -> int:
    return 0 if arrangement is None else len(arrangement.rows)
