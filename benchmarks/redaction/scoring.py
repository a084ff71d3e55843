"""Recall and false positives of a redactor on labelled texts, by kind."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anamnesis_libs.redaction.ports import RedactedSpan
from tests.support.planted import Line
from tests.support.planted import Span as Label

Find = Callable[[str], Sequence[RedactedSpan]]
"""A redactor, as far as it is judged: what it replaces in a text."""

PRESIDIO_KINDS = {
    **dict.fromkeys(("EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS"), "DEFAULT"),
    **dict.fromkeys(("CREDIT_CARD", "IBAN_CODE", "US_SSN"), "DEFAULT"),
    "PERSON": "STRICT",
}
"""The labels of Presidio's sentences that we claim to find, and under which policy."""


@dataclass(slots=True)
class Score:
    """Counts by kind: spans that had to go, those of which nothing is left, and what went wrongly.

    Wrong ones are of the redactor's kinds, the others of the labels'.
    """

    planted: Counter[str] = field(default_factory=Counter)
    gone: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def add(
        self, text: str, labels: Iterable[Label], required: Iterable[Label], find: Find
    ) -> None:
        """Judge one text."""
        spans = find(text)
        places = {place for span in spans for place in range(span.start, span.end)}
        for label in required:
            self.planted[label.kind] += 1
            if places.issuperset(range(label.start, label.end)):
                self.gone[label.kind] += 1
            else:
                self.shown.append(f"MISSED {label.kind} {text[label.start : label.end]!r}")
        labelled = list(labels)
        for span in spans:
            if not any(each.start < span.end and span.start < each.end for each in labelled):
                self.wrong[span.kind] += 1
                self.shown.append(f"WRONG  {span.kind} {text[span.start : span.end]!r}")


def score_lines(lines: Sequence[Line], find: Find, policy: str) -> Score:
    """The score on lines of `tests/data/redaction` under `DEFAULT` or `STRICT`."""
    score = Score()
    for line in lines:
        score.add(line.text, line.spans, line.required(policy), find)
    return score


def score_presidio(file: Path, find: Find, policy: str) -> Score:
    """The score on the synthetic sentences of presidio-research, on the kinds that we claim."""
    score = Score()
    for record in json.loads(file.read_text(encoding="utf-8")):
        labels = [
            Label(each["start_position"], each["end_position"], each["entity_type"])
            for each in record["spans"]
        ]
        claimed = [each for each in labels if PRESIDIO_KINDS.get(each.kind) in ("DEFAULT", policy)]
        score.add(record["full_text"], claimed, claimed, find)
    return score


def score_secrets(file: Path, find: Find) -> Score:
    """The score on rule tests of gitleaks: lines that hold a secret, and look-alikes that stay.

    A secret has no place in its line where the set does not spell it out: then any find will do.
    """
    score = Score()
    for record in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        text, secret = record["text"], record["secret"] or ""
        spans = find(text)
        if record["kind"] == "fps":
            score.wrong.update({span.kind for span in spans})
            score.shown += [f"WRONG  {span.kind} {text[span.start : span.end]!r}" for span in spans]
            continue
        score.planted["secret"] += 1
        places = {place for span in spans for place in range(span.start, span.end)}
        start = text.find(secret)
        if spans and (not secret or places.issuperset(range(start, start + len(secret)))):
            score.gone["secret"] += 1
        else:
            score.shown.append(f"MISSED {record['rule']} {text[:120]!r}")
    return score
