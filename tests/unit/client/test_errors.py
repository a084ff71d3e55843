"""Errors off the wire: what the suite raises arrives as it was, in a class of its own."""

import pytest
from grpc import StatusCode

from anamnesis_client.errors import (
    AnamnesisError,
    Conflict,
    DeadlineExceeded,
    FieldViolation,
    Internal,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    Unavailable,
    Unreachable,
    error_of,
)
from anamnesis_libs import errors as suite
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.rpc.status import CODES, code_of, to_status


def sent(error: suite.AnamnesisError) -> AnamnesisError:
    """The error as a client gets it."""
    status = to_status(error)
    trailers = [("grpc-status-details-bin", status.SerializeToString())]
    return error_of(code_of(error), status.message, trailers, "127.0.0.1:50051")


def test_a_reason_and_its_metadata_arrive() -> None:
    error = sent(NamespaceNotFound("app"))
    assert type(error) is NotFound
    assert (error.reason, error.metadata) == ("NAMESPACE_NOT_FOUND", {"namespace": "app"})


def test_violations_are_told_by_field() -> None:
    error = sent(suite.invalid_field("query", "value is required"))
    assert type(error) is InvalidArgument
    assert error.violations == (FieldViolation("query", "value is required"),)
    assert str(error) == "query: value is required"


def test_a_remedy_stands_under_the_traceback() -> None:
    error = sent(suite.Unauthenticated("no key was sent"))
    assert "api_key" in error.remedy
    assert error.__notes__ == [f"remedy: {error.remedy}"]


def test_the_time_to_wait_arrives() -> None:
    error = sent(suite.ResourceExhausted("full", reason="QUEUE_FULL", retry_after_s=1.5))
    assert type(error) is ResourceExhausted
    assert error.retry_after_s == 1.5


def test_every_code_of_the_suite_has_a_class_of_its_own() -> None:
    classes = {type(error_of(code, "", [], "here")) for code in CODES.values()}
    faults = {StatusCode.INTERNAL, StatusCode.DATA_LOSS}
    assert len(classes) == len({*CODES.values()} - faults) + 1


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (StatusCode.UNAVAILABLE, Unreachable),
        (StatusCode.DEADLINE_EXCEEDED, DeadlineExceeded),
        (StatusCode.RESOURCE_EXHAUSTED, ResourceExhausted),
        (StatusCode.ABORTED, Conflict),
        (StatusCode.UNKNOWN, Internal),
    ],
)
def test_the_transport_has_no_reason_of_the_suite(
    code: StatusCode, expected: type[AnamnesisError]
) -> None:
    error = error_of(code, "broken pipe", [("x", "y")], "127.0.0.1:50051")
    assert type(error) is expected
    assert "127.0.0.1:50051" in str(error)


def test_what_cannot_be_read_is_the_transports() -> None:
    trailers = [("grpc-status-details-bin", b"\xff\xff")]
    assert type(error_of(StatusCode.UNAVAILABLE, "", trailers, "here")) is Unreachable


def test_what_may_pass_is_unavailable_wherever_it_comes_from() -> None:
    assert issubclass(Unreachable, Unavailable)
