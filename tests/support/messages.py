"""Protobuf messages from keywords that are only known when a test runs."""

from typing import TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)


def made(message: type[M], /, **fields: object) -> M:
    """A message with these fields."""
    return message(**fields)
