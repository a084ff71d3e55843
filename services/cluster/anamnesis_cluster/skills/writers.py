"""The port to who writes skills: what is asked, what is answered, and how it is checked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from anamnesis_cluster.skill_model import Evidence, KeptSkill, Path, Skill


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a skill; `held_out` is kept back to judge it by."""

    label: str
    lessons: Sequence[Evidence]
    paths: Sequence[Path] = ()
    known: KeptSkill | None = None
    held_out: Sequence[Evidence] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A skill that was written; None with the reason why it was declined."""

    skill: Skill | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A skill without what no lesson bears out; the share of its statements that one does."""

    skill: Skill
    grounded_share: float
    contradicted: int = 0


@dataclass(slots=True)
class Spent:
    """Tokens that a model took so far."""

    tokens: int = field(default=0)


class Writer(Protocol):
    """Writes skills, checks them, and compares two versions."""

    @property
    def name(self) -> str:
        """The model's name, or "local"."""
        ...

    async def write(self, task: Material, spent: Spent) -> Written:
        """Write a skill of lessons, or decline.

        Raises:
            AnamnesisError: there is no answer now.
        """
        ...

    async def check(self, skill: Skill, task: Material, spent: Spent) -> Checked:
        """Hold each statement against the lessons.

        Raises:
            AnamnesisError: there is no answer now.
        """
        ...

    async def prefers(self, text: str, task: Material, spent: Spent) -> bool:
        """True if a new version serves the lessons that were held out better than the known one.

        Raises:
            AnamnesisError: there is no answer now.
        """
        ...
