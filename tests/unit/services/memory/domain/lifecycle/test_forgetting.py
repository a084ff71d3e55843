"""What is forgotten, what is protected, and what a policy archives."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.domain.lifecycle.forgetting import (
    Forgetting,
    ForgettingCandidate,
    Protection,
    archivable,
    due_for_removal,
    forgettable,
    protection,
    threshold,
)
from anamnesis_memory.domain.lifecycle.vitals import first_vitals
from anamnesis_memory.model.memory import Kind, Status, Tier

STORED_US = 1_700_000_000_000_000
LATE_US = STORED_US + 365 * DAY_US


def _candidate(kind: Kind) -> ForgettingCandidate:
    return ForgettingCandidate(kind, first_vitals("m", kind, STORED_US))


def _cold(candidate: ForgettingCandidate) -> ForgettingCandidate:
    return replace(candidate, vitals=replace(candidate.vitals, tier=Tier.COLD))


DRAWER, FACT, PROCEDURE, LESSON = (
    _candidate(kind) for kind in (Kind.EPISODIC, Kind.SEMANTIC, Kind.PROCEDURAL, Kind.LEARNING)
)
GOOD = replace(PROCEDURE, procedure_active=True, success_rate=0.51)
FADING = [kind for kind in Kind if kind is not Kind.DOCUMENT]
TRUSTED = replace(LESSON, validated=True, confidence=0.61)


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (replace(DRAWER, pinned=True), Protection.PINNED),
        (replace(FACT, vitals=replace(FACT.vitals, centrality=0.95)), Protection.TOP_CENTRALITY),
        (replace(FACT, vitals=replace(FACT.vitals, centrality=0.9499)), None),
        (GOOD, Protection.PROVEN_PROCEDURE),
        (replace(GOOD, success_rate=0.5), None),
        (replace(GOOD, procedure_active=False), None),
        (TRUSTED, Protection.VALIDATED_LESSON),
        (replace(TRUSTED, confidence=0.6), None),
        (replace(TRUSTED, validated=False), None),
        (replace(DRAWER, retention_end_us=LATE_US + 1), Protection.YOUNG_DRAWER),
        (replace(DRAWER, retention_end_us=None), Protection.YOUNG_DRAWER),
        (replace(DRAWER, retention_end_us=LATE_US), None),
        (replace(FACT, holds_now=True), Protection.HOLDS_NOW),
        (_candidate(Kind.DOCUMENT), Protection.CALLERS_DOCUMENT),
        (replace(LESSON, holds_now=True, retention_end_us=None), None),
        (DRAWER, None),
    ],
)
def test_protection_names_its_reason(
    candidate: ForgettingCandidate, expected: Protection | None
) -> None:
    assert protection(candidate, LATE_US) is expected
    assert forgettable(candidate, LATE_US) is (expected is None)


@pytest.mark.parametrize(
    ("kind", "confidence", "expected"),
    [
        (Kind.SEMANTIC, 1.0, 0.10),
        (Kind.SEMANTIC, 0.5, 0.20),
        (Kind.SEMANTIC, 0.05, 1.0),
        (Kind.SEMANTIC, 0.0, 1.0),
        (Kind.LEARNING, 0.1, 0.10),
        (Kind.EPISODIC, 0.1, 0.10),
    ],
)
def test_doubtful_facts_fade_sooner(kind: Kind, confidence: float, expected: float) -> None:
    assert threshold(kind, confidence) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("candidate", "kept_days", "gone_days"),
    [
        (DRAWER, 2.30, 2.31),
        (replace(FACT, confidence=1.0), 4.60, 4.61),
        (replace(FACT, confidence=0.5), 3.21, 3.22),
        (LESSON, 6.90, 6.91),
        (PROCEDURE, 6.90, 6.91),
    ],
)
def test_forgetting_begins_where_retention_falls_below_the_threshold(
    candidate: ForgettingCandidate, kept_days: float, gone_days: float
) -> None:
    assert not forgettable(candidate, STORED_US + round(kept_days * DAY_US))
    assert forgettable(candidate, STORED_US + round(gone_days * DAY_US))


def test_what_is_archived_is_not_forgotten_again() -> None:
    archived = replace(_cold(LESSON), status=Status.ARCHIVED)
    assert not forgettable(archived, LATE_US)
    assert not any(archivable(archived, policy, LATE_US) for policy in Forgetting)


@pytest.mark.parametrize("kind", FADING)
def test_keep_archives_what_is_derived_and_unused_and_nothing_for_fading(kind: Kind) -> None:
    faded = _candidate(kind)
    assert not archivable(faded, Forgetting.KEEP, LATE_US)
    assert archivable(_cold(faded), Forgetting.KEEP, LATE_US) is (kind is not Kind.EPISODIC)
    assert not archivable(_cold(faded), Forgetting.KEEP, LATE_US, cold_days=0)


@pytest.mark.parametrize("kind", FADING)
def test_adaptive_archives_what_has_faded_and_what_is_unused(kind: Kind) -> None:
    assert archivable(_candidate(kind), Forgetting.ADAPTIVE, LATE_US)
    assert not archivable(_candidate(kind), Forgetting.ADAPTIVE, STORED_US + DAY_US)
    steady = _cold(_candidate(kind))
    steady = replace(steady, vitals=replace(steady.vitals, stability_days=1e6))
    assert archivable(steady, Forgetting.ADAPTIVE, STORED_US + 30 * DAY_US)
    assert not archivable(steady, Forgetting.ADAPTIVE, STORED_US + 29 * DAY_US)


@pytest.mark.parametrize("policy", Forgetting)
def test_no_policy_archives_what_is_protected(policy: Forgetting) -> None:
    for candidate in (GOOD, TRUSTED, replace(FACT, holds_now=True), replace(LESSON, pinned=True)):
        assert not archivable(_cold(candidate), policy, LATE_US)


def test_removal_waits_thirty_days_from_the_archiving() -> None:
    assert not due_for_removal(LATE_US, LATE_US + 30 * DAY_US - 1)
    assert due_for_removal(LATE_US, LATE_US + 30 * DAY_US)
    assert due_for_removal(LATE_US, LATE_US + 7 * DAY_US, days=7)


@given(st.sampled_from(Kind), st.floats(0, 1), st.integers(0, 1000), st.integers(0, 1000))
def test_what_may_be_forgotten_may_be_forgotten_ever_after(
    kind: Kind, confidence: float, day: int, more: int
) -> None:
    candidate = replace(_candidate(kind), confidence=confidence)
    if forgettable(candidate, STORED_US + day * DAY_US):
        assert forgettable(candidate, STORED_US + (day + more) * DAY_US)
