"""The records that the last append of this process has seen: the next one need not look.

They are as they were for as long as the clock says so, which the statement that puts an append
checks.
Where another replica writes too, looking ahead is in vain: after a miss it is left for a while.
"""

from collections.abc import Iterator

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.ports import ReadSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.draft import Loaded
from anamnesis_memory.storage.neo4j.rows import node

NAMES_MAX = 1_000
MISSED_COMMITS = 32
"""After another replica came between, so many commits take the lock."""


class LastSeen:
    """The clock's row and the records of the last appends; taken by one, and kept by it again."""

    def __init__(self) -> None:
        self._left = 0
        self.forget()

    def forget(self) -> None:
        """Let go of all: something was committed otherwise."""
        self._row: Row = {}
        self._loaded = Loaded()
        self._names: set[object] = set()

    def miss(self) -> None:
        """Note that another replica came between."""
        self.forget()
        self._left = MISSED_COMMITS

    def may_try(self) -> bool:
        """True if the next commit may do without the lock; asked once for each."""
        self._left = max(0, self._left - 1)
        return not self._left

    def take(self, wanted: ReadSet) -> tuple[Row, Loaded] | None:
        """The row and the records, if they are all that is wanted, which are gone then."""
        row, loaded = self._row, self._loaded
        if not row or not self._covers(wanted):
            return None
        self._row = {}
        return row, loaded

    def keep(self, wanted: ReadSet, row: Row, loaded: Loaded) -> None:
        """Keep the clock's row as it was put, and the records as they are with it.

        What was kept before stays beside them where nothing was committed in between.
        """
        if loaded is not self._loaded:
            names, before = set(_names(wanted)), self._loaded
            if self._row and _commits(row) == _commits(self._row) + 1:
                loaded = Loaded(
                    sessions={**before.sessions, **loaded.sessions},
                    wings={**before.wings, **loaded.wings},
                    work={**before.work, **loaded.work},
                )
                names |= self._names
            self._names = names if len(names) <= NAMES_MAX else set()
        self._row = row
        self._loaded = Loaded(sessions=loaded.sessions, wings=loaded.wings, work=loaded.work)

    def _covers(self, wanted: ReadSet) -> bool:
        """True if all records were seen, or seen to be missing; events only behind the last."""
        if not self._names.issuperset(_names(wanted)):
            return False
        sessions = self._loaded.sessions
        return all(
            session_id not in sessions or index >= sessions[session_id].next_index
            for session_id, index in wanted.events
        )


def _commits(row: Row) -> int:
    return rows.number(node(row)["commits"])


def _names(wanted: ReadSet) -> Iterator[object]:
    yield from (("session", one) for one in wanted.sessions)
    yield from (("wing", one) for one in wanted.wings)
    yield from (("work", *one) for one in wanted.work)
