"""Files of API keys: one a line, in plain or as a digest, with what an agent's key may do.

A line of digest, `sha256:HEX`, is as good as the key for whoever checks, and of no use to whoever
reads the file; `anamnesis key` makes both.
"""

import hashlib
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.rpc.admission.principal import Limits, Principal
from anamnesis_libs.rpc.admission.rights import AGENT_RIGHTS, KEY_RIGHTS, Right

KEY_CHARS_MIN = 16
KEY_DIFFERENT_MIN = 6
"""Of so many characters a key is made at least: one that repeats a few is no secret."""
NAME_CHARS = 12
"""So much of a key's digest is its principal's name, which says nothing of the key."""
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_PINS = {"agent": "agent_id", "user": "user_id"}
_LISTS = ("namespaces", "rights")
_LIMITS = ("calls_per_s", "calls_at_once", "mib_per_day")
LINE_FORM = "KEY agent=NAME user=NAME namespaces=NAME,NAME rights=read,write,destroy calls_per_s=N"


def digest_of(key: str) -> bytes:
    """SHA-256 of a key; keys are long and random, so that nothing slower is needed."""
    return hashlib.sha256(key.encode()).digest()


def digest_line(key: str) -> str:
    """A key as it stands at rest."""
    return f"sha256:{digest_of(key).hex()}"


def may_stand_behind_a_key(words: Sequence[str]) -> bool:
    """True if a line of an agent's key may go on with these words."""
    return _principal(words, b"") is not None


def plain_key(path: Path, setting: str) -> str:
    """The first key of a file, to be sent.

    Raises:
        SetupInvalid: the file cannot be read, others may read it, or it holds no key in plain.
    """
    keys = _lines(path, setting)
    if not keys or not _is_key(keys[0]):
        raise SetupInvalid(
            f"{setting}: {path} must begin with a key of at least {KEY_CHARS_MIN} ASCII "
            "characters, in plain, as it is to be sent; `anamnesis key` makes one"
        )
    return keys[0]


def read_operators(path: Path, setting: str) -> tuple[bytes, ...]:
    """The digests of a file of keys without limits: one a line, in plain or as a digest.

    Raises:
        SetupInvalid: the file cannot be read, others may read it, or a line is no key.
    """
    digests = [_digest(line) for line in _lines(path, setting)]
    known = [digest for digest in digests if digest is not None]
    if not known or len(known) < len(digests):
        raise SetupInvalid(
            f"{setting}: {path} must hold one key a line, each of at least {KEY_CHARS_MIN} "
            "ASCII characters or `sha256:` and its digest; `anamnesis key` makes both"
        )
    return tuple(known)


def read_agents(path: Path, setting: str) -> Mapping[bytes, Principal]:
    """The agents' keys of a file by their digests, one a line: a key, and what it may do.

    `agent=NAME` and `user=NAME` say whom it may name: `*` is any, and a line with only one of them
    may name none of the other. `namespaces=NAME,NAME` are those it opens, else all; `rights=` what
    it may do there of read, write, destroy, operate and work, else the first three. `calls_per_s=`,
    `calls_at_once=` and `mib_per_day=` are limits of its own.

    Raises:
        SetupInvalid: the file cannot be read, others may read it, or a line is none of these; it
            is named by its place, as a line holds a key.
    """
    agents: dict[bytes, Principal] = {}
    for place, line in enumerate(_lines(path, setting), start=1):
        key, *words = line.split()
        digest = _digest(key)
        principal = _principal(words, digest or b"")
        if digest is None or principal is None or digest in agents:
            raise SetupInvalid(
                f"{setting}: key {place} of {path} must be a new key of at least {KEY_CHARS_MIN} "
                f"ASCII characters or its digest, alone or as `{LINE_FORM}`"
            )
        agents[digest] = principal
    if not agents:
        raise SetupInvalid(f"{setting}: {path} holds no key; leave the setting out, or add one")
    return agents


def _lines(path: Path, setting: str) -> list[str]:
    """The lines of a file that only its owner reads, without comments."""
    try:
        with path.open(encoding="utf-8") as file:
            _refuse_open(os.fstat(file.fileno()), path, setting)
            lines = file.read().splitlines()
    except (OSError, UnicodeError) as error:
        raise SetupInvalid(f"{setting}: {path} cannot be read: {error}") from error
    return [said for line in lines if (said := line.strip()) and not said.startswith("#")]


def _refuse_open(file: os.stat_result, path: Path, setting: str) -> None:
    """Refuse a file of keys that others than its owner read; the group may, if another owns it.

    That is how Kubernetes mounts a secret for a process that is not root.
    """
    shut = stat.S_IRWXO | stat.S_IWGRP
    if file.st_uid == os.geteuid():
        shut |= stat.S_IRWXG
    if file.st_mode & shut:
        mode = stat.S_IMODE(file.st_mode)
        raise SetupInvalid(
            f"{setting}: {path} has mode {mode:04o}, and others may read keys there or change "
            f"them: chmod 600 {path}"
        )


def _digest(word: str) -> bytes | None:
    """The digest that a line names, or that of its key; None where it is neither."""
    if named := _DIGEST.fullmatch(word):
        return bytes.fromhex(named[1])
    return digest_of(word) if _is_key(word) else None


def _is_key(text: str) -> bool:
    """Long enough, and no line of a comment or of one letter."""
    long = len(text) >= KEY_CHARS_MIN and len(set(text)) >= KEY_DIFFERENT_MIN
    return long and text.isascii() and not text.startswith(("#", "sha256:"))


def _principal(words: Sequence[str], digest: bytes) -> Principal | None:
    """The principal that a line names behind its key; None if the line is malformed."""
    said = dict(word.partition("=")[::2] for word in words)
    if len(said) < len(words) or not said.keys() <= {*_PINS, *_LISTS, *_LIMITS}:
        return None
    rights = frozenset(said.get("rights", ",".join(AGENT_RIGHTS)).split(","))
    namespaces = frozenset(said["namespaces"].split(",")) if "namespaces" in said else frozenset()
    limits = _limits(said)
    if limits is None or not all(said.values()) or not rights <= KEY_RIGHTS or "" in namespaces:
        return None
    named = {pin: said[pin] for pin in _PINS if pin in said}
    # what a line says nothing of is nobody, unless it names nobody at all
    whom = {field: named.get(pin, "") for pin, field in _PINS.items()} if named else {}
    return Principal(
        **whom,
        namespaces=namespaces,
        rights=frozenset(map(Right, rights)),
        limits=limits,
        name=digest.hex()[:NAME_CHARS],
    )


def _limits(said: Mapping[str, str]) -> Limits | None:
    """The limits of a line, whole numbers above zero; None where one is not."""
    given = {name: said[name] for name in _LIMITS if name in said}
    if not all(value.isascii() and value.isdigit() and int(value) for value in given.values()):
        return None
    return Limits(**{name: int(value) for name, value in given.items()})
