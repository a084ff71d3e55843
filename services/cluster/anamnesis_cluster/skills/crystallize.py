"""Crystallisation: a topic's lessons become a skill, or its skill a better version.

A new version is kept only if it is built strictly
better than the one before, measured on the same lessons, and serves lessons better, or no worse,
that neither version was written from: a third of those that came since the version before.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_cluster.peers.skills import SkillPeer
from anamnesis_cluster.skill_model import (
    Attempt,
    Evidence,
    KeptSkill,
    Skill,
    SkillOutcome,
    SkillTopic,
)
from anamnesis_cluster.skills.gates import GROUNDED_MIN, structure_of, thinness
from anamnesis_cluster.skills.wording import text_of
from anamnesis_cluster.skills.writers import Material, Spent, Writer
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.tokens import TokenCounter

HELD_OUT_EVERY = 3


@dataclass(frozen=True, slots=True)
class Crystallized:
    """An attempt with the skill that it made, and its text; None where it made none."""

    attempt: Attempt
    skill: Skill | None = None
    text: str = ""


class Crystallizer:
    """Makes skills of the topics of one namespace."""

    def __init__(self, memory: SkillPeer, writer: Writer, tokens: TokenCounter) -> None:
        self._memory = memory
        self._writer = writer
        self._tokens = tokens

    async def crystallize(self, topic: SkillTopic) -> Crystallized:
        """Try once; what comes of it is to be recorded."""
        spent = Spent()
        last = topic.last
        first = Attempt(
            number=(last.number if last else 0) + 1,
            outcome=SkillOutcome.FAILED,
            reason="",
            members=topic.members,
            model=self._writer.name,
        )
        lessons = await self._memory.lessons(topic)
        known = await self._memory.kept(last.skill_id) if last and last.skill_id else None
        paths = await self._memory.paths(topic)
        task = Material(topic.label, lessons, paths, known, held_out(lessons, known))
        try:
            made = await self._written(first, task, spent)
        except AnamnesisError as error:
            made = Crystallized(replace(first, reason=f"the model gave no answer: {error.reason}"))
        return replace(made, attempt=replace(made.attempt, tokens=spent.tokens))

    async def _written(self, first: Attempt, task: Material, spent: Spent) -> Crystallized:
        written = await self._writer.write(task, spent)
        if written.skill is None:
            return _ended(first, SkillOutcome.DECLINED, written.reason)
        checked = await self._writer.check(written.skill, task, spent)
        first = replace(first, grounded_share=checked.grounded_share)
        if checked.contradicted:
            told = f"{checked.contradicted} of its statements contradict a lesson"
            return _ended(first, SkillOutcome.UNGROUNDED, told)
        if checked.grounded_share < GROUNDED_MIN:
            told = f"{checked.grounded_share:.0%} of its statements stand in a lesson"
            return _ended(first, SkillOutcome.UNGROUNDED, f"{told}, {GROUNDED_MIN:.0%} are needed")
        skill = _named_as(checked.skill, task.known)
        text = text_of(skill)
        if why := thinness(skill, self._tokens.count(text)):
            return _ended(first, SkillOutcome.TOO_THIN, why)
        first = replace(first, structure=structure_of(skill, text, task.lessons))
        if task.known is None:
            made = replace(first, outcome=SkillOutcome.PROPOSED, reason="a first version")
            return Crystallized(made, skill, text)
        return await self._better(first, skill, text, task, spent)

    async def _better(
        self, first: Attempt, skill: Skill, text: str, task: Material, spent: Spent
    ) -> Crystallized:
        """A new version, if it is better than the known one."""
        assert task.known is not None
        before = structure_of(task.known.skill, task.known.text, task.lessons)
        if first.structure <= before:
            told = f"its structure is {first.structure:.2f}, that of the known one {before:.2f}"
            return _ended(first, SkillOutcome.NOT_BETTER, told)
        proof = await self._without_held_out(task, spent)
        if task.held_out and not (proof and await self._writer.prefers(proof, task, spent)):
            told = f"it serves {len(task.held_out)} lessons that were held out less well"
            return _ended(first, SkillOutcome.NOT_BETTER, told)
        told = f"its structure rose from {before:.2f} to {first.structure:.2f}"
        return Crystallized(replace(first, outcome=SkillOutcome.REVISED, reason=told), skill, text)

    async def _without_held_out(self, task: Material, spent: Spent) -> str:
        """The text of a version written without what is held out; empty where nothing is."""
        if not task.held_out:
            return ""
        kept_back = {one.memory_id for one in task.held_out}
        rest = [one for one in task.lessons if one.memory_id not in kept_back]
        written = await self._writer.write(replace(task, lessons=rest), spent)
        return text_of(written.skill) if written.skill else ""


def held_out(lessons: Sequence[Evidence], known: KeptSkill | None) -> list[Evidence]:
    """Every third lesson that a known version was not written from; none without one."""
    if known is None:
        return []
    new = [one for one in lessons if one.memory_id not in known.skill.source_ids]
    return new[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]


def _named_as(skill: Skill, known: KeptSkill | None) -> Skill:
    """A skill under the name that agents know it by, whatever its new version is about."""
    return skill if known is None else replace(skill, name=known.skill.name)


def _ended(attempt: Attempt, outcome: SkillOutcome, reason: str) -> Crystallized:
    return Crystallized(replace(attempt, outcome=outcome, reason=reason))
