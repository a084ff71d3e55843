"""Facts of segments that a cut replaces, on every backend: taken back, and told again."""

from dataclasses import replace

import pytest

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.withdraw import PriorTellings
from anamnesis_memory.ledger.cut import ReplaceSegments, SegmentPiece
from anamnesis_memory.ledger.recutting import cut_anew
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory, Status, Work
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.pipeline import (
    claim,
    claims,
    complete,
    cut,
    label,
    learn,
    lease_of,
    measured_session,
)
from tests.support.records import append
from tests.support.stating import fact_of, faults, reviewed, said, stated, tell, versions


def lived(city: str, since: int | None = None, user: str = "") -> Memory:
    """As an extractor states it: of nobody, for the owners are the session's."""
    return said(city, since, user=user)


async def grown(store: NamespaceStore, clock: SetClock, *texts: str) -> WorkItem:
    """The session says something else from its second event on; the work of cutting it."""
    await store.commit(append(*texts, start=1, end_session=True))
    ((item, _),) = (await claims(store, clock, Work.SEGMENT, session_id="s-1")).items
    return item


async def mined(store: NamespaceStore, clock: SetClock, segment_id: str, *told: Memory) -> None:
    """Measure the segments of the session, and store what one of them teaches."""
    labelling = await claim(store, clock, Work.LABEL)
    await label(store, labelling, segment_id, 0.9)
    await complete(store, labelling)
    await learn(store, await claim(store, clock, Work.EXTRACT), segment_id, *told)


async def memory_of(store: NamespaceStore, memory_id: str) -> Memory:
    (memory,) = await store.memories([memory_id], None)
    return memory


async def test_what_nobody_else_tells_is_taken_back_and_what_it_closed_opens(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    lyon, stays = lived("Lyon", 1), lived("Ghent", 3)
    await learn(store, extract, one.segment_id, stays)
    await learn(store, extract, two.segment_id, lyon)
    assert await stated(store) == {
        "shared Porto 0..1 zarela 0.80 x",
        "shared Lyon 1..3 s-1 0.80 x",
        "shared Ghent 3..None s-1 0.80",
    }
    known_us = (await versions(store))[0].known_from_us
    clock.move(days=1)
    item = await grown(store, clock, "zwei")
    done = await cut(store, item, (0, 0, "one"), (1, 1, "zwei"))
    assert done.archived == (lyon.memory_id,)
    assert await stated(store) == {
        "shared Porto 0..3 zarela 0.80 x",
        "shared Ghent 3..None s-1 0.80",
    }
    gone = await memory_of(store, lyon.memory_id)
    assert (gone.status, fact_of(gone).retracted) == (Status.ARCHIVED, True)
    edges = await store.edges_of([porto.memory_id], [EdgeType.SUPERSEDES], 9)
    assert [edge.source_id for edge in edges] == [stays.memory_id]
    assert len(await versions(store, known_us)) == 3, "it was known, and that is not forgotten"
    assert not await faults(store)


async def test_what_others_tell_too_stays_without_that_telling(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (_, two) = await measured_session(store, clock, "one", "two")
    told = lived("Porto", 0)
    await learn(store, extract, two.segment_id, told)
    clock.move(days=1)
    await tell(store, said("Porto", 0, user="bob"))
    assert await stated(store) == {"shared Porto 0..None s-1+bob 0.85"}
    done = await cut(store, await grown(store, clock, "zwei"), (0, 0, "one"), (1, 1, "zwei"))
    assert done.archived == ()
    assert await stated(store) == {"shared Porto 0..None bob 0.80"}
    held = await memory_of(store, told.memory_id)
    assert held.status is Status.ACTIVE
    assert held.confidence == pytest.approx(0.8)
    assert not await faults(store)


async def test_what_was_told_again_of_anothers_fact_is_taken_off_it(
    store: NamespaceStore, clock: SetClock
) -> None:
    known = (await tell(store, said("Porto", 0, user="bob"))).memory
    clock.move(days=1)
    extract, (_, two) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, two.segment_id, lived("Porto", 0))
    assert await stated(store) == {"shared Porto 0..None bob+s-1 0.85"}
    await cut(store, await grown(store, clock, "zwei"), (0, 0, "one"), (1, 1, "zwei"))
    assert await stated(store) == {"shared Porto 0..None bob 0.80"}
    assert (await memory_of(store, known.memory_id)).status is Status.ACTIVE
    assert not await faults(store)


async def test_a_segment_that_stays_tells_on_what_another_told_word_by_word(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    told = lived("Porto", 0)
    await learn(store, extract, two.segment_id, told)
    await learn(store, extract, one.segment_id, lived("Porto", 0))
    await cut(store, await grown(store, clock, "zwei"), (0, 0, "one"), (1, 1, "zwei"))
    assert await stated(store) == {"shared Porto 0..None s-1 0.80"}
    assert (await memory_of(store, told.memory_id)).status is Status.ACTIVE
    assert not await faults(store)


async def test_told_again_it_is_back_in_the_memory_that_held_it(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    extract, (_, two) = await measured_session(store, clock, "one", "two")
    lyon = lived("Lyon", 1)
    await learn(store, extract, two.segment_id, lyon)
    for round_, text in enumerate(("zwei", "deux", "dois"), start=1):
        clock.move(days=1)
        done = await cut(store, await grown(store, clock, text), (0, 0, "one"), (1, 1, text))
        assert done.archived == (lyon.memory_id,), round_
        assert await stated(store) == {"shared Porto 0..None zarela 0.80"}
        clock.move(hours=1)
        segment = done.segments[1]
        await mined(store, clock, segment.segment_id, lived("Lyon", 1))
        assert await stated(store) == {
            "shared Porto 0..1 zarela 0.80 x",
            "shared Lyon 1..None s-1 0.80",
        }
        held = await memory_of(store, lyon.memory_id)
        assert (held.status, fact_of(held).retracted) == (Status.ACTIVE, False)
        assert (held.provenance.segment_id, held.tags[0]) == (segment.segment_id, segment.tag)
    assert fact_of(await memory_of(store, porto.memory_id)).superseded
    assert not await faults(store)


async def test_what_rests_on_it_is_not_to_be_reviewed_for_a_cut(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    extract, (_, two) = await measured_session(store, clock, "one", "two")
    lyon = lived("Lyon", 1)
    on_porto = said("Porto FC", predicate="likes", sources=[porto.memory_id])
    on_lyon = said("the Saone", predicate="likes", sources=[lyon.memory_id])
    ids = [on_porto.memory_id, on_lyon.memory_id]
    await tell(store, on_porto)
    await learn(store, extract, two.segment_id, lyon)
    await tell(store, on_lyon)
    assert await reviewed(store, ids) == [True, False]
    done = await cut(store, await grown(store, clock, "zwei"), (0, 0, "one"), (1, 1, "zwei"))
    assert await reviewed(store, ids) == [False, False]
    await mined(store, clock, done.segments[1].segment_id, lived("Lyon", 1))
    assert await reviewed(store, ids) == [True, False]
    assert not await faults(store)


async def test_a_cut_that_has_not_seen_all_that_was_told_looks_again(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (_, two) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, two.segment_id, lived("Porto", 0))
    item = await grown(store, clock, "zwei")
    session = await store.session("s-1")
    assert session is not None
    pieces = [SegmentPiece(0, 0, "one"), SegmentPiece(1, 1, "zwei")]
    write = ReplaceSegments(lease_of(item), session.etag, pieces, "local")
    sent: list[ReplaceSegments] = []

    async def commit(ready: ReplaceSegments) -> object:
        sent.append(ready if sent else replace(ready, told=PriorTellings()))
        return await store.commit(sent[-1])

    revision = store.revision
    await cut_anew(store, write, SingleValued(), commit)
    assert (len(sent), store.revision) == (2, revision + 1)
    assert await stated(store) == set()
    assert not await faults(store)
