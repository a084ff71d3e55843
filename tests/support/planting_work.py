"""The ways by which workers put text into the ledger: why work failed, and what came of it."""

import json

from anamnesis.memory.v1 import event_pb2, segment_pb2, work_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger
from tests.support.soil import Soil, append, event, fact, lesson, procedure


async def failed(soil: Soil) -> None:
    """Why work failed, in a worker's words."""
    for place, text in enumerate(soil.texts):
        session = f"s-{place}"
        await append(soil, session, [event(event_pb2.ROLE_USER, "hello")], end_session=True)
        lease = await _claimed(soil, work_pb2.WORK_KIND_SEGMENT, session)
        request = ledger.FailWorkRequest(
            namespace=soil.space, lease=lease, reason=f"it says: {text}"
        )
        await soil.clients.ledger.FailWork(request)


async def worked(soil: Soil) -> None:
    """What a worker, or a model behind it, makes of a session: a segment for each text."""
    count = len(soil.texts)
    said = [event(event_pb2.ROLE_USER, f"This is number {place}.") for place in range(count)]
    await append(soil, "s", said, end_session=True)
    segments = await _cut(soil)
    await _measured(soil, segments)
    await _learned(soil, segments)
    lease = await _claimed(soil, work_pb2.WORK_KIND_COMPRESS, "s")
    listed = await soil.clients.ledger.ListEvents(
        ledger.ListEventsRequest(namespace=soil.space, session_id="s", page_size=500)
    )
    episodes = [
        ledger.PromotedEpisode(memory_id=one.memory_id, summary=text)
        for one, text in zip(listed.events, soil.texts, strict=True)
    ]
    await soil.clients.ledger.PromoteEpisodes(
        ledger.PromoteEpisodesRequest(namespace=soil.space, lease=lease, episodes=episodes)
    )


async def _cut(soil: Soil) -> list[str]:
    """The session cut; the ids of its segments."""
    lease = await _claimed(soil, work_pb2.WORK_KIND_SEGMENT, "s")
    session = await soil.clients.ledger.GetSession(
        ledger.GetSessionRequest(namespace=soil.space, session_id="s")
    )
    segments = [
        segment_pb2.NewSegment(
            first_event_index=place,
            last_event_index=place,
            fingerprint=f"{place:016x}",
            topic=text[:512],
            summary=text,
        )
        for place, text in enumerate(soil.texts)
    ]
    cut = await soil.clients.ledger.ReplaceSegments(
        ledger.ReplaceSegmentsRequest(
            namespace=soil.space,
            lease=lease,
            session_etag=session.session.etag,
            segments=segments,
            segmenter="w",
        )
    )
    return [one.segment_id for one in cut.segments]


async def _measured(soil: Soil, segments: list[str]) -> None:
    lease = await _claimed(soil, work_pb2.WORK_KIND_LABEL, "s")
    for segment_id, text in zip(segments, soil.texts, strict=True):
        request = ledger.UpdateSegmentRequest(
            namespace=soil.space,
            lease=lease,
            segment_id=segment_id,
            task_type="writing",
            score=0.9,
            metrics_json=json.dumps({"efficiency": {"reason": text}}),
            labeller="w",
        )
        await soil.clients.ledger.UpdateSegment(request)
    await _done(soil, lease)


async def _learned(soil: Soil, segments: list[str]) -> None:
    lease = await _claimed(soil, work_pb2.WORK_KIND_EXTRACT, "s")
    for segment_id, text in zip(segments, soil.texts, strict=True):
        request = ledger.RecordLearnedRequest(
            namespace=soil.space,
            lease=lease,
            segment_id=segment_id,
            memories=[fact(text), lesson(text), procedure(text)],
            extractor="w",
        )
        await soil.clients.ledger.RecordLearned(request)
    await _done(soil, lease)


async def _claimed(
    soil: Soil, kind: "work_pb2.WorkKind.ValueType", session_id: str
) -> work_pb2.Lease:
    claimed = await soil.clients.ledger.ClaimWork(
        ledger.ClaimWorkRequest(
            namespace=soil.space,
            kinds=[kind],
            holder="w",
            session_id=session_id,
            even_if_early=True,
            lease_seconds=600,
        )
    )
    (item,) = claimed.items
    return work_pb2.Lease(kind=item.kind, session_id=item.session_id, token=item.token)


async def _done(soil: Soil, lease: work_pb2.Lease) -> None:
    await soil.clients.ledger.CompleteWork(
        ledger.CompleteWorkRequest(namespace=soil.space, lease=lease)
    )
