"""Bytes that are no message of their rpc: read as a mark that the error edge refuses.

gRPC answers UNKNOWN, with the parser's words, where a deserializer raises, before any handler
runs. A deserializer of here raises nothing; what it could not read is found by `check_decoded`.
"""

from collections.abc import Callable
from typing import TypeAlias

from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError, Message

from anamnesis_libs.errors import InvalidArgument, invalid_field

Deserializer: TypeAlias = Callable[[bytes], Message]

_UNDECODABLE = Empty()


def marking(deserialize: Deserializer | None) -> Deserializer | None:
    """A deserializer that gives the mark for what is no message."""
    if deserialize is None:
        return None

    def read(body: bytes) -> Message:
        try:
            return deserialize(body)
        except DecodeError:
            return _UNDECODABLE

    return read


def check_decoded(request: Message) -> None:
    """Refuse the mark.

    Raises:
        InvalidArgument: the bytes were no message of this rpc.
    """
    if request is _UNDECODABLE:
        raise undecodable()


def undecodable() -> InvalidArgument:
    """The refusal of bytes that are no message of their rpc."""
    return invalid_field(
        "(request)",
        "its bytes are no message of this rpc: they are damaged, hold text that is not "
        "UTF-8, or nest deeper than 100 messages",
    )
