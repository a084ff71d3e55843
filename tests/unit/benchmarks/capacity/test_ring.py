"""The ring: even, and little moves."""

from benchmarks.capacity import ring

NAMESPACES = 4_000


def test_as_one_comes_few_move_and_all_hold_alike() -> None:
    told = ring.change(4, 5, NAMESPACES, NAMESPACES)
    assert 0.2 < told.moved_share < 0.4
    assert told.fullest_share < 0.30
    assert told.cold_share <= told.moved_share


def test_as_one_goes_only_what_it_had_moves() -> None:
    before, after = ring.Ring(["a", "b", "c"]), ring.Ring(["a", "b", "c"][:2])
    names = [str(number) for number in range(NAMESPACES)]
    moved = [name for name in names if before.replica_of(name) != after.replica_of(name)]
    gone = [name for name in names if before.replica_of(name) == "c"]
    assert set(gone) <= set(moved)
    assert len(moved) < 0.6 * NAMESPACES


def test_each_namespace_is_cold_once() -> None:
    once, often = (ring.change(3, 4, 500, each * 500) for each in (1, 50))
    assert often.moved_share == once.moved_share
    assert often.cold_share < once.cold_share
