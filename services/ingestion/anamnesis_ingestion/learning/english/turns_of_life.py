"""Ends and beginnings that a noun tells: "my former job at Siemens", "my move to Rome went well".

A move or a switch may be planned, feared or called off: it counts where it is told as having
happened.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.kinds import is_named, is_place
from anamnesis_ingestion.learning.english.marks import Tense, is_supposed, tense_of
from anamnesis_ingestion.learning.english.subjects import Subject
from anamnesis_ingestion.learning.english.tree import child, children, is_mine, lemma
from anamnesis_ingestion.learning.english.values import AFTER, is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import Effect, governors, words

_WORTH = 0.75
_FORMER = frozenset({"former", "ex", "retired", "previous"})
_MEANT = frozenset({Effect.PLAN, Effect.WISH, Effect.CONSIDER})
_PASTIMES = ("likes", "prefers", "plays", "does")
_LOOKS_BACK = re.compile(
    r"(?:it|this|that)(?:['’]s| has) been\b|(?:it|this|that) was\b", re.IGNORECASE
)
"""The sentence behind a turn that has happened: "it's been quite a change"."""
_TOLD = {
    "works_in": ("worked in", "works in"),
    "lives_in": ("lived in", "lives in"),
    "uses": ("used", "uses"),
}


def as_employed(claim: Claim) -> Iterator[Claim]:
    """A claim of what somebody works as, where that is over or none's living.

    "I'm a former teacher" and "a retired nurse" are none by now, who is retired works nowhere, and
    "a hobby beekeeper" is no beekeeper by trade.
    """
    lead, _, trade = claim.object.partition(" ")
    if claim.predicate != "works_as" or not trade:
        yield claim
    elif not words("unpaid").isdisjoint(claim.object.casefold().split()[:-1]):
        yield replace(claim, predicate="is")
    elif lead.casefold() in _FORMER:
        yield replace(claim, object=trade, since=None, ended=True, begins=False)
        if lead.casefold() == "retired" and not claim.ended:
            yield replace(claim, predicate="employment_status", object="retired")
    else:
        yield claim


def turned_by_noun(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The claims of a noun of the speaker's: something is over, or has begun."""
    if not is_mine(token):
        return
    if lemma(token) in words("posts") and _has(token, "former"):
        yield from _former(token, speaker)
    elif lemma(token) in words("posts") and _is_new(token):
        holders = (token, token.head) if token.dep_ == "dobj" else (token,)
        firms = [each for holder in holders for each in _behind(holder, "at", "with")]
        for firm in filter(is_named, firms):
            yield _claim(speaker, "works_at", firm, ended=False, said="works at")
    if lemma(token) in words("turns"):
        yield from _turn(token, speaker)
    yield from _field(token, speaker)
    if lemma(token) == "career" and _is_freelance(token) and not _is_only_meant(token):
        yield Claim(
            subject=speaker.key,
            predicate="employment_status",
            object="freelance",
            statement=f"{speaker.shown} is freelance",
            kind="identity",
            worth=_WORTH,
            begins=True,
        )


def _field(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The field of "my teaching career" and "my catering business", begun or left."""
    fields = [each for each in children(token, "compound") if each.lower_.endswith("ing")]
    told = lemma(token) in {"career", "business"} and len(fields) == 1 and not _is_only_meant(token)
    if not told or _has(token, "former"):
        return
    over = token.dep_ == "pobj" and lemma(token.head.head) in {"retire", "quit", "resign"}
    field = str(fields[0].lower_)
    said = f"{speaker.shown} {'used to work' if over else 'works'} in {field}"
    claim = _claim(speaker, "works_in", token, ended=over, said="")
    yield replace(claim, object=field, statement=said)


def _is_freelance(token: Token) -> bool:
    """True for "my freelance career", which is all that somebody does; clients may be few."""
    return any(each.lower_ in {"freelance", "freelancing"} for each in token.subtree)


def _is_only_meant(token: Token) -> bool:
    """True under a plan, a wish, a doubt or a denial: "I dream of my freelance career"."""
    above = [each for each in token.ancestors if each.pos_ in {"VERB", "AUX"}]
    minds = {lemma(each) for each in above} - {"go"} - words("taste_verbs")
    effects = {effect for each in minds for _, effect in governors().get(each, ())}
    unreal = any(
        child(each, "neg") is not None
        or is_supposed(each)
        or any(aux.tag_ == "MD" for aux in children(each, "aux"))
        for each in above
    )
    return unreal or bool(effects & _MEANT) or token.sent.text.rstrip().endswith("?")


def _has(token: Token, name: str) -> bool:
    return any(lemma(each) in words(name) for each in children(token, "amod", "compound"))


def _is_new(post: Token) -> bool:
    """True for the new job that somebody has: "I love my new job at Siemens"."""
    new = any(each.lower_ == "new" for each in children(post, "amod"))
    verb = next((each for each in post.ancestors if each.pos_ in {"VERB", "AUX"}), None)
    if verb is None or not new or _is_only_meant(post):
        return False
    return lemma(verb) in words("taste_verbs") | {"be", "go"} and tense_of(verb) is Tense.PRESENT


def _former(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The work that is over: "my former role at Siemens", "my old employer, Siemens"."""
    for firm in [*_behind(token, "at", "with"), *children(token, "appos")]:
        if is_named(firm):
            yield _claim(speaker, "works_at", firm, ended=True, said="formerly worked at")
    for job in _behind(token, "as"):
        if lemma(job) in words("jobs"):
            yield _claim(speaker, "works_as", job, ended=True, said="formerly worked as")


def _turn(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The thing that is left and the one gone to: "our switch from Slack to Teams"."""
    left, gone_to = _behind(token, "from"), _behind(token, "to", "into")
    gone_to = gone_to or (_next_to(left[-1]) if left else [])
    if not left or not _happened(token):
        return
    predicate = _kind(token, [*left, *gone_to]) if gone_to else ""
    for each in left if not predicate and not is_named(left[0]) else ():
        yield from _left_behind(speaker, each)
    if predicate:
        then, now = _TOLD[predicate]
        for each in left:
            yield _claim(speaker, predicate, each, ended=True, said=f"formerly {then}")
        for each in gone_to:
            yield _claim(speaker, predicate, each, ended=False, said=f"now {now}")


def _left_behind(speaker: Subject, what: Token) -> Iterator[Claim]:
    """The pastime of "my transition from video games to sports", where it was one."""
    if is_vague(what) or child(what, "compound", "amod") is None:
        return
    for predicate in _PASTIMES:
        claim = _claim(speaker, predicate, what, ended=True, said="moved away from")
        yield replace(claim, kind="preference", ends_only=True)


def _happened(token: Token) -> bool:
    """True for what went well or was hard, and for what something came after."""
    lead = token.head
    if _LOOKS_BACK.match(str(token.doc.user_data.get(AFTER) or "")):
        return True
    looked_back = lead.lower_ == "on" and lemma(lead.head) in words("looks_back")
    if token.dep_ == "pobj" and (lead.lower_ == "since" or looked_back):
        return True
    after = token.dep_ == "pobj" and lead.lower_ in {"after", "following"}
    verb = lead.head if after else lead
    told = after or (token.dep_ == "nsubj" and lemma(verb) in words("turns_out"))
    modal = any(each.tag_ == "MD" for each in children(verb, "aux"))
    unsure = modal or child(verb, "neg", "xcomp") is not None or is_supposed(verb)
    return told and not unsure and tense_of(verb) in {Tense.PAST, Tense.PERFECT}


def _kind(token: Token, named: list[Token]) -> str:
    """The predicate of a turn; "" where nobody can tell."""
    if any(is_vague(each) or each.pos_ not in {"NOUN", "PROPN"} for each in named):
        return ""
    if _has(token, "work_life"):
        return "works_in"
    if not all(each.pos_ == "PROPN" for each in named):
        return ""
    if lemma(token) == "move":
        return "lives_in"
    return "" if any(map(is_place, named)) else "uses"


def _behind(token: Token, *leads: str) -> list[Token]:
    preps = [each for each in children(token, "prep") if each.lower_ in leads]
    return [each for prep in preps for each in children(prep, "pobj")]


def _next_to(left: Token) -> list[Token]:
    """The words behind "to" right after the thing left, wherever the parser hung them."""
    after = left.right_edge.i + 1
    lead = left.doc[after] if after < left.sent.end else left
    return children(lead, "pobj") if lead.lower_ in {"to", "into"} else []


def _claim(speaker: Subject, predicate: str, what: Token, *, ended: bool, said: str) -> Claim:
    name = value(what, "name", ())
    return Claim(
        subject=speaker.key,
        predicate=predicate,
        object=name,
        statement=f"{speaker.shown} {said} {name}",
        kind="preference" if predicate == "uses" else "identity",
        worth=_WORTH,
        ended=ended,
        begins=not ended,
    )
