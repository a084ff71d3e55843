"""A run beside a small memory: whom it asks, how often, and what it leaves for the next."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from anamnesis_cluster.consolidation.cycle import ASKS_MAX, CHANGED, NO_MODEL, Cycle
from anamnesis_cluster.consolidation.model import (
    Decision,
    Duplicate,
    DuplicatesPage,
    LessonText,
    Looked,
    MergeOutcome,
    Verdict,
)
from anamnesis_cluster.runs import Run
from anamnesis_libs.errors import Conflict, LeaseLost, ModelUnavailable
from anamnesis_libs.models.chat import ChatUsage

RUN = Run("n", "r-1", 7)


def pair(one: str, other: str, *, certain: bool = False, blocked: bool = False) -> Duplicate:
    """Two lessons that may be one."""
    known, goes = (LessonText(each, "etag", f"{each}.") for each in (one, other))
    return Duplicate(known, goes, 0.7, certain=certain, blocked=blocked)


@dataclass
class Memory:
    """Holds pairs, and lets go of a lesson that was merged."""

    pairs: list[Duplicate]
    written: list[tuple[tuple[str, str], MergeOutcome]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    refuses: Exception | None = None

    async def page(self, namespace: str, token: str) -> DuplicatesPage:
        at = int(token or 0)
        found = [one for one in self.pairs[at : at + 2] if not self.gone.intersection(one.key)]
        return DuplicatesPage(found, 2, str(at + 2) if self.pairs[at + 2 :] else "")

    async def settle(
        self, namespace: str, run: Run | None, duplicate: Duplicate, verdict: Verdict
    ) -> Decision:
        if self.refuses is not None:
            raise self.refuses
        self.written.append((duplicate.key, verdict.outcome))
        if run is not None and verdict.outcome is MergeOutcome.MERGED:
            self.gone.add(duplicate.other.memory_id)
        return Decision(duplicate, verdict.outcome, verdict.reason, verdict.text)

    async def start(self, namespace: str) -> Run | None:
        raise AssertionError(namespace)

    async def renew(self, run: Run) -> bool:
        raise AssertionError(run)

    async def finish(
        self, run: Run, counts: dict[str, int], model_tokens: int, reason: str, next_s: int
    ) -> None:
        raise AssertionError(run)


@dataclass
class Says:
    """A judge that says always the same, or does not answer."""

    outcome: MergeOutcome
    fails: bool = False
    asked: int = 0
    usage: ChatUsage = field(default_factory=lambda: ChatUsage(1, 10, 5))

    async def verdict(self, duplicate: Duplicate) -> Verdict:
        self.asked += 1
        if self.fails:
            raise ModelUnavailable("no answer")
        return Verdict(self.outcome)


async def decided(cycle: Cycle) -> Sequence[Decision]:
    """All decisions of a run."""
    return [one async for one in cycle.steps() if not isinstance(one, Looked)]


async def test_a_model_that_does_not_answer_is_not_asked_again() -> None:
    judge = Says(MergeOutcome.MERGED, fails=True)
    cycle = Cycle(Memory([pair("a", "b"), pair("c", "d"), pair("e", "f")]), judge, RUN, "n", 50)
    told = await decided(cycle)
    assert [one.outcome for one in told] == [MergeOutcome.WAITING] * 3
    assert judge.asked == 1
    assert cycle.has_more


async def test_a_model_is_asked_so_often_and_the_rest_is_for_the_next_run() -> None:
    judge = Says(MergeOutcome.KEPT_APART)
    pairs = [pair(f"a{number}", f"b{number}") for number in range(ASKS_MAX + 3)]
    cycle = Cycle(Memory(pairs), judge, RUN, "n", 50)
    await decided(cycle)
    assert judge.asked == ASKS_MAX
    assert cycle.counts[MergeOutcome.WAITING] == 3
    assert cycle.has_more


async def test_without_a_model_the_sure_ones_merge_and_nothing_is_left_for_soon() -> None:
    memory = Memory([pair("a", "b", certain=True), pair("c", "d"), pair("e", "f", blocked=True)])
    cycle = Cycle(memory, None, RUN, "n", 50)
    told = {one.duplicate.key: (one.outcome, one.reason) for one in await decided(cycle)}
    assert told["a", "b"] == (MergeOutcome.MERGED, "")
    assert told["c", "d"] == (MergeOutcome.WAITING, NO_MODEL)
    assert told["e", "f"][0] is MergeOutcome.WAITING
    assert memory.written == [(("a", "b"), MergeOutcome.MERGED)]
    assert not cycle.has_more


async def test_lessons_that_a_merge_has_changed_are_looked_at_again() -> None:
    memory = Memory([pair("a", "b"), pair("a", "c"), pair("b", "c"), pair("c", "d")])
    cycle = Cycle(memory, Says(MergeOutcome.MERGED), RUN, "n", 50)
    told = [one.duplicate.key for one in await decided(cycle)]
    assert told == [("a", "b"), ("c", "d"), ("a", "c")]


async def test_what_changed_meanwhile_waits_and_a_lost_claim_ends_the_run() -> None:
    memory = Memory([pair("a", "b")], refuses=Conflict("changed"))
    (told,) = await decided(Cycle(memory, Says(MergeOutcome.MERGED), RUN, "n", 50))
    assert (told.outcome, told.reason) == (MergeOutcome.WAITING, CHANGED)
    memory.refuses = LeaseLost("merge", "")
    with pytest.raises(LeaseLost):
        await decided(Cycle(memory, Says(MergeOutcome.MERGED), RUN, "n", 50))


async def test_a_dry_run_writes_under_no_claim_and_tells_what_comes_behind() -> None:
    memory = Memory([pair("a", "b"), pair("a", "c")])
    told = await decided(Cycle(memory, Says(MergeOutcome.MERGED), None, "n", 50))
    assert [one.outcome for one in told] == [MergeOutcome.MERGED, MergeOutcome.WAITING]
