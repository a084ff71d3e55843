"""A check over many rows fails with each row that does."""

import pytest

from tests.support.each_row import over


def test_every_row_that_fails_is_named() -> None:
    @over([1, 2, 3, 4], str)
    def is_odd(number: int) -> None:
        assert number % 2

    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as failed:
        is_odd()
    assert [one.__notes__ for one in failed.value.exceptions] == [["row: 2"], ["row: 4"]]


def test_no_rows_check_nothing_and_are_refused() -> None:
    with pytest.raises(ValueError, match="no rows"):
        over([], str)


def test_what_holds_for_every_row_passes() -> None:
    seen: list[int] = []
    over([1, 2], str)(seen.append)()
    assert seen == [1, 2]
