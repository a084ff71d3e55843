"""Working memory: budgets, eviction, sessions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.errors import InvalidArgument, ResourceExhausted
from anamnesis_memory.domain.lifecycle.working import (
    HOUR_US,
    Budgets,
    WorkingBoard,
    WorkingItem,
    Zone,
    cleared,
    in_order,
    put,
    rendered,
    standing,
    started,
    touched,
    zone_tokens,
)

NOW_US = 1_700_000_000_000_000
EMPTY = WorkingBoard("agent", "s1")
SMALL = Budgets(system_tokens=20, active_tokens=30, staging_tokens=10)


def _item(
    item_id: str,
    zone: Zone = Zone.ACTIVE,
    tokens: int = 10,
    importance: float = 0.5,
    age_hours: float = 0,
) -> WorkingItem:
    create_us = NOW_US - round(age_hours * HOUR_US)
    return WorkingItem(item_id, zone, f"text of {item_id}", importance, create_us, tokens)


def _board(*items: WorkingItem) -> WorkingBoard:
    return replace(EMPTY, items=items)


def _ids(items: tuple[WorkingItem, ...]) -> list[str]:
    return [each.item_id for each in items]


def test_the_budgets_are_those_of_the_design() -> None:
    assert [Budgets().of(zone) for zone in Zone] == [2048, 6144, 512]
    board, evicted = put(EMPTY, _item("a", Zone.STAGING, 512), NOW_US)
    assert (_ids(board.items), evicted) == (["a"], ())
    with pytest.raises(InvalidArgument, match="513 tokens"):
        put(EMPTY, _item("a", Zone.STAGING, 513), NOW_US)


@pytest.mark.parametrize(
    ("importance", "age_hours", "expected"),
    [(0, 0, 0.3), (1, 0, 1.0), (0.5, 1, 0.5), (0.5, 2, 0.45), (0.2, 9, 0.17), (1, -5, 1.0)],
)
def test_standing_is_importance_and_recency(
    importance: float, age_hours: float, expected: float
) -> None:
    item = _item("a", importance=importance, age_hours=age_hours)
    assert standing(item, NOW_US) == pytest.approx(expected)


def test_the_least_goes_until_the_zone_fits() -> None:
    """Standings: old 0.45, dull 0.37, dear 0.9, new 0.65."""
    board = _board(
        _item("old", importance=0.5, age_hours=2),
        _item("dull", importance=0.1),
        _item("dear", importance=1, age_hours=0.5),
    )
    after, evicted = put(board, _item("new"), NOW_US, SMALL)
    assert (_ids(after.items), _ids(evicted)) == (["old", "dear", "new"], ["dull"])
    after, evicted = put(board, _item("new", tokens=20), NOW_US, SMALL)
    assert (_ids(after.items), _ids(evicted)) == (["dear", "new"], ["dull", "old"])


def test_a_new_item_that_matters_least_goes_itself() -> None:
    board = _board(*(_item(each, importance=1) for each in ("a", "b", "c")))
    after, evicted = put(board, _item("new", importance=0), NOW_US, SMALL)
    assert (_ids(after.items), _ids(evicted)) == (["a", "b", "c"], ["new"])


def test_of_equals_the_older_goes() -> None:
    far_us = NOW_US + 10**18
    board = _board(_item("c"), replace(_item("b"), create_us=NOW_US - 1), _item("a"))
    after, _ = put(board, _item("d"), far_us, SMALL)
    assert "b" not in _ids(after.items)


def test_a_zone_takes_nothing_from_another() -> None:
    board = _board(_item("a", Zone.ACTIVE, 30), _item("s", Zone.STAGING, 10))
    after, evicted = put(board, _item("t", Zone.STAGING, 10, importance=1), NOW_US, SMALL)
    assert (_ids(after.items), _ids(evicted)) == (["a", "t"], ["s"])


def test_a_full_system_zone_refuses_and_keeps_what_it_has() -> None:
    board = _board(_item("a", Zone.SYSTEM, 15, importance=0))
    with pytest.raises(ResourceExhausted, match="has 5 tokens left"):
        put(board, _item("b", Zone.SYSTEM, 6, importance=1), NOW_US, SMALL)
    assert _ids(put(board, _item("b", Zone.SYSTEM, 5), NOW_US, SMALL)[0].items) == ["a", "b"]
    assert _ids(put(board, _item("a", Zone.SYSTEM, 20), NOW_US, SMALL)[0].items) == ["a"]


@pytest.mark.parametrize("tokens", [0, -3])
def test_an_item_without_tokens_is_refused(tokens: int) -> None:
    with pytest.raises(InvalidArgument, match="at least one token"):
        put(EMPTY, _item("a", tokens=tokens), NOW_US)


def test_the_same_id_is_replaced_in_whatever_zone_it_was() -> None:
    board = _board(_item("a", Zone.STAGING), _item("b"))
    after, evicted = put(board, _item("a", Zone.ACTIVE, 20), NOW_US, SMALL)
    assert (after.items, evicted) == ((_item("b"), _item("a", Zone.ACTIVE, 20)), ())
    assert zone_tokens(after, Zone.STAGING) == 0


def test_another_session_keeps_only_the_system_zone() -> None:
    board = _board(_item("a", Zone.SYSTEM), _item("b"), _item("c", Zone.STAGING))
    assert started(board, "s1") is board
    after = started(board, "s2")
    assert (after.session_id, _ids(after.items)) == ("s2", ["a"])


def test_a_zone_is_cleared_alone() -> None:
    board = _board(_item("a", Zone.SYSTEM), _item("b"), _item("c", Zone.STAGING))
    assert [_ids(cleared(board, zone).items) for zone in Zone] == [
        ["b", "c"],
        ["a", "c"],
        ["a", "b"],
    ]


def test_a_board_is_rendered_by_zones() -> None:
    board = _board(_item("b"), _item("c", Zone.STAGING), _item("a", Zone.SYSTEM), _item("d"))
    assert rendered(board) == (
        "[system]\ntext of a\n\n[active]\ntext of b\ntext of d\n\n[staging]\ntext of c"
    )
    assert rendered(EMPTY) == ""


ITEMS = st.builds(
    _item,
    st.sampled_from("abcdefghijkl"),
    st.sampled_from(Zone),
    st.integers(1, 30),
    st.floats(0, 1),
    st.floats(0, 100),
)


@given(st.lists(ITEMS, max_size=30))
def test_budgets_hold_the_system_stays_and_the_best_is_kept(items: list[WorkingItem]) -> None:
    board = EMPTY
    for item in items:
        try:
            after, evicted = put(board, item, NOW_US, SMALL)
        except (InvalidArgument, ResourceExhausted):
            continue
        assert all(zone_tokens(after, zone) <= SMALL.of(zone) for zone in Zone)
        assert len(set(_ids(after.items))) == len(after.items)
        assert all(each.zone is item.zone is not Zone.SYSTEM for each in evicted)
        in_zone = [each for each in after.items if each.zone is item.zone]
        worst_kept = min((standing(each, NOW_US) for each in in_zone), default=2.0)
        assert all(standing(each, NOW_US) <= worst_kept for each in evicted)
        before = {each.item_id for each in board.items} | {item.item_id}
        assert before == set(_ids(after.items)) | set(_ids(evicted))
        board = after


def test_what_was_read_stays_longer_than_what_was_only_put() -> None:
    board = _board(_item("read", age_hours=9), _item("put", age_hours=1))
    board = touched(board, "read", NOW_US)
    assert [each.last_us == NOW_US for each in board.items] == [True, False]
    assert touched(board, "read", NOW_US + 1) == board
    after, gone = put(board, _item("new"), NOW_US, Budgets(active_tokens=20))
    assert (_ids(after.items), _ids(gone)) == (["read", "new"], ["put"])


def test_what_matters_most_comes_first_in_its_zone() -> None:
    board = _board(
        _item("less", importance=0.2),
        _item("first", Zone.SYSTEM, importance=0.1),
        _item("more", importance=0.9),
        _item("equal", importance=0.9),
    )
    assert _ids(tuple(in_order(board))) == ["first", "more", "equal", "less"]
    assert rendered(board).index("text of more") < rendered(board).index("text of less")
