"""API keys: who may call. `authorization: Bearer KEY` on every call, unless no keys are set."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from pathlib import Path

from libs.errors import SetupInvalid, Unauthenticated

KEY_CHARS_MIN = 16
_HEADER = "authorization"
_SCHEME = "bearer "


def read_keys(path: Path, setting: str) -> tuple[str, ...]:
    """The keys of a file: one a line; empty lines and lines beginning with # are left out."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise SetupInvalid(f"{setting}: {path} cannot be read: {error}") from error
    keys = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not keys or any(len(key) < KEY_CHARS_MIN or not key.isascii() for key in keys):
        raise SetupInvalid(
            f"{setting}: {path} must hold one key a line, each of at least {KEY_CHARS_MIN} "
            "ASCII characters; `openssl rand -hex 32` makes one"
        )
    return keys


class KeyRing:
    """The accepted keys, kept as digests; an empty ring accepts every call."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._digests = tuple(_digest(key) for key in keys)

    def check(self, metadata: Sequence[tuple[str, str | bytes]]) -> None:
        """Refuses a call without an accepted key, in a time that says nothing about the keys."""
        if not self._digests:
            return
        given = _digest(_presented(metadata))
        matches = [hmac.compare_digest(given, digest) for digest in self._digests]
        if not any(matches):
            raise Unauthenticated(
                "no API key, or one that is not known; send it as 'authorization: Bearer KEY'"
            )


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _presented(metadata: Sequence[tuple[str, str | bytes]]) -> str:
    for name, value in metadata:
        if name == _HEADER and isinstance(value, str) and value.lower().startswith(_SCHEME):
            return value[len(_SCHEME) :].strip()
    return ""
