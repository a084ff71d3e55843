"""API keys: who may call. `authorization: Bearer KEY` on every call, unless no keys are set."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from libs.errors import SetupInvalid, Unauthenticated
from libs.rpc.access import Agent
from libs.rpc.rights import AGENT_RIGHTS, KEY_RIGHTS, Right

KEY_CHARS_MIN = 16
KEY_DIFFERENT_MIN = 6
"""Of so many characters a key is made at least: one that repeats a few is no secret."""
_HEADER = "authorization"
_SCHEME = "bearer "
_PINS = {"agent": "agent_id", "user": "user_id"}
_LISTS = ("namespaces", "rights")
_FORM = "KEY agent=NAME user=NAME namespaces=NAME,NAME rights=read,write,destroy"


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
    """The agents' keys of a file, one a line: a key, and what it may do.

    `agent=NAME` and `user=NAME` say whom it may name: `*` is any, and a line with only one of them
    may name none of the other. `namespaces=NAME,NAME` are those it opens, else all; `rights=` what
    it may do there of read, write, destroy and operate, else the first three.

    Raises:
        SetupInvalid: the file cannot be read, or a line is none of these; it is named by its
            place, as a line holds a key.
    """
    agents: dict[str, Agent] = {}
    for place, line in enumerate(_lines(path, setting), start=1):
        key, *words = line.split()
        agent = _agent(words)
        if not _is_key(key) or agent is None or key in agents:
            raise SetupInvalid(
                f"{setting}: key {place} of {path} must be a new key of at least {KEY_CHARS_MIN} "
                f"ASCII characters, alone or as `{_FORM}`"
            )
        agents[key] = agent
    if not agents:
        raise SetupInvalid(f"{setting}: {path} holds no key; leave the setting out, or add one")
    return agents


class KeyRing:
    """The accepted keys, kept as digests; an empty ring accepts every call."""

    def __init__(self, keys: Iterable[str], agents: Mapping[str, Agent] | None = None) -> None:
        held: list[tuple[str, Agent | None]] = [(key, None) for key in keys]
        held += (agents or {}).items()
        self.held = tuple((_digest(key), agent) for key, agent in held)
        self._own = self.held[:1]

    def renew(self, read: "KeyRing") -> None:
        """Accept what was read anew from now on, and what these services call each other with.

        That is the first operator's key, which they hold until they are started again.
        """
        self.held = tuple(dict.fromkeys((*read.held, *self._own)))

    def check(self, metadata: Sequence[tuple[str, str | bytes]]) -> Agent | None:
        """Who calls: an agent, or None for an operator.

        A call without an accepted key is refused in a time that says nothing about the keys.

        Raises:
            Unauthenticated: no key, or one that is not known.
        """
        if not self.held:
            return None
        given = _digest(_presented(metadata))
        matches = [agent for digest, agent in self.held if hmac.compare_digest(given, digest)]
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
    return [said for line in lines if (said := line.strip()) and not said.startswith("#")]


def _is_key(text: str) -> bool:
    """Long enough, and no line of a comment or of one letter."""
    long = len(text) >= KEY_CHARS_MIN and len(set(text)) >= KEY_DIFFERENT_MIN
    return long and text.isascii() and not text.startswith("#")


def _agent(words: Sequence[str]) -> Agent | None:
    """What a line says behind its key; None where it is not as it should be."""
    said = dict(word.partition("=")[::2] for word in words)
    if len(said) < len(words) or not said.keys() <= {*_PINS, *_LISTS} or not all(said.values()):
        return None
    rights = frozenset(said.get("rights", ",".join(AGENT_RIGHTS)).split(","))
    if not rights <= KEY_RIGHTS:
        return None
    named = {pin: said[pin] for pin in _PINS if pin in said}
    # what a line says nothing of is nobody, unless it names nobody at all
    whom = {field: named.get(pin, "") for pin, field in _PINS.items()} if named else {}
    return Agent(
        **whom,
        namespaces=frozenset(said["namespaces"].split(","))
        if "namespaces" in said
        else frozenset(),
        rights=frozenset(map(Right, rights)),
    )


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _presented(metadata: Sequence[tuple[str, str | bytes]]) -> str:
    for name, value in metadata:
        if name == _HEADER and isinstance(value, str) and value.lower().startswith(_SCHEME):
            return value[len(_SCHEME) :].strip()
    return ""
