"""No text takes more than its length: every reader of texts, fed shapes that make it look again.

Every shape is repeated to a length and to four times that length (`tests/support/growth.py`).
"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from anamnesis_cluster.clusters.label_check import fault_of
from anamnesis_cluster.clusters.labels import labels
from anamnesis_cluster.model import Lesson
from anamnesis_cluster.skill_model import Evidence
from anamnesis_cluster.skills.local import propose
from anamnesis_ingestion.intake.importance import score_importance
from anamnesis_ingestion.intake.texts.passages import passages_of
from anamnesis_ingestion.learning.chinese.learned import chinese_facts
from anamnesis_ingestion.learning.english.learned import turn_of
from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import ExtractionInput, Knowledge, LearnedLesson
from anamnesis_ingestion.learning.links.trail import Trail
from anamnesis_ingestion.learning.local.lessons import lessons_of
from anamnesis_ingestion.learning.local.naming.finder import mentions_of
from anamnesis_ingestion.learning.local.procedures import procedures_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_ingestion.segmentation.exchanges import exchanges
from anamnesis_ingestion.segmentation.local import measure_shifts
from anamnesis_ingestion.trajectory.rules import measured
from anamnesis_ingestion.trajectory.task_types import task_type
from anamnesis_libs.categories import category_of
from anamnesis_libs.chunking import embedding_texts
from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.redaction.policy import DEFAULT_POLICY
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.talk.asking import asks_for_the_past, is_about_caller, is_request
from anamnesis_libs.talk.changes import tells_change
from anamnesis_libs.talk.filler import is_announcement, says_nothing
from anamnesis_libs.talk.sentences import lines_of, units_of
from anamnesis_libs.talk.standing import standing_kind
from anamnesis_libs.talk.topics import topics_of
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.dedup.semantic_diff import differences
from anamnesis_memory.preparation.levels import summarise
from anamnesis_retrieval.ranking.restated import restates, statement_of
from tests.support.growth import grown

CHARS = 2_000
CHARS_OF = {"guard": 500, "lessons": 800, "skills": 1_000, "redact": 12_000}
"""Less for readers that take a fifth of a second, more where patterns look ahead up to a bound."""
OWN = Path(__file__).parents[1] / "data" / "hostile_shapes.jsonl"
OTHERS = Path(__file__).parents[3] / "shared" / "data" / "hostile" / "shapes.jsonl"
NOW = datetime(2025, 1, 1, tzinfo=UTC)
COUNTER = load_counter("o200k_base")
REDACTOR = PolicyRedactor()

Read = Callable[[str], object]


def _event(text: str, index: int = 0, role: Role = Role.USER) -> LedgerEvent:
    return LedgerEvent(role=role, content=text, index=index, event_time=NOW)


def _lecture(text: str) -> ExtractionInput:
    events = [_event(text), _event("ok", 1, Role.ASSISTANT), _event(f"Thanks. {text}", 2)]
    return ExtractionInput(
        events=events, context=[], user="mara", agent="bot", lessons=True, topic=""
    )


def _task(text: str) -> list[LedgerEvent]:
    """A call whose answer and whose conclusion are the text."""
    call = ToolCall("c", "bash", json.dumps({"command": text[:4000]}))
    return [
        _event("do it"),
        LedgerEvent(role=Role.ASSISTANT, content="", index=1, tool_calls=(call,)),
        LedgerEvent(role=Role.TOOL, content=text, index=2, tool_call_id="c"),
        _event(text, 3, Role.ASSISTANT),
    ]


def _evidence(text: str) -> list[Evidence]:
    """Two lessons that differ in a word, each of whose parts is the text."""
    told = (
        (
            f"{text} {word}",
            f"command={text}, description={word}\n{text}",
            f"{text} Bash: cmd={text}",
        )
        for word in ("one", "two")
    )
    return [Evidence("m", text, *parts, "error") for parts in told]


def _talk(text: str) -> object:
    return (
        units_of(text),
        lines_of(text),
        topics_of(text),
        tells_change(text),
        says_nothing(text),
        is_announcement(text),
        is_request(text),
        is_about_caller(text),
        asks_for_the_past(text),
        standing_kind(text, "user"),
    )


def _tasks(text: str) -> object:
    found = exchanges([*_task(text), _event(text, 4), *_task(text)])
    return measure_shifts(found, [0.5] * len(found))


def _links(text: str) -> object:
    """The links of a session in which two tasks, and what is said between them, are the text."""
    said = [*_task(text), _event(text), *_task(text)]
    events = [replace(one, index=at, memory_id="m") for at, one in enumerate(said)]
    trail = Trail(events, [(0, 3), (4, 8)])
    return [trail.links(task, Knowledge(lessons=(_lesson(text),))) for task in ((0, 3), (4, 8))]


def _lesson(text: str) -> LearnedLesson:
    return LearnedLesson(title=text, context="", resolution="", category="error", sources=(0, 3))


READERS: dict[str, Read] = {
    "redact": lambda text: REDACTOR.redact(text, DEFAULT_POLICY, ()),
    "index": lambda text: (tokens(text), embedding_texts(text, "name", "user")),
    "times": lambda text: find_times(text, NOW),
    "talk": _talk,
    "levels": lambda text: (summarise(text, COUNTER), category_of(text)),
    "importance": lambda text: score_importance(text, "user"),
    "guard": lambda text: differences(text, f"{text} not one"),
    "restated": lambda text: restates(
        statement_of(f"{text} here"), statement_of(f"{text} there"), frozenset(tokens(text))
    ),
    "injected": lambda text: own_words(_event(text)),
    "english": lambda text: turn_of(_event(text), _lecture(text), to_agent=True),
    "chinese": lambda text: list(chinese_facts(_lecture(text), lambda *_: True)),
    "lessons": lambda text: (
        list(lessons_of(_task(text))),
        list(lessons_of(_lecture(text).events)),
    ),
    "procedures": lambda text: list(procedures_of(_task(text))),
    "links": _links,
    "names": lambda text: mentions_of(_lecture(text)),
    "passages": lambda text: list(passages_of(text, "a page")),
    "labels": lambda text: (measured(_task(text)), task_type(_task(text))),
    "tasks": _tasks,
    "skills": lambda text: propose(text, _evidence(text), []),
    "topics": lambda text: (
        labels({"t": [Lesson("m", "shared", text, text)] * 2}, {"t"}),
        fault_of(f"{text[:60]} tea", [text, text]),
    ),
}


def _shapes() -> dict[str, Callable[[int], str]]:
    rows = (
        (f"{path.parent.name}/{row['name']}", row["unit"])
        for path in (OWN, OTHERS)
        if path.exists()
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    )
    return {name: partial(_repeated, unit) for name, unit in rows}


def _repeated(unit: str, chars: int) -> str:
    return (unit * (chars // len(unit) + 1))[:chars]


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("reader", READERS)
def test_time_is_linear_in_the_length(reader: str) -> None:
    read, shapes = READERS[reader], _shapes()
    read("I live in Rome. 我住在北京。")
    assert len(shapes) > 150
    assert not list(grown(read, shapes, CHARS_OF.get(reader, CHARS)))
