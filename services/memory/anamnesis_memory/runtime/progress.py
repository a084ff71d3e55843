"""Progress of putting lessons into topics: the cursor, and later changes that are no lesson.

The cursor moves with an assignment. Events and deletions that came since leave nothing to
assign, so what is assigned reaches over them, up to the next lesson. What was read of the log
is remembered for each namespace, so that asking again reads only what is new.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.errors import CursorExpired
from anamnesis_memory.model.memory import Kind, LoggedChange
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

CHANGES_MAX = 500
READS_MAX = 20
REMEMBERED_MAX = 1024


@dataclass(frozen=True, slots=True)
class _Read:
    """No lesson changed after `cursor` up to `reached`."""

    incarnation: str
    cursor: int
    reached: int


class LogProgress:
    """Remembers how far the logs of the namespaces asked about have been read."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Read] = OrderedDict()

    async def reached(self, opened: OpenNamespace, cursor: int) -> int:
        """The revision up to which every lesson is assigned, given the cursor.

        A log that is far ahead of the cursor is read in parts, one each time this is asked.
        """
        name = opened.namespace.name
        known = self._known.pop(name, None)
        reached = cursor
        if known and known.incarnation == opened.namespace.incarnation and known.cursor <= cursor:
            reached = max(cursor, known.reached)
        for _ in range(READS_MAX):
            if reached >= opened.store.revision:
                break
            try:
                changes = await opened.store.changes(reached, CHANGES_MAX)
            except CursorExpired:
                return cursor
            lesson_at = _first_lesson(changes.changes)
            if lesson_at is not None:
                reached = max(reached, lesson_at - 1)
                break
            reached = changes.revision
        self._known[name] = _Read(opened.namespace.incarnation, cursor, reached)
        if len(self._known) > REMEMBERED_MAX:
            self._known.popitem(last=False)
        return reached


def _first_lesson(changes: Sequence[LoggedChange]) -> int | None:
    """The revision of the first change of a lesson that is still there."""
    revisions = (
        change.revision for change in changes if change.kind is Kind.LEARNING and not change.deleted
    )
    return min(revisions, default=None)
