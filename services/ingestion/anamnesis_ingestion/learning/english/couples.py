"""Ties that are told of both at once: "Monica and I are engaged", "we're roommates"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, worded
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.presupposed import predicate_of
from anamnesis_ingestion.learning.english.subjects import name_of
from anamnesis_ingestion.learning.english.tree import FIRST, children, is_mine, lemma
from anamnesis_ingestion.learning.english.values import core
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_TABLE = Path(__file__).with_name("couples.tsv")
_WORTH = 0.8
_SCHOOLS = {"school": "classmate", "college": "classmate", "university": "classmate"}
"""The tie of those who went to the same one."""


@dataclass(frozen=True, slots=True)
class _Tie:
    """One line of the table."""

    verbs: frozenset[str]
    word: str
    of_us: bool
    predicate: str
    change: Change
    said: str


def told_of_both(clause: Clause, listener: str) -> Iterator[Statement]:
    """The ties of the speaker to whom the clause names beside them, or to the listener."""
    reading = clause.reading
    if reading.mood is not Mood.FACT or reading.negated or reading.teller is not None:
        return
    named = _named_beside(clause.subject, listener)
    us = [listener] if listener and _is_of_two(clause) else []
    for other in named or us:
        for tie in _ties():
            if (named or tie.of_us) and _says(clause.verb, tie):
                yield _statement(tie, other, clause)
        yield from _by_role(clause, other)


def _named_beside(subject: Token | None, listener: str) -> Sequence[str]:
    """The people of "Monica and I", "you and I", "my boyfriend and I" however it was parsed."""
    if subject is None:
        return []
    before = subject.doc[max(subject.sent.start, subject.i - 2) : subject.i]
    parted = len(before) > 1 and before[1].lower_ == "and"
    told = [subject, *children(subject, "conj"), *(before[:1] if parted else ())]
    if not any(each.lower_ in FIRST for each in told):
        return []
    return [who for each in told if each.lower_ not in FIRST and (who := _partner(each, listener))]


def _partner(told: Token, listener: str) -> str:
    """Somebody by name, the listener, or a partner by what they are to the speaker."""
    if told.lower_ == "you":
        return listener
    mine = is_mine(told) and lemma(told) in words("spouses")
    return name_of(told) or (lemma(told) if mine else "")


def _is_of_two(clause: Clause) -> bool:
    """True where "we" are speaker and listener: nobody is named."""
    subject = clause.subject
    alone = subject is not None and subject.lower_ == "we" and not children(subject, "conj")
    return alone and not any(each.pos_ == "PROPN" for each in clause.verb.sent)


def _says(verb: Token, tie: _Tie) -> bool:
    if lemma(verb) not in tie.verbs:
        return False
    beside = {form for each in verb.children for form in (lemma(each), each.lower_)}
    return not tie.word or tie.word in beside


def _by_role(clause: Clause, other: str) -> Iterator[Statement]:
    """The tie of both by a noun: "we're roommates", "we went to the same school"."""
    verb, past = clause.verb, clause.reading.tense is Tense.PAST
    for role in children(verb, "attr") if lemma(verb) == "be" else []:
        forms = {lemma(role), role.lower_.removesuffix("s")} & words("mutual")
        for one in forms if role.tag_ == "NNS" else ():
            name = core(role).removesuffix(role.lower_) + one
            was = "was" if past else "is"
            yield _by_name(name, other, f"{{}} {was} {other}'s {name}", role, over=past)
    for prep in children(verb, "prep") if lemma(verb) == "go" else []:
        for place in children(prep, "pobj"):
            same = any(each.lower_ == "same" for each in place.children)
            if same and lemma(place) in _SCHOOLS:
                said = f"{{}} went to the {core(place)} as {other}"
                yield _by_name(_SCHOOLS[lemma(place)], other, said, place, over=False)


def _by_name(role: str, other: str, said: str, head: Token, *, over: bool) -> Statement:
    change = Change.END if over else Change.STATE
    return Statement(predicate_of(role), other, "relationship", change, _WORTH, head, said=said)


def _statement(tie: _Tie, other: str, clause: Clause) -> Statement:
    over = tie.change is Change.STATE and clause.reading.tense is Tense.PAST
    change = Change.END if over or clause.reading.change is Change.END else tie.change
    shown = f"their {other}" if other in words("spouses") else other
    said = worded(_was(tie.said) if change is not tie.change else tie.said, shown)
    return Statement(tie.predicate, other, "relationship", change, _WORTH, clause.verb, said=said)


def _was(said: str) -> str:
    return said.replace("is ", "was ", 1).replace("lives ", "lived ", 1)


@cache
def _ties() -> tuple[_Tie, ...]:
    lines = _TABLE.read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return tuple(
        _Tie(frozenset(verbs.split()), beside.strip("-"), whom == "us", name, Change(change), said)
        for verbs, beside, whom, name, change, said in rows
    )
