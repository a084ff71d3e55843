"""Statements: a clause said again in the third person, so that it reads by itself."""

import re
from collections.abc import Collection, Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.marks import is_supposed
from anamnesis_ingestion.learning.english.tree import FIRST, child, children, is_verbal, lemma
from anamnesis_ingestion.learning.english.values import phrase_tokens, spelled
from anamnesis_ingestion.learning.english.vocabulary import words

_TOLD = frozenset({"VBD", "VBG", "VBN"})
_FINITE = frozenset({"VBP", "VBZ", "VBD", "MD"})
_FORMS = {
    "am": "is", "'m": "is", "are": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does",
    "'ll": "will", "ca": "can", "wo": "will", "'d": "would", "were": "was", "'s": "is",
}  # fmt: skip
_CONTRACTED = re.compile(r"^(\w{2,6}) ?n't")
_DENIED = {"will": "wo", "can": "ca"}


def statement(clause: Clause, shown: str, times: Collection[int]) -> str:
    """The clause with `shown` as its subject, without its words of time."""
    tokens = said_tokens(clause.verb, times)
    finite = next((each for each in tokens if each.tag_ in _FINITE), None)
    if finite is not None and finite == tokens[0]:
        said = f"{_finite(finite, clause)} {spelled(tokens[1:])}".rstrip()
        said = _CONTRACTED.sub(lambda found: f"{_DENIED.get(found[1], found[1])}n't", said, count=1)
        said = said.replace("can't ", "cannot ", 1) if said.startswith("can't ") else said
    elif tokens and tokens[0].tag_ == "VB" and clause.verb == tokens[0]:
        said = f"{third_person(tokens[0].text)} {spelled(tokens[1:])}"
    elif tokens and tokens[0].lower_ == "been":
        said = f"has {spelled(tokens)}"
    elif tokens and tokens[0].tag_ in {"VBG", "VBN"} and finite is None:
        said = f"is {spelled(tokens)}"
    elif finite is not None:
        before = [each for each in tokens if each.i < finite.i]
        after = [each for each in tokens if each.i > finite.i]
        said = f"{spelled(before)} {_finite(finite, clause)} {spelled(after)}".rstrip()
    else:
        said = spelled(tokens)
    return f"{shown} {said}".strip()


def said_tokens(verb: Token, times: Collection[int]) -> list[Token]:
    """The words of a clause from its finite verb on, with what governs it: "plans to move"."""
    tokens = set(phrase_tokens(verb, times, auxiliaries=True))
    for aside in children(verb, "advcl"):
        told = _has_no_other(aside) or lemma(verb) in words("taste_verbs") | {"avoid"}
        if aside.i > verb.i and not is_supposed(aside) and told:
            tokens |= {each for each in aside.subtree if each.i not in times}
    tokens |= set(_joined(verb, times))
    below = verb
    while not _is_finite(below) and below.head != below:
        above = below.head
        if above.dep_ == "prep":
            tokens.add(above)
            above = above.head
        if above.dep_ == "acomp":
            above = above.head
        if not is_verbal(above) or children(below, "nsubj", "nsubjpass"):
            break
        if below.dep_ == "conj":
            tokens |= {each for each in above.children if each.dep_ in {"aux", "auxpass", "neg"}}
        else:
            inner = set(below.subtree)
            outer = phrase_tokens(above, times, auxiliaries=True)
            tokens |= {each for each in outer if each not in inner}
        below = above
    ordered = sorted(tokens, key=lambda each: each.i)
    start = next(
        (at for at, each in enumerate(ordered) if not each.is_punct and each.dep_ != "intj"), 0
    )
    return ordered[start:]


def _joined(verb: Token, times: Collection[int]) -> Iterator[Token]:
    """The words of what is told on of the same deed: "and met the band"."""
    for each in children(verb, "conj"):
        told_on = _subject(each) is None and each.tag_ == verb.tag_ and each.tag_ in _TOLD
        if child(each, "neg") is not None or not told_on:
            continue
        yield from (
            sign for sign in verb.children if sign.dep_ in {"cc", "punct"} and sign.i < each.i
        )
        yield from phrase_tokens(each, times, auxiliaries=True)
        yield from _joined(each, times)


def _subject(verb: Token) -> Token | None:
    return child(verb, "nsubj", "nsubjpass", "expl")


def _has_no_other(aside: Token) -> bool:
    """True for a side clause without a subject of its own, or with the speaker's."""
    subjects = children(aside, "nsubj", "nsubjpass")
    return all(each.lower_ in FIRST for each in subjects)


def _is_finite(verb: Token) -> bool:
    helped = any(each.dep_ in {"aux", "auxpass"} and each.tag_ in _FINITE for each in verb.children)
    return helped or verb.tag_ in {"VBP", "VBZ", "VBD"}


def _finite(token: Token, clause: Clause) -> str:
    """The finite verb in the third person singular."""
    word = str(token.lower_)
    subject = [] if clause.subject is None else clause.subject.subtree
    others = [each for each in subject if each.dep_ == "conj"]
    several = bool(others) and not any(each.lower_ in FIRST for each in others)
    if not (clause.by_speaker or several) or (token.tag_ in {"VBD", "VBZ"} and word not in _FORMS):
        return _FORMS.get(word, word) if word.startswith("'") else word
    known = _FORMS.get(word)
    if known is not None:
        return "has" if word == "'s" and lemma(token) == "have" else known
    return third_person(word) if token.tag_ == "VBP" else word


def third_person(verb: str) -> str:
    """A present verb as somebody else's: work, works; study, studies."""
    low = verb.casefold()
    if low == "have":
        return "has"
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{low}es"
    if low.endswith("y") and low[-2:-1] not in set("aeiou"):
        return f"{low[:-1]}ies"
    return f"{low}s"
