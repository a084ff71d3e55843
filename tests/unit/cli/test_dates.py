"""Dates as people write them: what each covers, and what is refused."""

from datetime import UTC, datetime

import click
import pytest

from anamnesis_cli.dates import FORMS, ExpiryDate, WrittenDate
from tests.unit.cli.conftest import Run

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


def read(text: str, *, last: bool = False) -> str:
    """The instant that is meant, in ISO 8601."""
    stamp = WrittenDate(last=last, now=lambda: NOW).convert(text, None, None)
    return stamp.ToDatetime(UTC).isoformat().removesuffix("+00:00")


@pytest.mark.parametrize(
    ("text", "first", "last_day"),
    [
        ("2021", "2021-01-01", "2021-12-31"),
        ("2021-05", "2021-05-01", "2021-05-31"),
        ("2021/5", "2021-05-01", "2021-05-31"),
        ("2021-12", "2021-12-01", "2021-12-31"),
        ("2021-05-31", "2021-05-31", "2021-05-31"),
        ("2021-W53", None, None),
        ("2020-W53", "2020-12-28", "2021-01-03"),
        ("2021-w01", "2021-01-04", "2021-01-10"),
        ("31 May 2021", "2021-05-31", "2021-05-31"),
        ("31. may 2021", "2021-05-31", "2021-05-31"),
        ("May 31, 2021", "2021-05-31", "2021-05-31"),
        ("  Sept.   2021 ", "2021-09-01", "2021-09-30"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("2021年", "2021-01-01", "2021-12-31"),
        ("2021年5月", "2021-05-01", "2021-05-31"),
        ("2021年5月31日", "2021-05-31", "2021-05-31"),
        ("today", "2026-03-14", "2026-03-14"),
        ("yesterday", "2026-03-13", "2026-03-13"),
        ("Tomorrow", "2026-03-15", "2026-03-15"),
    ],
)
def test_a_date_covers_its_period(text: str, first: str | None, last_day: str | None) -> None:
    if first is None:
        with pytest.raises(click.BadParameter):
            read(text)
        return
    assert read(text) == f"{first}T00:00:00"
    assert read(text, last=True) == f"{last_day}T23:59:59.999999"


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("now", "2026-03-14T15:09:26"),
        ("2021-05-31T09:30+02:00", "2021-05-31T07:30:00"),
        ("2021-05-31 09:30", "2021-05-31T09:30:00"),
        ("2021-05-31t09:30:00z", "2021-05-31T09:30:00"),
    ],
)
def test_an_instant_is_itself(text: str, instant: str, *, last: bool) -> None:
    assert read(text, last=last) == instant


@pytest.mark.parametrize(
    "text", ["1/5/2021", "2021-13", "31 June 2021", "some day", "", "Maybe 2021x", "99 2021"]
)
def test_anything_else_is_refused_with_what_can_be_written(text: str) -> None:
    with pytest.raises(click.BadParameter) as refused:
        read(text)
    assert "31 May 2021" in refused.value.message


_COMMANDS = (
    *("search x --after", "search x --before", "search x --now", "search x --as-of"),
    *("facts --as-of", "facts --known-at", "timeline x --known-at", "sft --since"),
    *("note x --time", "observe x --session s --time", "ingest a.jsonl --time"),
)


@pytest.mark.parametrize("words", _COMMANDS)
def test_every_command_reads_and_refuses_the_same_times(run: Run, words: str) -> None:
    assert run(*words.split(), "yesterday").exit_code != 2
    assert FORMS in " ".join(run(*words.split(), "some day").stderr.split())


@pytest.mark.parametrize(
    ("text", "expires"),
    [
        ("30d", "2026-04-13T15:09:26"),
        ("90 m", "2026-03-14T16:39:26"),
        ("12H", "2026-03-15T03:09:26"),
        ("2w", "2026-03-28T15:09:26"),
        ("2027-01-01", "2027-01-01T00:00:00"),
        ("tomorrow", "2026-03-15T00:00:00"),
    ],
)
def test_an_expiry_is_a_date_or_how_long_from_now(text: str, expires: str) -> None:
    stamp = ExpiryDate(now=lambda: NOW).convert(text, None, None)
    assert stamp.ToDatetime(UTC).isoformat().removesuffix("+00:00") == expires


@pytest.mark.parametrize("text", ["30", "d", "-1d", "9999999w", "soon"])
def test_an_expiry_that_is_neither_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        ExpiryDate(now=lambda: NOW).convert(text, None, None)
