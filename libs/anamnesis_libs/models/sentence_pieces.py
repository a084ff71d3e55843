"""A tokenizer out of a SentencePiece model file, which is a protobuf message.

Only what a unigram tokenizer needs is read: the pieces with their scores (field 1), and the table
of characters to normalise (field 2 of field 3, where the files of 2018 have it).
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


class _Field(NamedTuple):
    """A field of a message; numbers are passed over, their content is empty."""

    number: int
    content: bytes


def tokenizer_of(model: bytes) -> Tokenizer:
    """The tokenizer of a model file whose unknown piece is the first.

    Raises:
        ValueError: the file is not one of SentencePiece.
    """
    pieces, characters = [], b""
    for field in _fields(model):
        if field.number == 1:
            pieces.append(_piece(field.content))
        elif field.number == 3:
            characters = next(one.content for one in _fields(field.content) if one.number == 2)
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(characters),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return tokenizer


def _piece(message: bytes) -> tuple[str, float]:
    text, score = "", 0.0
    for field in _fields(message):
        if field.number == 1:
            text = field.content.decode()
        elif field.number == 2:
            (score,) = struct.unpack("<f", field.content)
    return text, score


def _fields(message: bytes) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind, size = tag & 7, 0
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"a field of kind {kind}")
        yield _Field(tag >> 3, message[at : at + size])
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
