"""Memories as they were, on every backend: contributions and versions, and what they hang on."""

from dataclasses import replace

import numpy as np

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller, Kind, Memory, Namespace, Tier
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStep
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.life import ErasureSubject
from tests.contract.conftest import Open
from tests.support.life import copy, created, look, put
from tests.support.records import lesson, rows

NOBODY = Caller()
BOTH, VERSION = CopyRole.CONTRIBUTION, CopyRole.VERSION


def rich(content: str) -> Memory:
    """A lesson with something in every field that a copy must keep."""
    return replace(
        lesson(content, tags=("Type:Lesson", "über"), agent_id="robot", user_id="ada"),
        session_id="s-7",
        category="pattern",
        summary="short",
        entities=("Ada",),
        revision=4,
        hit_count=3,
        last_hit_us=12,
        stability_days=2.5,
        review_us=11,
        centrality=0.25,
        tier=Tier.HOT,
        part=Lesson("title", "context", "resolution", 0.5, ("m-1",), 2, validated=True),
    )


async def test_a_copy_comes_back_as_it_was(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    made = replace(copy("c-1", held.memory_id, rich('was \\u0041 "quoted"')), merged=True)
    assert await put(store, WriteSet(copies=(made,))) == store.revision == 1
    assert list(await store.copies_of(held.memory_id)) == [made]
    assert not await store.copies_of("nobody")


async def test_a_copy_of_any_kind_comes_back(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    part = Procedure("deploy", steps=(ProcedureStep("run", retries_max=2),), trigger_tags=("go",))
    was = replace(lesson("steps"), kind=Kind.PROCEDURAL, part=part)
    await put(store, WriteSet(copies=(copy("c-1", held.memory_id, was, VERSION),)))
    assert [one.memory for one in await store.copies_of(held.memory_id)] == [was]


async def test_copies_are_told_the_oldest_first_and_without_vectors(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    one = copy("c-2", held.memory_id, lesson("one"), vectors=rows(1.0, 2.0))
    two = replace(copy("c-1", held.memory_id, lesson("two"), VERSION), create_time_us=9)
    three = copy("c-3", held.memory_id, lesson("three"))
    await put(store, WriteSet(copies=(one, three, two)))
    told = await store.copies_of(held.memory_id)
    assert list(told) == [two, replace(one, vectors=None), three]


async def test_a_write_sees_copies_with_their_vectors(store: NamespaceStore) -> None:
    held, other = await created(store, lesson("held"), lesson("other"))
    one = copy("c-1", held.memory_id, lesson("one"), vectors=rows(1.0, 2.0))
    two = copy("c-2", held.memory_id, lesson("two"))
    await put(store, WriteSet(copies=(two, one)))
    asked = (held.memory_id, other.memory_id, "nobody", held.memory_id)
    seen = await look(store, ReadSet(copies_of=asked))
    assert list(seen.copies) == [held.memory_id], "what has none is absent"
    first, second = seen.copies[held.memory_id]
    assert (replace(first, vectors=None), second) == (replace(one, vectors=None), two)
    assert first.vectors is not None
    assert np.array_equal(first.vectors, rows(1.0, 2.0))


async def test_a_copy_put_again_is_what_it_is_now(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    made = copy("c-1", held.memory_id, lesson("one"), vectors=rows(1.0))
    await put(store, WriteSet(copies=(made,)))
    again = replace(made, merged=True, vectors=None)
    await put(store, WriteSet(copies=(again,)))
    seen = await look(store, ReadSet(copies_of=(held.memory_id,)))
    assert seen.copies == {held.memory_id: (again,)}


async def test_a_copy_goes_with_the_memory_it_hangs_on(store: NamespaceStore) -> None:
    held, other = await created(store, lesson("held"), lesson("other"))
    made = [copy("c-1", held.memory_id, lesson("1")), copy("c-2", other.memory_id, lesson("2"))]
    await put(store, WriteSet(copies=tuple(made)))
    await store.commit(DeleteMemory(held.memory_id, NOBODY))
    assert [one.copy_id for one in await store.list_copies(BOTH, None, "", 9)] == ["c-2"]
    await put(store, WriteSet(copies=(copy("c-3", held.memory_id, lesson("late")),)))
    assert [one.copy_id for one in await store.list_copies(BOTH, None, "", 9)] == ["c-2"]


async def test_copies_are_removed(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    made = [copy(f"c-{number}", held.memory_id, lesson("one")) for number in range(3)]
    await put(store, WriteSet(copies=tuple(made)))
    assert await put(store, WriteSet(removed_copies=("c-1", "nobody"))) == 1
    assert list(await store.copies_of(held.memory_id)) == [made[0], made[2]]


async def test_copies_are_listed_by_role_and_owner(store: NamespaceStore) -> None:
    (held,) = await created(store, lesson("held"))
    owners = [
        lesson("one", agent_id="robot", user_id="ada"),
        lesson("two", agent_id="robot"),
        replace(lesson("three", user_id="bob"), session_id="s-1"),
        lesson("four"),
    ]
    roles = (BOTH, VERSION)
    made = [
        copy(f"c-{number}", held.memory_id, owners[number % 4], roles[number // 4])
        for number in range(8)
    ]
    await put(store, WriteSet(copies=tuple(made)))

    async def ids(role: CopyRole, subject: ErasureSubject | None, after: str = "") -> list[str]:
        return [one.copy_id for one in await store.list_copies(role, subject, after, 3)]

    assert await ids(BOTH, None) == ["c-0", "c-1", "c-2"]
    assert await ids(BOTH, None, "c-2") == ["c-3"]
    assert await ids(VERSION, None, "c-5") == ["c-6", "c-7"]
    assert await ids(BOTH, ErasureSubject(agent_id="robot")) == ["c-0", "c-1"]
    assert await ids(VERSION, ErasureSubject(agent_id="robot"), "c-4") == ["c-5"]
    assert await ids(BOTH, ErasureSubject(user_id="ada")) == ["c-0"]
    assert await ids(VERSION, ErasureSubject(session_id="s-1")) == ["c-6"]
    assert await ids(BOTH, ErasureSubject(session_id="s-2")) == []


async def test_copies_are_there_after_a_restart(open_stores: Open, namespace: Namespace) -> None:
    first = await open_stores()
    store = await first.open(namespace)
    (held,) = await created(store, lesson("held"))
    made = copy("c-1", held.memory_id, rich("as it was"))
    await put(store, WriteSet(copies=(made,)))
    await store.close()
    await first.close()
    second = await open_stores()
    reopened = await second.open(namespace)
    assert list(await reopened.copies_of(held.memory_id)) == [made]
    await reopened.close()
    await second.close()
