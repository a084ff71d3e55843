"""Exports and imports: the same namespace again, or nothing at all."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from anamnesis_libs.clock import micros
from anamnesis_libs.errors import InvalidArgument, NamespaceExists, SchemaNewer
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller, MemoryFilter, Visibility, Work
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.operations.exporting import export_namespace
from anamnesis_memory.operations.portable import VERSION
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.ports.pipeline import WorkFilter
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated
from tests.support.records import append

pytestmark = pytest.mark.slow

QUESTIONS = ("red cherries", "wash", "why", "umbrella plums")


@pytest.fixture
async def space(tmp_path: Path) -> AsyncIterator[Operated]:
    """A data directory with one filled namespace."""
    async with operated(tmp_path, SwitchedEmbedder()) as opened:
        await opened.fill("team")
        yield opened


def lines_of(content: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in content.splitlines()]


def sealed(lines: list[dict[str, object]]) -> bytes:
    """An export of these lines with a checksum that fits them."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    trailer = {**lines[-1], "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(trailer).encode() + b"\n"


async def test_an_export_reads_as_its_page_says(space: Operated) -> None:
    content = await space.exported("team")
    lines = lines_of(content)
    assert [line["type"] for line in lines] == [
        *("manifest", "wing", "session"),
        *["memory"] * 7,
        *["event"] * 3,
        *("topic", "topic_member", "topic_member", "work", "work", "cursors", "trailer"),
    ]
    manifest, trailer = lines[0], lines[-1]
    assert manifest["format"] == "anamnesis-export"
    assert manifest["counts"] == trailer["counts"]
    assert (manifest["revision"], manifest["embedding_model"]) == (3, "words-32")
    body = content[: content.rstrip(b"\n").rindex(b"\n") + 1]
    assert trailer["sha256"] == hashlib.sha256(body).hexdigest()
    vectors = lines[3]["vectors"]
    assert isinstance(vectors, dict)
    assert len(base64.b64decode(vectors["float32"])) == vectors["pieces"] * 32 * 4


@pytest.mark.parametrize("step", [7, 1 << 20])
async def test_a_copy_finds_the_same_with_the_same_scores(space: Operated, step: int) -> None:
    made = await space.imported("copy", await space.exported("team"), step)
    assert (made.pending, made.replaced_model, made.revision) == (0, "", 3)
    for question in QUESTIONS:
        assert await space.found("copy", question) == await space.found("team", question)
    team, copy = lines_of(await space.exported("team")), lines_of(await space.exported("copy"))
    assert team[1:-1] == copy[1:-1]
    assert copy[0]["incarnation"] != team[0]["incarnation"]
    assert copy[0]["create_time_us"] == team[0]["create_time_us"]
    async with space.namespaces.reading("copy") as opened:
        told = [one async for one in Verification(opened, space.snapshots, repair=False).run()]
        assert told[-1].findings == 0  # type: ignore[union-attr]


async def test_what_comes_in_while_an_export_runs_is_not_in_it(space: Operated) -> None:
    async with space.namespaces.writing("team") as opened:
        before = lines_of(await space.exported("team"))
        chunks = export_namespace(opened)
        content = (await anext(chunks)).content
        await opened.store.commit(append("too late", session_id="s-9"))
        (first, *_) = (await opened.store.list_memories(MemoryFilter(), None, 0, 1)).items
        await opened.store.commit(DeleteMemory(first.memory_id, Caller()))
        async for chunk in chunks:
            content += chunk.content
            assert chunk.records <= chunk.records_total
    assert lines_of(content) == before


async def test_deletions_and_replacements_survive(space: Operated) -> None:
    async with space.namespaces.writing("team") as opened:
        await opened.store.commit(append("yellow pears", start=1))
        (first, *_) = (await opened.store.list_memories(MemoryFilter(), None, 0, 1)).items
        await opened.store.commit(DeleteMemory(first.memory_id, Caller()))
    await space.imported("copy", await space.exported("team"))
    async with (
        space.namespaces.reading("team") as team,
        space.namespaces.reading("copy") as copy,
    ):
        assert await copy.store.changes(0, 100) == await team.store.changes(0, 100)
        events = (await copy.store.list_events("s-1", -1, 10)).items
        assert [event.content for event in events] == [
            "",
            "yellow pears",
            "why do red cherries wait?",
        ]
        assert events == (await team.store.list_events("s-1", -1, 10)).items


async def test_another_model_makes_its_own_vectors(space: Operated, tmp_path: Path) -> None:
    content = await space.exported("team")
    async with operated(tmp_path / "other", SwitchedEmbedder("others-32")) as other:
        made = await other.imported("copy", content)
        assert (made.pending, made.replaced_model) == (7, "words-32")
        assert made.namespace.embedding_model == "others-32"
        (due,) = await other.stores.catalogue.due([Work.CLUSTER], 1 << 60, 10)
        assert due.name == "copy"
        assert due.at_us == micros(other.importer.clock.now())
        async with other.namespaces.reading("copy") as opened:
            (item,) = await opened.store.list_work(WorkFilter((Work.CLUSTER,)), None, 10)
            assert (item.kind, item.ready_us) == (Work.CLUSTER, due.at_us)
            await other.settle(opened)
            assert opened.index.vector_count == 7
            assert await opened.store.topic_progress() == (3, 0)
            assert not (await opened.store.topics("", None, "", 10)).items
        assert (await other.found("copy", "plums", dense=False)).hits


async def test_work_is_due_in_a_copy_as_in_the_original(space: Operated) -> None:
    catalogue = space.stores.catalogue
    async with space.namespaces.writing("team") as opened:
        await opened.store.commit(append("one more", session_id="s-2", end_session=True))
        items = await opened.store.list_work(WorkFilter(), None, 10)
    await space.imported("copy", await space.exported("team"))
    due = {one.work: one.at_us for one in await catalogue.due(list(Work), 1 << 60, 10)}
    ready: dict[Work, int] = {}
    for item in items:
        assert item.ready_us is not None
        ready[item.kind] = min(item.ready_us, ready.get(item.kind, item.ready_us))
    assert set(ready) == {Work.SEGMENT, Work.CLUSTER}
    assert due == {**ready, Work.MERGE: micros(space.importer.clock.now())}
    async with space.namespaces.reading("copy") as opened:
        assert await opened.store.list_work(WorkFilter(), None, 10) == items


def first_version(lines: list[dict[str, object]]) -> bytes:
    """The same as a version wrote it that knew of no pipeline."""
    unknown = {"segment", "activity", "work", "tombstone_key", "tombstone", "usage"}
    known = ("wings", "sessions", "memories", "embeddings", "events", "topics")
    counts = {name: lines[0]["counts"][name] for name in (*known, "topic_members", "deletions")}  # type: ignore[index]
    kept = [line for line in lines if line["type"] not in unknown]
    first, last = {**kept[0], "version": 1, "counts": counts}, {**kept[-1], "counts": counts}
    return sealed([first, *kept[1:-1], last])


async def test_sessions_of_an_older_export_are_to_be_learned_from(space: Operated) -> None:
    content = first_version(lines_of(await space.exported("team")))
    made = await space.imported("copy", content)
    assert (made.revision, made.pending) == (3, 0)
    now_us = micros(space.importer.clock.now())
    due = await space.stores.catalogue.due(list(Work), 1 << 60, 10)
    assert [(one.name, one.work, one.at_us) for one in due] == [
        ("copy", Work.CLUSTER, now_us),
        ("copy", Work.MERGE, now_us),
        ("copy", Work.SEGMENT, now_us),
    ]
    async with space.namespaces.reading("copy") as opened:
        items = await opened.store.list_work(WorkFilter(), None, 10)
        assert [item.key for item in items] == [(Work.CLUSTER, ""), (Work.SEGMENT, "s-1")]
        assert {item.state for item in items} == {WorkState.PENDING}
    for question in QUESTIONS:
        assert await space.found("copy", question) == await space.found("team", question)


async def test_what_an_older_export_holds_stays_shared_until_somebody_decides(
    space: Operated,
) -> None:
    content = await space.exported("team")
    await space.imported("older", first_version(lines_of(content)))
    await space.imported("newer", content)
    async with space.namespaces.reading("older") as opened:
        assert (opened.policy.visibility, opened.policy.undecided) == (Visibility.SHARED, True)
    async with space.namespaces.reading("newer") as opened:
        assert (opened.policy.visibility, opened.policy.undecided) == (None, False)


async def test_lessons_of_an_older_export_that_are_in_topics_are_not_assigned_again(
    space: Operated,
) -> None:
    lines = lines_of(first_version(lines_of(await space.exported("team"))))
    (cursors,) = [line for line in lines if line["type"] == "cursors"]
    cursors["assigned_revision"] = cursors["revision"]
    await space.imported("copy", sealed(lines))
    async with space.namespaces.reading("copy") as opened:
        (item,) = await opened.store.list_work(WorkFilter(), None, 10)
        assert item.key == (Work.SEGMENT, "s-1")


async def test_a_vector_of_a_text_that_is_cut_otherwise_is_made_again(space: Operated) -> None:
    lines = lines_of(await space.exported("team"))
    vectors = lines[3]["vectors"]
    assert isinstance(vectors, dict)
    raw = base64.b64decode(vectors["float32"])
    lines[3]["vectors"] = {"pieces": 2, "float32": base64.b64encode(raw * 2).decode()}
    made = await space.imported("copy", sealed(lines))
    assert made.pending == 1


def without_end(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines).rsplit(b"\n", 2)[0] + b"\n"


def cut_short(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines)[:-50]


def nothing(_: list[dict[str, object]]) -> bytes:
    return b""


def changed(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines).replace(b"plums", b"pears")


def one_missing(lines: list[dict[str, object]]) -> bytes:
    return sealed([*lines[:4], *lines[5:]])


def one_twice(lines: list[dict[str, object]]) -> bytes:
    counts = {**lines[0]["counts"], "memories": 8, "embeddings": 8}  # type: ignore[dict-item]
    first, last = {**lines[0], "counts": counts}, {**lines[-1], "counts": counts}
    return sealed([first, *lines[1:4], lines[3], *lines[4:-1], last])


def other_version(lines: list[dict[str, object]]) -> bytes:
    return sealed([{**lines[0], "version": 0}, *lines[1:]])


def no_manifest(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines[1:])


def no_json(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines).replace(b'{"type": "session"', b'["type": "session"')


def no_number(lines: list[dict[str, object]]) -> bytes:
    return sealed([*lines[:3], {**lines[3], "importance": float("nan")}, *lines[4:]])


def huge_number(lines: list[dict[str, object]]) -> bytes:
    return sealed([*lines[:3], {**lines[3], "hit_count": 1 << 70}, *lines[4:]])


def wrong_type(lines: list[dict[str, object]]) -> bytes:
    return sealed([*lines[:3], {**lines[3], "content": 7}, *lines[4:]])


def more_behind(lines: list[dict[str, object]]) -> bytes:
    return sealed(lines) + b"{}\n"


DAMAGED = [
    *(without_end, cut_short, nothing, changed, one_missing, one_twice, other_version),
    *(no_manifest, no_json, no_number, huge_number, wrong_type, more_behind),
]


@pytest.mark.parametrize("damage", DAMAGED, ids=lambda one: one.__name__)
async def test_what_is_damaged_makes_nothing(
    space: Operated, damage: Callable[[list[dict[str, object]]], bytes]
) -> None:
    content = damage(lines_of(await space.exported("team")))
    files = set((space.directory / "namespaces").iterdir())
    with pytest.raises(InvalidArgument) as refused:
        await space.imported("copy", content)
    assert refused.value.reason == "EXPORT_DAMAGED"
    assert refused.value.message.startswith("line ")
    assert await space.stores.catalogue.get("copy") is None
    assert set((space.directory / "namespaces").iterdir()) == files


async def test_an_export_of_every_earlier_version_is_read(space: Operated) -> None:
    lines = lines_of(await space.exported("team"))
    assert lines[0]["version"] == VERSION
    made = await space.imported("copy", sealed([{**lines[0], "version": VERSION - 1}, *lines[1:]]))
    assert made.namespace.name == "copy"


async def test_an_export_of_a_newer_version_is_told_as_that(space: Operated) -> None:
    lines = lines_of(await space.exported("team"))
    with pytest.raises(SchemaNewer, match="newer Anamnesis"):
        await space.imported("copy", sealed([{**lines[0], "version": VERSION + 1}, *lines[1:]]))


async def test_an_import_takes_the_place_of_nothing_but_an_empty_namespace(
    space: Operated,
) -> None:
    content = await space.exported("team")
    with pytest.raises(NamespaceExists):
        await space.imported("team", content)
    empty = await space.namespaces.create("empty")
    async with space.namespaces.reading("empty"):
        pass
    made = await space.imported("empty", content)
    assert made.namespace.incarnation != empty.incarnation
    assert not (space.directory / "namespaces" / f"{empty.incarnation}.db").exists()
    assert (await space.found("empty", "plums")).hits


async def test_who_writes_first_while_an_import_runs_is_not_written_over(space: Operated) -> None:
    content = await space.exported("team")

    async def chunks() -> AsyncIterator[bytes]:
        yield content[:5000]
        async with space.namespaces.writing("copy") as opened:
            await opened.store.commit(append("mine"))
        yield content[5000:]

    with pytest.raises(NamespaceExists):
        await space.importer.run("copy", chunks())
    async with space.namespaces.reading("copy") as opened:
        assert (await opened.store.counts()).events == 1
    assert len(list((space.directory / "namespaces").glob("*.db"))) == 2
