"""Tests of search.py: what a walk of the graph did not see is told."""

from collections.abc import Sequence

import pytest

from anamnesis_retrieval.model import Joined, Mode
from anamnesis_retrieval.search import NOT_ALL_WALKED, Question, search
from tests.support.small_memory import Said, SmallMemory


class Walked(SmallMemory):
    """Its walks end early, by a bound."""

    bound = ""

    async def joined(self, memory_ids: Sequence[str], revision: str) -> Joined:
        """These alone."""
        return Joined(dict.fromkeys(memory_ids, 0), self.bound)


@pytest.mark.parametrize(
    ("bound", "told"), [("", ()), ("nodes", (f"{NOT_ALL_WALKED}: nodes",))], ids=["all", "nodes"]
)
async def test_a_walk_that_ended_early_is_told(bound: str, told: tuple[str, ...]) -> None:
    memory = Walked(Said("The garden has roses."), Said("The pond is deep."))
    memory.bound = bound
    page = await search(memory, Question("garden roses", Mode.GRAPH, 10))
    assert page.page
    assert page.found.degraded == told
