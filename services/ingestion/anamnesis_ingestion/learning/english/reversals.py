"""Tastes that are not said with a verb of liking: those that turn, and what strikes somebody so.

What somebody has come to like is no longer disliked; what frightens them they dislike.

A turn has to be said: "now", "I've started to", "newfound", "my interest has faded". That somebody
likes a thing says nothing of what they thought of it before.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, stated, worded
from anamnesis_ingestion.learning.english.marks import Mood, Tense, is_over
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    coordinated,
    is_mine,
    lemma,
)
from anamnesis_ingestion.learning.english.values import AFTER, core, is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_ENDS = {"likes": ("dislikes",), "dislikes": ("likes",)}
_SAME = {"prefers": ("likes",), "avoids": ("dislikes",)}
"""The tastes that end together with a taste that ends."""
_OVER = {"likes": "used to like", "prefers": "used to prefer"}
_NOW = frozenset({"now", "finally"})
_WORTH = 0.7
_TOLD_ON = frozenset({"compound", "amod", "prep", "relcl", "acl"})
_SEEN = frozenset({"this", "that", "these", "those", "your", "his", "her", "their", "its"})
_EXPECTS = frozenset({"think", "expect", "imagine", "believe"})
_LIKES = frozenset({"like", "love", "enjoy", "appreciate"})
_BEGUN = re.compile(r"(?:i(?:['’]ve| have)? )?already (?:\w+ed|begun|began|set)\b", re.IGNORECASE)
_SWITCHED = {Change.BEGIN: "to", Change.END: "from"}
_SPEAKER = frozenset({"me", "us"})
_ALL = frozenset({"anything", "everything"})


def ended_by(found: Statement, clause: Clause) -> Iterator[Statement]:
    """The opposites that end where a taste begins, and its like where it ends."""
    if found.kind != "preference":
        return
    if found.change is Change.END and found.predicate == "eats" and is_over(clause.verb):
        yield replace(found, predicate="does_not_eat", kind="constraint", change=Change.BEGIN)
    if found.change is Change.END:
        others = _SAME.get(found.predicate, ())
    elif _is_noun(found.head) and (found.change is Change.BEGIN or _is_new(clause.verb)):
        others = _ENDS.get(found.predicate, ())
    else:
        return
    for predicate in others:
        whole = core(found.head) if _is_noun(found.head) else found.object
        told = (whole, _heart(found.head))
        for what in dict.fromkeys(each for each in told if each):
            if not is_vague(found.head):
                said = worded(_OVER.get(predicate, f"no longer {predicate}"), what)
                yield replace(found, predicate=predicate, object=what, change=Change.END, said=said)


def _is_noun(head: Token) -> bool:
    return head.pos_ != "VERB" or head.dep_ == "dobj"


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


def struck_by(clause: Clause) -> Statement | None:
    """A taste whose object is the subject: "build tools terrify me", "opera makes me sleepy"."""
    subject, reading = clause.subject, clause.reading
    if subject is None or reading.mood is not Mood.FACT or is_vague(subject):
        return None
    if reading.change is Change.END:
        return _seemed(clause, subject)
    if reading.tense is Tense.PAST or reading.change is not None:
        return None
    predicate = _struck(clause.verb)
    named = subject.pos_ in {"NOUN", "PROPN"} or subject.lower_ in _ALL
    if not predicate or not named or is_mine(subject):
        return None
    if reading.negated:
        predicate = "dislikes" if predicate == "likes" else ""
    what = as_object(subject)
    if not predicate or not what:
        return None
    said = worded(predicate, what)
    return Statement(predicate, what, "preference", Change.STATE, _WORTH, subject, said=said)


def phased_out(clause: Clause) -> Iterator[Statement]:
    """The tool that is going, told beside where "we" move: "AWS is being decommissioned".

    Alone it may be news of the world: "Flash is being phased out".
    """
    subject, verb = clause.subject, clause.verb
    out = any(each.lower_ == "out" for each in children(verb, "prt"))
    goes = lemma(verb) in words("retires") or (lemma(verb) == "phase" and out)
    going = goes and any(each.lower_ == "being" for each in children(verb, "auxpass"))
    before = [] if clause.before is None else [*clause.before]
    ours = any(each.lower_ in {"we", "our"} for each in before)
    ours = ours and any(lemma(each) in words("moves_over") for each in before)
    if subject is None or not (going and ours and _is_told(clause)):
        return
    if subject.text[:1].isupper() and not any(subject.children):
        said = worded("is phasing out", subject.text)
        yield Statement("uses", subject.text, "preference", Change.END, _WORTH, subject, said=said)


def under_way(clause: Clause) -> Iterator[Statement]:
    """A switch that is planned and told to have begun: "... to Neovim. Already set it up."."""
    planned = clause.by_speaker and clause.reading.mood is Mood.PLAN and not clause.reading.negated
    if planned and _BEGUN.match(str(clause.verb.doc.user_data.get(AFTER) or "")):
        for each in stated(clause, ()):
            if each.predicate == "uses" and each.change in _SWITCHED:
                said = worded(f"is switching {_SWITCHED[each.change]}", each.object)
                yield replace(each, said=said)


def unexpected(clause: Clause) -> Iterator[Statement]:
    """The taste of "I never thought I would enjoy opera": they do now."""
    verb = clause.verb
    never = any(each.lower_ == "never" for each in children(verb, "neg", "advmod"))
    if not never or not clause.by_speaker or lemma(verb) not in _EXPECTS:
        return
    for below in children(verb, "ccomp"):
        unreal = any(each.lower_ in {"would", "'d", "could"} for each in children(below, "aux"))
        if unreal and child(below, "neg") is None:
            for begun in _begun(each for each in _liked(below) if not is_vague(each)):
                yield from (begun, *ended_by(begun, clause))


def _liked(verb: Token) -> Iterator[Token]:
    """The things that the speaker would like, or that would please them."""
    subject = child(verb, "nsubj")
    if subject is not None and subject.lower_ in FIRST:
        if lemma(verb) in _LIKES:
            yield from (each for held in children(verb, "dobj") for each in coordinated(held))
    elif subject is not None and subject.pos_ in {"NOUN", "PROPN"} and _struck(verb) == "likes":
        yield subject


def _begun(heads: Iterable[Token]) -> Iterator[Statement]:
    for head in heads:
        what = as_object(head) if head.dep_ == "nsubj" else value(head, "full", ())
        said = worded("never thought they would like", what) + ", and does now"
        if what:
            yield Statement("likes", what, "preference", Change.BEGIN, _WORTH, head, said=said)


def _seemed(clause: Clause, subject: Token) -> Statement | None:
    """The dislike that is over where something "used to seem so boring"."""
    told = child(clause.verb, "acomp", "oprd", "attr", "xcomp")
    what = as_object(subject) if subject.pos_ in {"NOUN", "PROPN"} else ""
    bad = told is not None and {lemma(told), told.lower_} & words("unpleasant")
    if told is None or not bad or not what or not _seems_to_speaker(clause.verb, told):
        return None
    said = f"{worded('used to find', what)} {told.text}"
    return Statement("dislikes", what, "preference", Change.END, _WORTH, subject, said=said)


def _seems_to_speaker(verb: Token, told: Token) -> bool:
    """True for a verb of appearance, where nobody else is named to whom it appears so."""
    preps = [*children(verb, "prep"), *children(told, "prep")]
    held = (child(prep, "pobj") for prep in preps if prep.lower_ in {"to", "for"})
    others = any(each is not None and each.lower_ not in _SPEAKER for each in held)
    return lemma(verb) in {"seem", "be", "feel", "look"} and not others


def as_object(subject: Token) -> str:
    """The subject as it is named elsewhere; "" for what only those who talk can see."""
    if any(each.lower_ in _SEEN for each in subject.subtree):
        return ""
    beside = {each.dep_ for each in subject.children}
    if any(each.lower_ == "the" for each in subject.children) and not beside & _TOLD_ON:
        return ""
    what = value(subject, "noun", ())
    opens = subject.left_edge.i == subject.sent.start
    first = subject.sent[0]
    named = subject.pos_ == "PROPN" or first.pos_ == "PROPN"
    return what[:1].lower() + what[1:] if opens and not named else what


def _struck(verb: Token) -> str:
    """The taste that a verb tells of the speaker; "" for none."""
    if any(is_speaker(each) for each in children(verb, "dobj", "dative")):
        return _named(lemma(verb), "repels", "attracts")
    at = [each for each in children(verb, "prep") if each.lower_ in {"to", "with", "on"}]
    if any(is_speaker(each) for prep in at for each in children(prep, "pobj")):
        return _named(lemma(verb), "", "pleases")
    if lemma(verb) == "be":
        bane = _is_bane(verb)
        return "dislikes" if bane else "likes" if _is_theirs(verb) else ""
    if lemma(verb) != "make":
        return ""
    for state in children(verb, "ccomp", "xcomp", "oprd"):
        if any(is_speaker(each) for each in children(state, "nsubj")):
            told = child(state, "acomp") or state
            return _named(told.lower_, "feels_bad", "feels_good")
    return ""


def _is_bane(verb: Token) -> bool:
    """True for what "is a dealbreaker for me"."""
    told = [each for each in children(verb, "attr") if lemma(each) in words("banes")]
    preps = [each for head in (verb, *told) for each in children(head, "prep")]
    for_them = any(is_speaker(each) for prep in preps for each in children(prep, "pobj"))
    return bool(told) and for_them and child(verb, "neg") is None


def _is_theirs(verb: Token) -> bool:
    """True for what "is not for me", or is or is not "my thing" or "my cup of tea"."""
    thing = any(is_mine(each) and lemma(each) == "thing" for each in children(verb, "attr"))
    meant = [each for each in children(verb, "prep") if each.lower_ == "for"]
    for_them = any(is_speaker(each) for prep in meant for each in children(prep, "pobj"))
    return thing or (for_them and child(verb, "neg") is not None)


def _named(word: str, bad: str, good: str) -> str:
    if bad and word in words(bad):
        return "dislikes"
    return "likes" if word in words(good) else ""


def is_speaker(token: Token) -> bool:
    """True for "me" and "us"."""
    return token.lower_ in {"me", "us"}
