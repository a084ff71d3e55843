"""The errors of a call, typed by what can be done about them.

AnamnesisError
├── InvalidArgument       wrong, and will be wrong again; `violations` name the fields
├── NotFound
├── AlreadyExists
├── FailedPrecondition    something else must happen first
├── Conflict              somebody else changed it in between: read again, retry
├── OutOfRange
├── ResourceExhausted     a queue, a quota or a limit; `retry_after_s` says when it passes
├── Unavailable           something does not answer; tried again already
│   └── Unreachable       no server answers at the address
├── Unauthenticated
├── PermissionDenied
├── DeadlineExceeded
├── Unimplemented
├── Internal              a fault of the server; its message has the incident's id
└── SuiteFailed           an embedded suite that is not installed, or does not start

`reason` is the name of a value of `anamnesis.common.v1.ErrorReason`, without its prefix; `remedy`
says what to do, and stands under a traceback as a note.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "anamnesis"
_STATUS_KEY = "grpc-status-details-bin"

_REMEDIES = {
    "CONTENT_BLOCKED": "take it out, or ask the namespace's owner to change its policy",
    "EMBEDDING_MODEL_MISMATCH": "start the server with the model that the namespace is bound to",
    "KEY_NOT_ENTITLED": "use a key that may do this: Anamnesis(api_key=...)",
    "MODEL_UNAVAILABLE": "see in the server's log if its model answers, then try again",
    "PEER_UNAVAILABLE": "start the service that is missing, or one `anamnesis serve` with all",
    "PERMISSION_DENIED": "name who may see it: Anamnesis(user=..., agent=...)",
    "QUOTA_EXCEEDED": "call more slowly, or use a key with a larger quota",
    "STORE_FULL": "free space on the server's disk; reads and deletions go on meanwhile",
    "STORE_UNAVAILABLE": "start the server's store, then try again",
    "TOO_LARGE": "send less at once",
    "UNAUTHENTICATED": "show a key that the server knows: Anamnesis(api_key=...)",
    "UNIMPLEMENTED": "call a server that runs this service, of the same version as this client",
    "UNREACHABLE": "start one: `anamnesis serve`; a server with a certificate needs tls_ca=...",
}


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """A field of a request and the rule that it breaks."""

    field: str
    description: str


class AnamnesisError(Exception):
    """A call that failed; its class says what can be done, `reason` says what exactly happened."""

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
        retry_after_s: float = 0.0,
    ) -> None:
        told = "; ".join(f"{each.field}: {each.description}" for each in violations)
        super().__init__(told or message)
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.retry_after_s = retry_after_s
        self.remedy = _REMEDIES.get(reason, "")
        if self.remedy:
            self.add_note(f"remedy: {self.remedy}")


class InvalidArgument(AnamnesisError):
    """A request that is wrong, and will be wrong again."""


class NotFound(AnamnesisError):
    """The item is not there, or not to be seen."""


class AlreadyExists(AnamnesisError):
    """The item to be made is there already."""


class FailedPrecondition(AnamnesisError):
    """A right request in a wrong state; the message says what must happen first."""


class Conflict(AnamnesisError):
    """Somebody else changed it in between."""


class OutOfRange(AnamnesisError):
    """A revision or cursor that the namespace does not have."""


class ResourceExhausted(AnamnesisError):
    """A full queue, a used up quota or a message that is too large."""


class Unavailable(AnamnesisError):
    """Something that the call needs does not answer."""


class Unreachable(Unavailable):
    """No server answers at the address."""


class Unauthenticated(AnamnesisError):
    """No key, or one that the server does not know."""


class PermissionDenied(AnamnesisError):
    """The caller or the key may not do this."""


class DeadlineExceeded(AnamnesisError):
    """No answer within the time."""


class Unimplemented(AnamnesisError):
    """The server does not know the call."""


class Internal(AnamnesisError):
    """A fault of the server."""


class SuiteFailed(AnamnesisError):
    """An embedded suite that is not installed, or does not start."""


_CLASSES: dict[grpc.StatusCode, type[AnamnesisError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.FAILED_PRECONDITION: FailedPrecondition,
    grpc.StatusCode.ABORTED: Conflict,
    grpc.StatusCode.OUT_OF_RANGE: OutOfRange,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhausted,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.UNIMPLEMENTED: Unimplemented,
}

Wanted = TypeVar("Wanted", bound=Message)
Trailers = Iterable[tuple[str, str | bytes]]


def error_of(
    code: grpc.StatusCode, details: str, trailers: Trailers, server: str
) -> AnamnesisError:
    """The error that a server raised, or the transport on the way to it."""
    status = _status_of(trailers)
    info = _detail(status, error_details_pb2.ErrorInfo()) if status else None
    if status is None or info is None or info.domain != DOMAIN:
        return _of_transport(code, details, server)
    return _CLASSES.get(code, Internal)(
        status.message,
        reason=info.reason,
        metadata=info.metadata,
        violations=_violations(status),
        retry_after_s=_retry_after_s(status),
    )


def _status_of(trailers: Trailers) -> status_pb2.Status | None:
    for key, value in trailers:
        if key == _STATUS_KEY and isinstance(value, bytes):
            try:
                return status_pb2.Status.FromString(value)
            except DecodeError:
                return None
    return None


def _detail(status: status_pb2.Status, wanted: Wanted) -> Wanted | None:
    """The first detail of the type of `wanted`, which it is read into."""
    return next((wanted for detail in status.details if detail.Unpack(wanted)), None)


def _violations(status: status_pb2.Status) -> tuple[FieldViolation, ...]:
    bad = _detail(status, error_details_pb2.BadRequest())
    fields = bad.field_violations if bad else ()
    return tuple(FieldViolation(each.field, each.description) for each in fields)


def _retry_after_s(status: status_pb2.Status) -> float:
    info = _detail(status, error_details_pb2.RetryInfo())
    return info.retry_delay.ToMilliseconds() / 1000 if info else 0.0


def _of_transport(code: grpc.StatusCode, details: str, server: str) -> AnamnesisError:
    """The error for an answer without a reason of the suite: from the transport or a proxy."""
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
        return Unreachable(f"no server answers at {server}: {details}", reason="UNREACHABLE")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded(f"{server} did not answer in time", reason="DEADLINE_EXCEEDED")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return ResourceExhausted(f"{server} refused the message: {details}", reason="TOO_LARGE")
    cls = _CLASSES.get(code, Internal)
    return cls(f"{server} answered {code.name}: {details}", reason=code.name)
