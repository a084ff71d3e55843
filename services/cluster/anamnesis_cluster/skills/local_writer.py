"""The writer of skills where no chat model is set."""

import asyncio

from anamnesis_cluster.skill_model import LOCAL, Skill
from anamnesis_cluster.skills.gates import coverage
from anamnesis_cluster.skills.local import propose
from anamnesis_cluster.skills.writers import Checked, Material, Spent, Written

TOO_LITTLE = "the lessons share neither a command nor words"


class LocalWriter:
    """A `Writer` of what lessons have in common; see `local`."""

    name = LOCAL

    async def write(self, task: Material, spent: Spent) -> Written:
        """Write what the lessons share."""
        skill = await asyncio.to_thread(propose, task.label, task.lessons, task.paths)
        return Written(skill, "" if skill else TOO_LITTLE)

    async def check(self, skill: Skill, task: Material, spent: Spent) -> Checked:
        """All of it is in the lessons' own words."""
        return Checked(skill, 1.0)

    async def prefers(self, text: str, task: Material, spent: Spent) -> bool:
        """True if no less of what the held-out lessons say to do is in the new version."""
        if task.known is None:
            return True
        return coverage(text, task.held_out) >= coverage(task.known.text, task.held_out)
