"""Hostile values, put into messages by their descriptors and into trees of JSON."""

import math
import random
from collections.abc import Callable, Iterator, Sequence

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from benchmarks.hostile.contracts import fields_of, is_map
from benchmarks.hostile.files import file_bytes

INTS = (
    *(-1, 1, 2**31 - 1, -(2**31), 2**32 - 1, 2**53 + 1, 2**63 - 1, -(2**63), 2**64 - 1),
    *(10**18, -(10**18), 253_402_300_800, 253_402_300_799, -62_135_596_801, 10_000_000),
)
FLOATS = (math.nan, math.inf, -math.inf, -0.0, 1e308, -1e308, 5e-324, 1.0000001, -1.0)
STRANGE = (
    *("", " ", "\x00", "a\x00b", "\x1f", "\x7f", "\n", "\r\n", "\u202e", "\ufeff", "\ufffd"),
    *("\u241f", "\u2028", "\U0010ffff", "e\u0301", "İ", "ß", "ﬀ", "%s%n", "{0}", "../../etc"),
    *("' OR 1=1 --", '"', "\\", "*", "NEAR(", "a" * 64, "a" * 257, "x" * 5000, "-" * 4097),
    *("NaN", "inf", "1e999", "9" * 400, "-1", "0", "١٢٣", "1_000", " 5", "0x10", "⁵", "null"),
    *(
        "[" * 9000,
        "{" * 9000,
        '{"a":' * 5000,
        '{"a":NaN}',
        '{"a":1e999}',
        '"\\ud800"',
        "\U0001f600" * 40,
    ),
)
LARGE = ("word " * 60_000, "é" * 300_000, "x" * 1_100_000, "\n" * 200_000)
REPEATS = (0, 2, 17, 300, 5_000)
DEPTH = 90
_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64),
}
_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)
_LARGE_SHARE = 0.01
_FILE_SHARE = 0.05
_LEFT_OUT = 0.06


def mutate(message: Message, chance: random.Random) -> str:
    """Change one field anywhere in a message; answers which."""
    places = [*_places(message)]
    holder, field, path = chance.choice(places)
    if (
        field.message_type is not None and field.message_type.GetOptions().map_entry
    ) or chance.random() < 0.06:
        holder.ClearField(field.name)
    elif field.is_repeated:
        _repeat(holder, field, chance)
    elif field.message_type is not None:
        _strange_part(getattr(holder, field.name), chance)
    else:
        setattr(holder, field.name, _strange(field, chance, getattr(holder, field.name)))
    return path


def _places(message: Message, path: str = "") -> Iterator[tuple[Message, FieldDescriptor, str]]:
    """Every field of a message and of the messages that are set in it."""
    for field in fields_of(message):
        yield message, field, path + field.name
        if field.message_type is None or is_map(field):
            continue
        held = getattr(message, field.name)
        if field.is_repeated:
            for index, item in enumerate(held):
                yield from _places(item, f"{path}{field.name}[{index}].")
        elif message.HasField(field.name):
            yield from _places(held, f"{path}{field.name}.")


def _repeat(holder: Message, field: FieldDescriptor, chance: random.Random) -> None:
    held = getattr(holder, field.name)
    if field.message_type is None:
        value = _strange(field, chance, "")
        times = chance.choice(REPEATS if len(str(value)) < 1000 else REPEATS[:2])
        held.extend([value] * times)
        return
    example = held[0] if held else held.add()
    if chance.random() < 0.3:
        held.add()
    held.extend([example] * chance.choice(REPEATS[:4]))


def _strange_part(part: Message, chance: random.Random) -> None:
    part.SetInParent()
    if isinstance(part, Struct):
        inner = part
        for _ in range(DEPTH):
            inner = inner.get_or_create_struct("a")
        return
    for field in fields_of(part):
        if field.message_type is None and not field.is_repeated:
            setattr(part, field.name, _strange(field, chance, ""))


def _strange(field: FieldDescriptor, chance: random.Random, before: object) -> object:
    if field.enum_type is not None:
        return chance.choice((-1, 0, 1, 7, 99, 2**31 - 1, -(2**31)))
    if field.cpp_type in _INTEGERS:
        low, high = _INTEGERS[field.cpp_type]
        return chance.choice([0, *(value for value in INTS if low <= value < high)])
    if field.cpp_type in _FLOATS:
        return chance.choice(FLOATS)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return True
    if field.type == FieldDescriptor.TYPE_BYTES:
        return file_bytes(chance)
    return strange_text(chance, str(before))


def strange_text(chance: random.Random, before: str) -> str:
    """A text that nobody means, or one that looks like another."""
    if chance.random() < _LARGE_SHARE:
        return chance.choice(LARGE)
    if before and chance.random() < 0.4:
        return chance.choice(_LIKE)(before)
    if chance.random() < _FILE_SHARE:
        return file_bytes(chance).decode(errors="replace")
    return chance.choice(STRANGE)


_LIKE: Sequence[Callable[[str], str]] = (
    lambda text: text[:-1],
    lambda text: text + text[-1],
    lambda text: text.swapcase(),
    lambda text: text.replace("a", "а").replace("e", "е").replace("o", "о"),
    lambda text: f" {text}",
    lambda text: f"{text}\x00",
    lambda text: text[::-1],
    lambda text: text.replace("-", "_"),
)


def broken_bytes(whole: bytes, chance: random.Random) -> bytes:
    """Bytes that are no message any more, or hardly."""
    match chance.randrange(5):
        case 0:
            return chance.randbytes(chance.randint(1, 60))
        case 1:
            return whole[: chance.randint(0, max(len(whole) - 1, 0))] + b"\x0a"
        case 2:
            return whole + b"\xff" * chance.randint(1, 12)
        case 3:
            return b"\x0b" * chance.randint(1, 2000)
        case _:
            changed = bytearray(whole or b"\x0a\x03ab")
            for _ in range(3):
                changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
            return bytes(changed)
