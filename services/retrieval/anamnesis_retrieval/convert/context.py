"""Contexts between the wire and the model."""

from datetime import UTC

from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.rpc.enums import EnumCodec
from anamnesis_retrieval.context.already import SessionKey
from anamnesis_retrieval.context.build import Built
from anamnesis_retrieval.context.model import CitationReason, Empty, Format
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.convert.search import MODE, RANKING, check_moment
from anamnesis_retrieval.convert.times import asked_at

_FORMAT = EnumCodec(pb.ContextFormat, Format, default=Format.MARKDOWN)
_REASON = EnumCodec(retrieval_pb2.CitationReason, CitationReason)
_EMPTY = EnumCodec(pb.EmptyReason, Empty, default=Empty.NOT)


def to_wanted(request: pb.BuildContextRequest, results_max: int, clock: Clock) -> ContextRequest:
    """The context that a request asks for; it is read now, unless the request says when."""
    check_moment(request.now, "now")
    check_moment(request.as_of, "as_of")
    if request.mode == retrieval_pb2.SEARCH_MODE_GRAPH:
        raise invalid_field("mode", "GRAPH goes with Search")
    return ContextRequest(
        query=request.query,
        budget=request.token_budget,
        written=_FORMAT.from_pb(request.format),
        limit=min(request.limit, results_max) if request.limit else None,
        mode=MODE.from_pb(request.mode),
        pointers=request.pointers,
        asked_at=asked_at(request, clock),
        as_of=request.as_of.ToDatetime(UTC) if request.HasField("as_of") else None,
        session=_session(request),
        own_session=_own_session(request),
        ranking=RANKING.from_pb(request.ranking),
        at_least_revision=request.at_least_revision,
    )


def _session(request: pb.BuildContextRequest) -> SessionKey | None:
    """The session that is not to be told twice.

    Raises:
        InvalidArgument: nobody says which session it is.
    """
    if not request.exclude_shown:
        return None
    caller = request.caller
    if not caller.session_id:
        raise invalid_field("caller.session_id", "exclude_shown needs the session that asks")
    return SessionKey(request.namespace, caller.user_id, caller.agent_id, caller.session_id)


def _own_session(request: pb.BuildContextRequest) -> str:
    """The session of which nothing is to be told.

    Raises:
        InvalidArgument: nobody says which session it is.
    """
    if request.exclude_own_session and not request.caller.session_id:
        raise invalid_field("caller.session_id", "exclude_own_session needs the session that asks")
    return request.caller.session_id if request.exclude_own_session else ""


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
                reason=_REASON.to_pb(one.reason),
                score=one.score,
                routes=one.routes,
            )
            for one in context.citations
        ],
        revision=found.revision,
        degraded=found.degraded,
        left_out=context.left_out,
        empty_reason=_EMPTY.to_pb(context.empty),
        token_budget=built.budget,
    )
