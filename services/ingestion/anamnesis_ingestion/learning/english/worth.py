"""The judge of worth: which of the facts that are right are worth keeping.

A score is the sum of things that can be explained: what sort of fact it is (the frame says how much
that matters), and how specific its object is. Tuned on judged claims of other people's talk. What
is right but idle stays in the episode, where search finds it.
"""

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.tree import lemma
from anamnesis_ingestion.learning.english.values import is_vague, phrase_tokens
from anamnesis_ingestion.learning.english.vocabulary import words

KEPT_FROM = 0.5
_NAME, _FIGURE, _LONG, _DATED, _IDLE, _POINTS = 0.2, 0.15, -0.2, 0.15, -0.25, -0.3
_EVENT, _ON_HAND, _PLANNED = 0.15, 0.1, -0.02
_NOUNS = (-0.3, 0.05, 0.15)
"""By how many nouns say something by themselves."""
_POINTING = frozenset(
    [
        "it",
        "that",
        "this",
        "these",
        "those",
        "you",
        "your",
        "them",
        "him",
        "her",
        "they",
        "he",
        "she",
    ]
)
_TO_AGENT, _ASKED_OF_AGENT = 0.1, 0.2
_WORDS_MAX = 14


def worth(stated: Statement, *, dated: bool, to_agent: bool) -> float:
    """The worth of a fact, 0 to 1."""
    tokens = _told(stated) if stated.generic else _of_object(stated.head)
    score = stated.worth
    if stated.kind == "preference" and _is_proposed(stated.head):
        return 0.0
    if any(each.pos_ == "PROPN" and not _is_of_calendar(each) for each in tokens):
        score += _NAME
    if any(each.like_num for each in tokens):
        score += _FIGURE
    if stated.generic:
        score += _generic(stated, tokens, dated=dated, to_agent=to_agent)
    elif _points(tokens, stated.head) or (
        stated.kind == "preference" and _is_of_the_moment(stated.head)
    ):
        score += _POINTS
    length = len(stated.object.split())
    if length > _WORDS_MAX:
        score += _LONG
    return max(0.0, min(1.0, score))


def _told(stated: Statement) -> list[Token]:
    """The words of a subject and its verb phrase, or of the noun that somebody is or has."""
    head = stated.head
    if head.pos_ not in {"VERB", "AUX"}:
        return list(head.subtree)
    subjects = [each for each in head.children if each.dep_ in {"nsubj", "nsubjpass"}]
    return [*(inner for each in subjects for inner in each.subtree), *phrase_tokens(head, ())]


def _is_of_calendar(token: Token) -> bool:
    return token.lower_ in words("days") or token.lower_ in words("months")


def _generic(stated: Statement, tokens: list[Token], *, dated: bool, to_agent: bool) -> float:
    """The worth that a whole verb phrase adds or takes away, by its nouns, date and pronouns."""
    score = _DATED if dated else 0.0
    if stated.head.pos_ in {"VERB", "AUX"} and _is_idle(stated.head):
        score += _IDLE
    nouns = [each for each in tokens if _is_specific(each)]
    told = len(nouns) + any(_is_described(each) for each in nouns)
    score += _NOUNS[min(told, len(_NOUNS) - 1)]
    if any(_points_away(each, stated.head) for each in tokens):
        score += _POINTS
    goal = stated.kind in {"goal", "skill"} and stated.predicate != "does_not_want"
    if not goal and any(lemma(each) in words("events") for each in nouns):
        score += _EVENT
    if not to_agent:
        planned = _PLANNED if stated.predicate == "plans" else 0.0
        return score + planned + (_ON_HAND if _is_on_hand(stated) else 0.0)
    return score - (_ASKED_OF_AGENT if goal else _TO_AGENT)


def _is_on_hand(stated: Statement) -> bool:
    """True for what somebody is about: "I'm running for office"."""
    head = stated.head
    helped = any(each.dep_ == "aux" for each in head.children)
    held = any(each.dep_ == "dobj" and not is_vague(each) for each in head.children)
    idle = _is_idle(head) or (lemma(head) in {"do", "get", "go", "give"} and not held)
    return stated.predicate == "does" and head.tag_ == "VBG" and helped and not idle


def _is_specific(token: Token) -> bool:
    """True for a noun that says something, and for what somebody begins or goes to do."""
    doing = (
        token.tag_ == "VBG" and token.dep_ == "xcomp" and lemma(token) not in words("idle_verbs")
    )
    return doing or (token.pos_ in {"NOUN", "PROPN"} and not is_vague(token))


def _is_described(noun: Token) -> bool:
    """True for "a transgender journey", and not for "a great day"."""
    own = [each for each in noun.children if each.dep_ == "amod" and each.pos_ == "ADJ"]
    of_time = lemma(noun) in words("periods") | words("vague")
    return not of_time and any(lemma(each) not in words("plain") for each in own)


def _is_idle(verb: Token) -> bool:
    """True for "think", and for "had a great time"."""
    if lemma(verb) in words("idle_verbs"):
        return not _is_done(verb)
    held = [each for each in verb.children if each.dep_ == "dobj"]
    if lemma(verb) == "do" and not held:
        return True
    return lemma(verb) in {"have", "do"} and any(lemma(each) in words("vague") for each in held)


def _is_done(verb: Token) -> bool:
    """True for "found a gym", "tried out yoga", "looking into politics"."""
    if lemma(verb) not in words("seeking_verbs"):
        return False
    particles = [each for each in verb.children if each.dep_ in {"prt", "prep"}]
    held = [each for each in verb.children if each.dep_ == "dobj" and not is_vague(each)]
    led = [each for each in particles if each.lower_ in {"into", "for", "out"}]
    return bool(led) or (bool(held) and verb.tag_ in {"VBD", "VBN", "VBG"})


def _points_away(token: Token, verb: Token) -> bool:
    """True for "it" and "you", and for "me" as the object of the verb itself."""
    if token.lower_ in {"me", "us"}:
        return token.head == verb
    return token.lower_ in _POINTING and not _is_told_on(token)


def _is_told_on(token: Token) -> bool:
    """True for the "this" of "this month", "this great book about bees", "a book that ..."."""
    noun = token.head
    relative = token.tag_ in {"WDT", "IN"}
    beside = {"compound", "amod", "relcl", "acl"} | {"prep"}
    described = any(each.dep_ in beside for each in noun.children)
    period = lemma(noun) in words("periods")
    return relative or (token.dep_ == "det" and (described or period))


def _of_object(head: Token) -> list[Token]:
    return [each for each in head.subtree if each.dep_ not in {"conj", "relcl"}]


def _points(tokens: list[Token], head: Token) -> bool:
    """True where the object points at what only those who talk can see: "the smell of them"."""
    places = {"det", "poss", "dobj"}
    beside = {(each.i, "pobj") for prep in head.children for each in prep.children}
    return any(
        each.lower_ in _POINTING and (each.dep_ in places or (each.i, each.dep_) in beside)
        for each in tokens
        if lemma(each.head) not in words("periods")
    )


def _is_proposed(head: Token) -> bool:
    """True for "the idea of a picnic", which somebody has just had."""
    the = any(each.lower_ == "the" for each in head.children)
    return the and lemma(head) in words("proposals")


def _is_of_the_moment(head: Token) -> bool:
    """True for "the color": a bare noun that points at what both can see."""
    the = any(each.lower_ == "the" for each in head.children)
    return the and not any(
        each.dep_ in {"compound", "prep", "acl", "relcl"} for each in head.children
    )
