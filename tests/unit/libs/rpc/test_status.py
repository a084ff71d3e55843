"""Tests of rpc/status.py: there and back, for every class, within the headers' room."""

from datetime import UTC, datetime

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.rpc.status import CODES, code_of, from_rpc_error, to_status

ALL = [
    errors.InvalidArgument("no", (errors.FieldViolation("a.b[1]", "wrong"),)),
    errors.invalid_field("page_token", "old", reason="PAGE_TOKEN_INVALID"),
    not_found.NamespaceNotFound("team-a"),
    not_found.MemoryNotFound("m-1"),
    not_found.SessionNotFound("s-1"),
    not_found.ClusterNotFound("c-1"),
    errors.NamespaceExists("team-a"),
    errors.EmbeddingModelMismatch("a", "b"),
    errors.RevisionOfAnotherIncarnation("team-a"),
    errors.FailedPrecondition("refused", reason="WRITE_REFUSED", metadata={"gate": "confidence"}),
    errors.Conflict("changed", metadata={"resource": "topics"}),
    errors.RevisionInFuture(9, 7),
    errors.CursorExpired(120),
    errors.ResourceExhausted("full", retry_after_s=2.5, metadata={"queue": "writes"}),
    errors.TooLarge("the file", 100),
    errors.ModelUnavailable("no answer", retry_after_s=0.25),
    errors.ModelRefused("declined", metadata={"model": "m"}),
    errors.AnswerMalformed("cut short", metadata={"model": "m"}),
    errors.PromptTooLong("too long", 191_808),
    errors.BudgetExhausted("team-a", "tokens", datetime(2026, 3, 1, 13, tzinfo=UTC), 90.0),
    errors.PeerUnavailable("no answer"),
    errors.StoreUnavailable("disk failing"),
    errors.StoreFull("disk full"),
    errors.StoreDamaged("file gone"),
    errors.SchemaNewer("schema 12, not 10"),
    errors.QuotaExceeded("calls_per_s", 20, 0.5),
    errors.Unauthenticated("no key"),
    errors.PermissionDenied("not yours"),
    errors.KeyNotEntitled("not with this key"),
    errors.DeadlineExceeded("late", metadata={"waiting_for": "revision"}),
    errors.Unimplemented("no such rpc"),
    errors.Internal("fault", metadata={"incident_id": "1"}),
]


def _over_the_wire(error: errors.AnamnesisError) -> errors.AnamnesisError:
    status = rpc_status.to_status(to_status(error))
    metadata = aio.Metadata(*status.trailing_metadata)
    failed = aio.AioRpcError(status.code, aio.Metadata(), metadata, status.details)
    return from_rpc_error(failed, "memory")


@pytest.mark.parametrize("error", ALL, ids=lambda error: f"{type(error).__name__}-{error.reason}")
def test_an_error_comes_back_as_it_was(error: errors.AnamnesisError) -> None:
    back = _over_the_wire(error)
    assert type(back) is type(error)
    assert vars(back) == vars(error)
    assert str(back) == error.message


def test_every_code_of_the_table_occurs() -> None:
    assert {code_of(error) for error in ALL} == set(CODES.values())


def test_many_violations_fit_into_headers_and_the_rest_is_counted() -> None:
    many = tuple(errors.FieldViolation(f"events[{n}].role", "错误" * 50) for n in range(1000))
    status = to_status(errors.InvalidArgument("坏" * 1000, many))
    assert status.ByteSize() < 5000
    assert len(status.message) <= 300
    bad = error_details_pb2.BadRequest()
    assert status.details[1].Unpack(bad)
    left_out = 1000 - len(bad.field_violations)
    assert bad.field_violations[-1].description.endswith(f"(and {left_out} more violations)")


@pytest.mark.parametrize(
    ("code", "cls", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, errors.PeerUnavailable, "PEER_UNAVAILABLE"),
        (grpc.StatusCode.CANCELLED, errors.PeerUnavailable, "PEER_UNAVAILABLE"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, errors.DeadlineExceeded, "DEADLINE_EXCEEDED"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, errors.ResourceExhausted, "TOO_LARGE"),
        (grpc.StatusCode.UNIMPLEMENTED, errors.Unimplemented, "UNIMPLEMENTED"),
        (grpc.StatusCode.NOT_FOUND, errors.Internal, "INTERNAL"),
        (grpc.StatusCode.UNKNOWN, errors.Internal, "INTERNAL"),
    ],
)
def test_what_the_transport_says_is_ours_too(
    code: grpc.StatusCode, cls: type[errors.AnamnesisError], reason: str
) -> None:
    failed = aio.AioRpcError(code, aio.Metadata(), aio.Metadata(), "details")
    error = from_rpc_error(failed, "memory")
    assert type(error) is cls
    assert error.reason == reason


def test_details_that_contradict_the_code_are_not_believed() -> None:
    status = rpc_status.to_status(to_status(not_found.MemoryNotFound("m-1")))
    metadata = aio.Metadata(*status.trailing_metadata)
    failed = aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, aio.Metadata(), metadata, "proxy")
    assert isinstance(from_rpc_error(failed, "memory"), errors.PeerUnavailable)
