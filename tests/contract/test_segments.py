"""Segments, on every backend: what a cut keeps, adds and removes, and who sees what of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_libs.errors import Conflict, InvalidArgument, LeaseLost
from anamnesis_libs.errors.not_found import SegmentNotFound
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.memory import Caller, MemoryFilter, Status, Visibility, Work
from anamnesis_memory.model.segments import Segment, SegmentState, TaskTypeStats
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.pipeline import SegmentFilter
from tests.support.clock import SetClock
from tests.support.pipeline import (
    claim,
    claims,
    complete,
    cut,
    cut_session,
    label,
    learn,
    measured_session,
    now_us,
    taught,
)
from tests.support.records import append, lesson, new_event

NOBODY = Caller()


async def segments(store: NamespaceStore, **where: str | float) -> Sequence[Segment]:
    """All segments that pass a filter."""
    return await store.list_segments(SegmentFilter(**where), None, None, 500)  # type: ignore[arg-type]


async def statuses(store: NamespaceStore) -> dict[str, Status]:
    """Texts of what was learned, and whether it is active."""
    where = MemoryFilter(include_archived=True)
    listed = (await store.list_memories(where, None, 0, 500)).items
    return {one.content: one.status for one in listed if one.kind != "episodic"}


async def test_a_cut_is_there_as_it_was_made(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(append("one", "two", "three", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    clock.move(seconds=1)
    done = await cut(store, item, (0, 1, "a"), (2, 2, "b"))
    assert (done.kept, done.removed, done.archived) == (0, 0, ())
    assert list(done.segments) == await segments(store)
    first, second = done.segments
    assert (first.first_index, first.last_index, first.topic) == (0, 1, "on a")
    assert (first.state, first.score, first.revision) == (SegmentState.NEW, None, 2)
    assert (first.create_time_us, second.first_index) == (now_us(clock), 2)
    assert len({first.segment_id, second.segment_id}) == 2


async def test_the_same_text_keeps_its_segment_and_what_it_taught(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, one.segment_id, taught("from one"))
    await learn(store, extract, two.segment_id, taught("from two"), taught("more from two"))
    kept = (await segments(store))[0]
    await store.commit(append("zwei", "three", start=1, end_session=True))
    again = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, again, (0, 0, "one"), (1, 1, "zwei"), (2, 2, "three"))
    assert (done.kept, done.removed, len(done.archived)) == (1, 1, 2)
    held = await segments(store)
    assert list(done.segments) == held
    assert held[0] == kept
    assert two.segment_id not in [segment.segment_id for segment in held]
    assert await statuses(store) == {
        "from one": Status.ACTIVE,
        "from two": Status.ARCHIVED,
        "more from two": Status.ARCHIVED,
    }


async def test_only_what_carries_exactly_that_tag_is_archived(
    store: NamespaceStore, clock: SetClock
) -> None:
    extract, (one, two) = await measured_session(store, clock, "one", "two")
    await learn(store, extract, one.segment_id, taught("learned"))
    near = [one.tag[:-1], f"{one.tag}0", f"x{one.tag}", two.tag]
    stated = [replace(taught(tag), tags=(tag,)) for tag in near]
    shouted = replace(taught("same tag"), tags=(one.tag.upper(),))
    named = replace(taught("named so"), entities=(one.tag,))
    await store.commit(CreateMemories([*stated, shouted, named], [None] * 6))
    await store.commit(append("uno", end_session=True))
    again = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, again, (0, 0, "uno"), (1, 1, "two"))
    assert len(done.archived) == 2
    found = await statuses(store)
    assert [text for text, status in found.items() if status is Status.ARCHIVED] == [
        "learned",
        "same tag",
    ]


async def test_a_segment_that_moves_is_the_same(store: NamespaceStore, clock: SetClock) -> None:
    await cut_session(store, clock, "one", "two")
    labelling = await claim(store, clock, Work.LABEL)
    one, two = await segments(store)
    await label(store, labelling, two.segment_id, 0.7)
    await store.commit(append("longer", "one", "two", end_session=True))
    again = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, again, (0, 0, "longer"), (1, 1, "one"), (2, 2, "two"))
    moved = done.segments[2]
    assert (moved.segment_id, moved.first_index, moved.score) == (two.segment_id, 2, 0.7)
    assert done.segments[1].segment_id == one.segment_id
    assert list(done.segments) == await segments(store)


async def test_the_same_cut_again_changes_nothing(store: NamespaceStore, clock: SetClock) -> None:
    before = await cut_session(store, clock, "one", "two")
    await store.commit(append("one", "two", " ", end_session=True))
    revision = store.revision
    again = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, again, (0, 0, "one"), (1, 2, "two"))
    assert store.revision == revision + 1, "the second one grew"
    assert done.segments[0] == before[0]
    await store.commit(append("drei", start=2))
    await store.commit(append(" ", start=2, end_session=True))
    revision = store.revision
    again = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, again, (0, 0, "one"), (1, 2, "two"))
    assert (store.revision, done.kept) == (revision, 2)


async def test_text_that_occurs_again_teaches_nothing(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", "one again", "one", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    done = await cut(store, item, (0, 0, "one"), (1, 1, "other"), (2, 2, "one"))
    assert [one.state for one in done.segments] == [
        SegmentState.NEW,
        SegmentState.NEW,
        SegmentState.EXTRACTED,
    ]
    assert len({one.segment_id for one in await segments(store)}) == 3


async def test_a_cut_of_an_older_state_or_with_gaps_is_refused(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(append("one", "two", end_session=True))
    item = await claim(store, clock, Work.SEGMENT)
    with pytest.raises(Conflict) as refused:
        await cut(store, item, (0, 1, "one"), etag="older")
    assert not isinstance(refused.value, LeaseLost)
    for pieces in ([(0, 0, "a")], [(1, 1, "a")], [(0, 1, "a"), (1, 1, "b")], [(0, 2, "a")], []):
        with pytest.raises(InvalidArgument):
            await cut(store, item, *pieces)
    assert (await segments(store), store.revision) == ([], 1)
    await cut(store, item, (0, 1, "one"))


async def test_a_measure_needs_a_segment_of_the_session(
    store: NamespaceStore, clock: SetClock
) -> None:
    (other,) = await cut_session(store, clock, "one", session_id="other")
    await complete_labels(store, clock, "other")
    await cut_session(store, clock, "one")
    ((item, _),) = (await claims(store, clock, Work.LABEL, session_id="s-1")).items
    with pytest.raises(SegmentNotFound):
        await label(store, item, other.segment_id, 0.1)
    assert (await segments(store, session_id="other"))[0].score == 0.5


async def complete_labels(store: NamespaceStore, clock: SetClock, session_id: str) -> None:
    """Measure all segments of a session."""
    ((item, _),) = (await claims(store, clock, Work.LABEL, session_id=session_id)).items
    for segment in await segments(store, session_id=session_id):
        await label(store, item, segment.segment_id, 0.5)
    await complete(store, item)


async def test_segments_are_listed_in_pages_and_filtered(
    store: NamespaceStore, clock: SetClock
) -> None:
    for name in ("b", "a", "～", "😀"):
        await cut_session(store, clock, "one", "two", session_id=name)
    ((item, _),) = (await claims(store, clock, Work.LABEL, session_id="a")).items
    one, two = await segments(store, session_id="a")
    await label(store, item, one.segment_id, 0.8)
    await label(store, item, two.segment_id, 0.4, "cooking")
    places = [(name, index) for name in ("a", "b", "～", "😀") for index in (0, 1)]
    paged: list[Segment] = []
    while page := await store.list_segments(SegmentFilter(), None, _place(paged), 3):
        paged += page
    assert [(one.session_id, one.first_index) for one in paged] == places
    behind = await store.list_segments(SegmentFilter(session_id="a"), None, ("a", 0), 9)
    assert [segment.segment_id for segment in behind] == [two.segment_id]
    assert await store.list_segments(SegmentFilter(session_id="a"), None, ("b", 0), 9) == []
    assert [one.session_id for one in await segments(store, task_type="cooking")] == ["a"]
    assert [one.score for one in await segments(store, min_score=0.4)] == [0.8, 0.4]
    assert [one.score for one in await segments(store, min_score=0.5, session_id="a")] == [0.8]
    assert await segments(store, min_score=0.5, task_type="cooking") == []


def _place(listed: Sequence[Segment]) -> tuple[str, int] | None:
    return (listed[-1].session_id, listed[-1].first_index) if listed else None


async def test_who_does_not_see_a_session_sees_nothing_of_its_segments(
    store: NamespaceStore, clock: SetClock
) -> None:
    for name, visibility in (("s-a", "private_to_agent"), ("s-u", "private_to_user")):
        write = AppendEvents(
            name,
            (new_event("one", 0),),
            agent_id="robot",
            user_id="ada",
            visibility=Visibility(visibility),
            end_session=True,
        )
        await store.commit(write)
        ((item, _),) = (await claims(store, clock, Work.SEGMENT, session_id=name)).items
        await cut(store, item, (0, 0, "one"))
    await cut_session(store, clock, "one", session_id="s-s")
    for caller, seen in (
        (None, ["s-a", "s-s", "s-u"]),
        (NOBODY, ["s-s"]),
        (Caller("robot", "bob"), ["s-a", "s-s"]),
        (Caller("other", "ada"), ["s-s", "s-u"]),
    ):
        listed = await store.list_segments(SegmentFilter(), caller, None, 9)
        assert [one.session_id for one in listed] == seen
        if caller is not None:
            (stats,) = await store.task_types(caller, 0.5, 0.9)
            assert stats.segments == len(seen)
    assert await store.list_segments(SegmentFilter(session_id="s-a"), NOBODY, None, 9) == []


async def test_task_types_tell_how_tasks_went(store: NamespaceStore, clock: SetClock) -> None:
    assert await store.task_types(NOBODY, 0.5, 0.9) == []
    held = await cut_session(store, clock, "one", "two", "three", "four")
    item = await claim(store, clock, Work.LABEL)
    scores = (("coding", 1.0), ("coding", 0.5), ("ärger", 0.25))
    for segment, (task_type, score) in zip(held, scores, strict=False):
        await label(store, item, segment.segment_id, score, task_type)
    assert await store.task_types(NOBODY, 0.5, 0.9) == [
        TaskTypeStats("", 1, 0.0, 0, 0),
        TaskTypeStats("coding", 2, 0.75, 2, 1, labelled=2),
        TaskTypeStats("ärger", 1, 0.25, 0, 0, labelled=1),
    ]


async def test_a_session_that_is_lessons_only_has_no_segments(
    store: NamespaceStore, clock: SetClock
) -> None:
    await store.commit(CreateMemories([lesson("stated")], [None]))
    assert (await claims(store, clock, Work.SEGMENT)).items == ()
    assert await segments(store) == []
