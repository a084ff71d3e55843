"""Documents by name: how a name is one in its scope, and how a path is kept."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_of

_DIGEST_BYTES = 16
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a document in its scope."""

    path: tuple[str, ...]
    key: str

    def digest_in(self, scope: str) -> bytes:
        """The digest by which a store finds the document of this name in a scope."""
        told = json.dumps(["document", scope, self.path, self.key])
        return hashlib.sha256(told.encode()).digest()[:_DIGEST_BYTES]


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """The documents of one scope whose paths begin with some segments."""

    scope: str
    prefix: tuple[str, ...] = ()


def document_digest(memory: Memory, document: JsonDocument) -> bytes:
    """The digest by which a store finds a document."""
    return Name(document.path, document.key).digest_in(scope_of(memory))


def packed_path(path: Sequence[str]) -> str:
    """A path as text: each segment is ended, so that what begins alike begins with whole segments.

    Segments hold no control characters, so texts sort as their paths do.
    """
    return "".join(f"{segment}{_SEPARATOR}" for segment in path)


def unpacked_path(packed: str) -> tuple[str, ...]:
    """The path that a text was made of."""
    return tuple(packed.split(_SEPARATOR)[:-1])
