"""Tastes that turn: what somebody has come to like is no longer disliked.

A turn has to be said: "now", "I've started to", "newfound", "my interest has faded". That somebody
likes a thing says nothing of what they thought of it before.
"""

from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Token

from services.ingestion.learning.english.clauses import Clause
from services.ingestion.learning.english.frames import Statement
from services.ingestion.learning.english.marks import Mood
from services.ingestion.learning.english.tree import child, children, lemma
from services.ingestion.learning.english.values import is_vague, value
from services.ingestion.learning.english.vocabulary import Change, words

_ENDS = {"likes": ("dislikes",), "dislikes": ("likes",)}
_SAME = {"prefers": ("likes",)}
"""What ends together with a taste that ends."""
_NOW = frozenset({"now", "finally"})
_WORTH = 0.7


def ended_by(found: Statement, clause: Clause) -> Iterator[Statement]:
    """The opposites that end where a taste begins, and its like where it ends."""
    if found.kind != "preference":
        return
    if found.change is Change.END:
        others = _SAME.get(found.predicate, ())
    elif found.head.pos_ != "VERB" and (found.change is Change.BEGIN or _is_new(clause.verb)):
        others = _ENDS.get(found.predicate, ())
    else:
        return
    for predicate in others:
        for what in (found.object, _heart(found.head)):
            if what:
                yield replace(found, predicate=predicate, object=what, change=Change.END)


def _is_new(verb: Token) -> bool:
    return any(each.lower_ in _NOW for each in children(verb, "advmod"))


def _heart(head: Token) -> str:
    """The golf of "the strategic depth of golf"."""
    of = next((each for each in children(head, "prep") if each.lower_ == "of"), None)
    inner = child(of, "pobj") if of is not None else None
    definite = any(each.lower_ == "the" for each in children(head, "det"))
    return value(inner, "full", ()) if inner is not None and definite else ""


def turned(clause: Clause) -> Iterator[Statement]:
    """A taste whose name is the subject: "my interest in jazz has faded"."""
    subject, verb = clause.subject, clause.verb
    if subject is None or lemma(subject) not in words("tastes") or not _is_told(clause):
        return
    if lemma(verb) in words("wane"):
        yield from _tastes(subject, ("in", "for"), "likes", Change.END)
    elif lemma(verb) in words("wax"):
        yield from _tastes(subject, ("in", "for"), "likes", Change.BEGIN)
    elif lemma(verb) in words("shift"):
        yield from _tastes(verb, ("from",), "prefers", Change.END)
        yield from _tastes(verb, ("to", "towards", "toward"), "prefers", Change.BEGIN)


def _is_told(clause: Clause) -> bool:
    reading = clause.reading
    return reading.mood is Mood.FACT and not reading.negated and reading.change is None


def _tastes(
    holder: Token, leads: tuple[str, ...], predicate: str, change: Change
) -> Iterator[Statement]:
    for prep in children(holder, "prep"):
        for head in children(prep, "pobj") if prep.lower_ in leads else ():
            if not is_vague(head):
                what = value(head, "full", ())
                yield Statement(predicate, what, "preference", change, _WORTH, head)
