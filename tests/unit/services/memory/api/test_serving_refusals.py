"""Bad requests of the pipeline's rpcs: the status, the reason, the field, and nothing changed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.message import Message

from anamnesis.memory.v1 import admin_service_pb2, memory_pb2, memory_service_pb2, segment_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis_libs.errors import InvalidArgument, LeaseLost
from anamnesis_libs.errors.not_found import NamespaceNotFound
from tests.support.memory_service import Served, serving
from tests.support.messages import made
from tests.support.pipeline_calls import (
    CLUSTER,
    COMPRESS,
    EXTRACT,
    LABEL,
    SEGMENT,
    learn,
    refused,
    talk,
)

ODD = work.Lease(kind=CLUSTER, session_id="s", token=1)
NO_STATE = pb.ListWorkRequest(namespace="n", states=[work.WORK_STATE_UNSPECIFIED])
BARE = pb.PromotedEpisode(memory_id="m")
CUT = {"session_etag": "e", "segmenter": "local"}
MEASURED = {
    "segment_id": "x",
    "task_type": "coding",
    "score": 0.5,
    "metrics_json": "{}",
    "labeller": "local",
}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


def held(kind: "work.WorkKind.ValueType", session_id: str = "s", token: int = 1) -> work.Lease:
    """A lease as a request states it."""
    return work.Lease(kind=kind, session_id="" if kind == CLUSTER else session_id, token=token)


def claiming(**fields: object) -> pb.ClaimWorkRequest:
    return made(pb.ClaimWorkRequest, **{"kinds": [SEGMENT], "holder": "w", **fields})


def cutting(**fields: object) -> pb.ReplaceSegmentsRequest:
    given = {"namespace": "n", "lease": held(SEGMENT), **CUT, **fields}
    return made(pb.ReplaceSegmentsRequest, **given)


def measuring(**fields: object) -> pb.UpdateSegmentRequest:
    given = {"namespace": "n", "lease": held(LABEL), **MEASURED, **fields}
    return made(pb.UpdateSegmentRequest, **given)


def recording(**fields: object) -> pb.RecordLearnedRequest:
    given = {"namespace": "n", "lease": held(EXTRACT), "segment_id": "x", "extractor": "local"}
    return made(pb.RecordLearnedRequest, **{**given, **fields})


def promoting(**fields: object) -> pb.PromoteEpisodesRequest:
    return made(pb.PromoteEpisodesRequest, **{"namespace": "n", "lease": held(COMPRESS), **fields})


def completing(lease: work.Lease | None) -> pb.CompleteWorkRequest:
    return pb.CompleteWorkRequest(namespace="n", lease=lease)


def failing(**fields: object) -> pb.FailWorkRequest:
    given = {"namespace": "n", "lease": held(SEGMENT), "reason": "r"}
    return made(pb.FailWorkRequest, **{**given, **fields})


def stated(kind: "memory_pb2.MemoryKind.ValueType", content: str = "c") -> object:
    return memory_service_pb2.NewMemory(kind=kind, content=content)


BAD: list[tuple[str, Message, str]] = [
    ("ClaimWork", claiming(kinds=[]), "kinds"),
    ("ClaimWork", claiming(kinds=[work.WORK_KIND_UNSPECIFIED]), "kinds[0]"),
    ("ClaimWork", claiming(holder=""), "holder"),
    ("ClaimWork", claiming(limit=101), "limit"),
    ("ClaimWork", claiming(namespace="No"), "namespace"),
    ("ClaimWork", claiming(lease_seconds=-1), "lease_seconds"),
    ("ClaimWork", claiming(even_if_early=True), "even_if_early"),
    ("ClaimWork", claiming(session_id="s"), "session_id"),
    ("RenewWork", pb.RenewWorkRequest(namespace="n"), "leases"),
    (
        "RenewWork",
        pb.RenewWorkRequest(namespace="n", leases=[held(SEGMENT, "")]),
        "leases[0].session_id",
    ),
    ("CompleteWork", completing(None), "lease"),
    ("CompleteWork", completing(held(LABEL, token=0)), "lease.token"),
    (
        "CompleteWork",
        completing(ODD),
        "lease.session_id",
    ),
    ("CompleteWork", completing(held(SEGMENT)), "lease.kind"),
    ("CompleteWork", completing(held(COMPRESS)), "lease.kind"),
    ("FailWork", failing(reason=""), "reason"),
    ("FailWork", failing(retry_after_seconds=86401), "retry_after_seconds"),
    (
        "ListWork",
        NO_STATE,
        "states[0]",
    ),
    ("ListWork", pb.ListWorkRequest(namespace="n", page_size=-1), "page_size"),
    ("ListWork", pb.ListWorkRequest(namespace="n", page_token="?"), "page_token"),
    ("RetryWork", pb.RetryWorkRequest(), "namespace"),
    ("ListSegments", pb.ListSegmentsRequest(namespace="n", min_score=1.1), "min_score"),
    ("ListSegments", pb.ListSegmentsRequest(namespace="n", page_token="?"), "page_token"),
    (
        "ListSegments",
        pb.ListSegmentsRequest(namespace="n", at_least_revision="?"),
        "at_least_revision",
    ),
    ("ReplaceSegments", cutting(lease=held(LABEL)), "lease.kind"),
    ("ReplaceSegments", cutting(session_etag=""), "session_etag"),
    ("ReplaceSegments", cutting(segmenter=""), "segmenter"),
    (
        "ReplaceSegments",
        cutting(segments=[segment_pb2.NewSegment(fingerprint="XYZ")]),
        "segments[0].fingerprint",
    ),
    ("UpdateSegment", measuring(lease=held(EXTRACT)), "lease.kind"),
    ("UpdateSegment", measuring(score=1.5), "score"),
    ("UpdateSegment", measuring(task_type=""), "task_type"),
    ("UpdateSegment", measuring(metrics_json="[]"), "metrics_json"),
    ("UpdateSegment", measuring(metrics_json="{'a'}"), "metrics_json"),
    ("RecordLearned", recording(lease=held(LABEL)), "lease.kind"),
    ("RecordLearned", recording(segment_id=""), "segment_id"),
    (
        "RecordLearned",
        recording(memories=[stated(memory_pb2.MEMORY_KIND_EPISODIC)]),
        "memories[0].kind",
    ),
    (
        "RecordLearned",
        recording(memories=[stated(memory_pb2.MEMORY_KIND_LEARNING, " ")]),
        "memories[0].content",
    ),
    (
        "RecordLearned",
        recording(refusals=[segment_pb2.Refusal(reason="No Reason", count=1)]),
        "refusals[0].reason",
    ),
    ("PromoteEpisodes", promoting(lease=held(SEGMENT)), "lease.kind"),
    (
        "PromoteEpisodes",
        promoting(episodes=[BARE]),
        "episodes[0].summary",
    ),
    ("GetTrajectoryStats", pb.GetTrajectoryStatsRequest(), "namespace"),
]

STALE = [
    ("CompleteWork", completing(held(CLUSTER, token=99))),
    ("FailWork", failing(lease=held(SEGMENT, token=99))),
    ("ReplaceSegments", cutting(lease=held(SEGMENT, token=99))),
    ("UpdateSegment", measuring(lease=held(LABEL, token=99))),
    ("RecordLearned", recording(lease=held(EXTRACT, token=99))),
    ("PromoteEpisodes", promoting(lease=held(COMPRESS, token=99))),
]


async def everything(served: Served) -> tuple[Message, ...]:
    """What the namespace holds: its work, its memories, and where its clock is."""
    return (
        await served.ledger.ListWork(pb.ListWorkRequest(namespace="n")),
        await served.memory.ListMemories(memory_service_pb2.ListMemoriesRequest(namespace="n")),
        await served.admin.GetNamespace(admin_service_pb2.GetNamespaceRequest(namespace="n")),
    )


async def test_bad_input_is_refused_and_changes_nothing(served: Served) -> None:
    await talk(served)
    before = await everything(served)
    for rpc, asked, field in BAD:
        error = await refused(getattr(served.ledger, rpc)(asked))
        assert isinstance(error, InvalidArgument), (rpc, field)
        assert field in [violation.field for violation in error.violations], (rpc, field)
        assert await everything(served) == before, (rpc, field)


async def test_a_lease_that_nobody_has_is_lost_and_changes_nothing(served: Served) -> None:
    await talk(served)
    await learn(served)
    before = await everything(served)
    for rpc, asked in STALE:
        error = await refused(getattr(served.ledger, rpc)(asked))
        assert isinstance(error, LeaseLost), rpc
        assert error.reason == "LEASE_LOST"
        assert await everything(served) == before, rpc


async def test_none_of_them_makes_a_namespace(served: Served) -> None:
    reads = [
        ("ClaimWork", claiming(namespace="n")),
        ("RenewWork", pb.RenewWorkRequest(namespace="n", leases=[held(SEGMENT)])),
        ("ListWork", pb.ListWorkRequest(namespace="n")),
        ("RetryWork", pb.RetryWorkRequest(namespace="n")),
        ("ListSegments", pb.ListSegmentsRequest(namespace="n")),
        ("GetTrajectoryStats", pb.GetTrajectoryStatsRequest(namespace="n")),
    ]
    for rpc, asked in (*STALE, *reads):
        error = await refused(getattr(served.ledger, rpc)(asked))
        assert isinstance(error, NamespaceNotFound), rpc
    names = await served.admin.ListNamespaces(admin_service_pb2.ListNamespacesRequest())
    assert list(names.namespaces) == []


async def test_who_completes_segmenting_is_told_how(served: Served) -> None:
    await talk(served)
    for kind, by in ((SEGMENT, "ReplaceSegments"), (COMPRESS, "PromoteEpisodes")):
        error = await refused(served.ledger.CompleteWork(completing(held(kind))))
        assert by in error.message
