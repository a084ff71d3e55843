"""Tests of cutting, measuring, learning and promoting, over real channels and SQLite."""

import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, memory_pb2, memory_service_pb2, segment_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis_libs.errors import Conflict, FailedPrecondition, InvalidArgument
from anamnesis_libs.errors.not_found import SegmentNotFound
from tests.support.memory_service import Served, serving
from tests.support.pipeline_calls import (
    CLUSTER,
    COMPRESS,
    EXTRACT,
    LABEL,
    SECRET,
    SEGMENT,
    claim,
    lease,
    listed,
    refused,
    talk,
)

pytestmark = pytest.mark.slow


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


def piece(first: int, last: int, digit: str = "a", topic: str = "") -> segment_pb2.NewSegment:
    return segment_pb2.NewSegment(
        first_event_index=first,
        last_event_index=last,
        fingerprint=digit * 16,
        topic=topic,
        summary=f"about {topic}",
    )


async def cut(
    served: Served, *pieces: segment_pb2.NewSegment, item: work.WorkItem | None = None
) -> pb.ReplaceSegmentsResponse:
    """Claim the segmenting of a session, and cut it."""
    if item is None:
        (item,) = (await claim(served, SEGMENT)).items
    return await served.ledger.ReplaceSegments(
        pb.ReplaceSegmentsRequest(
            namespace="n",
            lease=lease(item),
            session_etag=item.session_etag,
            segments=pieces,
            segmenter="local",
        )
    )


async def measure(
    served: Served,
    segments: Sequence[segment_pb2.Segment],
    scores: Sequence[float] = (0.75, 0.75),
    task_type: str = "coding",
    **more: str,
) -> list[segment_pb2.Segment]:
    """Claim the labelling of their session, measure every segment, and complete it."""
    asked = {"namespace": "n", "session_id": segments[0].session_id}
    (item,) = (await claim(served, LABEL, **asked)).items
    measured = []
    for segment, score in zip(segments, scores, strict=False):
        request = pb.UpdateSegmentRequest(
            namespace="n",
            lease=lease(item),
            segment_id=segment.segment_id,
            task_type=task_type,
            score=score,
            metrics_json=json.dumps({"summary": "fine", **more}),
            labeller="local",
        )
        measured.append((await served.ledger.UpdateSegment(request)).segment)
    await served.ledger.CompleteWork(pb.CompleteWorkRequest(namespace="n", lease=lease(item)))
    return measured


def lesson(content: str, **more: object) -> memory_service_pb2.NewMemory:
    return memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=content,
        lesson=memory_pb2.Lesson(title=content, evidence_memory_ids=["m-1"], impact=0.5),
        **more,  # type: ignore[arg-type]
    )


def fact(content: str) -> memory_service_pb2.NewMemory:
    return memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=content,
        fact=memory_pb2.Fact(
            subject="Ada",
            predicate="likes",
            object="plums",
            fact_kind=memory_pb2.FACT_KIND_PREFERENCE,
            persons=["Ada", f"Bob {SECRET}"],
            location=f"at {SECRET}",
            topic="fruit",
            time_precision=memory_pb2.TIME_PRECISION_DAY,
            source_memory_ids=["m-1"],
        ),
    )


async def record(
    served: Served,
    item: work.WorkItem,
    segment_id: str,
    *memories: memory_service_pb2.NewMemory,
) -> pb.RecordLearnedResponse:
    return await served.ledger.RecordLearned(
        pb.RecordLearnedRequest(
            namespace="n",
            lease=lease(item),
            segment_id=segment_id,
            memories=memories,
            refusals=[
                segment_pb2.Refusal(reason="unsupported", count=1),
                segment_pb2.Refusal(reason="unsupported", count=2),
            ],
            extractor="local",
        )
    )


async def segments_of(served: Served, **fields: object) -> list[segment_pb2.Segment]:
    request = pb.ListSegmentsRequest(namespace="n", **fields)  # type: ignore[arg-type]
    return list((await served.ledger.ListSegments(request)).segments)


async def learned(served: Served, *ids: str) -> list[memory_pb2.Memory]:
    request = memory_service_pb2.BatchGetMemoriesRequest(namespace="n", memory_ids=ids)
    return list((await served.memory.BatchGetMemories(request)).memories)


async def test_a_session_goes_through_all_stages(served: Served) -> None:
    await talk(served)
    made = await cut(served, piece(0, 0, "a", f"topic {SECRET}"), piece(1, 1, "b", "thanks"))
    assert (made.kept, made.added, made.removed) == (0, 2, 0)
    first, second = made.segments
    assert SECRET not in first.topic + first.summary
    assert first.state == segment_pb2.SEGMENT_STATE_NEW
    assert not first.HasField("score")
    one, two = await measure(served, [first, second], note=f"key {SECRET}")
    assert (one.state, one.score, one.task_type) == (
        segment_pb2.SEGMENT_STATE_LABELLED,
        0.75,
        "coding",
    )
    assert SECRET not in one.metrics_json
    assert json.loads(one.metrics_json)["summary"] == "fine"
    (item,) = (await claim(served, EXTRACT)).items
    given = await record(served, item, one.segment_id, lesson(f"use sort {SECRET}"), fact("plums"))
    stored, other = await learned(served, *given.memory_ids)
    assert SECRET not in stored.content + stored.summary
    assert stored.session_id == "s"
    assert stored.tags == [f"segment:{one.segment_id[:8]}"]
    assert stored.provenance.segment_id == one.segment_id
    assert list(stored.lesson.evidence_memory_ids) == ["m-1"]
    kept = other.fact
    assert (kept.fact_kind, kept.topic) == (memory_pb2.FACT_KIND_PREFERENCE, "fruit")
    assert SECRET not in f"{kept.persons} {kept.location}"
    assert kept.time_precision == memory_pb2.TIME_PRECISION_UNSPECIFIED  # there is no time
    early = pb.CompleteWorkRequest(namespace="n", lease=lease(item))
    error = await refused(served.ledger.CompleteWork(early))
    assert isinstance(error, FailedPrecondition)
    assert (await record(served, item, two.segment_id)).forgotten == 0
    await served.ledger.CompleteWork(early)
    assert not (await claim(served, COMPRESS)).items
    served.clock.move(hours=48)
    (item,) = (await claim(served, COMPRESS)).items
    drawers = await served.memory.ListMemories(
        memory_service_pb2.ListMemoriesRequest(namespace="n")
    )
    drawer = drawers.memories[0]
    answer = await served.ledger.PromoteEpisodes(
        pb.PromoteEpisodesRequest(
            namespace="n",
            lease=lease(item),
            episodes=[
                pb.PromotedEpisode(memory_id=drawer.memory_id, summary=f"they sort {SECRET}"),
                pb.PromotedEpisode(memory_id="gone", summary="nothing"),
            ],
        )
    )
    assert answer.promoted == 1
    (promoted,) = await learned(served, drawer.memory_id)
    assert promoted.summary.startswith("they sort ")
    assert SECRET not in promoted.summary
    assert promoted.episode.stage == memory_pb2.STAGE_MEDIUM_TERM
    states = {(one.kind, one.state) for one in (await listed(served)).items if one.session_id}
    kinds = (SEGMENT, LABEL, EXTRACT, COMPRESS)
    done = {(kind, work.WORK_STATE_DONE) for kind in kinds}
    assert states == done | {(work.WORK_KIND_RETAIN, work.WORK_STATE_PENDING)}


async def test_lessons_that_were_learned_are_to_be_clustered(served: Served) -> None:
    await talk(served)
    segments = (await cut(served, piece(0, 1))).segments
    await measure(served, segments)
    (item,) = (await claim(served, EXTRACT)).items
    assert not (await claim(served, CLUSTER)).items
    await record(served, item, segments[0].segment_id, lesson("use sort"))
    assert len((await claim(served, CLUSTER)).items) == 1


async def test_a_segment_teaches_once(served: Served) -> None:
    await talk(served)
    segments = (await cut(served, piece(0, 1))).segments
    await measure(served, segments)
    (item,) = (await claim(served, EXTRACT)).items
    first = await record(served, item, segments[0].segment_id, lesson("use sort"))
    again = await record(served, item, segments[0].segment_id, lesson("use another"))
    assert again.memory_ids == first.memory_ids
    absent = pb.RecordLearnedRequest(
        namespace="n", lease=lease(item), segment_id="none", extractor="local"
    )
    error = await refused(served.ledger.RecordLearned(absent))
    assert isinstance(error, SegmentNotFound)
    assert error.metadata == {"segment_id": "none"}


async def test_what_was_deleted_is_not_learned_again(served: Served) -> None:
    await talk(served)
    segments = (await cut(served, piece(0, 0, "a"), piece(1, 1, "b"))).segments
    await measure(served, segments)
    (item,) = (await claim(served, EXTRACT)).items
    first = await record(served, item, segments[0].segment_id, lesson("use sort"))
    await served.memory.DeleteMemory(
        memory_service_pb2.DeleteMemoryRequest(namespace="n", memory_id=first.memory_ids[0])
    )
    again = await record(served, item, segments[1].segment_id, lesson("Use  sort"), lesson("new"))
    assert (again.forgotten, len(again.memory_ids)) == (1, 1)
    activities = await served.memory.ListActivity(
        memory_service_pb2.ListActivityRequest(namespace="n")
    )
    assert [list(one.memory_ids) for one in activities.activities] == [list(again.memory_ids), []]


async def test_a_session_that_grew_is_cut_anew_and_what_was_sent_is_refused(
    served: Served,
) -> None:
    await talk(served)
    (item,) = (await claim(served, SEGMENT)).items
    await talk(served)
    error = await refused(cut(served, piece(0, 1), item=item))
    assert (isinstance(error, Conflict), error.reason) == (True, "LEASE_LOST")
    assert await segments_of(served) == []
    made = await cut(served, piece(0, 1, "a"), piece(2, 3, "b"))
    await talk(served)
    again = await cut(served, piece(0, 1, "a"), piece(2, 5, "c"))
    assert (again.kept, again.added, again.removed) == (1, 1, 1)
    assert again.segments[0] == made.segments[0]


async def test_pieces_with_a_gap_are_refused_and_the_work_stays_held(served: Served) -> None:
    await talk(served)
    (item,) = (await claim(served, SEGMENT)).items
    for pieces, field in (
        ((piece(1, 1),), "segments[0].first_event_index"),
        ((piece(0, 0),), "segments"),
        ((piece(0, 1), piece(1, 1)), "segments[1].first_event_index"),
    ):
        error = await refused(cut(served, *pieces, item=item))
        assert isinstance(error, InvalidArgument)
        assert error.violations[0].field == field
    assert (await cut(served, piece(0, 1), item=item)).added == 1


async def test_memories_of_a_piece_that_is_gone_are_archived(served: Served) -> None:
    await talk(served)
    segments = (await cut(served, piece(0, 1))).segments
    await measure(served, segments)
    (item,) = (await claim(served, EXTRACT)).items
    given = await record(served, item, segments[0].segment_id, lesson("use sort"))
    await talk(served)
    assert (await cut(served, piece(0, 3, "c"))).archived_memories == 1
    (stored,) = await learned(served, *given.memory_ids)
    assert stored.status == memory_pb2.MEMORY_STATUS_ARCHIVED


async def three_sessions(served: Served) -> None:
    """Two shared sessions of two segments each, and a private one of one; all have taught."""
    for session_id in ("s", "t"):
        await talk(served, session_id)
    request = pb.AppendEventsRequest(
        namespace="n",
        session_id="u",
        agent_id="x",
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT,
        events=[event_pb2.Event(role=event_pb2.ROLE_USER, content="mine")],
        use_server_time=True,
        end_session=True,
    )
    await served.ledger.AppendEvents(request)
    for item in (await claim(served, SEGMENT)).items:
        last = 0 if item.session_id == "u" else 1
        await cut(served, *(piece(at, at, "abc"[at]) for at in range(last + 1)), item=item)
    for session_id, task_type in (("s", "coding"), ("t", "coding"), ("u", "chat")):
        found = await segments_of(served, session_id=session_id, all_visibilities=True)
        await measure(served, found, (0.6, 0.8), task_type)
    for item in (await claim(served, EXTRACT)).items:
        for segment in await segments_of(served, session_id=item.session_id, all_visibilities=True):
            await record(served, item, segment.segment_id, lesson(f"of {segment.segment_id}"))


async def test_segments_page_and_are_for_those_who_see_the_session(served: Served) -> None:
    await three_sessions(served)
    seen: list[tuple[str, int]] = []
    token = ""
    while not seen or token:
        page = await served.ledger.ListSegments(
            pb.ListSegmentsRequest(namespace="n", page_size=3, page_token=token)
        )
        seen += [(one.session_id, one.first_event_index) for one in page.segments]
        token = page.next_page_token
    assert seen == [("s", 0), ("s", 1), ("t", 0), ("t", 1)]
    assert len(await segments_of(served, caller=Caller(agent_id="x"))) == 5
    assert len(await segments_of(served, min_score=0.8, task_type="coding")) == 2


async def test_trajectories_are_counted_by_type_and_score(served: Served) -> None:
    await three_sessions(served)
    for caller, types in ((Caller(), ["coding"]), (Caller(agent_id="x"), ["chat", "coding"])):
        stats = await served.ledger.GetTrajectoryStats(
            pb.GetTrajectoryStatsRequest(namespace="n", caller=caller)
        )
        assert [one.task_type for one in stats.task_types] == types
    coding = stats.task_types[1]
    assert (coding.segments, coding.eligible_for_lessons, coding.eligible_for_sft) == (4, 2, 2)
    assert coding.mean_score == pytest.approx(0.7)


async def test_activities_page_newest_first_and_are_for_those_who_see_the_session(
    served: Served,
) -> None:
    await three_sessions(served)
    told: list[segment_pb2.Activity] = []
    token = ""
    while not told or token:
        answer = await served.memory.ListActivity(
            memory_service_pb2.ListActivityRequest(namespace="n", page_size=3, page_token=token)
        )
        told += answer.activities
        token = answer.next_page_token
    assert [one.session_id for one in told] == ["t", "t", "s", "s"]
    assert [(one.lessons, one.refusals[0].count) for one in told] == [(1, 3)] * 4
    mine = await served.memory.ListActivity(
        memory_service_pb2.ListActivityRequest(
            namespace="n", session_id="u", caller=Caller(agent_id="x")
        )
    )
    assert len(mine.activities) == 1
