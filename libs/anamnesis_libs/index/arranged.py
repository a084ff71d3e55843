"""The arrangements that queries over one scope share, kept from one query to the next.

What comes in is noted, and finds its place when the scope is next asked for. What is taken out or
replaced has the scope arranged anew. Both are done before somebody waits, in scopes that were asked
for since the last time. More than a little that comes in is rarely all: whoever asks next has the
scope arranged anew.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice

from anamnesis_libs.index.arrangement import Arrangement
from anamnesis_libs.index.audiences import Audience, audiences_of, parts_of
from anamnesis_libs.index.port import SearchScope

SCOPES_KEPT_MIN = 8
"""More are kept as long as they hold no more pieces together than the index."""
CHANGES_MAX = 32
"""Of more documents that come in, finding the place of each is no gain."""
SETTLED_MAX = 4
"""So many scopes are made ready at once before they are asked for."""
_PIECE_BYTES = 140

Arrange = Callable[[SearchScope, Arrangement | None, Iterable[int]], Arrangement | None]
"""A scope, its arrangement as it was, and the documents that have changed since; without an
arrangement it is made anew."""


@dataclass(slots=True)
class _Kept:
    """An arrangement, None of an empty scope; and the documents that have changed since."""

    arrangement: Arrangement | None
    changed: dict[int, None] = field(default_factory=dict)
    asked: bool = False
    """True if a query has asked for it since it was arranged."""
    outdated: bool = False
    """True if something was taken out."""

    @property
    def is_ready(self) -> bool:
        """True if it is as the index is."""
        return not (self.changed or self.outdated)

    @property
    def pieces(self) -> int:
        """Pieces that take part."""
        return 0 if self.arrangement is None else len(self.arrangement.rows)


class Arranged:
    """The arrangements of the scopes that were asked for last."""

    def __init__(self, arrange: Arrange) -> None:
        self._arrange = arrange
        self._kept: OrderedDict[SearchScope, _Kept] = OrderedDict()
        self._pieces = 0
        self._lock = threading.Lock()
        self.unsettled = False
        """True if something has changed in scopes that were asked for."""

    @property
    def memory_bytes(self) -> int:
        """Approximate bytes that the arrangements keep."""
        return self._pieces * _PIECE_BYTES

    def of(self, scope: SearchScope, pieces_max: int) -> Arrangement | None:
        """The scope's arrangement as of now; None where the scope is empty.

        Those that were asked for longest ago go where all hold more than `pieces_max` together.
        """
        with self._lock:
            kept = self._kept.get(scope)
            if kept is None or not kept.is_ready:
                kept = self._renewed(scope, kept)
            kept.asked = True
            self._kept.move_to_end(scope)
            self._make_room(pieces_max)
            self.unsettled = self.unsettled and bool(self._waiting())
            return kept.arrangement

    def settle(self, pieces_max: int) -> None:
        """Make ready the scopes that were asked for last, where they were since they were ready.

        Who writes and asks in turn finds them so; many writes in a row are noted alone.
        """
        with self._lock:
            for scope in self._waiting():
                self._renewed(scope, self._kept[scope])
            self._make_room(pieces_max)
            self.unsettled = False

    def note(self, changed: Iterable[tuple[Audience, int]]) -> None:
        """Note documents that came in, or got vectors, for the scopes whose callers see them."""
        slots = [(set(parts_of(audience)), slot) for audience, slot in changed]
        for scope in list(self._kept):
            callers = set(audiences_of(scope))
            kept = self._kept[scope]
            kept.changed.update((slot, None) for parts, slot in slots if parts & callers)
            if len(kept.changed) > CHANGES_MAX:
                self._drop(scope)
            elif kept.changed and kept.asked:
                self.unsettled = True

    def forget(self, audiences: Iterable[Audience]) -> None:
        """Forget the scopes whose callers see what was taken out; others stay as they are."""
        changed = {part for audience in audiences for part in parts_of(audience)}
        for scope in list(self._kept):
            if changed.isdisjoint(audiences_of(scope)):
                continue
            asked = self._kept[scope].asked and scope in self._latest()
            self._drop(scope, outdated=asked)

    def forget_all(self) -> None:
        """Forget every scope."""
        self._kept.clear()
        self._pieces = 0

    def _renewed(self, scope: SearchScope, kept: _Kept | None) -> _Kept:
        old = kept or _Kept(None)
        made = _Kept(self._arrange(scope, old.arrangement, old.changed))
        self._kept[scope] = made
        self._pieces += made.pieces - old.pieces
        return made

    def _make_room(self, pieces_max: int) -> None:
        while len(self._kept) > SCOPES_KEPT_MIN and self._pieces > pieces_max:
            _, gone = self._kept.popitem(last=False)
            self._pieces -= gone.pieces

    def _latest(self) -> list[SearchScope]:
        return list(islice(reversed(self._kept), SETTLED_MAX))

    def _waiting(self) -> list[SearchScope]:
        """The scopes to make ready, of those that were asked for last."""
        latest = ((scope, self._kept[scope]) for scope in self._latest())
        return [scope for scope, kept in latest if kept.asked and not kept.is_ready]

    def _drop(self, scope: SearchScope, *, outdated: bool = False) -> None:
        """Let a scope's arrangement go, and the scope too unless it is to be arranged anew."""
        self._pieces -= self._kept[scope].pieces
        if outdated:
            self._kept[scope] = _Kept(None, asked=True, outdated=True)
            self.unsettled = True
        else:
            del self._kept[scope]
