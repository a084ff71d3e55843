"""The conversations with task boundaries hold to `tests/data/segmentation/README.md`."""

import json
from collections import Counter
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest


class Event(TypedDict):
    """One message."""

    role: str
    content: str
    event_time: str
    tool_calls: NotRequired[list[dict[str, object]]]


class Conversation(TypedDict):
    """Events, and the index at which each task starts."""

    id: str
    language: str
    events: list[Event]
    starts: list[int]


FILE = Path(__file__).parents[1] / "data" / "segmentation" / "conversations.jsonl"
CONVERSATIONS: list[Conversation] = [
    json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()
]
each_conversation = pytest.mark.parametrize(
    "conversation", CONVERSATIONS, ids=[each["id"] for each in CONVERSATIONS]
)


def _task_lengths(conversation: Conversation) -> list[int]:
    ends = [*conversation["starts"], len(conversation["events"])]
    return [last - first for first, last in pairwise(ends)]


def test_ids_are_unique_and_languages_balanced() -> None:
    assert len({each["id"] for each in CONVERSATIONS}) == len(CONVERSATIONS)
    assert Counter(each["language"] for each in CONVERSATIONS) == {"en": 12, "zh": 12}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_single_tasks_and_short_tasks_occur(language: str) -> None:
    tasks = [_task_lengths(each) for each in CONVERSATIONS if each["language"] == language]
    assert sum(len(lengths) == 1 for lengths in tasks) >= 2
    assert sum(2 in lengths for lengths in tasks) >= 2


@each_conversation
def test_starts_divide_the_events(conversation: Conversation) -> None:
    assert 8 <= len(conversation["events"]) <= 40
    assert conversation["starts"][0] == 0
    assert min(_task_lengths(conversation)) >= 2


@each_conversation
def test_a_task_starts_with_a_person(conversation: Conversation) -> None:
    events = conversation["events"]
    assert {events[start]["role"] for start in conversation["starts"]} == {"user"}
    assert {event["role"] for event in events} <= {"user", "assistant", "tool"}


@each_conversation
def test_events_say_something_at_even_times(conversation: Conversation) -> None:
    events = conversation["events"]
    times = [datetime.fromisoformat(event["event_time"]) for event in events]
    assert len({later - earlier for earlier, later in pairwise(times)}) == 1
    said = [e for e in events if e["content"] or e.get("tool_calls") or e["role"] == "tool"]
    assert said == events
