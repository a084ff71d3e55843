"""One table from our errors to the wire, and its inverse.

Out: `to_status` gives the `google.rpc.Status` with its details. In: `from_rpc_error` rebuilds
the error a peer raised, so that a NOT_FOUND of memory passing through retrieval stays one.
"""

from google.protobuf import duration_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode, aio
from grpc_status import rpc_status

from anamnesis_libs import errors

DOMAIN = "anamnesis"
METADATA_BYTES_MAX = 32 * 1024

# A status travels in HTTP/2 headers, of which a peer accepts 8 KiB by default, and its message
# travels twice. What is longer would reach the caller as a transport error instead of ours.
_STATUS_BYTES_MAX = 4096
_MESSAGE_CHARS_MAX = 300
_METADATA_CHARS_MAX = 128

CODES: dict[type[errors.AnamnesisError], StatusCode] = {
    errors.InvalidArgument: StatusCode.INVALID_ARGUMENT,
    errors.NotFound: StatusCode.NOT_FOUND,
    errors.AlreadyExists: StatusCode.ALREADY_EXISTS,
    errors.FailedPrecondition: StatusCode.FAILED_PRECONDITION,
    errors.Conflict: StatusCode.ABORTED,
    errors.OutOfRange: StatusCode.OUT_OF_RANGE,
    errors.ResourceExhausted: StatusCode.RESOURCE_EXHAUSTED,
    errors.Unavailable: StatusCode.UNAVAILABLE,
    errors.Unauthenticated: StatusCode.UNAUTHENTICATED,
    errors.PermissionDenied: StatusCode.PERMISSION_DENIED,
    errors.DeadlineExceeded: StatusCode.DEADLINE_EXCEEDED,
    errors.Unimplemented: StatusCode.UNIMPLEMENTED,
    errors.StoreDamaged: StatusCode.DATA_LOSS,
    errors.Internal: StatusCode.INTERNAL,
}
_CLASSES = {code: cls for cls, code in CODES.items()}


def code_of(error: errors.AnamnesisError) -> StatusCode:
    """The status code of an error, looked up along its class's ancestors."""
    return _code_of_class(type(error))


def to_status(error: errors.AnamnesisError) -> status_pb2.Status:
    """The full status of an error: code, message and every detail it has."""
    status = status_pb2.Status(
        code=code_of(error).value[0], message=_cut(error.message, _MESSAGE_CHARS_MAX)
    )
    metadata = {key: _cut(value, _METADATA_CHARS_MAX) for key, value in error.metadata.items()}
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)
    status.details.add().Pack(info)
    if isinstance(error, errors.ResourceExhausted | errors.Unavailable) and error.retry_after_s:
        status.details.add().Pack(_retry_info(error.retry_after_s))
    if isinstance(error, errors.InvalidArgument) and error.violations:
        room_bytes = _STATUS_BYTES_MAX - status.ByteSize()
        status.details.add().Pack(_bad_request(error.violations, room_bytes))
    return status


def from_rpc_error(failed: aio.AioRpcError, peer: str) -> errors.AnamnesisError:
    """The error that `peer` raised; what the transport made up is a fault of the peer."""
    status = _status_of(failed)
    info = _error_info(status) if status else None
    if status is None or info is None:
        return _of_transport(failed.code(), failed.details() or "", peer)
    return _rebuilt(failed.code(), status, info)


def _code_of_class(cls: type[errors.AnamnesisError]) -> StatusCode:
    for ancestor in cls.__mro__:
        if issubclass(ancestor, errors.AnamnesisError) and ancestor in CODES:
            return CODES[ancestor]
    return StatusCode.INTERNAL


def _cut(text: str, chars_max: int) -> str:
    return text if len(text) <= chars_max else text[: chars_max - 1] + "…"


def _bad_request(
    violations: tuple[errors.FieldViolation, ...], room_bytes: int
) -> error_details_pb2.BadRequest:
    """The violations that there is room for; the last one then counts those left out."""
    bad = error_details_pb2.BadRequest()
    for position, violation in enumerate(violations):
        bad.field_violations.add(
            field=_cut(violation.field, _METADATA_CHARS_MAX),
            description=_cut(violation.description, _MESSAGE_CHARS_MAX),
        )
        if bad.ByteSize() > room_bytes and position:
            del bad.field_violations[-1]
            rest = len(violations) - position
            bad.field_violations[-1].description += f" (and {rest} more violations)"
            break
    return bad


def _retry_info(retry_after_s: float) -> error_details_pb2.RetryInfo:
    delay = duration_pb2.Duration()
    delay.FromMilliseconds(int(retry_after_s * 1000))
    return error_details_pb2.RetryInfo(retry_delay=delay)


def _status_of(failed: aio.AioRpcError) -> status_pb2.Status | None:
    try:
        return rpc_status.from_call(failed)  # type: ignore[arg-type]  # takes aio's errors too
    except ValueError:  # the details contradict the code: a proxy rewrote one of them
        return None


def _error_info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo | None:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def _of_transport(code: StatusCode, details: str, peer: str) -> errors.AnamnesisError:
    """The error for an answer without our ErrorInfo, from the transport or a proxy."""
    metadata = {"peer": peer}
    match code:
        case StatusCode.UNAVAILABLE | StatusCode.CANCELLED:
            return errors.PeerUnavailable(f"{peer} does not answer: {details}", metadata=metadata)
        case StatusCode.DEADLINE_EXCEEDED:
            return errors.DeadlineExceeded(
                f"{peer} did not answer in time", metadata={"waiting_for": peer}
            )
        case StatusCode.RESOURCE_EXHAUSTED:
            return errors.ResourceExhausted(
                f"{peer} refused the message: {details}", reason="TOO_LARGE", metadata=metadata
            )
        case StatusCode.UNIMPLEMENTED:
            return errors.Unimplemented(f"{peer} does not know the rpc", metadata=metadata)
        case _:
            return errors.Internal(f"{peer} answered {code.name} without a reason")


def _rebuilt(
    code: StatusCode, status: status_pb2.Status, info: error_details_pb2.ErrorInfo
) -> errors.AnamnesisError:
    """The error in its class and with its contents, without running the class's constructor."""
    general = _CLASSES.get(code, errors.Internal)
    cls = _by_reason(general).get(info.reason, general)
    error = cls.__new__(cls)
    errors.AnamnesisError.__init__(
        error, status.message, reason=info.reason or "INTERNAL", metadata=dict(info.metadata)
    )
    if isinstance(error, errors.InvalidArgument):
        error.violations = _violations(status)
    if isinstance(error, errors.ResourceExhausted | errors.Unavailable):
        error.retry_after_s = _retry_after_s(status)
    return error


def _by_reason(general: type[errors.AnamnesisError]) -> dict[str, type[errors.AnamnesisError]]:
    return {
        cls.reason: cls
        for child in general.__subclasses__()
        for cls in (child, *child.__subclasses__())
        if cls.reason != general.reason
    }


def _violations(status: status_pb2.Status) -> tuple[errors.FieldViolation, ...]:
    for detail in status.details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            return tuple(
                errors.FieldViolation(v.field, v.description) for v in bad.field_violations
            )
    return ()


def _retry_after_s(status: status_pb2.Status) -> float:
    for detail in status.details:
        info = error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            return float(info.retry_delay.ToMilliseconds() / 1000)
    return 0.0
