"""What must hold of what is derived: the index against the store, and the files against both."""

from collections.abc import Sequence
from pathlib import Path

import apsw

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Query, ScoredHits, SearchScope
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Due
from anamnesis_memory.runtime.claiming import PAUSE_US
from anamnesis_memory.runtime.indexing.follow import document_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.sim.held import Held
from tests.sim.model import Model, check
from tests.sim.requests import AGENT, WORDS, mark_of

EVERYTHING = SearchScope(caller_agent=AGENT, include_archived=True)
PROBES_MAX = 12
EVER_US = 1 << 60

ORPHANS = {
    "a label": """SELECT count(*) FROM memory_labels
        WHERE memory_no NOT IN (SELECT memory_no FROM memories)""",
    "a vector": """SELECT count(*) FROM embeddings
        WHERE memory_no NOT IN (SELECT memory_no FROM memories)""",
    "a pending entry": """SELECT count(*) FROM pending_embeddings
        WHERE memory_no NOT IN (SELECT memory_no FROM memories)""",
    "a topic's member": """SELECT count(*) FROM topic_members
        WHERE memory_no NOT IN (SELECT memory_no FROM memories)""",
}


async def check_index(opened: OpenNamespace, held: Held, store: NamespaceStore) -> None:
    """The index that caught up is the one that would be built from nothing.

    Raises:
        Broken: it is not.
    """
    follower, index = opened.follower, opened.index._index
    check(follower.watermark == held.revision, "the index has not caught up")
    check(index.size == len(held.memories), f"{index.size} of {len(held.memories)} are indexed")
    check(set(index.without_vectors()) == held.pending, "index and pending set differ")
    pieces = sum(len(rows) for rows in held.vectors.values())
    check(index.vector_count == pieces, f"the index has {index.vector_count} of {pieces} vectors")
    fresh = MemoryIndex(opened.namespace.embedding_dimension)
    records = await store.index_records([memory.memory_id for memory in held.memories])
    fresh.put([document_of(record) for record in records])
    marks = [mark_of(memory.content) for memory in held.memories]
    step = max(1, len(marks) // PROBES_MAX)
    for text in (*marks[::step], " ".join(WORDS[:3]), *WORDS[3:5]):
        for scope in (EVERYTHING, SearchScope(), SearchScope(tags=("sim",))):
            query = Query(text, None, scope)
            check(
                _said(index.find(query)) == _said(fresh.find(query)),
                f"the index answers {text!r} unlike one built anew",
            )


def _said(found: ScoredHits) -> list[tuple[str, float]]:
    return [(hit.memory_id, round(hit.score, 4)) for hit in found.hits]


def check_alone(index_of: dict[str, OpenNamespace], marks: dict[str, str]) -> None:
    """A namespace finds nothing of another.

    Raises:
        Broken: it does.
    """
    for name, opened in index_of.items():
        for other, mark in marks.items():
            if other == name:
                continue
            hits = opened.index._index.find(Query(mark, None, EVERYTHING)).hits
            found = [hit.memory_id for hit in hits if hit.matched_terms]
            check(not found, f"{name} finds {mark} of {other}")


def check_file(path: Path, held: Held, model: Model) -> None:
    """The file of a namespace, after it was closed.

    Raises:
        Broken: rows without their record, damage, or a text that was deleted.
    """
    connection = apsw.Connection(str(path))
    try:
        check(connection.pragma("integrity_check") == "ok", f"{path.name} is damaged")
        for what, query in ORPHANS.items():
            check(connection.execute(query).get == 0, f"{what} has no memory")
        dangling = (
            "SELECT count(*) FROM request_memories AS r WHERE NOT EXISTS (SELECT 1 FROM requests"
            " AS q WHERE q.method = r.method AND q.request_id = r.request_id)"
            " OR r.memory_id IN (SELECT memory_id FROM deletions)"
        )
        check(connection.execute(dangling).get == 0, "a mention of a memory outlived its answer")
        gone = "SELECT count(*) FROM deletions JOIN memories USING (memory_id)"
        check(connection.execute(gone).get == 0, "a memory is both there and deleted")
    finally:
        connection.close()
    _no_deleted_text(path, held, model)


def _no_deleted_text(path: Path, held: Held, model: Model) -> None:
    """The bytes of a deleted text are not in the file, unless somebody sent it again."""
    content = path.read_bytes()
    alive = {memory.content for memory in held.memories}
    for memory_id in model.deleted(held.name, surely=True):
        text = model.text_of.get(memory_id, "")
        if text and text not in alive:
            check(text.encode() not in content, f"{text!r} was deleted and is in {path.name}")


def check_work(
    held: Held, model: Model, work: Sequence[WorkItem], notes: Sequence[Due], now_us: int
) -> None:
    """What may be claimed is noted in time, and lessons that nobody has assigned may be claimed.

    A namespace that failed is left alone for a pause, however long its work is ready.

    Raises:
        Broken: one is not.
    """
    noted = {note.work: note.at_us for note in notes}
    for item in work:
        ready_us = item.ready_us
        if ready_us is None:
            continue
        late = noted.get(item.kind, EVER_US) > max(ready_us, now_us + PAUSE_US)
        check(not late, f"{item.key} of {held.name} is ready at {ready_us}, noted {noted}")
    waiting = [
        sent.number
        for sent in model.of(held.name, "create")
        if sent.answer is not None and sent.revision > held.assigned_revision
    ]
    due = any(item.kind is Work.CLUSTER and item.ready_us is not None for item in work)
    check(due or not waiting, f"requests {waiting} made lessons, and nothing is due")
