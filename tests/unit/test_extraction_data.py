"""The labelled extraction set holds to its own page: `tests/data/extraction/README.md`."""

import json
import re
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from typing import TypedDict

import pytest

from tests.support.each_row import over


class Event(TypedDict, total=False):
    """One message of an exchange."""

    role: str
    name: str
    content: str
    event_time: str
    tool_call_id: str
    tool_calls: list[dict[str, object]]


class Fact(TypedDict, total=False):
    """What is told about somebody or something, and where."""

    kind: str
    kind_also: list[str]
    subject: str
    subject_also: list[str]
    object_contains: str
    alias: list[str]
    event: int
    negated: bool
    optional: bool
    date: str
    precision: str


class Learned(TypedDict, total=False):
    """A lesson (category) or a procedure (steps_min), and the events that show it."""

    event_span: list[int]
    category: str
    steps_min: int
    contains: str


class Record(TypedDict):
    """One exchange and all that is to be kept of it."""

    id: str
    language: str
    events: list[Event]
    facts: list[Fact]
    lessons: list[Learned]
    procedures: list[Learned]


DATA = Path(__file__).parents[1] / "data" / "extraction"
KINDS = {
    "preference",
    "relationship",
    "experience",
    "skill",
    "goal",
    "constraint",
    "identity",
    "event",
    "decision",
    "discovery",
    "other",
}
CATEGORIES = {
    "error",
    "security",
    "correction",
    "pattern",
    "preference",
    "life",
    "failure_analysis",
    "success_pattern",
    "strategy_update",
    "self_correction",
    "domain_insight",
}
DATE_FORMS = {
    "year": re.compile(r"\d{4}"),
    "month": re.compile(r"\d{4}-\d\d"),
    "day": re.compile(r"\d{4}-\d\d-\d\d"),
    "week": re.compile(r"\d{4}-\d\d-\d\d/\d{4}-\d\d-\d\d"),
    "instant": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
}
FIRST_DAY_SUFFIX = {"year": "-01-01", "month": "-01", "day": "", "week": "", "instant": ""}


def _read(half: str) -> list[Record]:
    text = (DATA / f"{half}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


HALVES = {half: _read(half) for half in ("dev", "held")}
PRACTICE = _read("practice")
RECORDS = [record for half in [*HALVES.values(), PRACTICE] for record in half]
each_record = over(RECORDS, lambda record: record["id"])


def _is_empty(record: Record) -> bool:
    return not (record["facts"] or record["lessons"] or record["procedures"])


def _span_text(record: Record, span: list[int]) -> str:
    events = record["events"][span[0] : span[1] + 1]
    return json.dumps(events, ensure_ascii=False).lower()


def test_the_halves_are_disjoint_and_ids_are_unique() -> None:
    ids = Counter(record["id"] for record in RECORDS)
    texts = Counter(json.dumps([e["content"] for e in record["events"]]) for record in RECORDS)
    assert max(ids.values()) == 1
    assert max(texts.values()) == 1


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_is_balanced_and_a_third_of_it_is_empty(half: str) -> None:
    records = HALVES[half]
    assert Counter(record["language"] for record in records) == {"en": 50, "zh": 50}
    assert 3 * sum(map(_is_empty, records)) >= len(records)


def test_practice_is_in_both_languages_and_a_third_of_it_is_empty() -> None:
    languages = Counter(record["language"] for record in PRACTICE)
    assert min(languages.values()) >= 150
    assert 10 * sum(map(_is_empty, PRACTICE)) >= 3 * len(PRACTICE)
    kinds = Counter(fact["kind"] for record in PRACTICE for fact in record["facts"])
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 12


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_has_every_kind(half: str) -> None:
    assert {fact["kind"] for record in HALVES[half] for fact in record["facts"]} == KINDS


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_has_lessons_and_procedures_in_both_languages(half: str, language: str) -> None:
    records = [record for record in HALVES[half] if record["language"] == language]
    categories = {each["category"] for record in records for each in record["lessons"]}
    assert categories == {"error", "correction", "pattern"}
    assert sum(len(record["procedures"]) for record in records) >= 2


@each_record
def test_events_are_whole_and_in_order(record: Record) -> None:
    assert record["id"].startswith(record["language"] + "-")
    assert {event["role"] for event in record["events"]} <= {
        "user",
        "assistant",
        "tool",
        "system",
        "file",
    }
    assert all(event["content"] or event.get("tool_calls") for event in record["events"])
    times = [datetime.fromisoformat(event["event_time"]) for event in record["events"]]
    assert times == sorted(times)


@each_record
def test_a_fact_is_supported_by_the_event_it_cites(record: Record) -> None:
    for fact in record["facts"]:
        assert {fact["kind"], *fact.get("kind_also", [])} <= KINDS
        assert fact["kind"] not in fact.get("kind_also", [])
        assert fact["event"] in range(len(record["events"]))
        text = record["events"][fact["event"]]["content"].lower()
        words = [fact["object_contains"], *fact.get("alias", [])]
        assert any(word.lower() in text for word in words), fact


@each_record
def test_a_subject_is_the_speaker_or_somebody_spoken_of(record: Record) -> None:
    spoken = _span_text(record, [0, len(record["events"]) - 1])
    for fact in record["facts"]:
        speaker = record["events"][fact["event"]].get("name", "user")
        named = [fact["subject"], *fact.get("subject_also", [])]
        assert any(each in {speaker, "we", "我们"} or each.lower() in spoken for each in named), (
            fact
        )


@each_record
def test_a_date_is_of_its_precision(record: Record) -> None:
    for fact in record["facts"]:
        assert ("date" in fact) == ("precision" in fact)
        if "date" in fact:
            precision = fact["precision"]
            assert DATE_FORMS[precision].fullmatch(fact["date"]), fact
            days = [_first_day(part, precision) for part in fact["date"].split("/")]
            assert precision != "week" or (days[0].weekday(), (days[1] - days[0]).days) == (0, 6)


def _first_day(text: str, precision: str) -> date:
    return datetime.fromisoformat(text + FIRST_DAY_SUFFIX[precision]).date()


@each_record
def test_what_is_learned_is_within_its_events(record: Record) -> None:
    for learned in record["lessons"] + record["procedures"]:
        first, last = learned["event_span"]
        assert 0 <= first <= last < len(record["events"])
        assert learned["contains"].lower() in _span_text(record, [first, last])
    assert all(lesson["category"] in CATEGORIES for lesson in record["lessons"])


@each_record
def test_a_procedure_has_its_steps(record: Record) -> None:
    for procedure in record["procedures"]:
        first, last = procedure["event_span"]
        calls = [
            call for e in record["events"][first : last + 1] for call in e.get("tool_calls", [])
        ]
        assert 3 <= procedure["steps_min"] <= len(calls)
