"""Time phrases against labels: our own sentences, and what another parser answers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from anamnesis_libs.timephrases.find import find_times

ROOT = Path(__file__).parents[4]
LABELS = ROOT / "tests" / "data" / "timephrases"
OTHER_PARSER = ROOT.parent / "shared" / "data" / "time-phrases" / "golden-half.json"

Meaning = tuple[datetime, datetime, str, str]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many labelled phrases there are, how many of them were found, and what else was."""

    labelled: int
    exact: int
    false: int


def tally(name: str) -> Tally:
    """Exact: the interval, the precision and the bound are those of a label."""
    labelled = exact = false = 0
    for line in (LABELS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        reference = datetime.fromisoformat(row["reference"])
        expected = [_meaning(each, reference) for each in row["times"]]
        found = [
            (each.since, each.until, each.precision.value, each.bound.value)
            for each in find_times(row["text"], reference)
        ]
        hits = sum(each in expected for each in found)
        labelled, exact = labelled + len(expected), exact + hits
        false += len(found) - hits
    return Tally(labelled, exact, false)


def _meaning(label: dict[str, str], reference: datetime) -> Meaning:
    since, until = (
        datetime.fromisoformat(label[end]).replace(tzinfo=reference.tzinfo).astimezone(UTC)
        for end in ("since", "until")
    )
    return since, until, label["precision"], label["bound"]


@pytest.mark.parametrize("name", ["dev", "held"])
def test_labelled_phrases_are_found_and_hardly_anything_else(name: str) -> None:
    counts = tally(name)
    assert counts.exact >= 0.9 * counts.labelled, counts
    assert counts.false <= 0.05 * counts.labelled, counts


def _other_answers() -> Iterator[tuple[datetime, str, tuple[datetime, datetime]]]:
    for key, window in json.loads(OTHER_PARSER.read_text(encoding="utf-8")).items():
        moment, text = key.split("\x1f")
        if window is not None:
            since, last = (datetime.fromisoformat(each).replace(tzinfo=UTC) for each in window)
            yield datetime.fromisoformat(moment).replace(tzinfo=UTC), text, (since, last)


def test_another_parsers_windows_are_ours_where_both_mean_the_same() -> None:
    """It knows more languages, guesses at vague words, and takes "months ago" for a day."""
    if not OTHER_PARSER.exists():
        pytest.skip(f"needs {OTHER_PARSER.name}, which is not part of this repository")
    same = differ = 0
    for moment, text, (since, last) in _other_answers():
        found = find_times(text, moment)
        if found:
            is_same = (found[0].since, found[0].until - timedelta(microseconds=1)) == (since, last)
            same, differ = same + is_same, differ + (not is_same)
    assert same > 300
    assert differ < 0.08 * same
