"""Contexts between the wire and the model."""

from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_retrieval.context.build import Built, ContextRequest
from anamnesis_retrieval.context.model import CitationReason, Empty, Format
from anamnesis_retrieval.convert.search import MODES, check_moment

TOKEN_BUDGET_DEFAULT = 1024

_FORMATS = {
    pb.CONTEXT_FORMAT_UNSPECIFIED: Format.MARKDOWN,
    pb.CONTEXT_FORMAT_MARKDOWN: Format.MARKDOWN,
    pb.CONTEXT_FORMAT_JSON: Format.JSON,
}
_REASONS = {
    CitationReason.ANSWERS: retrieval_pb2.CITATION_REASON_ANSWERS,
    CitationReason.STANDING: retrieval_pb2.CITATION_REASON_STANDING,
    CitationReason.ASKED: retrieval_pb2.CITATION_REASON_ASKED,
    CitationReason.BEFORE: retrieval_pb2.CITATION_REASON_BEFORE,
}
_EMPTY = {
    Empty.NOT: pb.EMPTY_REASON_UNSPECIFIED,
    Empty.NOTHING_VISIBLE: pb.EMPTY_REASON_NOTHING_VISIBLE,
    Empty.NOTHING_RELEVANT: pb.EMPTY_REASON_NOTHING_RELEVANT,
    Empty.BUDGET_TOO_SMALL: pb.EMPTY_REASON_BUDGET_TOO_SMALL,
}


def to_wanted(request: pb.BuildContextRequest, results_max: int, clock: Clock) -> ContextRequest:
    """The context that a request asks for; it is read now, unless the request says when."""
    check_moment(request.now, "now")
    check_moment(request.as_of, "as_of")
    return ContextRequest(
        query=request.query,
        budget=request.token_budget or TOKEN_BUDGET_DEFAULT,
        written=_FORMATS[request.format],
        limit=min(request.limit, results_max) if request.limit else None,
        mode=MODES[request.mode],
        pointers=request.pointers,
        year=(request.now.ToDatetime() if request.HasField("now") else clock.now()).year,
        at_least_revision=request.at_least_revision,
    )


def from_built(built: Built) -> pb.BuildContextResponse:
    """A context for the wire."""
    context, found = built.context, built.found
    return pb.BuildContextResponse(
        text=context.text,
        token_count=context.token_count,
        citations=[
            retrieval_pb2.Citation(
                pointer=one.pointer,
                memory_id=one.memory_id,
                line=one.line,
                token_count=one.token_count,
                reason=_REASONS[one.reason],
                score=one.score,
                routes=one.routes,
            )
            for one in context.citations
        ],
        revision=found.revision,
        degraded=found.degraded,
        left_out=context.left_out,
        empty_reason=_EMPTY[context.empty],
    )
