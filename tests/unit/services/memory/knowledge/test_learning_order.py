"""Facts out of talk: what somebody says without a date holds from when they said so.

Sessions are imported in any order, so what was said decides, and not what came in first.
"""

from itertools import permutations

import pytest

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact, TimePrecision
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.clock import SetClock
from tests.support.facts_told import fact, listed, shown, tell, us
from tests.support.pipeline import complete, learn, measured_session

SAID = (("Malmö", "2026-03-05"), ("Oslo", "2026-05-07"), ("Bergen", "2026-06-01"))


async def taught(store: NamespaceStore, clock: SetClock, session_id: str, *facts: Memory) -> None:
    """Import a session that teaches these."""
    clock.move(hours=1)
    extract, (segment,) = await measured_session(store, clock, "hello", session_id=session_id)
    await learn(store, extract, segment.segment_id, *facts)
    await complete(store, extract)


def home(city: str, said: str) -> Memory:
    """Somebody says where Nadia lives."""
    return fact("Nadia", "lives_in", city, source="", said=said)


async def lives_in(store: NamespaceStore, as_of: str) -> set[str]:
    """Where she lives at a date, as far as is known."""
    return {shown(one)[0] for one in await listed(store, FactWhere(as_of_us=us(as_of)))}


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_what_was_said_later_closes_whatever_came_in_first(
    store: NamespaceStore, clock: SetClock, order: tuple[int, ...]
) -> None:
    for place in order:
        await taught(store, clock, f"s-{place}", home(*SAID[place]))
    found = await listed(store)
    assert [shown(one) for one in found] == [
        ("Malmö", "2026-03-05", "2026-05-07"),
        ("Oslo", "2026-05-07", "2026-06-01"),
        ("Bergen", "2026-06-01", ""),
    ]
    assert [one.superseded for one in found] == [True, True, False]
    assert [one.sources for one in found] == [("s-0",), ("s-1",), ("s-2",)]
    parts = [one.memory.part for one in found]
    assert {part.time_precision for part in parts if isinstance(part, Fact)} == {
        TimePrecision.INSTANT
    }


async def test_said_in_one_session_the_order_of_the_talk_counts(
    store: NamespaceStore, clock: SetClock
) -> None:
    later, earlier = home(*SAID[1]), home(*SAID[0])
    await taught(store, clock, "s-1", later, earlier)
    assert [shown(one) for one in await listed(store)] == [
        ("Malmö", "2026-03-05", "2026-05-07"),
        ("Oslo", "2026-05-07", ""),
    ]


async def test_said_again_while_it_holds_it_is_surer(
    store: NamespaceStore, clock: SetClock
) -> None:
    await taught(store, clock, "s-1", home("Malmö", "2026-03-05"))
    await taught(store, clock, "s-2", home("malmö", "2026-06-05"))
    await taught(store, clock, "s-2b", home("Oslo", "2026-07-01"))
    malmo, oslo = await listed(store)
    assert shown(malmo) == ("Malmö", "2026-03-05", "2026-07-01")
    assert malmo.sources == ("s-1", "s-2")
    assert malmo.memory.confidence == pytest.approx(0.85)
    assert shown(oslo) == ("Oslo", "2026-07-01", "")


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_said_twice_in_any_order_the_answers_are_the_same(
    store: NamespaceStore, clock: SetClock, order: tuple[int, ...]
) -> None:
    said = (("Malmö", "2026-03-05"), ("Malmö", "2026-06-05"), ("Oslo", "2026-07-01"))
    for place in order:
        await taught(store, clock, f"s-{place}", home(*said[place]))
    dates = ("2026-03-01", "2026-04-01", "2026-06-30", "2026-07-02")
    assert [await lives_in(store, date) for date in dates] == [
        set(),
        {"Malmö"},
        {"Malmö"},
        {"Oslo"},
    ]


async def test_what_comes_back_opens_again(store: NamespaceStore, clock: SetClock) -> None:
    for place, (city, said) in enumerate([SAID[0], SAID[1], ("Malmö", "2026-09-01")]):
        await taught(store, clock, f"s-{place}", home(city, said))
    assert [shown(one) for one in await listed(store)] == [
        ("Malmö", "2026-03-05", "2026-05-07"),
        ("Oslo", "2026-05-07", "2026-09-01"),
        ("Malmö", "2026-09-01", ""),
    ]


async def test_a_mention_joins_what_is_known_with_its_date(
    store: NamespaceStore, clock: SetClock
) -> None:
    await tell(store, fact("Nadia", "lives_in", "Malmö", "2020", source="cv"))
    await taught(store, clock, "s-1", home("Malmö", "2026-03-05"))
    (malmo,) = await listed(store)
    assert (shown(malmo), malmo.sources) == (("Malmö", "2020-01-01", ""), ("cv", "s-1"))


async def test_a_date_that_was_said_counts_and_not_the_day_of_the_talk(
    store: NamespaceStore, clock: SetClock
) -> None:
    dated = fact("Nadia", "lives_in", "Malmö", "2019-08", source="", said="2026-03-05")
    await taught(store, clock, "s-1", dated)
    assert [shown(one) for one in await listed(store)] == [("Malmö", "2019-08-01", "")]


async def test_of_other_predicates_nobody_knows_since_when(
    store: NamespaceStore, clock: SetClock
) -> None:
    likes = [
        fact("Nadia", "likes", what, source="", said=said)
        for what, said in (("tea", "2026-03-05"), ("rain", "2026-05-07"))
    ]
    await taught(store, clock, "s-1", *likes)
    assert {shown(one) for one in await listed(store)} == {("tea", "", ""), ("rain", "", "")}


async def test_said_at_an_unknown_time_it_holds_at_any(
    store: NamespaceStore, clock: SetClock
) -> None:
    await taught(store, clock, "s-1", home("Malmö", ""))
    assert [shown(one) for one in await listed(store)] == [("Malmö", "", "")]


async def test_what_is_stated_without_a_date_gets_none(store: NamespaceStore) -> None:
    await tell(store, home("Malmö", "2026-03-05"))
    assert [shown(one) for one in await listed(store)] == [("Malmö", "", "")]
