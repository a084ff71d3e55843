"""The writes that erase what is no memory: sessions, what was merged, documents, names of wings."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.erasure.facts import erasure_of_facts, outdated, united
from anamnesis_memory.erasure.lineage import may_stand_for, of_subject
from anamnesis_memory.erasure.recompute import Remains, without_contributions
from anamnesis_memory.knowledge.erasing import stands_on
from anamnesis_memory.memories.create import CLUSTER, lessons_due
from anamnesis_memory.memories.policy import POLICY_KEY
from anamnesis_memory.model.documents import Document, DocumentKey
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.ports.life import ErasureSubject

_WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class EraseSessions:
    """Takes away sessions with their ledger and all that names them, once their memories went."""

    session_ids: tuple[str, ...]

    def wanted(self) -> ReadSet:
        """The sessions."""
        return ReadSet(sessions=self.session_ids)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Erase the sessions that are there; the result is their number."""
        there = tuple(one for one in self.session_ids if one in seen.sessions)
        return Decision(len(there), WriteSet(erased_sessions=there))


@dataclass(frozen=True, slots=True)
class Unmerged:
    """The outcome for memories that lost contributions.

    `inseparable` names those whose body nobody can tell apart from what was erased.
    """

    kept: tuple[str, ...]
    copies: int
    inseparable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EraseCopies:
    """Takes what a subject had merged into others' memories out of them again."""

    memory_ids: tuple[str, ...]
    subject: ErasureSubject
    lines: tuple[LineWanted, ...] = ()

    def wanted(self) -> ReadSet:
        """The memories with their copies, and what is linked to them."""
        ids = self.memory_ids
        return ReadSet(
            memories=ids,
            copies_of=ids,
            edges_of=ids,
            mentions_of=ids,
            lines=self.lines,
            documents=(POLICY_KEY,),
            work=(CLUSTER,),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Unmerged]:
        """Take the subject's copies out of each memory, and mark the memory for review."""
        facts = erasure_of_facts(seen, stamp)
        remains: list[Remains] = []
        inseparable: list[str] = []
        for memory_id, memory in seen.memories.items():
            held = seen.copies.get(memory_id, ())
            dropped = [copy for copy in held if of_subject(copy.memory, self.subject)]
            if not dropped or not stands_on(memory, self.lines):
                continue
            left = without_contributions(memory, held, dropped, stamp)
            if left is None or not may_stand_for(memory, left.memory):
                inseparable.append(memory_id)
                continue
            remains.append(left)
            facts.lose(memory, left.memory, [copy.copy_id for copy in dropped])
        known = united(facts.settled(), remains, remains, seen)
        return Decision(_unmerged(remains, inseparable), self._edits(known, remains, seen, stamp))

    def _edits(
        self, known: WriteSet, remains: Sequence[Remains], seen: ReadView, stamp: CommitStamp
    ) -> WriteSet:
        rewritten = _rewritten(remains, seen)
        return replace(
            known,
            copies=(*known.copies, *(copy for one in remains for copy in one.untaken)),
            removed_copies=tuple(copy_id for one in remains for copy_id in one.dropped),
            stale_embeddings=tuple(rewritten),
            removed_edges=(*known.removed_edges, *outdated(seen.edges, rewritten)),
            forgotten_answers=tuple(one.memory.memory_id for one in remains),
            work=lessons_due([one.memory for one in remains], seen, stamp),
        )


@dataclass(frozen=True, slots=True)
class EraseDocuments:
    """Takes documents away, and out of others the parts that cite what was erased."""

    keys: tuple[DocumentKey, ...] = ()
    citing: tuple[DocumentKey, ...] = ()
    memory_ids: frozenset[str] = frozenset()

    def wanted(self) -> ReadSet:
        """The documents that stay."""
        return ReadSet(documents=self.citing)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """The result is how many documents were taken away or changed."""
        changed = tuple(
            after
            for document in seen.documents.values()
            if (after := _uncited(document, self.memory_ids, stamp)) is not None
        )
        edits = WriteSet(documents=changed, removed_documents=self.keys)
        return Decision(len(self.keys) + len(changed), edits)


@dataclass(frozen=True, slots=True)
class EraseWing:
    """Takes a name off its wing; the wing's number stays given, so no pointer is ever reused.

    With `rooms` only if no more of them were given since somebody looked into it.
    """

    key: str
    rooms: int | None = None

    def wanted(self) -> ReadSet:
        """The wing of that name."""
        return ReadSet(wings=(self.key,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """The result is 1 where there was one."""
        wing = seen.wings.get(self.key)
        if wing is None or self.rooms not in (None, wing.next_room - 1):
            return Decision(0)
        return Decision(1, WriteSet(wings=(replace(wing, key=f"erased:{wing.wing}"),)))


@dataclass(frozen=True, slots=True)
class ForgetReaders:
    """Takes the name of who is erased off the deletions that were for them to know."""

    scopes: tuple[str, ...]

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Forget the readers; what was deleted for several is told to none of them any more."""
        return Decision(None, WriteSet(forgotten_readers=self.scopes))


@dataclass(frozen=True, slots=True)
class EmptyActivities:
    """Takes the topics off what was learned from segments that quoted what was erased."""

    activities: Sequence[Activity]

    def wanted(self) -> ReadSet:
        """Nothing: an activity is never changed."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Put the activities with no topic."""
        emptied = tuple(replace(one, topic="") for one in self.activities)
        return Decision(None, WriteSet(activities=emptied))


def cites(body: str, memory_ids: Collection[str]) -> bool:
    """True if a document names one of these memories."""
    return any(one in memory_ids for one in _WORD.findall(body))


def without_citing(body: str, memory_ids: Collection[str]) -> str:
    """JSON without the items of its lists that name one of these memories, however deep."""
    return json.dumps(_pruned(json.loads(body), memory_ids), ensure_ascii=False)


def _pruned(tree: object, memory_ids: Collection[str]) -> object:
    if isinstance(tree, dict):
        return {name: _pruned(held, memory_ids) for name, held in tree.items()}
    if isinstance(tree, list):
        return [
            _pruned(one, memory_ids)
            for one in tree
            if not cites(json.dumps(one, ensure_ascii=False), memory_ids)
        ]
    return tree


def _uncited(
    document: Document, memory_ids: Collection[str], stamp: CommitStamp
) -> Document | None:
    """The document without its citations; None where it cites nothing."""
    if not cites(document.body, memory_ids):
        return None
    body = without_citing(document.body, memory_ids)
    return replace(document, body=body, update_time_us=stamp.now_us)


def _rewritten(remains: Sequence[Remains], seen: ReadView) -> dict[str, Memory]:
    """The memories whose text changes, as they were before."""
    texts = {one.memory.memory_id: one.memory.content for one in remains}
    return {one: seen.memories[one] for one in texts if texts[one] != seen.memories[one].content}


def _unmerged(remains: Sequence[Remains], inseparable: Sequence[str]) -> Unmerged:
    kept = tuple(one.memory.memory_id for one in remains)
    return Unmerged(kept, sum(len(one.dropped) for one in remains), tuple(inseparable))


def owners(copies: Sequence[Copy]) -> tuple[str, ...]:
    """The memories that copies hang on, each once."""
    return tuple(dict.fromkeys(copy.memory_id for copy in copies))
