"""A failed gRPC call as an error of the Connect protocol, its details in readable JSON beside."""

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import any_pb2, json_format
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode, aio
from grpc_status import rpc_status
from protobuf import wkt

DETAILS = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
)
"""The kinds of details that errors of the suite have."""
_CODES = {
    code.value[0]: Code(code.name.lower().replace("cancelled", "canceled"))
    for code in StatusCode
    if code is not StatusCode.OK
}


class ReadableDetail(ErrorDetail):
    """A detail that is also written as JSON, under `debug`."""

    def __init__(self, detail: any_pb2.Any) -> None:
        super().__init__(wkt.Any(type_url=detail.type_url, value=detail.value))
        self._message = _readable(detail)


def connect_error(status: status_pb2.Status) -> ConnectError:
    """The same code, message and details."""
    return ConnectError(
        _CODES[status.code], status.message, [ReadableDetail(one) for one in status.details]
    )


def of_call(failed: aio.AioRpcError) -> ConnectError:
    """The error of a call that failed."""
    try:
        status = rpc_status.from_call(failed)  # type: ignore[arg-type]  # takes aio's errors too
    except ValueError:  # the details contradict the code
        status = None
    code: int = failed.code().value[0]
    return connect_error(status or status_pb2.Status(code=code, message=failed.details() or ""))


def _readable(detail: any_pb2.Any) -> wkt.Struct | None:
    """The fields of a detail as a JSON object; none of a kind that is not known here."""
    for kind in DETAILS:
        message = kind()
        if detail.Unpack(message):
            return wkt.Struct.from_json(json_format.MessageToJson(message))
    return None
