"""Messages as bytes and as JSON; what is no message of its rpc has the suite's own reason."""

from typing import TypeVar

from connectrpc.codec import Codec
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from anamnesis_libs.errors import invalid_field
from anamnesis_libs.http.failures import connect_error
from anamnesis_libs.http.offsets import fill_offsets
from anamnesis_libs.http.unread import Unread, unread
from anamnesis_libs.rpc.decoding import undecodable
from anamnesis_libs.rpc.status import to_status

M = TypeVar("M", bound=Message)


class Binary(Codec[Message, M]):
    """Messages as gRPC has them."""

    def name(self) -> str:
        """Its name in content types."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """The bytes of a message."""
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        """The message of some bytes.

        Raises:
            ConnectError: they are none of the rpc.
        """
        try:
            return message_class.FromString(bytes(data))
        except DecodeError as error:
            raise connect_error(to_status(undecodable())) from error


class Json(Codec[Message, M]):
    """Messages in the JSON of protocol buffers; a field that no message has is refused."""

    def name(self) -> str:
        """Its name in content types."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """The JSON of a message, in lines for people."""
        return json_format.MessageToJson(message, ensure_ascii=False).encode()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        """The message of a JSON object.

        Raises:
            ConnectError: it is none of the rpc; the message says at which field.
        """
        message = message_class()
        try:
            json_format.Parse(bytes(data), message)
            fill_offsets(message, bytes(data))
        except (json_format.ParseError, UnicodeDecodeError) as error:
            fault = unread(bytes(data), message.DESCRIPTOR.full_name) or Unread(
                "(request)", str(error)
            )
            raise connect_error(to_status(invalid_field(*fault))) from error
        return message
