"""Facts as they are listed: what is one is shown as one, whatever the size of a page."""

import pytest

from anamnesis_libs.participants import together
from anamnesis_memory.knowledge.listing import subjects_named
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.clock import SetClock
from tests.support.facts_told import ANYBODY, fact, listed, shown, take_back, tell, us
from tests.support.pipeline import now_us


def twins(user_id: str = "") -> tuple[Memory, ...]:
    """Delft until 2019, once told with that end, and once ended by Gouda."""
    return (
        fact("Nadia", "lives_in", "Delft", "2018", "2019", source="mail", user_id=user_id),
        fact("Nadia", "lives_in", "Delft", "2018", source="chat", user_id=user_id),
        fact("Nadia", "lives_in", "Gouda", "2019", user_id=user_id),
    )


async def test_what_says_the_same_in_the_same_time_is_one(
    store: NamespaceStore, clock: SetClock
) -> None:
    ended, open_, later = twins()
    await tell(store, ended)
    first_us = now_us(clock)
    clock.move(days=1)
    await tell(store, open_, later)
    one, gouda = await listed(store)
    assert shown(one) == ("Delft", "2018-01-01", "2019-01-01")
    assert one.sources == ("mail", "chat")
    assert one.memory.memory_id == ended.memory_id
    assert one.memory.confidence == pytest.approx(0.85)
    assert one.closed_by == (later.memory_id,)
    assert (one.superseded, one.known_from_us) == (True, now_us(clock))
    assert gouda.closed_by == ()
    (alone,) = await listed(store, FactWhere(known_at_us=first_us))
    assert (alone.sources, alone.superseded, alone.known_from_us) == (("mail",), False, first_us)


@pytest.mark.parametrize("page", range(1, 8))
async def test_pages_of_any_size_show_the_same(store: NamespaceStore, page: int) -> None:
    """Shared and private twins lie between each other at each border."""
    await tell(store, *twins(), *twins("nadia"), *twins("piet"))
    await tell(store, *(fact("Nadia", "likes", drink, "2018") for drink in ("tea", "rum", "gin")))
    scopes = (*ANYBODY, "user:nadia")
    whole = await listed(store, scopes=scopes, page=100)
    assert [shown(one)[0] for one in whole].count("Delft") == 2
    assert len(whole) == 7
    assert await listed(store, scopes=scopes, page=page) == whole
    places = [one.place for one in whole]
    assert places == sorted(set(places))


async def test_what_several_told_together_is_shown_to_each_of_them(store: NamespaceStore) -> None:
    await tell(store, *twins(together(["nadia", "piet"])))
    for user_id in ("nadia", "piet"):
        seen = await listed(store, scopes=scopes_of(Caller(user_id=user_id)))
        assert [shown(one)[0] for one in seen] == ["Delft", "Gouda"]
        assert seen[0].closed_by
    for user_id in ("nad", "eve", ""):
        assert not await listed(store, scopes=scopes_of(Caller(user_id=user_id)))


async def test_by_beginning_the_unknown_first(store: NamespaceStore) -> None:
    told = (("Rome", "2020", ""), ("Oslo", "", ""), ("Lima", "2018", "2019"), ("Nice", "2018", ""))
    await tell(store, *(fact("Nadia", "likes", *one) for one in told))
    assert [shown(one)[0] for one in await listed(store)] == ["Oslo", "Lima", "Nice", "Rome"]


async def test_every_filter_must_hold(store: NamespaceStore) -> None:
    await tell(
        store,
        fact("Nadia", "lives_in", "Delft", "2018", "2019"),
        fact("Nadia", "lives_in", "Gouda", "2020"),
        fact("Piet", "lives_in", "Gouda", "2020"),
        fact("Piet", "likes", "Gouda"),
    )
    for where, expected in (
        (FactWhere(subjects=("nadia",)), ["Delft", "Gouda"]),
        (
            FactWhere(subjects=("nadia", "piet"), predicates=("lives_in",)),
            ["Delft", "Gouda", "Gouda"],
        ),
        (FactWhere(object="gouda", predicates=("likes",)), ["Gouda"]),
        (FactWhere(subjects=("nadia",), as_of_us=us("2018-12-31")), ["Delft"]),
        (FactWhere(subjects=("nadia",), as_of_us=us("2019-06")), []),
        (FactWhere(subjects=("gouda",)), []),
    ):
        assert [shown(one)[0] for one in await listed(store, where)] == expected


async def test_what_a_memory_hides_is_not_listed(store: NamespaceStore) -> None:
    await tell(store, fact("Nadia", "likes", "tea", user_id="nadia"))
    assert await listed(store) == []
    assert len(await listed(store, scopes=("user:nadia",))) == 1


async def test_shown_as_known_then(store: NamespaceStore, clock: SetClock) -> None:
    told = fact("Nadia", "lives_in", "Delft", "2018")
    await tell(store, told)
    times = [now_us(clock)]
    for write in (
        tell(store, fact("Nadia", "lives_in", "Delft", "2018", source="mail")),
        tell(store, fact("Nadia", "lives_in", "Gouda", "2018", source="mail")),
        tell(store, fact("Nadia", "lives_in", "Utrecht", "2021")),
    ):
        clock.move(days=1)
        await write
        times.append(now_us(clock))
    clock.move(days=1)
    await take_back(store, told.memory_id)
    seen = []
    for at_us in times:
        where = FactWhere(known_at_us=at_us, object="delft")
        (one,) = await listed(store, where)
        seen.append(
            (round(one.memory.confidence, 2), one.contradicted, one.superseded, shown(one)[2])
        )
        assert one.retracted
    assert seen == [
        (0.8, False, False, ""),
        (0.85, False, False, ""),
        (0.85, True, False, ""),
        (0.85, True, True, "2021-01-01"),
    ]
    assert await listed(store, FactWhere(object="delft")) == []


async def test_a_name_asks_for_all_names_of_who_has_it(store: NamespaceStore) -> None:
    await tell(store, fact("Nádia Visser", "likes", "tea"))
    assert await subjects_named(store, ["nadia  visser"], ANYBODY) == (
        "nadia visser",
        "nádia visser",
    )
    assert await subjects_named(store, ["Nobody", "nobody ", ""], ANYBODY) == ("nobody",)
    await tell(store, fact("Secret", "likes", "tea", user_id="nadia"))
    assert await subjects_named(store, ["secret"], ANYBODY) == ("secret",)
