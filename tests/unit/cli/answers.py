"""Answers for the scripted server."""

from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileResponse, SkippedLine
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Session
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_EPISODIC, Episode, Memory
from anamnesis.retrieval.v1.retrieval_pb2 import Factor, SearchResult
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchResponse


def at(text: str) -> Timestamp:
    """A timestamp from ISO 8601, in UTC."""
    stamp = Timestamp()
    stamp.FromDatetime(datetime.fromisoformat(text).replace(tzinfo=UTC))
    return stamp


def result(summary: str, *, score: float = 0.5, name: str = "Mara") -> SearchResult:
    """One found drawer."""
    memory = Memory(
        memory_id="m-1",
        kind=MEMORY_KIND_EPISODIC,
        summary=summary,
        pointer="§ W-001/R-002/D-003",
        event_time=at("2026-03-02T09:15:00"),
        episode=Episode(role=ROLE_USER, name=name),
    )
    factors = [
        Factor(name="text_turn", value=0.25, weight=0.4, contribution=0.1),
        Factor(name="dense_window", value=0.5, weight=0.8, contribution=0.4),
    ]
    return SearchResult(memory=memory, score=score, factors=factors, routes=["text", "dense"])


def found(*results: SearchResult, next_page_token: str = "") -> SearchResponse:
    """A page of results."""
    return SearchResponse(
        results=results, next_page_token=next_page_token, revision="r-7", profile="speakers"
    )


def ingested(events: int = 3, *skipped: tuple[int, str]) -> IngestFileResponse:
    """What became of a file of new events."""
    return IngestFileResponse(
        lines=events + len(skipped),
        events=events,
        appended=events,
        skipped=len(skipped),
        skipped_lines=[SkippedLine(line=line, reason=reason) for line, reason in skipped],
        session=Session(session_id="s-1"),
        revision="r-9",
    )
