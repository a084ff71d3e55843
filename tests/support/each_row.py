"""One test over many rows: as thorough as a test a row, without what each test costs to begin."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def over(
    rows: Sequence[Row], name: Callable[[Row], str]
) -> Callable[[Callable[[Row], None]], Callable[[], None]]:
    """Makes a test of a check of one row; it fails with every row that does, each by its name.

    Raises:
        ValueError: there are no rows, so that nothing would be checked.
    """
    if not rows:
        raise ValueError("there are no rows to check")

    def test_of(check: Callable[[Row], None]) -> Callable[[], None]:
        def test() -> None:
            failed = [error for row in rows if (error := _failure(check, row, name))]
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(rows)} rows", failed)

        test.__name__ = test.__qualname__ = check.__name__
        test.__module__ = check.__module__
        test.__doc__ = check.__doc__
        return test

    return test_of


def _failure(
    check: Callable[[Row], None], row: Row, name: Callable[[Row], str]
) -> AssertionError | None:
    try:
        check(row)
    except AssertionError as error:
        error.add_note(f"row: {name(row)}")
        return error
    return None
