"""Attempts to make skills of topics: the write that records one with its skill, and its reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict
from anamnesis_memory.model.crystallizations import (
    Crystallization,
    CrystallizationOutcome,
    crystallizations_key,
    crystallizations_of,
    recorded,
)
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.edges import derived_from, source_ids
from anamnesis_memory.model.memory import Memory, Status, Topic
from anamnesis_memory.model.memory_details import Procedure, ProcedureStatus
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.life import LifeReads

SOURCES_MAX = 100


@dataclass(frozen=True, slots=True)
class SkillRecorded:
    """An attempt as it is kept, with the skill that it made."""

    crystallization: Crystallization
    skill: Memory | None = None


@dataclass(frozen=True, slots=True)
class RecordCrystallization:
    """The write behind `TopicService.RecordCrystallization`.

    Args:
        topic_id: the topic.
        scope: of the topic; the skill has the same.
        attempt: what came of it.
        skill: redacted and summarised, with a new id; None where none was made.
        known_skill_id: the skill that the topic had when the attempt was looked at, or "".
        copy_id: names the version of it that is kept.
    """

    topic_id: str
    scope: str
    attempt: Crystallization
    skill: Memory | None
    known_skill_id: str
    copy_id: str

    def wanted(self) -> ReadSet:
        """The attempts before, the skill that there is, and the sources of the new one."""
        sources = source_ids(self.skill) if self.skill is not None else ()
        known = (self.known_skill_id,) if self.known_skill_id else ()
        return ReadSet(
            memories=(*known, *sources), documents=(crystallizations_key(self.topic_id),)
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[SkillRecorded]:
        """Append the attempt; a skill is stored, or becomes the new version of the one there is.

        One that failed stands for those that failed before it in a row: its number counts them.

        Raises:
            Conflict: another attempt was recorded meanwhile, or a source is gone.
        """
        before = crystallizations_of(seen.documents.get(crystallizations_key(self.topic_id)))
        last = before[-1] if before else None
        known_id = last.skill_memory_id if last else ""
        if self.attempt.attempt != (last.attempt if last else 0) + 1:
            raise self._changed_meanwhile()
        known = seen.memories.get(known_id) if known_id == self.known_skill_id else None
        edits = WriteSet()
        skill = None
        if self.skill is not None:
            skill, edits = self._with_skill(self.skill, known, seen, stamp)
        kept = replace(
            self.attempt,
            skill_memory_id=skill.memory_id if skill else known.memory_id if known else "",
            create_time_us=stamp.now_us,
        )
        document = recorded(self.topic_id, self.scope, (*_older(before, kept), kept), stamp.now_us)
        return Decision(SkillRecorded(kept, skill), replace(edits, documents=(document,)))

    def _with_skill(
        self, skill: Memory, known: Memory | None, seen: ReadView, stamp: CommitStamp
    ) -> tuple[Memory, WriteSet]:
        """The skill as stored, and the edits that store it."""
        missing = [one for one in source_ids(skill) if one not in seen.memories]
        if missing or any(self._is_hidden(seen.memories[one]) for one in source_ids(skill)):
            raise self._changed_meanwhile()
        if known is None:
            made = replace(
                skill,
                create_time_us=stamp.now_us,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )
            return made, WriteSet(memories=(made,), edges=derived_from(made, stamp.now_us))
        after = revised(known, skill, stamp)
        version = Copy(self.copy_id, known.memory_id, CopyRole.VERSION, known, stamp.now_us)
        edits = WriteSet(
            memories=(after,),
            edges=derived_from(after, stamp.now_us),
            copies=(version,),
            stale_embeddings=(after.memory_id,),
        )
        return after, edits

    def _is_hidden(self, source: Memory) -> bool:
        """True if not all who see the topic see a source: it has become more private."""
        return scope_of(source) not in ("shared", self.scope)

    def _changed_meanwhile(self) -> Conflict:
        return Conflict(
            f"topic {self.topic_id} or its lessons have changed meanwhile; read it again",
            metadata={"resource": "topic"},
        )


def _older(before: Sequence[Crystallization], made: Crystallization) -> Sequence[Crystallization]:
    """The attempts that stay beside a new one."""
    failed = CrystallizationOutcome.FAILED
    repeats = bool(before) and before[-1].outcome is made.outcome is failed
    return before[:-1] if repeats else before


def revised(known: Memory, skill: Memory, stamp: CommitStamp) -> Memory:
    """A skill with the text and steps of its new version.

    Its sources are those of all versions, since its history quotes them. It has to prove itself
    anew, but stays in use if it was; one that was rejected is a proposal again.
    """
    before = known.part if isinstance(known.part, Procedure) else Procedure("")
    made = skill.part if isinstance(skill.part, Procedure) else Procedure("")
    was_rejected = before.status is ProcedureStatus.DEPRECATED
    sources = dict.fromkeys((*made.source_memory_ids, *before.source_memory_ids))
    part = replace(
        made,
        source_memory_ids=tuple(sources)[:SOURCES_MAX],
        status=ProcedureStatus.DRAFT if was_rejected else before.status,
        review_note=before.review_note,
    )
    return replace(
        known,
        content=skill.content,
        summary=skill.summary,
        overview=skill.overview,
        tags=skill.tags,
        part=part,
        provenance=skill.provenance,
        status=Status.ACTIVE if was_rejected else known.status,
        archive_time_us=None if was_rejected else known.archive_time_us,
        needs_review=False,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


async def crystallizations(
    store: LifeReads, topics: Sequence[Topic]
) -> Mapping[str, Sequence[Crystallization]]:
    """The attempts that are recorded of topics, which come in the order of their ids."""
    found: dict[str, Sequence[Crystallization]] = {}
    wanted = {topic.topic_id for topic in topics}
    after = topics[0].topic_id if topics else ""
    if topics and (first := await store.document(crystallizations_key(after))) is not None:
        found[after] = crystallizations_of(first)
    while topics and after < topics[-1].topic_id:
        page = await store.documents(Collection.CRYSTALLIZATION, after, len(topics))
        found |= {one.name: crystallizations_of(one) for one in page if one.name in wanted}
        if len(page) < len(topics):
            break
        after = page[-1].name
    return found
