"""The bytes of a stream behind its header: a good line, and lines that nobody should send."""

import random
from collections.abc import Sequence

_GOOD = b'{"role": "user", "content": "copper", "timestamp": "2026-03-02T09:00:00Z"}\n'
_DEEP = 50_000
_ODD: Sequence[bytes] = (
    b"[" * _DEEP,
    b'{"role":' * _DEEP,
    b'{"role": "user", "content": ' + b"[" * _DEEP + b"]" * _DEEP + b"}\n",
    b'{"role": "user", "content": "\\ud800"}\n',
    b'{"role": "user", "content": "a\xed\xa0\x80b"}\n',
    b'{"role": "\\ud800", "content": "a", "name": "\\udfff"}\n',
    b'{"role": "user", "content": "a", "timestamp": "99999-01-01T00:00:00Z"}\n',
    b'{"role": "user", "content": "a", "timestamp": 1e308}\n',
    b'{"role": "user", "content": "a", "timestamp": -1000000000000000000}\n',
    b'{"role": "user", "content": "a", "timestamp": NaN}\n',
    b'{"role": "user", "content": "a", "timestamp": "0001-01-01T00:00:00+23:59"}\n',
    b'{"role": "user", "content": "a", "timestamp": "9999-12-31T23:59:59-23:59"}\n',
    b'{"role": "user", "content": "a", "index": ' + b"9" * 5_000 + b"}\n",
    b'{"role": ["user"], "content": {"type": "text"}, "tool_calls": "x"}\n',
    b'{"role": "assistant", "content": null, "tool_calls": [{"function": {"arguments": [1]}}]}\n',
    b'{"type": "user", "message": {"role": "user", "content": [[]]}, "uuid": 5}\n',
    b'{"type": "summary", "summary": {}}\n{"type": "system"}\n',
    b'{"messages": [null, 5, {"role": "user"}]}\n',
    b"\xff\xfe\x00\x00",
    b"\x00" * 1_000,
    b"PK\x03\x04" + bytes(range(256)),
    b"\n" * 10_000,
    b"null\ntrue\n5\n" * 500,
    b'{"a":' + b'"x' * 20_000,
    b"# a\n" + b"- " * 20_000,
    b"| a |\n" * 5_000 + b"```\n" * 999,
)


def file_bytes(chance: random.Random) -> bytes:
    """The bytes of a file, some of them good."""
    if chance.random() < 0.2:
        return _GOOD
    parts = chance.choices((_GOOD, *_ODD), k=chance.choice((1, 1, 2, 4)))
    whole = b"".join(parts)
    return whole if chance.random() < 0.8 else whole[: chance.randrange(len(whole))]
