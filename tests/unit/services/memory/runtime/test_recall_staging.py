"""What recall brings into STAGING: what answers, best first, as much as fits, nothing unseen."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.domain.lifecycle.working import DEFAULT_BUDGETS, Zone
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.working_memory import Owner
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.recall_staging import Staged, Staging
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated
from tests.support.records import lesson

OWNER = Owner("planner", "ada")
TOKENS = load_counter("o200k_base")


@pytest.fixture
async def behind(tmp_path: Path) -> AsyncIterator[Operated]:
    """An empty data directory."""
    async with operated(tmp_path, SwitchedEmbedder()) as opened:
        yield opened


async def keep(behind: Operated, *memories: Memory) -> None:
    """Store memories with their vectors, and index them."""
    async with behind.namespaces.writing("n") as opened:
        vectors = [await behind.embedder.embed([one.content]) for one in memories]
        await opened.store.commit(CreateMemories(memories, vectors))
        await behind.settle(opened)


async def recall(behind: Operated, query: str, owner: Owner = OWNER) -> Staged:
    """What is brought for a question."""
    staging = Staging(
        CandidateFinder(behind.namespaces, CachedQueries(behind.embedder, 16)), TOKENS
    )
    async with behind.namespaces.reading("n") as opened:
        return await staging.recall(opened, owner, query)


def told(staged: Staged) -> list[str]:
    """The texts of what was brought."""
    return [item.content for item in staged.items]


async def test_the_best_comes_first_as_one_line_that_names_its_memory(behind: Operated) -> None:
    both = replace(lesson("green apples fall"), summary="apples, green", importance=0.9)
    await keep(behind, lesson("red apples wait"), both, lesson("close the door"))
    staged = await recall(behind, "green apples")
    assert told(staged) == ["apples, green", "red apples wait"]
    first = staged.items[0]
    assert (first.zone, first.memory_id, first.item_id, first.importance) == (
        Zone.STAGING,
        both.memory_id,
        both.memory_id,
        0.9,
    )
    assert first.token_count == TOKENS.count("apples, green")
    assert staged.degraded == ()


async def test_what_does_not_fit_is_passed_over_and_the_rest_is_not(behind: Operated) -> None:
    words = "green apples " * (DEFAULT_BUDGETS.staging_tokens // 4)
    await keep(behind, *(lesson(f"{words} {number}") for number in range(3)))
    await keep(behind, lesson("apples keep"), replace(lesson("none of green"), content="green"))
    staged = await recall(behind, "green apples")
    count = sum(item.token_count for item in staged.items)
    assert count <= DEFAULT_BUDGETS.staging_tokens
    assert sum(text.startswith(words) for text in told(staged)) == 1
    assert {"apples keep", "green"} <= {*told(staged)}


async def test_what_neither_agent_nor_user_may_see_is_not_brought(behind: Operated) -> None:
    to_user, to_agent = Visibility.PRIVATE_TO_USER, Visibility.PRIVATE_TO_AGENT
    await keep(
        behind,
        lesson("apples of ada", visibility=to_user, user_id="ada"),
        lesson("apples of bob", visibility=to_user, user_id="bob"),
        lesson("apples of the planner", visibility=to_agent, agent_id="planner"),
        lesson("apples of the cook", visibility=to_agent, agent_id="cook"),
    )
    assert {*told(await recall(behind, "apples"))} == {"apples of ada", "apples of the planner"}
    assert told(await recall(behind, "apples", Owner("", "bob"))) == ["apples of bob"]


async def test_what_shares_no_word_must_be_close(behind: Operated) -> None:
    await keep(behind, lesson("!!! ??? ;;"), lesson("(( )) ::"))
    assert told(await recall(behind, "!!! ???")) == ["!!! ??? ;;"]


async def test_without_a_vector_words_still_bring_and_it_says_so(behind: Operated) -> None:
    await keep(behind, lesson("green apples fall"), lesson("close the door"))
    assert isinstance(behind.embedder, SwitchedEmbedder)
    behind.embedder.available = False
    staged = await recall(behind, "apples")
    assert told(staged) == ["green apples fall"]
    assert "text only" in staged.degraded[0]
