"""The records of skills: what they are made of, and what came of making them. No I/O, no clock."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

LOCAL = "local"
"""The name of who writes skills where no chat model is set."""
SKILL_TAG = "skill"
"""The tag of a procedure that is a skill."""


class SkillOutcome(StrEnum):
    """The outcomes of an attempt to make a skill of a topic."""

    PROPOSED = "proposed"
    REVISED = "revised"
    DECLINED = "declined"
    TOO_THIN = "too_thin"
    UNGROUNDED = "ungrounded"
    NOT_BETTER = "not_better"
    FAILED = "failed"

    @property
    def makes_skill(self) -> bool:
        """True if the attempt ended with a skill, or with a new version of one."""
        return self in {SkillOutcome.PROPOSED, SkillOutcome.REVISED}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt; `reason` quotes no lesson, `skill_id` is empty where no skill came of it.

    `create_time_us` is when it was recorded, 0 where it is not yet.
    """

    number: int
    outcome: SkillOutcome
    reason: str
    members: int
    model: str = LOCAL
    grounded_share: float = 0.0
    structure: float = 0.0
    tokens: int = 0
    skill_id: str = ""
    create_time_us: int = 0


@dataclass(frozen=True, slots=True)
class SkillTopic:
    """A topic as crystallisation sees it, with its attempts, the oldest first."""

    topic_id: str
    label: str
    scope: str
    members: int
    attempts: tuple[Attempt, ...] = ()

    @property
    def last(self) -> Attempt | None:
        """The latest attempt."""
        return self.attempts[-1] if self.attempts else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A lesson that a skill may rest on."""

    memory_id: str
    text: str
    title: str = ""
    context: str = ""
    resolution: str = ""
    category: str = ""
    segment_id: str = ""

    @property
    def said(self) -> str:
        """All that the lesson says."""
        return "\n".join(dict.fromkeys((self.title, self.context, self.resolution, self.text)))


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a skill; `sources` are the memories that bear it out."""

    do: str
    done_when: str = ""
    on_failure: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A way that led to a goal once: a procedure that was learned from a task."""

    memory_id: str
    name: str
    goal: str
    steps: tuple[Step, ...]
    segment_id: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """When something is so, what to do; `is_failure` where it is an error and its mending."""

    when: str
    do: str
    is_failure: bool = True
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as it is written: when to use it, steps in order, failures with their remedies.

    `read_ids` are the memories that its writer read, cited or not.
    """

    name: str
    title: str
    trigger: str
    steps: tuple[Step, ...] = ()
    advice: tuple[Advice, ...] = ()
    avoid: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    model: str = LOCAL
    read_ids: tuple[str, ...] = ()

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The memories that it was made of: all that were read, since any may be quoted."""
        parts: Iterable[Step | Advice] = (*self.steps, *self.advice)
        cited = (one for part in parts for one in part.sources)
        return tuple(dict.fromkeys((*self.read_ids, *cited)))

    @property
    def failures(self) -> tuple[Advice, ...]:
        """The errors that it knows, with their mending."""
        return tuple(one for one in self.advice if one.is_failure)


@dataclass(frozen=True, slots=True)
class KeptSkill:
    """A skill as memory keeps it: its parts, and its text as it was written."""

    memory_id: str
    skill: Skill
    text: str
