"""A few seeds of the simulation; `make sim` runs many."""

import pytest

from tests.sim.run import Kind, simulate

SEEDS = 60
POWER_SEEDS = 15
NETWORK_SEEDS = 2
BATCH = 10


def walks(seeds: int, batch: int) -> list[object]:
    """The first seed of each batch; all but the first batch are long walks."""
    mark = {True: pytest.mark.slow, False: pytest.mark.long}
    return [pytest.param(first, marks=mark[first == 0]) for first in range(0, seeds, batch)]


@pytest.mark.parametrize("first", walks(SEEDS, BATCH))
def test_invariants_hold_whatever_fails(first: int) -> None:
    for seed in range(first, first + BATCH):
        assert simulate(seed).memories >= 0


@pytest.mark.parametrize("first", walks(POWER_SEEDS, BATCH // 2))
def test_invariants_hold_after_power_losses(first: int) -> None:
    lost = [simulate(seed, Kind.POWER).power_losses for seed in range(first, first + BATCH // 2)]
    assert sum(lost) > 0, "the power never went"


@pytest.mark.parametrize("seed", walks(NETWORK_SEEDS, 1))
def test_invariants_hold_over_a_network_that_is_cut(seed: int) -> None:
    assert simulate(seed, Kind.NETWORK).fates["acknowledged"] > 0


def test_a_seed_gives_the_same_run_again() -> None:
    assert simulate(7) == simulate(7)
    assert simulate(7) != simulate(8)
