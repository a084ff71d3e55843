"""Sharing: what several users' work bears out is told to all, as the policy says.

What is told is made anew from what is there in each run, so that it never says more than the users
bear out by now: what too few of them say any more, or the policy does not share, is withdrawn.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.maintenance.phase_context import PhaseContext
from anamnesis_memory.memories.craft.experience import (
    USERS_MIN,
    Experience,
    experiences,
    is_experience,
    may_count,
)
from anamnesis_memory.memories.create import CLUSTER, lessons_due
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Kind, Memory, MemoryFilter
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

STAGE = "share"
_CRAFT = MemoryFilter(kinds=(Kind.LEARNING, Kind.PROCEDURAL), include_archived=True)
"""Those archived too: what was told and lies unused is neither told twice nor kept for ever."""


async def share(hold: PhaseContext) -> AsyncGenerator[Progress, None]:
    """Read lessons and procedures, tell what several bear out, withdraw what they do not.

    Raises:
        LeaseLost: somebody else has the phase.
    """
    shares = policy_of(await hold.store.document(POLICY_KEY)).share_experience
    own: list[Memory] = []
    told: dict[tuple[Kind, str], Memory] = {}
    async for memories in hold.memories(_CRAFT):
        told |= {(one.kind, one.content): one for one in memories if is_experience(one)}
        own += [one for one in memories if shares and may_count(one)]
        yield Progress(STAGE, len(own) + len(told), 0)
    found = await asyncio.to_thread(experiences, own)
    for one in found:
        before = told.pop((one.memory.kind, one.memory.content), None)
        if before is None or before.provenance != one.memory.provenance:
            memory_id = before.memory_id if before else new_id(hold.now_us())
            await hold.change(Tell(memory_id, one))
    for batch in hold.batches([one.memory_id for one in told.values()]):
        await hold.change(Withdraw(batch))
    hold.count({"told": len(found)})


@dataclass(frozen=True, slots=True)
class Tell:
    """Tells all what some memories bear out, if they still do; counts "shared".

    It rests on them: what erases all of them erases it, and a walk leads an operator to them.
    """

    memory_id: str
    experience: Experience

    def wanted(self) -> ReadSet:
        """The read set: the memory to tell, its sources, and the work that a lesson makes due."""
        return ReadSet(memories=(self.memory_id, *self.experience.source_ids), work=(CLUSTER,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Store the experience; nothing if a memory was changed or is gone since it was read."""
        sources = [seen.memories[one] for one in self.experience.source_ids if one in seen.memories]
        latest = self.experience.revision
        still = [one for one in sources if may_count(one) and one.revision <= latest]
        users = {one.user_id for one in still}
        if len(users) < max(USERS_MIN, self.experience.users):
            return Decision({})
        before = seen.memories.get(self.memory_id)
        memory = replace(
            before or self.experience.memory,
            memory_id=self.memory_id,
            provenance=self.experience.memory.provenance,
            create_time_us=before.create_time_us if before else stamp.now_us,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        edges = tuple(
            Edge(
                self.memory_id,
                one.memory_id,
                EdgeType.DERIVED_FROM,
                1.0,
                stamp.now_us,
                stamp.now_us,
            )
            for one in still
        )
        work = lessons_due((memory,), seen, stamp)
        return Decision({"shared": 1}, WriteSet(memories=(memory,), edges=edges, work=work))


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Takes back what was told of several users' work; counts "withdrawn"."""

    memory_ids: Sequence[str]

    def wanted(self) -> ReadSet:
        """The read set: the memories that were told."""
        return ReadSet(memories=tuple(self.memory_ids))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Delete the experience; it may be told again."""
        gone = tuple(one for one in self.memory_ids if one in seen.memories)
        return Decision({"withdrawn": len(gone)}, WriteSet(deleted_memories=gone))
