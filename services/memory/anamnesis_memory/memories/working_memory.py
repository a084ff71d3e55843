"""Working memories as a namespace keeps them: one document for each agent and user it serves."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from anamnesis_memory.domain.lifecycle.working import (
    WorkingBoard,
    WorkingItem,
    Zone,
    put,
    started,
    touched,
)
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a working memory."""

    agent_id: str
    user_id: str

    @property
    def key(self) -> DocumentKey:
        """The key of the working memory's document."""
        name = json.dumps([self.agent_id, self.user_id], ensure_ascii=False)
        return DocumentKey(Collection.WORKING_MEMORY, name)


@dataclass(frozen=True, slots=True)
class ZonesChanged:
    """A board before and after a change, and what had to go."""

    before: WorkingBoard
    after: WorkingBoard
    gone: tuple[WorkingItem, ...] = ()


@dataclass(frozen=True, slots=True)
class _OnBoard:
    """A write on one board."""

    owner: Owner

    def wanted(self) -> ReadSet:
        """The board."""
        return ReadSet(documents=(self.owner.key,))

    def kept(self, changed: ZonesChanged, stamp: CommitStamp) -> Decision[ZonesChanged]:
        """Keep the board; one that did not change is not written."""
        if changed.after == changed.before:
            return Decision(changed)
        document = _document_of(self.owner, changed.after, stamp)
        return Decision(changed, WriteSet(documents=(document,)))


@dataclass(frozen=True, slots=True)
class PutItems(_OnBoard):
    """Puts items one after another; with `instead_of` what is in that zone goes first."""

    items: Sequence[WorkingItem]
    instead_of: Zone | None = None

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ZonesChanged]:
        """Put the items; the budgets hold afterwards.

        Raises:
            InvalidArgument: an item has no tokens, or more than its zone holds.
            ZoneFull: no room in SYSTEM, from which nothing is evicted.
        """
        before = board_of(self.owner, seen.documents.get(self.owner.key))
        after, gone = before, list[WorkingItem]()
        if self.instead_of is not None:
            after = without(after, (self.instead_of,))
        for item in self.items:
            after, evicted = put(after, replace(item, create_us=stamp.now_us), stamp.now_us)
            gone += evicted
        return self.kept(ZonesChanged(before, after, tuple(gone)), stamp)


@dataclass(frozen=True, slots=True)
class TouchItem(_OnBoard):
    """Reads an item, which thereby stays longer."""

    item_id: str

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ZonesChanged]:
        """Note that the item was read."""
        before = board_of(self.owner, seen.documents.get(self.owner.key))
        after = touched(before, self.item_id, stamp.now_us)
        return self.kept(ZonesChanged(before, after), stamp)


@dataclass(frozen=True, slots=True)
class ClearZones(_OnBoard):
    """Empties zones."""

    zones: tuple[Zone, ...]

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ZonesChanged]:
        """Empty the zones."""
        before = board_of(self.owner, seen.documents.get(self.owner.key))
        return self.kept(ZonesChanged(before, without(before, self.zones)), stamp)


@dataclass(frozen=True, slots=True)
class StartSession(_OnBoard):
    """Begins a session: another one than before clears ACTIVE and STAGING."""

    session_id: str

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ZonesChanged]:
        """Begin the session."""
        before = board_of(self.owner, seen.documents.get(self.owner.key))
        return self.kept(ZonesChanged(before, started(before, self.session_id)), stamp)


def without(board: WorkingBoard, zones: Sequence[Zone]) -> WorkingBoard:
    """A board without what is in some zones."""
    return replace(board, items=tuple(one for one in board.items if one.zone not in zones))


def without_recalled(board: WorkingBoard, memory_ids: frozenset[str]) -> WorkingBoard:
    """A board without what was recalled from some memories."""
    items = (
        one
        for one in board.items
        if one.zone is not Zone.STAGING or one.memory_id not in memory_ids
    )
    return replace(board, items=tuple(items))


def board_of(owner: Owner, document: Document | None) -> WorkingBoard:
    """A board as it is kept; empty where none is."""
    if document is None:
        return WorkingBoard(owner.key.name, "")
    held = json.loads(document.body)
    items = tuple(WorkingItem(**{**one, "zone": Zone(one["zone"])}) for one in held["items"])
    return WorkingBoard(owner.key.name, held["session_id"], items)


def _document_of(owner: Owner, board: WorkingBoard, stamp: CommitStamp) -> Document:
    body = {"session_id": board.session_id, "items": [asdict(item) for item in board.items]}
    return Document(
        owner.key.collection,
        owner.key.name,
        json.dumps(body, ensure_ascii=False),
        stamp.now_us,
        owner.agent_id,
        owner.user_id,
        board.session_id,
    )
