"""A namespace goes from one store to another and back: same ids, same results, same scores."""

import random
import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.index.port import ScoredHits
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendOutcome
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import FailWork
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Vectors, Work
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.operations.findings import Summary
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.upkeep import Binding
from anamnesis_memory.preparation.archive import PutUpload
from tests.contract.conftest import SERVER, Open
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.kept import RETAIN_DAYS, RETAIN_US, run_pipeline, upload
from tests.support.kept import lease_of as lease_of_session
from tests.support.life import Put, copy, document, edge
from tests.support.operators import Operated, operated
from tests.support.pipeline import learn, lease_of, measured_session, taught
from tests.support.records import append, lesson

pytestmark = list(SERVER)

SESSIONS, TURNS, LESSONS = 12, 20, 60
WORDS = (
    *("apple", "plum", "cherry", "harbour", "train", "violin", "glacier", "lantern"),
    *("copper", "meadow", "orbit", "saddle", "thunder", "velvet", "walnut", "zephyr"),
    *("anchor", "bishop", "candle", "dragon", "ember", "falcon", "granite", "hollow"),
)
QUESTIONS = (
    *(" ".join(WORDS[start : start + 3]) for start in range(14)),
    *WORDS[:8],
    *("why did the falcon wait?", "copper", "nothing of that"),
)


EXPIRED = ("the anchor is copper", "the bishop has a candle", "")
UPLOADED = ("the anchor is copper\n", "the bishop has a candle\n" * 9)


def _text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(4, 14)))


async def _fill(space: Operated, name: str) -> None:
    """Some 300 memories: sessions with a turn replaced, lessons in topics, some deleted."""
    chance = random.Random(7)  # the same texts each time
    async with space.namespaces.writing(name) as opened:
        for session in range(SESSIONS):
            turns = [_text(chance) for _ in range(TURNS)]
            await opened.store.commit(append(*turns, session_id=f"s-{session:02}"))
            await opened.store.commit(append(_text(chance), session_id=f"s-{session:02}", start=3))
        lessons = [lesson(_text(chance), tags=("Kept",)) for _ in range(LESSONS)]
        vectors = [await space.embedder.embed([each.content]) for each in lessons]
        await opened.store.commit(CreateMemories(lessons, vectors))
        places = [
            Assignment(each.memory_id, f"t-{number % 5}", "label")
            for number, each in enumerate(lessons)
        ]
        await opened.store.commit(AssignTopicMembers(places, 0, opened.store.revision))
        for each in lessons[::9]:
            await opened.store.commit(DeleteMemory(each.memory_id, Caller()))
        await opened.store.commit(Put(_hanging(lessons[1:4], vectors[3])))
        await _learn(space, opened.store)
        await _expire(space, opened.store)
        await space.settle(opened)


def _hanging(lessons: Sequence[Memory], vectors: Vectors) -> WriteSet:
    """Edges between lessons, copies that hang on one, documents, and a reason for review."""
    one, two, three = (each.memory_id for each in lessons)
    merged = copy("c-1", one, lessons[2], vectors=vectors)
    before = copy("c-2", one, lessons[0], CopyRole.VERSION)
    return WriteSet(
        edges=(edge(one, two), edge(two, three, EdgeType.FOLLOWED_BY), edge(three, two)),
        copies=(merged, before),
        documents=(document("w-1", session_id="s-01"), document("w-2", user_id="ada")),
        reasons=(ReviewReason(two, three, None),),
    )


async def _learn(space: Operated, store: NamespaceStore) -> None:
    """A session that was cut and taught, of which one thing was deleted; what it cost."""
    clock = space.importer.clock
    assert isinstance(clock, SetClock)
    extract, (one, _) = await measured_session(store, clock, "copper", "velvet", session_id="l")
    fact = Fact("Ada", "likes", "copper", persons=("Ada",), source_memory_ids=("m-1",))
    memories = [replace(taught("Ada likes copper"), part=fact), taught("gone")]
    made = await learn(store, extract, one.segment_id, *memories, refusals={"DATED": 1})
    await store.commit(DeleteMemory(made.memory_ids[1], Caller()))
    await store.commit(ReportUsage([HourUsage(0, "extract", 1, 10, 2)]))
    await store.commit(FailWork(lease_of(extract), "the model is away"))


async def _expire(space: Operated, store: NamespaceStore) -> None:
    """A session whose ledger has expired, and two uploads of it."""
    clock = space.importer.clock
    assert isinstance(clock, SetClock)
    await store.commit(append(*EXPIRED, session_id="e", end_session=True))
    for text in UPLOADED:
        await store.commit(PutUpload(upload(text, "e")))
    await run_pipeline(store, clock, (), "e")
    clock.move(days=RETAIN_DAYS)
    lease = await lease_of_session(store, clock, Work.RETAIN, "e")
    await store.commit(ExpireSession(lease, RETAIN_US))


async def _answers(space: Operated, name: str) -> list[ScoredHits]:
    """Every hit of every question, with its scores."""
    return [await space.found(name, question) for question in QUESTIONS]


async def _verified(space: Operated, name: str, *, repair: bool = False) -> Summary:
    async with space.namespaces.reading(name) as opened:
        await space.settle(opened)
        told = [one async for one in Verification(opened, space.snapshots, repair=repair).run()]
    assert isinstance(told[-1], Summary)
    return told[-1]


def _body(content: bytes) -> list[bytes]:
    """The lines of the records."""
    return content.splitlines()[1:-1]


@pytest.fixture
async def graph_space(tmp_path: Path, open_neo4j: Open) -> AsyncIterator[Operated]:
    """A memory service whose records are in Neo4j."""
    (tmp_path / "graph").mkdir()
    async with operated(tmp_path / "graph", SwitchedEmbedder(), open_stores=open_neo4j) as space:
        yield space


@pytest.fixture
async def file_space(tmp_path: Path) -> AsyncIterator[Operated]:
    """A memory service whose records are in files."""
    (tmp_path / "files").mkdir()
    async with operated(tmp_path / "files", SwitchedEmbedder()) as space:
        yield space


async def test_from_files_to_a_graph_and_back(file_space: Operated, graph_space: Operated) -> None:
    await _fill(file_space, "team")
    told = await file_space.exported("team")
    before = await _answers(file_space, "team")
    assert sum(len(found.hits) for found in before) > 10 * len(QUESTIONS)

    made = await graph_space.imported("team", told)
    assert (made.pending, made.replaced_model) == (0, "")
    verified = await _verified(graph_space, "team")
    assert verified.findings == 0
    assert all(verified.records.values()), "there is something of every type"
    assert await _answers(graph_space, "team") == before
    back = await graph_space.exported("team")
    assert _body(back) == _body(told)

    await file_space.imported("back", back)
    assert (await _verified(file_space, "back")).findings == 0
    assert await _answers(file_space, "back") == before
    assert _body(await file_space.exported("back")) == _body(told)


@pytest.mark.long
async def test_an_expired_session_is_known_wherever_it_goes(
    file_space: Operated, graph_space: Operated
) -> None:
    await _fill(file_space, "team")
    await graph_space.imported("team", await file_space.exported("team"))
    await file_space.imported("back", await graph_space.exported("team"))
    for space, name in ((graph_space, "team"), (file_space, "back")):
        async with space.namespaces.reading(name) as opened:
            store = opened.store
            revision, drawers = store.revision, (await store.counts()).by_kind
            done = (await store.commit(append(*EXPIRED, session_id="e"))).result
            assert done is not None
            assert {outcome for _, _, outcome in done.results} == {AppendOutcome.UNCHANGED}
            kept = await store.list_uploads("e", Caller(), None, 9)
            contents = [zlib.decompress(await store.upload_content(one.upload_id)) for one in kept]
            assert sorted(contents) == sorted(text.encode() for text in UPLOADED)
            for text in UPLOADED:
                assert (await store.commit(PutUpload(upload(text, "e")))).result in kept
            assert await store.list_uploads("", Caller(), None, 9) == kept
            assert (store.revision, (await store.counts()).by_kind) == (revision, drawers)


@pytest.mark.long
async def test_from_a_graph_to_files(file_space: Operated, graph_space: Operated) -> None:
    await _fill(graph_space, "team")
    told = await graph_space.exported("team")
    await file_space.imported("team", told)
    assert (await _verified(file_space, "team")).findings == 0
    assert await _answers(file_space, "team") == await _answers(graph_space, "team")
    assert _body(await file_space.exported("team")) == _body(told)


async def test_what_is_derived_is_mended_in_a_graph(graph_space: Operated) -> None:
    await _fill(graph_space, "team")
    async with graph_space.namespaces.reading("team") as opened:
        store = opened.store
        memories = (await store.list_memories(MemoryFilter(), None, 0, 1_000)).items
        wrong = np.full((1, 32), 3.0, np.float32)
        await store.put_embeddings({memories[0].memory_id: wrong})
        (topic,) = (await store.topics("t-1", None, "", 10)).items
        await store.import_batch([replace(topic, member_count=topic.member_count + 3)])
    found = await _verified(graph_space, "team")
    assert (found.findings, found.repaired) == (3, 0)
    mended = await _verified(graph_space, "team", repair=True)
    assert (mended.findings, mended.repaired) == (2, 2), "the index lets go with the store"
    assert (await _verified(graph_space, "team")).findings == 0


async def test_an_import_that_breaks_off_leaves_nothing(
    file_space: Operated, graph_space: Operated
) -> None:
    await _fill(file_space, "team")
    told = await file_space.exported("team")
    with pytest.raises(InvalidArgument, match="cut short"):
        await graph_space.imported("team", told[: len(told) * 3 // 4])
    assert await graph_space.stores.catalogue.get("team") is None
    await graph_space.imported("team", told)
    assert (await _verified(graph_space, "team")).findings == 0


@pytest.mark.long
async def test_a_graph_changes_its_model(
    tmp_path: Path, file_space: Operated, graph_space: Operated, open_neo4j: Open
) -> None:
    await _fill(file_space, "team")
    await graph_space.imported("team", await file_space.exported("team"))
    (tmp_path / "other").mkdir()
    async with operated(
        tmp_path / "other", SwitchedEmbedder("other"), open_stores=open_neo4j
    ) as other:
        async with other.namespaces.reading("team") as opened:
            steps = [progress async for progress in other.reembedder.run(opened)]
            assert list(dict.fromkeys(one.stage for one in steps))[-2:] == ["switch", "link"]
            assert await opened.store.binding() == Binding("other", 32)
        assert (await _verified(other, "team")).findings == 0
        known = await other.stores.catalogue.get("team")
        assert known is not None
        assert known.embedding_model == "other"
        assert (await other.found("team", "falcon")).hits
