"""Fixes told in words: those that name a fault and its cure, and no others."""

import pytest

from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.learning.local.told_fixes import told_fixes
from tests.support.ledger_events import conversation


@pytest.mark.parametrize(
    ("text", "fault", "cure"),
    [
        (
            "A bigger queue and a retry cured the dropped-frame errors.",
            "the dropped-frame errors",
            "A bigger queue and a retry",
        ),
        (
            "We fixed the crash by pinning the parser to 2.4.1.",
            "the crash",
            "pinning the parser to 2.4.1",
        ),
        (
            "The deadlocks disappeared after we sorted the locks.",
            "The deadlocks",
            "we sorted the locks",
        ),
        ("把缓存关掉之后，乱码就没了。", "乱码", "把缓存关掉"),
        ("这个内存泄漏是靠换分配器解决的。", "这个内存泄漏", "换分配器"),
    ],
)
def test_a_fault_and_its_cure_are_told(text: str, fault: str, cure: str) -> None:
    (fix,) = told_fixes(text)
    assert (fix.fault, fix.cure) == (fault, cure)


@pytest.mark.parametrize(
    "text",
    [
        "That fixed the crash.",
        "I fixed the bug.",
        "Did the patch cure the timeouts?",
        "If a restart cured the timeouts, we would know.",
        "Gardening solved my mood.",
        "The crash stopped after that.",
        "重启之后，我就好了。",
    ],
)
def test_what_names_no_fault_or_no_cure_teaches_nothing(text: str) -> None:
    assert list(told_fixes(text)) == []


@pytest.mark.parametrize("went_well", [True, False])
def test_a_told_fix_is_a_lesson_however_the_talk_went(went_well: bool) -> None:
    said = conversation(
        "user: A bigger queue cured the dropped-frame errors.", "assistant: Good to know."
    )
    lecture = ExtractionInput(events=said, lessons=went_well, told_lessons=not went_well)
    (lesson,) = knowledge_of(lecture).lessons
    assert (lesson.category, lesson.sources) == ("error", (0,))
    assert knowledge_of(ExtractionInput(events=said)).lessons == ()
