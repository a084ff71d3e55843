"""Tests of the stages against the memory service: what each reads, does and leaves behind."""

import asyncio

import pytest

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.stages import earlier_of
from anamnesis_ingestion.pipeline.work import PipelineStage, StageClaim, StageState, Wish
from anamnesis_ingestion.trajectory.extraction_windows import LONG_SESSION_TURNS, turn_starts
from anamnesis_libs.errors import AnswerMalformed
from tests.support.pipeline_bench import AT, LEASE_S, SPACE, Bench

pytestmark = pytest.mark.slow

BEES = ("user: Task one, I keep bees in Lisbon", "assistant: noted")
FIGS = ("user: Task two, I grow figs in Porto", "assistant: noted")
RIVER = ("user: Task three, I swim in the Douro", "assistant: noted")
SPARSE = {
    3: "Task one, I keep bees in Lisbon",
    5: "I bought a second hive in March",
    9: "Task two, I grow figs",
    12: "the figs are ripe in July",
}
EVENTS_IN_A_WRITE = 500


def _long(turns: int, of: int = 1) -> tuple[str, ...]:
    """A task of so many turns; `of` tells it from others."""
    begins = f"user: Task {of}, I count bees"
    said = (f"user: I saw bee {number} of {of}" for number in range(1, turns))
    return tuple(line for each in (begins, *said) for line in (each, "assistant: noted"))


async def claimed(at: Bench, stage: PipelineStage) -> StageClaim:
    """The work of the one session."""
    wish = Wish(stages=(stage,), limit=1, namespace=SPACE, even_if_early=True)
    (claim,) = await at.peer.claim(wish)
    return claim


async def test_a_session_is_cut_measured_and_learned_from(at: Bench) -> None:
    await at.tell(*BEES, *FIGS)
    steps = await at.run()
    assert [step.finished.claim.stage for step in steps] == [
        PipelineStage.SEGMENT,
        PipelineStage.LABEL,
        PipelineStage.EXTRACT,
    ]
    first, second = await at.segments()
    assert (first.first_event_index, first.last_event_index) == (0, 1)
    assert (second.first_event_index, second.last_event_index) == (2, 3)
    assert {first.score, second.score} == {0.9}
    assert first.task_type == "coding"
    assert (first.segmenter, first.labeller) == ("steered", "steered")
    memories = {memory.content: memory for memory in await at.learned()}
    assert set(memories) == {BEES[0][6:], FIGS[0][6:]}
    bees = memories[BEES[0][6:]]
    assert f"segment:{first.segment_id[:8]}" in bees.tags
    assert (bees.provenance.first_event_index, bees.provenance.last_event_index) == (0, 0)
    assert bees.provenance.segment_id == first.segment_id
    (cited,) = bees.fact.source_memory_ids
    assert cited in {event.memory_id for event in await at.peer.events(SPACE, "s", 0, 0)}
    assert (bees.agent_id, bees.user_id) == ("coder", "ada")


async def test_doing_it_again_does_nothing(at: Bench) -> None:
    await at.tell(*BEES, *FIGS)
    await at.run()
    before = {memory.memory_id for memory in await at.learned()}
    assert await at.run() == []
    again = await at.tell(*BEES, *FIGS)
    assert (again.appended, again.replaced) == (0, 0)
    assert await at.run() == []
    assert {memory.memory_id for memory in await at.learned()} == before


async def test_a_session_that_grew_keeps_what_did_not_change(at: Bench) -> None:
    await at.tell(*BEES, *FIGS, end=False)
    await at.run()
    bees, figs = await at.segments()
    before = {memory.content: memory.memory_id for memory in await at.learned()}
    await at.tell("user: and the figs are ripe in July", *RIVER, first=4)
    await at.run()
    after = await at.segments()
    assert after[0].segment_id == bees.segment_id
    assert figs.segment_id not in {one.segment_id for one in after}
    assert len(after) == 3
    now = {memory.content: memory.memory_id for memory in await at.learned()}
    assert now[BEES[0][6:]] == before[BEES[0][6:]]
    assert now[FIGS[0][6:]] == before[FIGS[0][6:]], "a fact has one memory, whoever tells it"
    figs_now = next(one for one in await at.learned() if one.content == FIGS[0][6:])
    assert figs_now.provenance.segment_id == after[1].segment_id
    assert set(now) == {text[6:] for text in (BEES[0], FIGS[0], RIVER[0])} | {
        "and the figs are ripe in July"
    }


async def test_a_session_that_grows_in_mid_stage_refuses_the_stale_result(at: Bench) -> None:
    await at.tell(*BEES, end=True)
    segmenter = at.analyzers.segmenter
    await at.tell(*FIGS, first=2)
    segmenter.free.clear()
    working = asyncio.create_task(at.stages.work(await claimed(at, PipelineStage.SEGMENT)))
    await segmenter.begun.wait()
    await at.tell(*RIVER, first=4)
    segmenter.free.set()
    (done,) = await asyncio.gather(working, return_exceptions=True)
    assert getattr(done, "reason", "") == "LEASE_LOST"
    assert await at.segments() == []
    await at.run()
    assert len(await at.segments()) == 3


async def test_a_session_that_grows_while_it_teaches_refuses_what_it_taught(at: Bench) -> None:
    await at.tell(*BEES)
    await at.run(PipelineStage.SEGMENT)
    await at.run(PipelineStage.LABEL)
    extractor = at.analyzers.extractor
    extractor.free.clear()
    working = asyncio.create_task(at.stages.work(await claimed(at, PipelineStage.EXTRACT)))
    await extractor.begun.wait()
    await at.tell("user: and I grow figs", first=2)
    extractor.free.set()
    (done,) = await asyncio.gather(working, return_exceptions=True)
    assert getattr(done, "reason", "") == "LEASE_LOST"
    assert await at.learned() == []
    await at.run()
    assert sorted(memory.content for memory in await at.learned()) == sorted(
        [BEES[0][6:], "and I grow figs"]
    )


async def test_a_stage_that_failed_half_way_goes_on_behind_what_it_sent(at: Bench) -> None:
    await at.tell(*BEES, *FIGS, *RIVER)
    await at.run(PipelineStage.SEGMENT)
    await at.run(PipelineStage.LABEL)
    extractor, runner = at.analyzers.extractor, at.runner()
    fail_second = _FailsAt(2)
    extractor.pass_gate = fail_second  # type: ignore[method-assign]
    (step,) = await at.run(PipelineStage.EXTRACT, runner=runner)
    assert step.finished.failure.startswith("ANSWER_MALFORMED")
    assert [memory.content for memory in await at.learned()] == [BEES[0][6:]]
    at.served.clock.move(seconds=30)
    (step,) = await at.run(PipelineStage.EXTRACT, runner=runner)
    assert (step.finished.outcome.segments, step.finished.outcome.facts) == (2, 2)
    assert len(await at.learned()) == 3
    assert len(await at.activities()) == 3
    assert fail_second.calls == 4


async def test_holes_in_the_indices_belong_to_the_segment_before_them(at: Bench) -> None:
    await at.append([_event(index, text) for index, text in SPARSE.items()])
    await at.run()
    ranges = [(one.first_event_index, one.last_event_index) for one in await at.segments()]
    assert ranges == [(0, 8), (9, 12)]
    cited = {memory.provenance.first_event_index for memory in await at.learned()}
    assert cited == set(SPARSE)


async def test_a_session_with_holes_that_grew_keeps_its_first_segments(at: Bench) -> None:
    await at.append([_event(index, text) for index, text in SPARSE.items()], end=False)
    await at.run()
    first, _ = await at.segments()
    windows = at.analyzers.segmenter.calls
    at.analyzers.segmenter.begun.clear()
    await at.append([_event(20, "and they are ripe")])
    await at.run()
    after = await at.segments()
    assert after[0].segment_id == first.segment_id
    assert (after[0].first_event_index, after[0].last_event_index) == (0, 8)
    assert (after[1].first_event_index, after[1].last_event_index) == (9, 20)
    assert at.analyzers.segmenter.calls == windows + 1


async def test_what_was_cut_with_a_hole_is_known_again_by_its_events(at: Bench) -> None:
    said = {3: "Task one, I keep bees", 9: "Task two, I grow figs", 12: "I like them"}
    await at.append([_event(index, text) for index, text in said.items()])
    await at.run(PipelineStage.SEGMENT)
    events = await at.peer.events(SPACE, "s")
    first, second = await at.peer.segments(SPACE, "s")
    assert (first.first_index, first.last_index) == (0, 8)
    known = earlier_of(first, events)
    assert known is not None
    assert (known.cut.first_index, known.cut.last_index) == (3, 3)
    assert earlier_of(first, events[1:]) is None
    assert earlier_of(second, events) is not None


async def test_an_empty_session_is_done_and_teaches_nothing(at: Bench) -> None:
    await at.append([])
    await at.run()
    assert await at.segments() == []
    assert (await at.item(PipelineStage.EXTRACT)).state is StageState.DONE
    assert at.analyzers.segmenter.calls == at.analyzers.extractor.calls == 0


async def test_a_session_that_says_nothing_is_done(at: Bench) -> None:
    empty = [_event(index, "", Role.TOOL) for index in range(4)]
    await at.append(empty)
    await at.run()
    assert (await at.item(PipelineStage.EXTRACT)).state is StageState.DONE
    assert await at.learned() == []


async def test_at_most_two_events_are_a_segment_and_nobody_is_asked(at: Bench) -> None:
    await at.tell(*BEES)
    await at.run(PipelineStage.SEGMENT)
    assert at.analyzers.segmenter.calls == 0
    assert len(await at.segments()) == 1


async def test_facts_are_taken_however_the_task_went_lessons_only_of_good_ones(at: Bench) -> None:
    asked = at.analyzers.extractor
    wanted: list[bool] = []
    learn = asked.learn

    async def noting(lecture):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        wanted.append(lecture.lessons)
        return await learn(lecture)

    asked.learn = noting  # type: ignore[method-assign]
    for session_id, score, said in (("good", 0.7, BEES), ("bad", 0.69, FIGS)):
        at.analyzers.labeller.score = score
        await at.tell(*said, session_id=session_id)
        await at.run()
        assert len(await at.learned(session_id)) == 1
    assert wanted == [True, False]


async def test_a_session_of_more_than_fifty_turns_is_mined_in_windows_of_eight_to_ten(
    at: Bench,
) -> None:
    at.analyzers.labeller.score = 0.1
    await at.tell(*_long(LONG_SESSION_TURNS + 1))
    await at.run()
    lectures = at.analyzers.extractor.lectures
    assert [len(turn_starts(one.events)) for one in lectures] == [8, 9, 8, 9, 8, 9]
    assert [len(one.context) for one in lectures] == [0, 5, 5, 5, 5, 5]
    read = [event.index for one in lectures for event in one.events]
    assert read == list(range(2 * (LONG_SESSION_TURNS + 1)))
    assert len(await at.learned()) == LONG_SESSION_TURNS + 1


async def test_a_session_of_fifty_turns_is_mined_at_once(at: Bench) -> None:
    await at.tell(*_long(LONG_SESSION_TURNS))
    await at.run()
    (lecture,) = at.analyzers.extractor.lectures
    assert len(lecture.events) == 2 * LONG_SESSION_TURNS


async def test_windows_of_turns_end_where_segments_do(at: Bench) -> None:
    await at.tell(*_long(40), *BEES, *_long(14, of=2))
    await at.run()
    first, second, third = await at.segments()
    for lecture in at.analyzers.extractor.lectures:
        indices = {event.index for event in lecture.events}
        assert any(
            indices <= set(range(one.first_event_index, one.last_event_index + 1))
            for one in (first, second, third)
        )


async def test_lessons_of_a_long_session_are_looked_for_in_the_whole_task(at: Bench) -> None:
    await at.tell(*_long(LONG_SESSION_TURNS + 1))
    await at.run()
    *few, whole = at.analyzers.extractor.lectures
    assert {(one.facts, one.lessons) for one in few} == {(True, False)}
    assert (whole.facts, whole.lessons) == (False, True)
    assert len(whole.events) == 2 * (LONG_SESSION_TURNS + 1)


async def test_mining_a_long_session_twice_changes_nothing(at: Bench) -> None:
    said = _long(LONG_SESSION_TURNS + 1)
    await at.tell(*said)
    await at.run()
    before = {memory.memory_id: memory.revision for memory in await at.learned()}
    read = len(at.analyzers.extractor.lectures)
    assert await at.run() == []
    assert (await at.tell(*said)).appended == 0
    assert await at.run() == []
    assert {memory.memory_id: memory.revision for memory in await at.learned()} == before
    assert len(at.analyzers.extractor.lectures) == read


async def test_more_than_five_hundred_of_a_segment_are_cut_by_importance(at: Bench) -> None:
    await at.tell(*BEES)
    at.analyzers.extractor.copies = 507
    await at.run()
    found = await at.learned()
    assert len(found) == 500
    assert min(memory.importance for memory in found) > 0.5 + 6 / 10_000
    (activity,) = await at.activities()
    assert {one.reason: one.count for one in activity.refusals} == {"too_many": 7}


async def test_one_that_is_too_long_is_refused_and_costs_no_other(at: Bench) -> None:
    await at.tell("user: Task one, " + "x" * 3000 + " bees", "user: I keep bees in Lisbon")
    await at.run()
    (memory,) = await at.learned()
    assert memory.content == "I keep bees in Lisbon"
    (activity,) = await at.activities()
    assert {one.reason: one.count for one in activity.refusals} == {"malformed": 1}


async def test_episodes_are_promoted_two_days_later_and_once(at: Bench) -> None:
    await at.tell(*BEES, *FIGS, *RIVER)
    await at.run()
    wish = Wish(stages=(PipelineStage.COMPRESS,), limit=1)
    assert await at.peer.claim(wish) == []
    at.served.clock.move(hours=48)
    (finished,) = await at.runner().claim_and_run(wish)
    assert finished.outcome.promoted == 4
    assert await at.runner().claim_and_run(wish) == []


async def test_a_very_long_session_promotes_what_the_ledger_takes_at_once(at: Bench) -> None:
    for first in range(0, 4000, EVENTS_IN_A_WRITE):
        events = [_event(n, f"note {n}") for n in range(first, first + EVENTS_IN_A_WRITE)]
        await at.append(events, end=first + EVENTS_IN_A_WRITE == 4000)
    at.analyzers.extractor.copies = 0
    await at.run()
    (step,) = await at.run(PipelineStage.COMPRESS)
    assert not step.finished.failure
    assert step.finished.outcome.promoted == 1000


async def test_results_are_refused_under_a_lease_that_somebody_else_has(at: Bench) -> None:
    await at.tell(*BEES)
    claim = await claimed(at, PipelineStage.SEGMENT)
    at.served.clock.move(seconds=LEASE_S)
    await claimed(at, PipelineStage.SEGMENT)
    (done,) = await asyncio.gather(at.stages.work(claim), return_exceptions=True)
    assert getattr(done, "reason", "") == "LEASE_LOST"


def _event(index: int, content: str, role: Role = Role.USER) -> LedgerEvent:
    return LedgerEvent(role=role, content=content, index=index, event_time=AT)


class _FailsAt:
    """A gate that fails one call."""

    def __init__(self, call: int) -> None:
        self._call = call
        self.calls = 0

    async def __call__(self) -> None:
        self.calls += 1
        if self.calls == self._call:
            raise AnswerMalformed("half a document")
