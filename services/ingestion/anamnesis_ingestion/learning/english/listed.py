"""The further objects of a verb, and the object that a light verb holds.

The parser hangs what is listed where it may: on the object, on the verb, beside it.
"""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.tree import (
    child,
    children,
    coordinated,
    is_verbal,
    lemma,
)
from anamnesis_ingestion.learning.english.vocabulary import words

_ABOVE_ALL = frozenset({"especially", "particularly"})


def listed_on(verb: Token) -> Iterator[Token]:
    """The further objects of "we use A for this, B for that, and C for the rest"."""
    if not children(verb, "dobj"):
        return
    for prep in verb.children if child(verb, "conj") is not None else ():
        if prep.dep_ == "prep":
            yield from (each for each in children(prep, "pobj")[1:] if _is_led(each, prep))
    for each in children(verb, "conj", "npadvmod"):
        if each.pos_ == "PROPN" and each.i > verb.i and not _is_of_calendar(each):
            yield from coordinated(each)


def listed_behind(first: Token, verb: Token) -> Iterator[Token]:
    """The words joined to the first object that hang on the verb.

    "I work on my shop and some new dances", "I enjoy reading, watching birds, and baking bread".
    """
    if first.dep_ == "pobj" and first.head.head == verb and child(first, "conj") is None:
        for each in children(verb, "conj"):
            if each.pos_ == "NOUN" and each.i > first.i and child(each, "det", "compound"):
                yield from coordinated(each)
    if first.tag_ == "VBG" and first.dep_ in {"dobj", "xcomp"}:
        for each in children(verb, "advcl"):
            comma = each.i > first.i and each.nbor(-1).text == ","
            if comma and each.tag_ == "VBG" and child(each, "conj") is not None:
                for doing in coordinated(each):
                    yield from without_light_verb(doing)


def above_all(verb: Token) -> Iterator[Token]:
    """The pizza of "I like Italian food, especially pizza"."""
    if child(verb, "dobj", "xcomp") is None:
        return
    for each in verb.subtree:
        if each.lower_ not in _ABOVE_ALL or each.i < verb.i or each.nbor(-1).text != ",":
            continue
        noun = each
        while noun.dep_ in {"advmod", "amod", "compound"} and noun.head.i > noun.i:
            noun = noun.head
        if noun != each and noun.pos_ in {"NOUN", "PROPN"} and noun.dep_ in {"appos", "conj"}:
            yield from coordinated(noun)


def _is_of_calendar(name: Token) -> bool:
    return name.lower_ in words("days") or name.lower_ in words("months")


def _is_led(noun: Token, prep: Token) -> bool:
    """True for a noun that has the same preposition behind it as the object before it."""
    return any(each.lower_ == prep.lower_ for each in children(noun, "prep"))


def without_light_verb(head: Token) -> Iterator[Token]:
    """The object of a light verb: the golf of "play golf", and not the playing."""
    inner = child(head, "dobj")
    others = [
        each for each in children(head, "prep", "advcl", "xcomp", "ccomp") if not _tells_why(each)
    ]
    light = is_verbal(head) and lemma(head) in words("light_verbs") and child(head, "neg") is None
    if light and inner is not None and not others:
        yield from coordinated(inner)
    else:
        yield head


def _tells_why(aside: Token) -> bool:
    """True for "because they remind me of home"."""
    mark = child(aside, "mark")
    return aside.dep_ == "advcl" and mark is not None and mark.lower_ in {"because", "since", "as"}
