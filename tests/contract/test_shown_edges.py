"""Edges that a session shows, on every backend: drawn with what is learned, gone with an end."""

from collections.abc import Sequence

from anamnesis_memory.dedup.detail import STATED
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.knowledge.graph.linking import CreateEdge
from anamnesis_memory.memories.learn import LearnedSegment, RecordLearned
from anamnesis_memory.memories.shown_edges import EdgeEnd, ShownEdge
from anamnesis_memory.model.edge_evidence import events_of, shown_by
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import Direction, Hop
from tests.support.clock import SetClock
from tests.support.pipeline import lease_of, measured_session, taught
from tests.support.records import append

NOBODY = Caller()
AFTER, CAUSE = EdgeType.FOLLOWED_BY, EdgeType.CAUSED_BY


async def drawers(store: NamespaceStore, session_id: str = "s-1") -> list[str]:
    """The drawers of a session, in order."""
    listed = await store.list_memories(
        MemoryFilter(session_ids=(session_id,), kinds=(Kind.EPISODIC,)), None, 0, 500
    )
    return [memory.memory_id for memory in listed.items]


def shown(
    source: EdgeEnd, target: EdgeEnd, type_: EdgeType = CAUSE, weight: float = 0.75
) -> ShownEdge:
    return ShownEdge(source, target, type_, weight, (0, 1))


async def learn(
    store: NamespaceStore,
    item: WorkItem,
    segment_id: str,
    memories: Sequence[Memory],
    *edges: ShownEdge,
) -> LearnedSegment:
    write = RecordLearned(lease_of(item), segment_id, memories, {}, {}, "local", edges=edges)
    done = await store.commit(write)
    assert done.result is not None
    return done.result


async def edges(store: NamespaceStore) -> list[Edge]:
    """The edges that sessions show, or callers drew."""
    return list(await store.list_edges((AFTER, CAUSE), None, 500))


async def test_what_a_session_shows_is_drawn_once(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment, _) = await measured_session(store, clock, "it fails", "do it again")
    failed, asked = await drawers(store)
    lesson = taught("mend it", Kind.LEARNING)
    told = (shown(0, failed), shown(failed, asked, AFTER, 0.5), shown(0, failed, weight=0.25))
    done = await learn(store, extract, segment.segment_id, [lesson], *told)
    (held,) = done.memory_ids
    first = {(one.source_id, one.target_id, one.type): one for one in await edges(store)}
    assert first.keys() == {(held, failed, CAUSE), (failed, asked, AFTER)}
    cause = first[held, failed, CAUSE]
    assert (cause.weight, events_of(cause.detail)) == (0.75, (0, 1))
    again = await learn(store, extract, segment.segment_id, [taught("else")], shown(asked, failed))
    assert again.memory_ids == (held,)
    assert {one.key: one for one in await edges(store)} == {one.key: one for one in first.values()}
    hop = Hop((failed,), (CAUSE,), Direction.BOTH, 0.0, None, 9)
    (link,) = await store.hop(hop)
    assert (link.source_id, link.detail) == (held, shown_by((0, 1)))


async def test_a_lesson_that_was_known_is_the_one_that_is_tied(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (segment,) = await measured_session(store, clock, "it fails")
    done = await learn(store, extract, segment.segment_id, [taught("mend it", Kind.LEARNING)])
    extract, (segment,) = await measured_session(store, clock, "it fails anew", session_id="s-2")
    (failed,) = await drawers(store, "s-2")
    same = [taught("a fact"), taught("mend it", Kind.LEARNING)]
    await learn(store, extract, segment.segment_id, same, shown(1, failed))
    assert [(one.source_id, one.target_id) for one in await edges(store)] == [
        (done.memory_ids[0], failed)
    ]


async def test_an_edge_without_an_end_of_its_session_is_passed_over(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("elsewhere", session_id="s-2"))
    extract, (segment,) = await measured_session(store, clock, "it fails")
    (failed,), (other,) = await drawers(store), await drawers(store, "s-2")
    odd = (shown(0, other), shown(0, "nowhere"), shown(7, failed), shown(0, 0))
    done = await learn(store, extract, segment.segment_id, [taught("x", Kind.LEARNING)], *odd)
    assert len(done.memory_ids) == 1
    assert await edges(store) == []


async def test_what_a_caller_drew_stays(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment, _) = await measured_session(store, clock, "it fails", "do it again")
    failed, asked = await drawers(store)
    await store.commit(CreateEdge(asked, failed, CAUSE, NOBODY, 1.0))
    await learn(store, extract, segment.segment_id, [], shown(asked, failed))
    (edge,) = await edges(store)
    assert (edge.weight, edge.detail) == (1.0, STATED)


async def test_a_drawer_is_followed_by_what_comes_next_now(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, segments = await measured_session(store, clock, "one", "two", "three")
    one, two, three = await drawers(store)
    lessons = [taught("mend it", Kind.LEARNING), taught("water the beds", Kind.LEARNING)]
    told = (shown(one, three, AFTER), shown(0, 1, AFTER), shown(three, one))
    first, second, _ = segments
    done = await learn(store, extract, first.segment_id, lessons, *told)
    now = (shown(one, two, AFTER), shown(two, three, AFTER))
    await learn(store, extract, second.segment_id, [], *now)
    assert {(each.source_id, each.target_id, each.type) for each in await edges(store)} == {
        (one, two, AFTER),
        (two, three, AFTER),
        (three, one, CAUSE),
        (*done.memory_ids, AFTER),
    }


async def test_an_edge_has_an_end_of_its_session(store: NamespaceStore, clock: SetClock) -> None:
    lessons = ("mend it", "water the beds", "prune the quince")
    extract, (segment,) = await measured_session(store, clock, "it fails")
    first = [taught(one, Kind.LEARNING) for one in lessons[:2]]
    await learn(store, extract, segment.segment_id, first)
    extract, (segment,) = await measured_session(store, clock, "again", session_id="s-2")
    again = [taught(one, Kind.LEARNING) for one in lessons]
    told = (shown(0, 1, AFTER), shown(1, 2, AFTER))
    done = await learn(store, extract, segment.segment_id, again, *told)
    assert [(each.source_id, each.target_id) for each in await edges(store)] == [
        done.memory_ids[1:]
    ]


async def test_an_edge_goes_with_either_end(store: NamespaceStore, clock: SetClock) -> None:
    extract, (segment, _) = await measured_session(store, clock, "it fails", "do it again")
    failed, asked = await drawers(store)
    lessons = [taught("mend it", Kind.LEARNING), taught("keep it", Kind.PROCEDURAL)]
    told = (shown(0, failed), shown(failed, asked, AFTER), shown(1, 0), shown(1, asked))
    done = await learn(store, extract, segment.segment_id, lessons, *told)
    assert len(await edges(store)) == 4
    await store.commit(DeleteMemory(failed, NOBODY))
    left = [(one.source_id, one.target_id) for one in await edges(store)]
    assert all(failed not in ends for ends in left)
    await store.commit(DeleteMemory(done.memory_ids[1], NOBODY))
    assert await edges(store) == []
