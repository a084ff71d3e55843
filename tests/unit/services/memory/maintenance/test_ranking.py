"""Tiers by use and centrality by links, as sleep writes them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_memory.maintenance.usage.count import CountUses
from anamnesis_memory.model.edges import EdgeKey, EdgeType
from anamnesis_memory.model.memory import Kind, Status, Tier, Visibility, Work
from tests.support.memory_service import Served, serving
from tests.support.records import append
from tests.support.sleeping import SPACE, edges, everything, linked, memory, slept, stored

pytestmark = pytest.mark.slow


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def used(served: Served, **hits: int) -> None:
    """Count uses."""
    async with served.calls.reading(SPACE) as opened:
        await served.calls.apply(opened, CountUses(hits))


async def centralities(served: Served) -> dict[str, float]:
    """The centrality of each memory."""
    await slept(served, Work.REINFORCE)
    return {name: one.centrality for name, one in (await everything(served)).items()}


async def test_ten_memories_are_one_hot_four_warm_five_cold(served: Served) -> None:
    names = [f"m{number}" for number in range(10)]
    await stored(served, *map(memory, names))
    await used(served, **{name: place for place, name in enumerate(names) if place})
    run = (await slept(served, Work.TIER))[Work.TIER]
    found = await everything(served)
    assert [found[name].tier for name in names] == [Tier.COLD] * 5 + [Tier.WARM] * 4 + [Tier.HOT]
    assert run.counts == {
        "ranked": 10, "hot": 1, "warm": 4, "cold": 5, "newly_hot": 1, "tiers_changed": 6
    }  # fmt: skip
    again = (await slept(served, Work.TIER))[Work.TIER]
    assert "tiers_changed" not in again.counts


async def test_ranking_takes_no_revision_and_leaves_hits_alone(served: Served) -> None:
    await stored(served, *(memory(f"m{number}") for number in range(10)))
    await used(served, m3=2)
    async with served.calls.reading(SPACE) as opened:
        before = opened.store.revision
        await slept(served, Work.REINFORCE, Work.TIER)
        assert await opened.store.refresh() == before
    hot = (await everything(served))["m3"]
    assert (hot.tier, hot.hit_count, hot.last_hit_us) == (Tier.HOT, 2, served.calls.now_us())


async def test_cold_and_unused_for_the_policys_days_is_archived(served: Served) -> None:
    names = [f"m{number}" for number in range(10)]
    await stored(served, *(memory(name, pinned=name == "m0") for name in names))
    served.clock.move(days=29)
    await used(served, **{f"m{number}": 1 for number in range(5, 10)})
    served.clock.move(days=1)
    run = (await slept(served, Work.TIER))[Work.TIER]
    assert run.counts["archived"] == 4
    found = await everything(served)
    gone = {name for name, one in found.items() if one.status is Status.ARCHIVED}
    assert gone == {"m1", "m2", "m3", "m4"}
    assert found["m1"].archive_time_us == served.calls.now_us()


async def test_what_others_lead_to_is_central(served: Served) -> None:
    await stored(served, *(memory(f"m{number:02}") for number in range(40)))
    await linked(
        served, *((f"m{number:02}", "m00", EdgeType.DERIVED_FROM, 1.0) for number in range(1, 20))
    )
    found = await centralities(served)
    assert found["m00"] == 39 / 40
    assert {found[f"m{number:02}"] for number in range(1, 40)} == {0.0}


async def test_centrality_is_written_only_where_it_moved(served: Served) -> None:
    await stored(served, *(memory(f"m{number:02}") for number in range(40)))
    await linked(served, ("m01", "m00", EdgeType.SUPPORTS, 1.0))
    first = (await slept(served, Work.REINFORCE))[Work.REINFORCE]
    assert first.counts == {"ranked": 40, "edges": 1, "centralities_changed": 1}
    again = (await slept(served, Work.REINFORCE))[Work.REINFORCE]
    assert again.counts == {"ranked": 40, "edges": 1}


async def test_mentions_and_neighbours_in_a_session_lend_weight(served: Served) -> None:
    together = [memory(f"bees{number}", entities=("Bees",)) for number in range(4)]
    await stored(served, *together, memory("alone"), memory("other", entities=("bees",)))
    async with served.calls.writing(SPACE) as opened:
        await opened.store.commit(append("first", "second", "third"))
    found = await centralities(served)
    said = [one for one in (await everything(served)).values() if one.kind is Kind.EPISODIC]
    said.sort(key=lambda one: one.event_index or 0)
    assert found["alone"] == 0.0
    assert found[said[1].memory_id] > found[said[0].memory_id] == found[said[2].memory_id] > 0
    assert found["other"] == found["bees0"] > 0


async def test_what_took_the_place_of_another_is_the_more_central(served: Served) -> None:
    await stored(served, memory("new"), memory("old"), memory("third"))
    await linked(served, ("new", "old", EdgeType.SUPERSEDES, 1.0))
    found = await centralities(served)
    assert found["new"] > found["old"]


async def test_what_is_private_lends_no_weight_to_what_others_see(served: Served) -> None:
    private = memory("p", visibility=Visibility.PRIVATE_TO_USER, user_id="ada", entities=("bees",))
    await stored(served, memory("shared", entities=("bees",)), memory("plain"))
    before = await centralities(served)
    await stored(served, *(replace(private, memory_id=f"p{number}") for number in range(9)))
    await linked(
        served, *((f"p{number}", "plain", EdgeType.DERIVED_FROM, 1.0) for number in range(9))
    )
    after = await centralities(served)
    assert {name: after[name] for name in before} == before


async def test_a_cycle_lets_what_was_recalled_together_fade(served: Served) -> None:
    await stored(served, memory("a"), memory("b"), memory("c"))
    await linked(
        served,
        ("a", "b", EdgeType.CO_RECALLED, 0.1),
        ("a", "c", EdgeType.CO_RECALLED, 0.0101),
        ("b", "c", EdgeType.SIMILAR_TO, 0.5),
    )
    run = (await slept(served, Work.REINFORCE))[Work.REINFORCE]
    assert (run.counts["edges_decayed"], run.counts["edges_removed"]) == (1, 1)
    left = await edges(served)
    assert left == {
        EdgeKey("a", "b", EdgeType.CO_RECALLED): pytest.approx(0.095),
        EdgeKey("b", "c", EdgeType.SIMILAR_TO): 0.5,
    }
