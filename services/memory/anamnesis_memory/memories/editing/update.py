"""Changing one memory: corrected text with its history, tags, weight, who may see it, status.

Who may see what was derived follows: it narrows with its sources, and is never wider than they.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict, PermissionDenied, invalid_field
from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of, with_vitals
from anamnesis_memory.domain.lifecycle.vitals import FETCHED, used
from anamnesis_memory.knowledge.change_visibility import FactMoves, Move, moved_names, within
from anamnesis_memory.memories.create import lessons_due
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.memories.refining.wanted import reworded, set_by_hand
from anamnesis_memory.model.access import check_etag, visible
from anamnesis_memory.model.edges import EdgeType, source_ids
from anamnesis_memory.model.expiry import NewExpiry, check_expiry
from anamnesis_memory.model.memory import Caller, Kind, Memory, Status, Visibility, Work
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_named, scope_of
from anamnesis_memory.model.visibility import sources_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, TopicMember, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


@dataclass(frozen=True, slots=True)
class Text:
    """A corrected text, redacted, with its levels."""

    content: str
    summary: str
    overview: str


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """The edit of a memory; a field that is None stays as it is."""

    text: Text | None = None
    tags: tuple[str, ...] | None = None
    importance: float | None = None
    pinned: bool | None = None
    visibility: Visibility | None = None
    status: Status | None = None
    needs_review: bool | None = None
    expiry: NewExpiry | None = None

    @property
    def is_owners(self) -> bool:
        """True if only the owner may make the edit."""
        return self.text is not None or self.visibility is not None


@dataclass(frozen=True, slots=True)
class Relatives:
    """The memories that a change of visibility concerns: the sources, and what was derived.

    `session_id` is that of the segment which taught the memory; empty where none did. `lines` are
    those that facts among these memories leave or come to.
    """

    sources: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    session_id: str = ""
    lines: tuple[LineWanted, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdateMemory:
    """The write behind `MemoryService.UpdateMemory`.

    `copy_id` names the version that is kept, `topic_id` the topic of its own that a lesson founds
    when other callers see it than those who see the others of its topic.
    """

    memory_id: str
    caller: Caller
    etag: str
    change: MemoryEdit
    copy_id: str
    topic_id: str
    relatives: Relatives = Relatives()

    def wanted(self) -> ReadSet:
        """The memory with its relatives, and the work that a corrected lesson makes due."""
        ids = (self.memory_id, *self.relatives.sources, *self.relatives.derived)
        moving = (self.memory_id, *self.relatives.derived) if self.change.visibility else ()
        return ReadSet(
            memories=ids,
            work=((Work.CLUSTER, ""),),
            sessions=tuple(filter(None, [self.relatives.session_id])),
            edges_of=moving[:1],
            copies_of=moving,
            mentions_of=moving,
            lines=self.relatives.lines,
            documents=(POLICY_KEY,),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Change the memory; an edit that changes nothing is no change.

        Raises:
            MemoryNotFound: there is no such memory that the caller may see.
            Conflict: the memory has another etag by now, or other relatives.
            InvalidArgument: a drawer's text or visibility, or one that is wider than its sources',
                or where the same fact is known; a fact that was taken back is active again; an
                expiry that is over.
            PermissionDenied: only its owner may change this.
        """
        memory = self._checked(seen)
        if self.change.expiry is not None:
            check_expiry(self.change.expiry.at_us, stamp.now_us, "change.expire_time")
        after = self._changed(memory, stamp)
        if after == memory:
            return Decision(memory)
        after = replace(after, update_time_us=stamp.now_us, revision=stamp.revision)
        narrowed = tuple(self._narrowed(memory, after, seen, stamp))
        put = (after, *narrowed)
        known = self._known(put, seen, stamp)
        settled = {one.memory_id: one for one in (*put, *known.memories)}
        edits = replace(
            known,
            memories=tuple(settled.values()),
            topic_members=tuple(self._moved(seen, put)),
            digests=memory_digests(put),
            reviewed=(self.memory_id,) if self._reviews else (),
            reasons=(ReviewReason.own(self.memory_id),) if self.change.needs_review else (),
        )
        if after.content != memory.content:
            edits = self._with_history(edits, memory, seen, stamp)
        return Decision(settled[self.memory_id], edits)

    @property
    def _reviews(self) -> bool:
        """True if the edit counts as a review: the text is rewritten, or the mark is taken away."""
        return self.change.text is not None or self.change.needs_review is False

    def _known(self, put: Sequence[Memory], seen: ReadView, stamp: CommitStamp) -> WriteSet:
        """The edits of facts and names that move with a change of scope."""
        moves = [
            Move(before, after)
            for after in put
            if scope_of(before := seen.memories[after.memory_id]) != scope_of(after)
        ]
        if not within(moves, self.relatives.lines):
            raise self._changed_meanwhile()
        predicates = policy_of(seen.documents.get(POLICY_KEY)).predicates
        return replace(
            FactMoves(seen, stamp, predicates).move(moves),
            unmentioned=tuple(one.after.memory_id for one in moves),
            mentions=moved_names(moves, seen),
        )

    def _checked(self, seen: ReadView) -> Memory:
        memory = visible(seen.memories, self.memory_id, self.caller)
        check_etag(memory, self.etag)
        if memory.kind is Kind.DOCUMENT:
            self._check_document()
        if self.change.is_owners:
            self._check_owner(memory)
        if self.change.visibility is not None:
            self._check_sources(memory, self.change.visibility, seen)
        return memory

    def _check_document(self) -> None:
        """Refuse what makes a document another one than its name says."""
        change = self.change
        given = {"content": change.text, "visibility": change.visibility, "status": change.status}
        for field, value in given.items():
            if value is not None:
                raise invalid_field(
                    f"change.{field}",
                    "cannot be changed for a DOCUMENT memory; put it anew by its name",
                )

    def _check_owner(self, memory: Memory) -> None:
        if memory.kind is Kind.EPISODIC:
            field = "content" if self.change.text else "visibility"
            raise invalid_field(
                f"change.{field}",
                "cannot be changed for an EPISODIC memory: it holds what was said, and is seen as "
                "its session is; delete it, or create a lesson or fact that says otherwise",
            )
        owned = memory.agent_id or memory.user_id
        same_agent = bool(memory.agent_id) and memory.agent_id == self.caller.agent_id
        same_user = bool(memory.user_id) and memory.user_id == self.caller.user_id
        if owned and not (same_agent or same_user):
            raise PermissionDenied(
                "only its owner may correct a memory or say who sees it; name the owner as caller"
            )

    def _check_sources(self, memory: Memory, wanted: Visibility, seen: ReadView) -> None:
        """Refuse a visibility under which nobody sees the memory, or wider than its sources'."""
        owner = Caller(memory.agent_id, memory.user_id)
        if not owner.sees(wanted, memory.agent_id, memory.user_id):
            raise invalid_field(
                "change.visibility", "has no owner of this kind: nobody would see it"
            )
        self._check_relatives(memory, seen)
        session = seen.sessions.get(self.relatives.session_id)
        origins = {scope_of(one) for one in sources_of(memory, seen.memories)}
        if session:
            origins.add(scope_named(session.visibility, session.agent_id, session.user_id))
        if origins - {"shared", scope_of(replace(memory, visibility=wanted))}:
            raise invalid_field("change.visibility", "is wider than that of the memory's sources")

    def _check_relatives(self, memory: Memory, seen: ReadView) -> None:
        """Refuse the write if a source or a derived memory has come that was not looked up."""
        derived = {
            edge.source_id
            for edge in seen.edges
            if edge.type is EdgeType.DERIVED_FROM and edge.target_id == self.memory_id
        }
        missed = {*source_ids(memory)} - {*self.relatives.sources}
        if self.change.visibility is not Visibility.SHARED:
            missed |= derived - {*self.relatives.derived}
        if missed:
            raise self._changed_meanwhile()

    def _changed_meanwhile(self) -> Conflict:
        return Conflict(
            f"something was just taken from memory {self.memory_id}, or added to its sources; "
            "try again",
            metadata={"resource": "memory"},
        )

    def _changed(self, memory: Memory, stamp: CommitStamp) -> Memory:
        change, text = self.change, self.change.text
        if text is not None:
            memory = replace(
                memory,
                content=text.content,
                summary=text.summary,
                overview=text.overview,
                provenance=reworded(memory.provenance),
            )
        if change.importance is not None:
            memory = replace(memory, provenance=set_by_hand(memory.provenance))
        status = memory.status if change.status is None else change.status
        if status is Status.ACTIVE and isinstance(memory.part, Fact) and memory.part.retracted:
            raise invalid_field(
                "change.status",
                "cannot be ACTIVE: the fact was retracted; AssertFact asserts it again",
            )
        if memory.status is Status.ARCHIVED and status is Status.ACTIVE:
            memory = _restored(memory, stamp.now_us)
        since_us = memory.archive_time_us or stamp.now_us
        return replace(
            memory,
            expire_time_us=change.expiry.at_us if change.expiry else memory.expire_time_us,
            tags=memory.tags if change.tags is None else change.tags,
            importance=memory.importance if change.importance is None else change.importance,
            pinned=memory.pinned if change.pinned is None else change.pinned,
            visibility=change.visibility or memory.visibility,
            status=status,
            archive_time_us=since_us if status is Status.ARCHIVED else None,
            needs_review=bool(change.needs_review) or (memory.needs_review and not self._reviews),
        )

    def _narrowed(
        self, before: Memory, after: Memory, seen: ReadView, stamp: CommitStamp
    ) -> Iterator[Memory]:
        """Memories derived from this one, narrowed with it; those private to others stay.

        Their owners saw the source; nobody else is to see what they made of it.
        """
        if self.change.visibility in (None, Visibility.SHARED):
            return
        moves = {"shared", scope_of(before)} - {scope_of(after)}
        for memory_id in self.relatives.derived:
            derived = seen.memories.get(memory_id)
            if derived is None or scope_of(derived) not in moves:
                continue
            narrowed = as_narrow_as(derived, after)
            yield replace(narrowed, update_time_us=stamp.now_us, revision=stamp.revision)

    def _moved(self, seen: ReadView, put: tuple[Memory, ...]) -> Iterator[TopicMember]:
        """Lessons that others see now leave their topic for one of their own."""
        for place, memory in enumerate(put):
            before = seen.memories[memory.memory_id]
            if memory.kind is Kind.LEARNING and scope_of(memory) != scope_of(before):
                label = memory.category or "lesson"
                topic_id = f"{self.topic_id}{place or ''}"
                yield TopicMember(memory.memory_id, topic_id, label, scope_of(memory), held=False)

    def _with_history(
        self, edits: WriteSet, before: Memory, seen: ReadView, stamp: CommitStamp
    ) -> WriteSet:
        """The edits that come with a corrected text; the old text is not learned again."""
        version = Copy(self.copy_id, self.memory_id, CopyRole.VERSION, before, stamp.now_us)
        return replace(
            edits,
            copies=(version,),
            stale_embeddings=(self.memory_id,),
            tombstones=(tombstone_of(before),),
            work=lessons_due((before,), seen, stamp),
        )


def as_narrow_as(derived: Memory, source: Memory) -> Memory:
    """A derived memory, seen by those alone who see its source."""
    return replace(
        derived,
        visibility=source.visibility,
        agent_id=source.agent_id,
        user_id=source.user_id,
    )


def _restored(memory: Memory, now_us: int) -> Memory:
    """The memory with one more use: restoring is a use, and defers the next archiving."""
    return with_vitals(memory, used(vitals_of(memory), FETCHED, now_us))
