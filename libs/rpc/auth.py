"""API keys: who may call. `authorization: Bearer KEY` on every call, unless no keys are set."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from libs.errors import SetupInvalid, Unauthenticated
from libs.rpc.access import Agent

KEY_CHARS_MIN = 16
_HEADER = "authorization"
_SCHEME = "bearer "
_PINS = {"agent": "agent_id", "user": "user_id"}


def read_keys(path: Path, setting: str) -> tuple[str, ...]:
    """The keys of a file: one a line; empty lines and lines beginning with # are left out."""
    keys = tuple(_lines(path, setting))
    if not keys or not all(map(_is_key, keys)):
        raise SetupInvalid(
            f"{setting}: {path} must hold one key a line, each of at least {KEY_CHARS_MIN} "
            "ASCII characters; `openssl rand -hex 32` makes one"
        )
    return keys


def read_agent_keys(path: Path, setting: str) -> Mapping[str, Agent]:
    """The agents' keys of a file: `KEY`, or `KEY agent=NAME user=NAME`, one a line.

    `*` as a name is any. A line that names only one of the two may name none of the other.

    Raises:
        SetupInvalid: the file cannot be read, or a line is none of these; it is named by its
            place, as a line holds a key.
    """
    agents: dict[str, Agent] = {}
    for place, line in enumerate(_lines(path, setting), start=1):
        key, *pins = line.split()
        named = dict(pin.partition("=")[::2] for pin in pins)
        known = len(named) == len(pins) and named.keys() <= _PINS.keys() and all(named.values())
        if not _is_key(key) or not known or key in agents:
            raise SetupInvalid(
                f"{setting}: key {place} of {path} must be a new key of at least {KEY_CHARS_MIN} "
                "ASCII characters, alone or as `KEY agent=NAME user=NAME`"
            )
        agents[key] = _agent(named)
    if not agents:
        raise SetupInvalid(f"{setting}: {path} holds no key; leave the setting out, or add one")
    return agents


class KeyRing:
    """The accepted keys, kept as digests; an empty ring accepts every call."""

    def __init__(self, keys: Iterable[str], agents: Mapping[str, Agent] | None = None) -> None:
        held: list[tuple[str, Agent | None]] = [(key, None) for key in keys]
        held += (agents or {}).items()
        self._held = tuple((_digest(key), agent) for key, agent in held)

    def check(self, metadata: Sequence[tuple[str, str | bytes]]) -> Agent | None:
        """Who calls: an agent, or None for an operator.

        A call without an accepted key is refused in a time that says nothing about the keys.

        Raises:
            Unauthenticated: no key, or one that is not known.
        """
        if not self._held:
            return None
        given = _digest(_presented(metadata))
        matches = [agent for digest, agent in self._held if hmac.compare_digest(given, digest)]
        if not matches:
            raise Unauthenticated(
                "no API key, or one that is not known; send it as 'authorization: Bearer KEY'"
            )
        return matches[0]


def _lines(path: Path, setting: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise SetupInvalid(f"{setting}: {path} cannot be read: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _is_key(text: str) -> bool:
    return len(text) >= KEY_CHARS_MIN and text.isascii()


def _agent(named: Mapping[str, str]) -> Agent:
    return Agent(**{_PINS[pin]: name for pin, name in _completed(named).items()})


def _completed(named: Mapping[str, str]) -> Mapping[str, str]:
    """What a line says nothing of is nobody, unless it says nothing at all."""
    return {pin: named.get(pin, "") for pin in _PINS} if named else {}


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _presented(metadata: Sequence[tuple[str, str | bytes]]) -> str:
    for name, value in metadata:
        if name == _HEADER and isinstance(value, str) and value.lower().startswith(_SCHEME):
            return value[len(_SCHEME) :].strip()
    return ""
