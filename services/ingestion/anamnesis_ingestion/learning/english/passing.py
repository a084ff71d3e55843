"""Talk to an agent that is over with the work at hand.

Steps that were taken, figures that were reached, tools that were tried, what comes next: "I've
added a header", "I've reached 85 % coverage", "I'm integrating the gallery", "I think I'll start
with a chat". A careful listener helps with them, and keeps none: they stay in the episode.
"""

from collections.abc import Iterable, Sequence

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.idle import is_idle, is_name
from anamnesis_ingestion.learning.english.marks import is_never, was_forced
from anamnesis_ingestion.learning.english.needs import lasts
from anamnesis_ingestion.learning.english.tree import FIRST, child, children, lemma
from anamnesis_ingestion.learning.english.vocabulary import words

_HAVING = frozenset({"have", "has", "'ve", "'s"})
_WILL = frozenset({"'ll", "will"})
_PERCENT = frozenset({"%", "percent"})
_ANEW = frozenset({"try", "set"})
"""Verbs of the work that tell of something new where they are told as past: "I tried Zig"."""
_TWO = 2
_EACH = frozenset({"every", "each", "most"})


def is_passing(stated: Statement, tokens: Sequence[Token], *, dated: bool) -> bool:
    """True for a whole verb phrase that tells of the work at hand.

    "I've installed it, I'll open the prompt, the flight is locked in."
    """
    if _is_code(stated, tokens) or _is_progress(stated, tokens):
        return True
    if any(of(stated) for of in (_is_at_hand, _is_work, _is_resolve, _is_told, _is_part)):
        return True
    if any(map(is_event, tokens)):
        return False
    if dated:
        return stated.predicate == "did" and _is_idle(stated.head)
    return _is_next(stated, named=any(each.like_num or is_name(each) for each in tokens))


def _is_code(stated: Statement, tokens: Iterable[Token]) -> bool:
    ticks = stated.object.count("`")
    return any("\\" in each.text for each in tokens) or ticks % 2 == 1 or ticks > _TWO


def _is_idle(head: Token) -> bool:
    return head.pos_ == "VERB" and is_idle(head)


def _is_next(stated: Statement, *, named: bool) -> bool:
    """True for what was just done or found, is done now, or comes next."""
    head = stated.head
    found = lemma(head) in words("findings") and not _is_led(head)
    match stated.predicate:
        case "plans":
            return not _WILL.isdisjoint(_helpers(_first(head)))
        case "did":
            just = any(each.lower_ == "just" for each in head.children)
            done = just or (head.tag_ in {"VBN", "VBD"} and not _HAVING.isdisjoint(_helpers(head)))
            return found or _is_idle(head) or (done and not named)
        case "does":
            at_it = head.tag_ == "VBG" and (not named or lemma(head) in words("pursuits"))
            return (head.tag_ == "VBN" or found or at_it) and not is_habit(stated)
    return False


def _is_led(verb: Token) -> bool:
    """True for "I manage a warehouse", and not for "I manage to open it"."""
    return (
        lemma(verb) == "manage" and verb.tag_ in {"VBP", "VBZ"} and child(verb, "dobj") is not None
    )


def is_event(token: Token) -> bool:
    """True for what somebody goes to, makes or goes through."""
    return lemma(token) in words("events")


def is_habit(stated: Statement) -> bool:
    """True for "my colleagues always order pizza", "I swim three times a week"."""
    usual = (each for each in stated.head.children if each.dep_ == "advmod")
    if stated.predicate == "does_not":
        return is_never(stated.head)
    if stated.predicate == "does" and _is_lasting(stated.head):
        return True
    does = stated.predicate == "does" and stated.head.tag_ != "VBG"
    often = any(each.lower_ in words("habits") for each in usual) or _is_often(stated.head)
    return does and often


def _is_lasting(verb: Token) -> bool:
    """True for "I've been fostering since our own kids left", "for three years"."""
    aside = [inner for each in children(verb, "advcl") for inner in each.children]
    long = lasts(verb) or any(each.lower_ == "since" for each in aside)
    return verb.tag_ == "VBG" and "been" in _helpers(verb) and long


def _is_often(verb: Token) -> bool:
    """True for "three times a week", "every morning", "on Sundays"."""
    if verb.tag_ not in {"VBP", "VBZ"} or children(verb, "aux", "auxpass"):
        return False
    timely = words("periods") | words("days") | words("dayparts")
    for each in children(verb, "npadvmod", "dobj"):
        few = any(inner.lower_ in {"few", "couple"} for inner in children(each, "amod"))
        counted = lemma(each) == "time" and (few or child(each, "nummod") is not None)
        every = any(inner.lower_ in _EACH for inner in each.children)
        if counted or (every and lemma(each) in timely):
            return True
    led = [each for prep in children(verb, "prep") for each in children(prep, "pobj")]
    return any(
        each.tag_ in {"NNS", "NNPS"}
        and each.lower_.removesuffix("s") in timely
        and child(each, "nummod", "amod") is None
        for each in led
    )


def _helpers(verb: Token) -> set[str]:
    return {each.lower_ for each in children(verb, "aux", "auxpass")}


def _is_at_hand(stated: Statement) -> bool:
    """True for "I've got the schedule set": what an agent has seen before."""
    return stated.predicate == "has" and any(each.lower_ == "the" for each in stated.head.children)


def _is_work(stated: Statement) -> bool:
    """True for "I've added a header", "I've tried it with Go", "I'm getting an error".

    And for a care for it: "I want to make sure I'm not losing data".
    """
    head = stated.head
    if _is_checked(head):
        return True
    held = children(head, "dobj")
    if stated.predicate not in {"did", "does"} or head.pos_ != "VERB":
        return False
    if lemma(head) == "use" and any(lemma(each) in words("means") for each in held):
        return True
    done = head.tag_ in {"VBN", "VBD"} and lemma(head) in words("works_at_hand")
    helped = not _HAVING.isdisjoint(_helpers(head)) or child(head, "xcomp") is not None
    failed = any(lemma(each) in words("mishaps") for each in held)
    failed = failed and lemma(head) in words("meets")
    return failed or (done and (helped or lemma(head) not in _ANEW))


def _is_checked(head: Token) -> bool:
    """True for "I want to make sure I'm not losing data": a care for the work at hand."""
    first = head.head if head.dep_ == "conj" else head
    return first.dep_ == "ccomp" and lemma(first.head) == "sure"


def _is_progress(stated: Statement, tokens: Iterable[Token]) -> bool:
    """True for "I've reached 85 % coverage" and "I completed 15 of the problems"."""
    if stated.predicate != "did" or lemma(stated.head) not in words("progresses"):
        return False
    figures = [each for each in tokens if each.text[:1].isdigit() or each.lower_ in _PERCENT]
    share = any(each.lower_ in _PERCENT for each in figures)
    counted = (lemma(each.head) not in words("events") | words("periods") for each in figures)
    return share or any(counted)


def _is_resolve(stated: Statement) -> bool:
    """True for "I think I'll go with the second": it may be another by tomorrow."""
    first = _first(stated.head)
    thought = first.dep_ == "ccomp" and lemma(first.head) in words("minds")
    return stated.predicate == "plans" and thought and not _WILL.isdisjoint(_helpers(first))


def _first(verb: Token) -> Token:
    """The verb whose helpers tell of another: the keep of "I'll keep reading and go on"."""
    while verb.dep_ in {"conj", "xcomp"} and verb.head.pos_ == "VERB":
        verb = verb.head
    return verb


def _is_forced(stated: Statement) -> bool:
    """True for "I had to choose between the two", and not for "I had to have surgery"."""
    forced = stated.predicate == "did" and was_forced(stated.head)
    return forced and not any(map(is_event, children(stated.head, "dobj")))


def _is_part(stated: Statement) -> bool:
    """True for "I'm integrating the gallery", "I'm working on sprint 2": it is soon done."""
    head = stated.head
    parts = {lemma(each) for each in children(head, "dobj")}
    if stated.predicate == "did":
        return not parts.isdisjoint(words("stages"))
    by_speaker = any(each.lower_ in FIRST for each in children(head, "nsubj"))
    if stated.predicate != "does" or head.tag_ != "VBG" or not by_speaker:
        return False
    if "been" in _helpers(head):
        return False
    parts |= {lemma(each) for prep in children(head, "prep") for each in children(prep, "pobj")}
    at_work = lemma(head) in words("works_at_hand") | words("works_to_do") | {"look"}
    return at_work or not parts.isdisjoint(words("stages"))


def _is_told(stated: Statement) -> bool:
    """True for "I feel proud of it", what somebody else has advised, and "I had to choose"."""
    head = stated.head
    by_other = any(each.lower_ not in FIRST for each in children(head, "nsubj"))
    said = lemma(head) in words("speech_acts") | words("advises")
    felt = lemma(head) in words("feelings") and stated.predicate == "does"
    return felt or _is_forced(stated) or (said and by_other and stated.predicate == "did")
