"""Lives at random: a store says at any point of both times what the naive model says."""

import pytest

from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.drawn_lives import drawn_lives

LIVES = {"FakeNamespace": 25, "SqliteNamespace": 25}
LIVES_OF_A_SERVER = 4


@pytest.mark.long
async def test_the_same_as_the_naive_model(store: NamespaceStore, clock: SetClock) -> None:
    count = LIVES.get(type(store).__name__, LIVES_OF_A_SERVER)
    for life in drawn_lives(20260314, count, clock, store):
        await life.live()
        await life.check()
