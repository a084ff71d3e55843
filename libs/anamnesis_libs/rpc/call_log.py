"""The log line of a call: at which level it is told, and what may be told of its sender."""

import logging
import re

import grpc
from google.protobuf.message import Message
from grpc import aio

from anamnesis_libs.rpc.admission.rights import RIGHTS, Right

HTTP_PEER = "anamnesis-http-peer"
"""Metadata with the host of a caller over HTTP; heeded only of this machine's own sockets."""
Context = aio.ServicerContext[Message, Message]
_UNIX = "unix"
_NAMESPACE = "namespace"
_NAMESPACE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_HEADER = "header"
_REQUEST_ID = "request_id"
_REQUEST_ID_SHAPE = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_READ_ALONE = re.compile(r"/(?:Get|List|Verify|Export)[A-Za-z]{0,60}$")


def level_of(method: str, code: grpc.StatusCode) -> int:
    """`info` for what failed, writes or deletes; `debug` for reads and what services do."""
    right = RIGHTS.get(method)
    quiet = right in (Right.READ, Right.WORK) or _READ_ALONE.search(method) is not None
    return logging.DEBUG if quiet and code is grpc.StatusCode.OK else logging.INFO


def host_of(peer: str) -> str:
    """The host of a peer as gRPC names it: of `ipv4:HOST:PORT` the host, else `unix`."""
    kind, _, place = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind
    return place.rpartition(":")[0].replace("%5B", "").replace("%5D", "").strip("[]")


def host_of_call(context: Context) -> str:
    """The host that a call comes from; of one that was handed on from HTTP, its caller's."""
    host = host_of(context.peer())
    handed_on = dict(context.invocation_metadata() or ()).get(HTTP_PEER) if host == _UNIX else None
    return str(handed_on or host)


def namespace_of(request: Message) -> str:
    """The namespace a request names, itself or in the header that opens a stream.

    Empty where that is no name: what somebody wrote there instead is not for the log.
    """
    return _field(request, _NAMESPACE, _NAMESPACE_NAME)


def request_id_of(request: Message) -> str:
    """The id that a request has for its repetitions; empty where it has none like an id."""
    return _field(request, _REQUEST_ID, _REQUEST_ID_SHAPE)


def _field(request: Message, name: str, shape: re.Pattern[str]) -> str:
    fields = request.DESCRIPTOR.fields_by_name
    if name in fields:
        told = str(getattr(request, name))
        return told if shape.fullmatch(told) else ""
    if _HEADER in fields and request.HasField(_HEADER):
        return _field(getattr(request, _HEADER), name, shape)
    return ""
