"""Who the speaker is and whom they have, told by the way.

"A beekeeper like me", "with two kids still at school, we are tied to the holidays", "before the
kids are up": the clause is about something else, or asks, and takes it for granted.
"""

from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.subjects import Subject
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    MINE,
    child,
    children,
    coordinated,
    is_mine,
    lemma,
)
from anamnesis_ingestion.learning.english.values import core, is_vague, phrase, value
from anamnesis_ingestion.learning.english.vocabulary import words

_WORTH = 0.7
_NEAR = 4
"""The words from somebody to where they are told to be, with a "still" between."""
_TASTE = 0.6
_NAMED_AS = frozenset({"dobj", "nsubj", "pobj", "conj", "attr"})
_LOSES = frozenset({"lose", "end", "kill", "ruin"})
_SEEN = frozenset(
    {"the", "you", "your", "it", "this", "that", "them", "him", "her", "these", "those"}
)
_YOUNG = frozenset({"kid", "child"})
_ALIKE = frozenset({"just", "exactly", "nothing", "not"})


def told_aside(sentence: Span, speaker: Subject) -> Iterator[Claim]:
    """The claims of a sentence about the speaker and their family that it makes by the way."""
    for token in sentence:
        who = _like_speaker(token)
        if who:
            yield _claim(speaker, "is", who, f"is {_article(who)} {who}", "identity")
        for loved in _loved(token):
            said = f"likes {loved}"
            yield replace(_claim(speaker, "likes", loved, said, "preference"), worth=_TASTE)
        for whom in filter(None, (*_with_them(token, sentence), _reared(token))):
            one = "" if token.tag_ == "NNS" else "a "
            yield _claim(speaker, "has_relative", whom, f"has {one}{whom}", "relationship")


def _claim(speaker: Subject, predicate: str, what: str, said: str, kind: str) -> Claim:
    return Claim(
        subject=speaker.key,
        predicate=predicate,
        object=what,
        statement=f"{speaker.shown} {said}",
        kind=kind,
        worth=_WORTH,
        presupposed=True,
    )


def _article(noun: str) -> str:
    return "an" if noun[:1].casefold() in "aeiou" else "a"


def _like_speaker(token: Token) -> str:
    """The busy baker of "a busy baker like me" and "someone like me, a busy baker"."""
    if token.lower_ != "like" or token.dep_ != "prep":
        return ""
    if all(each.lower_ != "me" for each in children(token, "pobj")):
        return ""
    noun = token.head
    if noun.pos_ not in {"NOUN", "PRON"} or not _ALIKE.isdisjoint(
        each.lower_ for each in (*noun.children, *token.children)
    ):
        return ""
    if is_vague(noun) or lemma(noun) in words("vague"):
        beside = child(noun, "appos")
        noun = noun if beside is None else beside
    one = any(each.lower_ in {"a", "an"} for each in children(noun, "det"))
    known = words("jobs") | words("parents") | words("likenesses")
    return core(noun) if one and lemma(noun) in known else ""


def _loved(token: Token) -> Iterator[str]:
    """The reading of "it combines my love for reading"; nothing where the taste fades."""
    if lemma(token) not in words("loves") or token.dep_ not in _NAMED_AS or not is_mine(token):
        return
    turns = words("wane") | words("wax") | words("shift") | _LOSES
    if lemma(token.head) in turns or any(map(_is_former, token.children)):
        return
    led = [prep for prep in children(token, "prep") if prep.lower_ in {"for", "of", "in"}]
    for first in (each for prep in led for each in children(prep, "pobj", "pcomp")):
        seen = any(each.lower_ in _SEEN for each in first.subtree)
        for head in () if seen else coordinated(first):
            if head.tag_ == "VBG":
                told = {"NOUN", "PROPN", "ADP"}
                held = [each for each in children(head, "dobj", "prep") if each.pos_ in told]
                yield phrase(head, ()) if held else str(head.text)
            elif not is_vague(head):
                yield value(head, "name", ())


def _is_former(word: Token) -> bool:
    """True for the "old" of "my old love of chess"."""
    return lemma(word) in words("former")


def _with_them(token: Token, sentence: Span) -> Iterator[str]:
    """The two kids at school of "with two kids at school, we are busy"."""
    lead = token.head.head if token.dep_ == "nsubj" else token.head
    led = token.dep_ in {"pobj", "nsubj"} and lead.lower_ == "with"
    if not led or lemma(token) not in words("children"):
        return
    life = lemma(lead.head) == "life"
    opens = lead.i <= sentence.start + 1 or life
    if not (opens and any(each.like_num for each in children(token, "nummod"))):
        return
    behind = sentence.doc[token.i : sentence.end]
    own = life or any(each.lower_ in FIRST | MINE | {"me", "us"} for each in behind)
    for each in coordinated(token) if own else ():
        if lemma(each) in words("children"):
            yield f"{core(each)} {_at_school(each)}".rstrip()


def _at_school(child_of: Token) -> str:
    """The "in high school" of two kids still in high school; "" for none."""
    for prep in child_of.doc[child_of.i + 1 : min(child_of.i + _NEAR, child_of.sent.end)]:
        for each in children(prep, "pobj") if prep.lower_ in {"in", "at"} else ():
            if lemma(each) in words("schools"):
                return f"{prep.lower_} {value(each, 'name', ())}"
    return ""


def _reared(token: Token) -> str:
    """The kids of "when I drop the kids off", the wife of "the wife hates it"."""
    if lemma(token) not in words("missus") | _YOUNG:
        return ""
    the = any(each.lower_ == "the" for each in children(token, "det"))
    bare = child(token, "amod", "compound", "prep", "relcl", "acl", "poss", "appos") is None
    if not (the and bare):
        return ""
    if lemma(token) in words("missus"):
        return str(token.lower_)
    if token.tag_ != "NNS":
        return ""
    return str(token.lower_) if _is_at_home(token.head, token.dep_) else ""


def _is_at_home(verb: Token, place: str) -> bool:
    """True for what is done with one's own children, and for "once the kids are asleep"."""
    if place in {"nsubj", "nsubjpass"} and lemma(verb) in {"be", "go", "get"}:
        states = children(verb, "acomp", "advmod", "prt", "prep", "attr", "nsubj")
        inner = [*states, *(each for prep in states for each in children(prep, "pobj"))]
        return any(lemma(each) in words("homely") for each in inner)
    subject = child(verb, "nsubj") or child(verb.head, "nsubj")
    by_speaker = subject is None or subject.lower_ in FIRST
    return place == "dobj" and by_speaker and lemma(verb) in words("rears")
