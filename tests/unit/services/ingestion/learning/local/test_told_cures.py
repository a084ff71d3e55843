"""Cures told in a sentence that names the failure itself, with no report before it."""

import pytest

from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from tests.support.ledger_events import conversation


def _lessons(text: str, *, went_well: bool) -> list[str]:
    said = conversation(f"user: {text}", "assistant: Good to know.")
    wanted = ExtractionInput(events=said, lessons=went_well, proven=not went_well)
    return [lesson.resolution for lesson in knowledge_of(wanted).lessons]


@pytest.mark.parametrize("went_well", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "A bigger queue and a retry cured the dropped-frame errors.",
        "We fixed the crash by pinning the parser to 2.4.1.",
    ],
)
def test_a_told_cure_is_a_lesson_however_the_talk_went(text: str, went_well: bool) -> None:
    assert _lessons(text, went_well=went_well) == [text]


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
def test_a_sentence_without_a_failure_or_a_cure_teaches_nothing(text: str) -> None:
    assert _lessons(text, went_well=False) == []
