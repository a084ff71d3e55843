"""Answers in a few words are completed by the question: "Where do you live?" "In Gent.".

`answers.tsv` says what each sort of question asks for, and the sentence that an answer to it tells.
What has a verb of its own is no such answer and stays as it is, and so is what answers nothing:
"not sure", "the same as ever".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anamnesis_ingestion.learning.local.naming.english_ordinary import (
    CALENDAR,
    PEOPLES,
    is_ordinary,
)

_TABLE = Path(__file__).with_name("answers.tsv")
_FIELDS = 3
_WORDS_MAX = 30
_LEAD_WORDS_MAX = 3
_LEAD = re.compile(
    r"^(?:(?:well|hmm+|sure|oh|ah|um+|uh|specifically|mostly|mainly|just|only|ok(?:ay)?|of course)"
    r"\W+)+",
    re.IGNORECASE,
)
_SAID_WHOLE = re.compile(
    r"\b(?:I|we|you|he|she|it|they|my|our|your|am|is|are|was|were|has|have|had|do|does|did|will"
    r"|would|can|could|should|that|this|there)\b|'(?:s|re|m|ve|ll|d)\b|n't\b",
    re.IGNORECASE,
)
"""What a sentence of its own has in it."""
_NOTHING = re.compile(
    r"^(?:not|no|none|nothing|never|yes|yeah|yep|nope|maybe|perhaps|probably|any\w*|some\w*|every\w*"
    r"|both|either|neither|same|the same|thanks?|good|great|fine|nice|sounds|hello|hi|hey|all|lots?"
    r"|many|too|really|depends|whatever|here|there|please|sorry|right|exactly|absolutely)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One line of the table: a question, what answers it, and the sentence that this tells."""

    question: re.Pattern[str]
    answer: re.Pattern[str]
    told: str


def answered(asked: str, said: Sequence[str]) -> tuple[str, ...]:
    """The sentences of a turn, those in few words completed by the question that they answer."""
    asking = [(each, found) for each in _answers() if (found := each.question.search(asked))]
    if not asked or not asking:
        return tuple(said)
    brief = [len(each.split()) <= _LEAD_WORDS_MAX for each in said]
    return tuple(_told(each, asking, opens=all(brief[:at])) for at, each in enumerate(said))


def _told(sentence: str, asking: Sequence[tuple[_Answer, re.Match[str]]], *, opens: bool) -> str:
    """The sentence that an answer tells; of one that opens the turn a few words are enough."""
    few = _LEAD.sub("", sentence).rstrip(" .!;,")
    if sentence.rstrip().endswith("?") or len(few.split()) > _WORDS_MAX or _NOTHING.match(few):
        return sentence
    for each, question in asking:
        found = each.answer.fullmatch(few)
        whole = each.answer.pattern.startswith("I ")
        if found is not None and (whole or (opens and not _SAID_WHOLE.search(few))):
            return each.told.format(_inside(found[1]), *question.groups())
    return sentence


def _inside(answer: str) -> str:
    """The answer inside a sentence: a capital that makes no name there is small."""
    first = answer.split(maxsplit=1)[0]
    named = first in {"I", first.upper()} or first.casefold() in CALENDAR | PEOPLES
    return answer if named or not is_ordinary(first) else answer[:1].lower() + answer[1:]


@cache
def _answers() -> tuple[_Answer, ...]:
    lines = _TABLE.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    wrong = [row for row in rows if len(row) != _FIELDS]
    assert not wrong, f"{_TABLE.name}: {_FIELDS} fields a line, not {wrong[0]}"
    return tuple(
        _Answer(re.compile(asked, re.IGNORECASE), re.compile(answer), told)
        for asked, answer, told in rows
    )
