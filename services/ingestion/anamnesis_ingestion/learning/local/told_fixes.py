"""Fixes that a person tells in words: what was wrong, and what cured it.

`WAL and a busy timeout cured the locked database` is a lesson whoever did the work, and however
the talk around it went. Read are sentences that name a fault and its cure; `that fixed it` names
neither.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from anamnesis_ingestion.learning.local.guards import is_question, is_unreal
from anamnesis_ingestion.learning.local.sentences import sentences

_SAID_CHARS_MAX = 300
_HEALED = (
    r"(?:cured|fixed|solved|resolved|got rid of|did away with|put an end to|took care of|mended)"
)
_WORDS = r"(?:[^.!?\n]|\.(?=\w)){4,140}?"
_POINTING = (
    r"(?!(?:(?:and|but|so|then|well|ok(?:ay)?|yes|yeah),? )*"
    r"(?:it|that|this|these|those|which|who|i|we|you|he|she|they)\b)"
)
"""No cure that is only pointed at, or somebody instead of a cure."""
_CURED = re.compile(
    rf"^\W*{_POINTING}(?P<cure>{_WORDS}) (?:finally |completely |also )?{_HEALED} "
    r"(?P<fault>[^!?\n]+)",
    re.IGNORECASE,
)
_CURED_BY = re.compile(
    rf"\b{_HEALED} (?P<fault>{_WORDS}) (?:by|with) {_POINTING}(?P<cure>[^!?\n]{{4,140}})",
    re.IGNORECASE,
)
_GONE = re.compile(
    rf"(?P<fault>{_WORDS}) (?:went away|disappeared|stopped|is gone|are gone|was gone)"
    r" (?:once|after|as soon as|when) (?!it|that|this|then)(?P<cure>[^!?\n]{4,140})",
    re.IGNORECASE,
)
_CHINESE_AFTER = re.compile(
    r"(?P<cure>[^，。！？\n]{3,60}?)(?:之后|以后|后)[，,]?(?P<fault>[^，。！？\n]{2,40}?)"
    r"(?:就|终于|都|也)*(?:没了|消失了|解决了|好了|没再出现|不再出现|没再发生)"
)
_CHINESE_BY = re.compile(
    r"(?P<fault>[^，。！？\n]{2,40}?)是?(?:靠|用|通过)(?P<cure>[^，。！？\n]{3,60}?)(?:解决|修好|搞定)(?:的|了)"
)
_FORMS = (_CURED_BY, _CURED, _GONE, _CHINESE_AFTER, _CHINESE_BY)
_FAULT = re.compile(
    r"\b(?:errors?|exceptions?|bugs?|crash\w*|fail\w*|leak\w*|dead ?locks?|locked|locks?"
    r"|time-?outs?|timed out|hangs?|hanging|flak\w*|races?|corrupt\w*|stalls?|stalled|lag"
    r"|warnings?|conflicts?|outages?|downtime|duplicates?|oom|latency)\b"
    r"|\w(?:Error|Exception)\b|报错|错误|异常|崩溃|卡死|卡顿|超时|死锁|泄漏|冲突|故障|乱码|丢包|内存不足|锁住"
)


@dataclass(frozen=True, slots=True)
class ToldFix:
    """A fault and its cure, in the words of one sentence."""

    sentence: str
    fault: str
    cure: str


def told_fixes(text: str) -> Iterator[ToldFix]:
    """The fixes that a text tells, at most one a sentence."""
    for sentence in sentences(text):
        if len(sentence) > _SAID_CHARS_MAX or is_question(sentence) or is_unreal(sentence):
            continue
        found = next((each for form in _FORMS if (each := _fix(form, sentence))), None)
        if found is not None:
            yield found


def _fix(form: re.Pattern[str], sentence: str) -> ToldFix | None:
    match = form.search(sentence)
    if match is None or _FAULT.search(match["fault"]) is None:
        return None
    return ToldFix(sentence.strip(), match["fault"].strip(" ."), match["cure"].strip(" ."))
