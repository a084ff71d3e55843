"""The judge of worth: which of the facts that are right are worth keeping.

A score is the sum of things that can be explained: what sort of fact it is (the frame says how much
that matters), and how specific its object is. Tuned on judged claims of other people's talk. What
is right but idle stays in the episode, where search finds it.
"""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.idle import (
    is_described,
    is_empty,
    is_idle,
    is_name,
    is_no_thing,
    is_proposed,
    is_specific,
)
from anamnesis_ingestion.learning.english.passing import is_event, is_habit, is_passing
from anamnesis_ingestion.learning.english.tree import child, children, lemma
from anamnesis_ingestion.learning.english.values import MEANT, is_vague, phrase_tokens
from anamnesis_ingestion.learning.english.vocabulary import words

KEPT_FROM = 0.5
KEPT_IF_TOLD_ON = 0.44
"""The worth of a deed that is kept where the next sentence tells on of it."""
_NAME, _FIGURE, _LONG, _DATED, _IDLE, _POINTS = 0.2, 0.15, -0.2, 0.15, -0.25, -0.3
_EVENT, _ON_HAND, _PLANNED = 0.15, 0.1, -0.02
_ACHIEVED, _HABIT, _OWNED, _KIND = 0.05, 0.15, 0.15, 0.05
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
_KNOWN = frozenset({"the", "this", "that", "these", "those", "some"})
_REASONS = frozenset({"because", "since", "so", "as"})
_INTRODUCES = frozenset({"this", "these"})
_TO_AGENT, _ASKED_OF_AGENT = 0.1, 0.2
_LEADING = frozenset({"help", "get", "do", "go"})
_GOALS = frozenset({"wants", "plans", "considers"})
_GOING = frozenset({"go", "come", "start", "begin", "finish", "end"})
_WORDS_MAX = 14


def least_worth(stated: Statement) -> float:
    """The worth from which a statement may be kept."""
    deed = stated.generic and stated.predicate == "did" and not stated.said
    return KEPT_IF_TOLD_ON if deed else KEPT_FROM


def worth(stated: Statement, *, dated: bool, to_agent: bool) -> float:
    """The worth of a fact, 0 to 1."""
    tokens = _told(stated) if stated.generic else _of_object(stated.head)
    if _is_worthless(stated, tokens, dated=dated, to_agent=to_agent):
        return 0.0
    score = stated.worth
    if not (to_agent and _is_asked(stated, tokens)):
        score += _NAME * any(map(is_name, _telling(stated, tokens)))
        score += _FIGURE * any(each.like_num for each in tokens)
    if stated.generic:
        score += _generic(stated, tokens, dated=dated, to_agent=to_agent)
    elif _points(_of_aim(stated, tokens), stated.head, to_agent=to_agent):
        score += _POINTS
    length = len(stated.object.split())
    if length > _WORDS_MAX:
        score += _LONG
    return max(0.0, min(1.0, score))


def _is_asked(stated: Statement, tokens: list[Token]) -> bool:
    """True for what somebody wants done with an agent's help: "I want to use the Weather API".

    The names and figures in it are those of the work at hand.
    """
    done = words("works_to_do")
    if stated.predicate != "considers":
        done |= words("works_at_hand")
    decided = lemma(stated.head.head) in words("decides")
    goal = stated.predicate in _GOALS and lemma(stated.head) in done and not decided
    return goal and not _is_of_life(stated.head, tokens)


def _telling(stated: Statement, tokens: list[Token]) -> list[Token]:
    """The words whose names count; of an idle deed, "chatted with a fan of Bo", its subject's."""
    idle = stated.generic and _is_idle(stated.head) and not any(map(is_event, tokens))
    return [each for each in tokens if each.i < stated.head.i] if idle else tokens


def _is_worthless(stated: Statement, tokens: list[Token], *, dated: bool, to_agent: bool) -> bool:
    """True for an object that says nothing, and for a regard for the listener or a proposal."""
    if stated.kind == "preference":
        told_to = not to_agent and any(map(_is_listener, tokens))
        if told_to or any(map(_is_nobody, tokens)) or is_proposed(stated.head):
            return True
    if stated.generic and stated.predicate == "has" and is_no_thing(stated.head):
        return True
    if stated.generic and _goes_nowhere(stated):
        return True
    if stated.generic:
        return to_agent and is_passing(stated, tokens, dated=dated)
    return is_empty(stated)


def _goes_nowhere(stated: Statement) -> bool:
    """True for "I go three times a week", "I start Monday": nobody says where or what for."""
    verb = stated.head
    held = children(verb, "dobj", "xcomp", "prt", "acomp", "attr", "advcl", "conj")
    led = [each for prep in children(verb, "prep") for each in children(prep, "pobj", "pcomp")]
    when = words("periods") | words("days") | words("months")
    named = [each for each in led if lemma(each) not in when]
    placed = any(
        each.pos_ == "ADV" and each.tag_ == "RB" and each.i == verb.i + 1
        for each in children(verb, "advmod")
    )
    return (
        stated.predicate in {"does", "plans"}
        and lemma(verb) in _GOING
        and not (held or named or placed)
    )


def _is_owned(stated: Statement) -> bool:
    """True for "I have a set of dumbbells", "a painting in my room": one thing, and told what."""
    head = stated.head
    one = any(each.lower_ in {"a", "an"} for each in children(head, "det"))
    told = is_described(head) or child(head, "prep", "compound") is not None
    return stated.predicate == "has" and one and told and not is_no_thing(head)


def _is_achieved(stated: Statement) -> bool:
    """True for a deed that matters later: "signed with a new team", "painted a sunset"."""
    begun = child(stated.head, "xcomp") if lemma(stated.head) in {"start", "finish"} else None
    deed = stated.predicate in {"did", "does", "wants", "plans"} and begun is None
    return deed and not words("achievements").isdisjoint(map(lemma, _chain(stated.head)))


def _is_way_of_life(stated: Statement) -> bool:
    """True for "I collect pens": what somebody says they do, and not are doing."""
    verb = stated.head
    told = stated.predicate == "does" and verb.tag_ in {"VBP", "VBZ"}
    told = told and not any(map(is_vague, children(verb, "dobj")))
    goes = lemma(verb) == "go" and any(each.tag_ == "VBG" for each in verb.children)
    return told and (goes or lemma(verb) in words("ways_of_life"))


def _is_practice(stated: Statement) -> bool:
    """True for "I mend clocks in Bath": what somebody says they do, and not are doing, recurs.

    English tells a deed of now as "I'm mending". "I know it" and "I get an error" are no deeds,
    "before I fix the lock" tells of one time, and "the lock" is one that was told of before.
    """
    verb = stated.head
    told = stated.predicate == "does" and verb.tag_ in {"VBP", "VBZ"}
    if not told or is_idle(verb) or child(verb, "aux", "auxpass", "neg") is not None:
        return False
    if verb.dep_ == "conj" and not _is_told_alike(verb):
        return False
    if verb.dep_ == "advcl" and child(verb, "mark", "advmod") is not None:
        return any(each.lower_ in _REASONS for each in children(verb, "mark"))
    led = [each for prep in children(verb, "prep") for each in children(prep, "pobj", "pcomp")]
    things = children(verb, "dobj") or led
    barred = words("states_of_things")
    if not _is_of_kind(verb):
        barred |= words("works_to_do") | words("works_at_hand")
    return bool(things) and all(map(_is_new, things)) and lemma(verb) not in barred


def _is_told_alike(verb: Token) -> bool:
    """True for a verb with a subject, or joined to one of its form: not for a second infinitive."""
    alike = verb.head.tag_ in {"VBP", "VBZ"} and child(verb.head, "xcomp", "acomp", "aux") is None
    return child(verb, "nsubj") is not None or alike


def _is_of_kind(verb: Token) -> bool:
    """True for "I mend clocks": a whole kind of things, by a noun without an article."""
    held = children(verb, "dobj")
    return any(each.tag_ == "NNS" and child(each, "det", "poss", "nummod") is None for each in held)


def _is_new(thing: Token) -> bool:
    """True for a thing that was not told of before: "clocks", "the books of a small firm"."""
    led = [each for prep in children(thing, "prep") for each in children(prep, "pobj")]
    known = any(each.lower_ in _KNOWN for each in children(thing, "det"))
    return is_specific(thing) and not is_no_thing(thing) and (not known or any(map(_is_new, led)))


def _chain(verb: Token) -> Iterator[Token]:
    """A verb and what it says was done: "got done submitting", "helped renovate"."""
    yield verb
    below = child(verb, "xcomp", "ccomp") if lemma(verb) in _LEADING else None
    if below is not None and child(below, "nsubj") is None:
        yield from _chain(below)


def _told(stated: Statement) -> list[Token]:
    """The words of a subject and its verb phrase, or of the noun that somebody is or has."""
    head = stated.head
    if head.pos_ not in {"VERB", "AUX"}:
        return list(head.subtree)
    subjects = [each for each in head.children if each.dep_ in {"nsubj", "nsubjpass"}]
    return [*(inner for each in subjects for inner in each.subtree), *phrase_tokens(head, ())]


def _is_listener(token: Token) -> bool:
    return token.lower_ in {"you", "your", "yours"}


def _is_nobody(token: Token) -> bool:
    """True for the "her" of which nobody knows whom it means."""
    somebody = token.tag_ == "PRP" and token.lower_ in {"her", "him"}
    return somebody and not token.doc.user_data.get(MEANT)


def _generic(stated: Statement, tokens: list[Token], *, dated: bool, to_agent: bool) -> float:
    """The worth that a whole verb phrase adds or takes away, by its nouns, date and pronouns."""
    score = _DATED if dated else 0.0
    goal = stated.kind in {"goal", "skill"} and stated.predicate != "does_not_want"
    if _is_idle(stated.head) and not (goal and _is_of_life(stated.head, tokens)):
        score += _IDLE
    nouns = [each for each in tokens if is_specific(each)]
    told = len(nouns) + any(_is_described(each) for each in nouns)
    told += lemma(stated.head) in words("milestones")
    usual = is_habit(stated) or _is_way_of_life(stated)
    practised = not usual and _is_practice(stated)
    told += stated.predicate in {"does", "does_not"} and usual
    told += not (to_agent or nouns) and any(map(_is_counted, tokens))
    score += _NOUNS[min(told, len(_NOUNS) - 1)]
    if any(_points_away(each, stated.head, to_agent=to_agent) for each in tokens):
        score += _POINTS
    if any(map(_is_no_object, stated.head.children)):
        score += _POINTS
    if not goal and any(map(is_event, nouns)):
        score += _EVENT
    score += (
        _HABIT * (usual or practised)
        + _KIND * (practised and _is_of_kind(stated.head))
        + _OWNED * _is_owned(stated)
    )
    if not to_agent:
        score += _ACHIEVED if nouns and _is_achieved(stated) else 0.0
        planned = _PLANNED if stated.predicate == "plans" else 0.0
        return score + planned + (_ON_HAND if _is_on_hand(stated) else 0.0)
    return score - (_asked_of_agent(stated.head, tokens) if goal else _TO_AGENT)


def _asked_of_agent(head: Token, tokens: list[Token]) -> float:
    """The worth that a wish told to an agent loses, unless it is one of a life."""
    return 0.0 if _is_of_life(head, tokens) else _ASKED_OF_AGENT


def _is_of_life(head: Token, tokens: list[Token]) -> bool:
    """True for "learn Spanish" and "become a pilot": whoever helps with it, it is the person's."""
    lasting = words("languages") | words("instruments") | words("jobs")
    told = any(is_name(each) or lemma(each) in lasting for each in tokens)
    return lemma(head) in words("aspirations") | {"be"} and told


def _is_idle(head: Token) -> bool:
    if head.pos_ in {"VERB", "AUX"}:
        return is_idle(head)
    named = lemma(head) not in words("shown") and any(map(is_name, head.subtree))
    return is_no_thing(head) and not named


def _is_counted(token: Token) -> bool:
    """True for "40 points", and not for "two days"."""
    counted = any(each.like_num and each.lower_ != "one" for each in children(token, "nummod"))
    return counted and lemma(token) not in words("periods")


def _is_no_object(token: Token) -> bool:
    """True for the "it" of "made it" and for the "myself" of "challenged myself"."""
    itself = token.lower_.endswith(("self", "selves"))
    return token.dep_ == "dobj" and (itself or token.lower_ in _POINTING)


def _is_on_hand(stated: Statement) -> bool:
    """True for what somebody is about: "I'm running for office"."""
    head = stated.head
    helped = any(each.dep_ == "aux" for each in head.children)
    held = any(each.dep_ == "dobj" and not is_vague(each) for each in head.children)
    idle = is_idle(head) or (lemma(head) in {"do", "get", "go", "give"} and not held)
    return stated.predicate == "does" and head.tag_ == "VBG" and helped and not idle


def _is_described(noun: Token) -> bool:
    """True for "a transgender journey", and not for "a quiet day"."""
    return is_described(noun) and lemma(noun) not in words("periods") | words("vague")


def _points_away(token: Token, verb: Token, *, to_agent: bool) -> bool:
    """True for "it" and "you", and for "me" as the object of the verb itself."""
    if (not to_agent and _is_told_apart(token)) or _is_of_its_noun(token):
        return False
    if token.lower_ in {"me", "us"}:
        return token.head == verb
    return token.lower_ in _POINTING and not _is_told_on(token)


def _is_of_its_noun(token: Token) -> bool:
    """True for the "it" of "a cake with berries on it": the cake."""
    noun = token.head.head
    above = noun.head.head if noun.dep_ == "pobj" else noun
    return token.lower_ == "it" and token.dep_ == "pobj" and above.pos_ == "NOUN" and above != noun


def _is_told_on(token: Token) -> bool:
    """True for the "this" of "this month", "this great book about bees", "a book that ..."."""
    noun = token.head
    relative = token.tag_ in {"WDT", "IN"}
    described = any(
        each.dep_ in {"relcl", "acl"} or (each.dep_ == "prep" and each.lower_ in {"of", "about"})
        for each in noun.children
    )
    period = lemma(noun) in words("periods")
    return relative or (token.dep_ == "det" and (described or period))


def _is_told_apart(token: Token) -> bool:
    """True for the "this" of "this cute bookmark for a friend": "a bookmark", told to a person."""
    noun = token.head
    if token.dep_ == "det" and token.lower_ == "that":
        done = noun.dep_ == "dobj" and noun.head.tag_ == "VBD"
        return done and is_specific(noun) and child(noun, "compound") is not None
    if token.dep_ == "det" and token.lower_ == "those":
        return child(noun, "compound") is not None
    if token.dep_ != "det" or token.lower_ not in _INTRODUCES:
        return False
    if lemma(noun) in words("events") and token.lower_ == "this":
        return True
    if is_name(noun) or any(map(is_name, children(noun, "appos"))):
        return True
    own = child(noun, "compound", "nmod") is not None or _is_described(noun)
    led = [each for prep in children(noun, "prep") for each in children(prep, "pobj")]
    return is_specific(noun) and (own or any(map(is_specific, led)))


def _of_object(head: Token) -> list[Token]:
    return [each for each in head.subtree if each.dep_ not in {"conj", "relcl"}]


def _of_aim(stated: Statement, tokens: list[Token]) -> list[Token]:
    """The words of an object; of an aim without the "this" of "get rid of this knee pain"."""
    if stated.predicate not in words("aims"):
        return tokens
    told = (each.dep_ == "det" and child(each.head, "compound") is not None for each in tokens)
    return [each for each, dropped in zip(tokens, told, strict=True) if not dropped]


def _points(tokens: list[Token], head: Token, *, to_agent: bool) -> bool:
    """True where the object points at what only those who talk can see: "the smell of them".

    Between people also by its subject: "seeing them eat", "when you sing".
    """
    places = {"det", "poss", "dobj"} | (set() if to_agent else {"nsubj"})
    beside = {(each.i, "pobj") for prep in head.children for each in prep.children}
    return any(
        each.lower_ in _POINTING and (each.dep_ in places or (each.i, each.dep_) in beside)
        for each in tokens
        if lemma(each.head) not in words("periods")
    )
