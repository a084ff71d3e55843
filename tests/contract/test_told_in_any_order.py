"""What is told closes what was told before, whichever comes in first, in every store."""

from itertools import permutations

import pytest

from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.clock import SetClock
from tests.support.facts_told import fact, listed, shown, us
from tests.support.pipeline import complete, learn, measured_session

SAID = (("Utrecht", "2026-01-05"), ("Lisbon", "2026-03-07"), ("Delft", "2026-06-01"))


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_the_time_of_telling_decides(
    store: NamespaceStore, clock: SetClock, order: tuple[int, ...]
) -> None:
    for place in order:
        city, said = SAID[place]
        clock.move(hours=1)
        extract, (segment,) = await measured_session(store, clock, "hi", session_id=f"s-{place}")
        home = fact("Nadia", "lives_in", city, source="", said=said)
        await learn(store, extract, segment.segment_id, home)
        await complete(store, extract)
    assert [shown(one) for one in await listed(store)] == [
        ("Utrecht", "2026-01-05", "2026-03-07"),
        ("Lisbon", "2026-03-07", "2026-06-01"),
        ("Delft", "2026-06-01", ""),
    ]
    (april,) = await listed(store, FactWhere(as_of_us=us("2026-04-01")))
    assert shown(april)[0] == "Lisbon"
