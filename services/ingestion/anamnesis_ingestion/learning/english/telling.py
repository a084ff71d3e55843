"""The words that tell on of a deed: why it was done and how it was, "..., and it was a blast".

The words behind a clause that state nothing by themselves belong to its statement, and so does a
short sentence that follows and makes no claim: how it was, what it gave. What is denied, asked,
supposed or said of the listener is none of it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from spacy.tokens import Doc, Span, Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.times import Times
from anamnesis_ingestion.learning.english.tree import child, children, is_verbal, lemma
from anamnesis_ingestion.learning.english.values import spelled
from anamnesis_ingestion.learning.english.vocabulary import words
from anamnesis_ingestion.learning.english.wording import said_tokens, third_person
from anamnesis_ingestion.learning.english.worth import KEPT_FROM

_WORDS_MIN, _WORDS_MAX = 2, 20
_TOLD_WORDS_MAX = 45
"""The longest statement that is told on, in words: of two sentences more at most."""
DEEDS = frozenset(
    {
        "did",
        "does",
        "plans",
        "wants",
        "considers",
        "likes",
        "dislikes",
        "values",
        "helped_by",
        "inspired_by",
        "works_on",
        "has",
        "plays",
        "owns",
        "member_of",
        "works_at",
        "is",
        "fears",
        "studies",
    }
)
"""What a sentence behind it may say more of."""
ECHOES = frozenset({"helped_by", "inspired_by", "values"})
"""What such a sentence may tell besides: what the deed is for the speaker."""
_BACK = frozenset({"it", "they", "them", "their", "its", "that", "those", "these"})
_LISTENER = frozenset({"you", "your", "yours", "u", "ya", "y'all", "yourself", "let"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_AT_LENGTH = 7
_SIGNS = frozenset({",", "-", ";", ":"})
_POLITE = frozenset({"agree", "thank", "appreciate", "bet", "sound", "mean"})


@dataclass(frozen=True, slots=True)
class Made:
    """A claim, with the statement and the clause that it is made of."""

    claim: Claim
    stated: Statement | None
    clause: Clause


def with_what_follows(
    made: Sequence[Made], sentence: Span, times: Collection[int]
) -> Iterator[Claim]:
    """The claims of a sentence, a deed with the words behind it that make no other claim."""
    starts = [each.clause.verb.left_edge.i for each in made]
    for each in made:
        told = each.claim.predicate in DEEDS and not _is_beside(each.clause.verb)
        if each.stated is None or not _is_open(each.stated) or not told:
            yield each.claim
            continue
        said = said_tokens(each.clause.verb, times)
        end = max((token.i for token in said if not _is_joint(token)), default=sentence.end) + 1
        stop = min((start for start in starts if start >= end), default=sentence.end)
        whole = stop == sentence.end or _is_joint(sentence.doc[stop - 1])
        behind = _told_on([*sentence.doc[end:stop]], times, each.clause) if whole else ""
        yield replace(each.claim, statement=f"{each.claim.statement}{behind}")


def _is_beside(verb: Token) -> bool:
    """True for "my sister, who teaches maths, is coming", where the main clause goes on."""
    return verb.dep_ == "relcl" and any(each.lower_ == "who" for each in children(verb, "nsubj"))


def _is_open(stated: Statement) -> bool:
    """True for a statement that is said as its clause says it, so that words may follow."""
    return not stated.said or not stated.said.startswith(("{}", "For {}"))


def _is_joint(token: Token) -> bool:
    """True for what parts two clauses: a comma, a dash, "and"."""
    return bool(token.is_punct or token.pos_ == "CCONJ")


def _told_on(behind: Sequence[Token], times: Collection[int], clause: Clause) -> str:
    """The words behind a clause, said of a third person; "" if they are apart from it."""
    kept = [each for each in behind if each.i not in times]
    if not _may_follow(kept) or (not clause.by_speaker and is_of_speaker(kept)):
        return ""
    lead = list(takewhile(lambda each: each.is_punct or each.pos_ == "CCONJ", kept))
    said = spelled(kept[len(lead) :])
    for each in kept if clause.by_speaker else ():
        if each.dep_ == "conj" and each.tag_ == "VBP" and child(each, "nsubj", "aux") is None:
            said = re.sub(rf"\b{re.escape(each.text)}\b", third_person(each.text), said, count=1)
    return f"{_joint(lead)}{said}" if len(said.split()) >= _WORDS_MIN else ""


def told_after(doc: Doc, said_at: datetime | None, told: Claim) -> str:
    """A sentence that tells on of the claim before it; "" for any other."""
    if len(told.statement.split()) + len(doc) > _TOLD_WORDS_MAX:
        return ""
    if told.predicate not in DEEDS and _BACK.isdisjoint(each.lower_ for each in doc):
        return ""
    root = next(doc.sents).root
    subject = child(root, "nsubj", "nsubjpass", "csubj")
    if subject is None or subject.left_edge.i > 1 or not is_verbal(root):
        return ""
    if not _is_finite(root):
        return ""
    if lemma(root) in words("minds") | _POLITE or not _may_follow(list(doc)):
        return ""
    times = Times(root.sent, said_at).tokens
    said = spelled(each for each in doc if each.i >= subject.left_edge.i and each.i not in times)
    lower = subject.pos_ != "PROPN" or subject.left_edge != subject
    return f"; {said[:1].lower() if lower else said[:1]}{said[1:]}"


def is_of_speaker(told: Iterable[Token]) -> bool:
    """True for words in which the speaker does something: "I'm giving a speech"."""
    return any(each.lower_ in {"i", "we"} and each.dep_.startswith("nsubj") for each in told)


def points_back(doc: Doc) -> bool:
    """True for a sentence about what was told before it: "It helps me relax."."""
    subject = child(next(doc.sents).root, "nsubj")
    return subject is not None and subject.lower_ in {"it", "they"}


def with_after(claim: Claim, after: str) -> Claim:
    """The claim with the sentence behind it; what is told on at length is worth keeping."""
    kept = claim.worth
    if len(after.split()) >= _AT_LENGTH:
        kept = max(kept, KEPT_FROM)
    return replace(claim, statement=f"{claim.statement}{after}", worth=kept)


def is_kept(claim: Claim) -> bool:
    """False for a deed that is worth keeping only if it is told on, and was not."""
    return claim.predicate != "did" or claim.ended or claim.worth >= KEPT_FROM


def _is_finite(verb: Token) -> bool:
    helpers = children(verb, "aux", "auxpass")
    return any(each.tag_ in _FINITE for each in (verb, *helpers))


def _may_follow(kept: Sequence[Token]) -> bool:
    told = [each for each in kept if not each.is_punct]
    barred = _LISTENER | words("no") | words("conditional") | words("doubt")
    asked = any(each.text == "?" for each in kept)
    return (
        _WORDS_MIN <= len(told) <= _WORDS_MAX
        and not asked
        and barred.isdisjoint(each.lower_ for each in told)
    )


def _joint(lead: Sequence[Token]) -> str:
    """The link between a statement and the words that follow it: ", and ", " - "."""
    sign = next((each.text for each in lead if each.text in _SIGNS), "")
    joined = next((f" {each.lower_}" for each in lead if not each.is_punct), "")
    return f"{' -' if sign == '-' else sign}{joined} "
