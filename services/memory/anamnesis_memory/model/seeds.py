"""Seeds: what a namespace was given by another, as recorded beside the copies.

A seed is a document a source and audience: everybody, or one agent. It holds for each copy what it
was copied from, and a mark of the text that was copied. The source keeps a document for each
namespace that it gave to, so that what is erased there is looked for here.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Lesson, Part, Procedure

ITEMS_MAX = 2_000
"""Copies of one seed."""
SEEDS_MAX = 200
"""Seeds of one namespace."""


@dataclass(frozen=True, slots=True)
class SeedItem:
    """A copy: its id, what it was copied from, and the mark of the text that was."""

    memory_id: str
    source_memory_id: str
    mark: str


@dataclass(frozen=True, slots=True)
class Seed:
    """The copies from a source, which is another one where its incarnation differs."""

    namespace: str
    incarnation: str
    create_time_us: int
    items: tuple[SeedItem, ...] = ()
    agent_id: str = ""

    @property
    def key(self) -> DocumentKey:
        """The key of its document."""
        return seed_key(self.namespace, self.agent_id)

    def document(self, now_us: int) -> Document:
        """The seed as it is kept; one that a single agent sees goes with the agent."""
        return Document(
            Collection.SEED, self.key.name, json.dumps(asdict(self)), now_us, agent_id=self.agent_id
        )

    def without(self, memory_ids: Iterable[str]) -> "Seed":
        """The seed less some copies."""
        gone = set(memory_ids)
        return replace(self, items=tuple(one for one in self.items if one.memory_id not in gone))


def seed_key(namespace: str, agent_id: str) -> DocumentKey:
    """The key of a seed; a namespace's name has no slash."""
    return DocumentKey(Collection.SEED, f"{namespace}/{agent_id}" if agent_id else namespace)


def seed_of(document: Document) -> Seed:
    """The seed from what is kept."""
    held = json.loads(document.body)
    return Seed(**{**held, "items": tuple(SeedItem(**one) for one in held["items"])})


def seeded_note(namespace: str, now_us: int) -> Document:
    """The note of a source that it gave to a namespace."""
    return Document(Collection.SEEDED, namespace, "{}", now_us)


def text_mark(memory: Memory) -> str:
    """A mark of all that a lesson or procedure says; how it fares is no part of it."""
    told = json.dumps([memory.content, _told(memory.part)], ensure_ascii=False, default=asdict)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _told(part: Part) -> list[object]:
    match part:
        case Lesson():
            return [part.title, part.context, part.resolution]
        case Procedure():
            return [part.name, part.goal, part.steps, part.avoid, part.trigger_tags]
        case _:
            return []
