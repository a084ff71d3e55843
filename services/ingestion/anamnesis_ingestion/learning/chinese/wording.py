"""Statements that read by themselves: the clause with the speaker's name for 我."""

import re
from functools import cache

from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.script import plain
from anamnesis_ingestion.learning.chinese.subjects import Read, Subject
from anamnesis_ingestion.learning.chinese.vocabulary import Change, alternation, meanings

_SPEAKER = re.compile(r"我自己|我本人|我(?:这(?:个)?人)?(?!国|校)")

_TOLD_BY = re.compile(r"(?:医生|大夫|医院|中医|教练|营养师|康复师|牙医)(?=[让叫要建嘱交说不给])")
"""Who gives the subject advice, or something, is no subject: 用户：医生让少喝酒."""
_YEARS = re.compile(r"\d{1,3}")
"""An age that is told by its figure alone: 我叫何婧，38."""
_DAY = re.compile(r"(?<![从自到])(?:今天|今日|昨天|昨日|前天|刚才)(?![早晚中上下的凌傍夜起])")
"""A day by the day of telling, which a statement does without: but for 从今天起."""


def without_day(statement: str) -> str:
    """The statement of a fact that has its day, without 今天."""
    return _DAY.sub("", statement, count=1)


def of_clause(clause: Piece, subject: Subject, read: Read, speaker: Subject, sentence: str) -> str:
    """The clause as a statement about its subject, which may have been put there for it."""
    if read.written and _is_restored(clause, sentence):
        return f"{subject.shown}{said(clause.part(read.length).written(sentence), speaker)}"
    text = said(clause.written(sentence), speaker)
    if not read.written:
        inside = subject == speaker and _inside().search(clause.text) is not None
        told_by = "：" if _TOLD_BY.match(clause.text) else ""
        years = "岁" if _YEARS.fullmatch(text) else ""
        return text if inside else f"{subject.shown}{told_by}{text}{years}"
    if subject.shown.startswith(f"{speaker.shown}的") and subject.shown.count("的") > 1:
        return f"{subject.shown}{text[read.length :]}"
    if clause.text[:1] in "他她":
        return f"{subject.shown}{text[1:]}"
    return text


def of_slot(clause: Piece, speaker: Subject, sentence: str) -> str:
    """The clause that fills a slot, as a statement."""
    if _is_restored(clause, sentence):
        owned = clause.part(2 if clause.text[1] == "的" else 1)
        return f"{speaker.shown}的{said(owned.written(sentence), speaker)}"
    return said(clause.written(sentence), speaker)


def _is_restored(clause: Piece, sentence: str) -> bool:
    """True where the speaker at the head is not written there, but was put before the clause."""
    return clause.text[:1] == "我" and sentence[clause.at[0]] != "我"


def of_item(claim: Claim, clause: str, sentence: str) -> str:
    """The statement with one item of a list instead of all of them."""
    first, last = claim.listed[0], claim.listed[-1]
    whole = sentence[first.at[0] : last.at[-1] + 1]
    item = claim.object.written(sentence)
    return clause.replace(whole, item, 1)


def of_fact(predicate: str, subject: Subject, held: str, change: Change) -> str:
    """A fact in plain words, where the clause states several."""
    said = meanings()[predicate].wording.format(held)
    return f"{subject.shown}{'以前' if change is Change.END else ''}{said}"


def of_tie(
    subject: str, role: str, name: str, *, inverse: bool = False, mutual: bool = False
) -> str:
    """The statement of a tie; `inverse` swaps the two people, `mutual` holds both ways."""
    if mutual:
        return f"{subject}和{name}是{role}" if role else f"{subject}和{name}住在一起"
    return f"{subject}是{name}的{role}" if inverse else f"{subject}的{role}是{name}"


def said(text: str, speaker: Subject) -> str:
    """The words with the speaker's name for 我."""
    for mine in reversed([*_kin().finditer(plain(text))]):
        text = f"{text[: mine.start()]}{speaker.shown}的{text[mine.end() :]}"
    ours = text.replace("我们", "\0").replace("我們", "\1")
    return _SPEAKER.sub(speaker.shown, ours).replace("\0", "我们").replace("\1", "我們")


@cache
def _inside() -> re.Pattern[str]:
    """The speaker inside a clause, as the one who acts: 周三我有课, not 接手我爸的店."""
    return re.compile(rf"我(?![的们家国校]|{alternation('kin')})")


@cache
def _kin() -> re.Pattern[str]:
    return re.compile(rf"我(?={alternation('kin')}|家的)")
