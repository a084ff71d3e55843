"""Lessons that an index may not know yet, as the writes of one transaction come to see them."""

from anamnesis_memory.model.memory import Status
from anamnesis_memory.ports import CommitStamp, IndexRecord, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import memory_of, node, vectors_of
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction


class FreshLessons:
    """The fresh lessons seen so far; a look asks only for what the writes since then have put.

    Without that a batch of lessons would be read once for each of them.
    """

    def __init__(self) -> None:
        self._after: int | None = None
        self._up_to = 0
        self._records: dict[int, IndexRecord] = {}

    def note(self, edits: WriteSet, stamp: CommitStamp) -> None:
        """Note what a write changed; a change without a revision of its own has all read anew."""
        put = {memory.memory_id: memory.revision for memory in edits.memories}
        unmarked = edits.vitals or edits.deleted_memories or edits.stale_embeddings
        if (
            unmarked
            or edits.embeddings.keys() - put
            or any(revision != stamp.revision for revision in put.values())
        ):
            self._after = None

    async def look(
        self, tx: ScopedTransaction, after: int, revision: int
    ) -> tuple[IndexRecord, ...]:
        """Active lessons behind a revision, in the order in which they were stored.

        `revision` is the one that all that was put so far has at most.
        """
        if self._after is None or after < self._after:
            self._after = self._up_to = after
            self._records = {}
        for row in await tx.run("lessons_behind", after=self._up_to):
            memory, number = memory_of(row), rows.number(node(row)["memory_no"])
            self._records.pop(number, None)
            if memory.status is Status.ACTIVE:
                vectors = None if row["vectors"] is None else vectors_of(row)
                self._records[number] = IndexRecord(memory, vectors)
        self._up_to = revision
        in_order = (self._records[number] for number in sorted(self._records))
        return tuple(one for one in in_order if one.memory.revision > after)
