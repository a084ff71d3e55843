"""A failed gRPC call as an error of the Connect protocol, its details in readable JSON beside."""

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import any_pb2, json_format
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status
from protobuf import wkt

DETAILS = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
)
"""The kinds of details that errors of the suite have."""


class ReadableDetail(ErrorDetail):
    """A detail that is also written as JSON, under `debug`."""

    def __init__(self, detail: any_pb2.Any) -> None:
        super().__init__(wkt.Any(type_url=detail.type_url, value=detail.value))
        self._message = _readable(detail)


def connect_error(failed: aio.AioRpcError) -> ConnectError:
    """The same code, message and details."""
    code = Code(failed.code().name.lower().replace("cancelled", "canceled"))
    return ConnectError(
        code, failed.details() or "", [ReadableDetail(one) for one in _details(failed)]
    )


def _details(failed: aio.AioRpcError) -> list[any_pb2.Any]:
    try:
        status = rpc_status.from_call(failed)  # type: ignore[arg-type]  # takes aio's errors too
    except ValueError:  # the details contradict the code
        return []
    return list(status.details) if status else []


def _readable(detail: any_pb2.Any) -> wkt.Struct | None:
    """The fields of a detail as a JSON object; none of a kind that is not known here."""
    for kind in DETAILS:
        message = kind()
        if detail.Unpack(message):
            return wkt.Struct.from_json(json_format.MessageToJson(message))
    return None
