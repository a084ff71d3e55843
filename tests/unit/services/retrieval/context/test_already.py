"""Tests of context/already.py: a session is not told again what it was told whole."""

from dataclasses import replace

import pytest

from anamnesis_retrieval.context.already import (
    KEPT_S,
    MEMORIES_MAX,
    SESSIONS_MAX,
    SessionKey,
    ShownAlready,
    digest_of,
)
from anamnesis_retrieval.context.build import build_context
from anamnesis_retrieval.context.model import Context, Empty
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.model import Learned, Remembered
from tests.support.clock import SetClock
from tests.support.small_memory import TOKENS, Said, SmallMemory

HERE = SessionKey("n", "ada", "", "s-1")
ROSES = Said("The garden has roses and a pond.", "2026-01-05", "a")
FIGS = Said("The garden has figs by the wall.", "2026-02-05", "b")
RULE = Said("I'm allergic to walnuts. The weather is fine.", "2026-01-07", "c")
GARDEN = "What has the garden?"


async def told(
    memory: SmallMemory,
    already: ShownAlready,
    query: str = GARDEN,
    key: SessionKey = HERE,
    budget: int = 300,
) -> Context:
    wanted = ContextRequest(query, budget, session=key)
    return (await build_context(memory, wanted, TOKENS, already)).context


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


async def test_what_was_told_is_left_out_and_what_is_new_is_told(clock: SetClock) -> None:
    already = ShownAlready(clock)
    assert "roses" in (await told(SmallMemory(ROSES), already)).text
    again = await told(SmallMemory(ROSES), already)
    assert (again.text, again.empty) == ("", Empty.ALREADY_SHOWN)
    more = await told(SmallMemory(ROSES, FIGS), already)
    assert "figs" in more.text
    assert "roses" not in more.text


async def test_what_only_came_with_what_was_told_is_not_told_alone(clock: SetClock) -> None:
    already = ShownAlready(clock)
    memory = SmallMemory(ROSES, Said("My sister plays the cello.", "2026-01-06", "b"))
    assert "cello" not in (await told(memory, already, budget=26)).text
    assert (await told(memory, already)).empty is Empty.ALREADY_SHOWN
    assert "cello" in (await told(memory, already, "Who plays the cello?")).text


async def test_what_changed_is_told_again(clock: SetClock) -> None:
    already = ShownAlready(clock)
    await told(SmallMemory(ROSES), already)
    changed = replace(ROSES, text="The garden has roses and no pond.")
    assert "no pond" in (await told(SmallMemory(changed), already)).text
    doubtful = replace(ROSES, caveats=("contradicted",))
    assert "contradicted" in (await told(SmallMemory(doubtful), already)).text


async def test_another_session_or_caller_knows_nothing_of_it(clock: SetClock) -> None:
    already = ShownAlready(clock)
    await told(SmallMemory(ROSES), already)
    for other in ({"session_id": "s-2"}, {"user_id": "ben"}, {"namespace": "m"}):
        assert "roses" in (await told(SmallMemory(ROSES), already, key=replace(HERE, **other))).text


async def test_of_what_stands_a_part_is_told_once_and_the_rest_where_it_answers(
    clock: SetClock,
) -> None:
    already = ShownAlready(clock)
    memory = SmallMemory(RULE, ROSES)
    first = await told(memory, already, "Suggest a dessert for tonight.")
    assert "walnuts" in first.text
    assert "weather" not in first.text
    assert (await told(memory, already, "Suggest a dessert.")).empty is Empty.ALREADY_SHOWN
    assert "weather is fine" in (await told(memory, already, "How is the weather?")).text


async def test_what_was_told_whole_stands_no_more(clock: SetClock) -> None:
    already = ShownAlready(clock)
    assert "weather" in (await told(SmallMemory(RULE), already, "How is the weather?")).text
    again = await told(SmallMemory(RULE), already, "Bake me a cake.")
    assert again.text == ""


async def test_a_lesson_of_the_brief_is_not_told_whole_beside_it(clock: SetClock) -> None:
    learned = Learned("The husum test fails", "Husum is an hour early.", "Make the times aware.")
    text = "The husum test fails\nHusum is an hour early.\nMake the times aware."
    memory = SmallMemory(Said(text, "2026-01-05", "a", "", learned=learned))
    asked = "Why does the husum test fail?"
    assert "aware" in (await told(memory, ShownAlready(clock), asked)).text
    already = ShownAlready(clock)
    assert "aware" in (await memory.brief(already=already)).text
    now = SessionKey("n", "ada", "", "now")
    assert (await told(memory, already, asked, now)).empty is Empty.ALREADY_SHOWN


async def test_a_rule_of_the_brief_is_not_told_again_by_the_line_that_laid_it_down(
    clock: SetClock,
) -> None:
    line = Said(
        "A new shop. House rules: no plastic bags. Never sell on credit.", "2026-01-05", "a"
    )
    learned = Said(
        *("Rule: no plastic bags", "2026-01-05", "a", ""),
        fact="ada requires",
        category="constraint",
        sources=("m000",),
    )
    memory = SmallMemory(line, learned)
    already, now = ShownAlready(clock), SessionKey("n", "ada", "", "now")
    work = "Write the sign of our new shop about bags and credit."
    assert "plastic" in (await told(memory, ShownAlready(clock), work)).text
    assert "no plastic bags" in (await memory.brief(already=already)).text
    assert "plastic" not in (await told(memory, already, work, now)).text


async def test_of_what_is_left_only_what_answers_by_itself_is_told(clock: SetClock) -> None:
    already = ShownAlready(clock)
    work = "Let's paint the garden shed."
    memory = SmallMemory(
        Said("We painted the garden shed green.", "2026-01-05", "a"),
        Said("We had the tax papers sent to the clerk.", "2026-01-06", "b"),
    )
    assert "shed green" in (await told(memory, already, work)).text
    later = SmallMemory(
        *memory.said,
        Said("We keep the brushes for the garden shed in the loft.", "2026-01-07", "c"),
        Said("We take the train to the coast.", "2026-01-08", "d"),
    )
    again = (await told(later, already, work)).text
    assert "brushes" in again
    assert "train" not in again


async def test_what_was_cut_is_told_again(clock: SetClock) -> None:
    long = Said(" ".join(f"The garden has a bed number {n}." for n in range(200)), "2026-01-05")
    already = ShownAlready(clock)
    assert "…" in (await told(SmallMemory(long), already)).text
    assert "garden" in (await told(SmallMemory(long), already)).text


async def test_without_a_session_nothing_is_left_out(clock: SetClock) -> None:
    already = ShownAlready(clock)
    for _ in range(2):
        built = await build_context(
            SmallMemory(ROSES), ContextRequest(GARDEN, 300), TOKENS, already
        )
        assert "roses" in built.context.text


def remembered(number: int) -> Remembered:
    return Remembered(f"m{number}", "", "user", "", "text")


def test_the_past_day_the_last_memories_and_the_last_sessions_are_known(clock: SetClock) -> None:
    already = ShownAlready(clock)
    already.add(HERE, map(remembered, range(MEMORIES_MAX + 1)))
    assert len(already.of(HERE)) == MEMORIES_MAX
    assert digest_of(remembered(0)) not in already.of(HERE)
    clock.move(seconds=KEPT_S - 1)
    assert already.of(HERE)
    clock.move(seconds=2)
    assert not already.of(HERE)
    already.add(HERE, [remembered(1)])
    for number in range(SESSIONS_MAX):
        already.add(replace(HERE, session_id=f"x{number}"), [remembered(1)])
    assert not already.of(HERE)
    assert already.of(replace(HERE, session_id="x0"))
