"""The facts that a clause states: by the frames of `frames.tsv`, else by its verb phrase alone."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.examples import (
    examples_of,
    found_unpleasant,
    other_side,
)
from anamnesis_ingestion.learning.english.kinds import is_named
from anamnesis_ingestion.learning.english.marks import Mood, Tense, is_rather
from anamnesis_ingestion.learning.english.needs import is_had, is_lasting, meets
from anamnesis_ingestion.learning.english.slots import by_its_name, heads, object_text
from anamnesis_ingestion.learning.english.subjects import name_of
from anamnesis_ingestion.learning.english.tree import (
    child,
    children,
    coordinated,
    is_mine,
    lemma,
    own,
)
from anamnesis_ingestion.learning.english.values import (
    is_amount,
    is_vague,
    is_year,
    kind_of,
    phrase,
    spelled,
    value,
)
from anamnesis_ingestion.learning.english.vocabulary import Change, Frame, frames, words

_OVER = re.compile(r",? (?:over|rather than|instead of) ")
_THEM = re.compile(r"^those\b(?= (?:with|without|that|in|from|of|about)\b)|\bones\b")
_BY_MOOD = {
    Mood.PLAN: ("plans", "goal", 0.35),
    Mood.WISH: ("wants", "goal", 0.4),
    Mood.CONSIDER: ("considers", "goal", 0.35),
    Mood.CAN: ("can", "skill", 0.25),
    Mood.DUTY: ("must", "constraint", 0.4),
}
_SAID = {
    "closed_on": "{{}}'s place of work is closed on {}",
    "pronouns": "{{}}'s pronouns are {}",
}
"""The statements of predicates that their clause does not word: "we're closed on Monday"."""
_FITTED = frozenset({"with", "without", "like", "under"})
_PERIODS = frozenset({"hourly", "weekly", "monthly", "annual", "yearly"})
_PASSIVE = {"got": "got", "get": "got", "getting": "got", "gotten": "got"}
_SAME = {
    "name": "is_named", "age": "is_aged", "birthday": "born_on", "birthdate": "born_on",
    "physical_condition": "physical_health", "mental_condition": "mental_health",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact that a clause states, before it is worded and judged.

    `head` is the word that the object is made of; `held` says that a state is told as past,
    `denies` that the frame itself has the denial of the clause in it, `listed` that it is one of
    several objects, `single` that one object holds at a time. `said` is the statement, with {} for
    the subject, where the clause is not.
    """

    predicate: str
    object: str
    kind: str
    change: Change
    worth: float
    head: Token
    generic: bool = False
    held: bool = False
    denies: bool = False
    listed: bool = False
    said: str = ""
    single: bool = False


def stated(clause: Clause, times: Collection[int]) -> list[Statement]:
    """The statements that the frames of its verb find in a clause."""
    found: list[Statement] = []
    for frame in frames().get(lemma(clause.verb), ()):
        if meets(clause, frame):
            found += _of_frame(clause, frame, times)
    return found


def _of_frame(clause: Clause, frame: Frame, times: Collection[int]) -> Iterator[Statement]:
    for found in heads(clause, frame):
        head = by_its_name(found, frame.value)
        timed = head.i in times and frame.value not in {"date", "day", "year", "hours"}
        if timed or (_is_none(head) and frame.value != "none"):
            continue
        if head.pos_ != "VERB" or not _lacks_object(head):
            yield from _of_head(head, clause, frame, times)


def _names_of_several(head: Token) -> list[str]:
    """The names of several: Mia and Theo of "two kids, Mia and Theo"."""
    names = [each for each in children(head, "appos") if each.pos_ == "PROPN"]
    several = [name_of(each) for name in names for each in coordinated(name)]
    return [each for each in several if each] if head.tag_ == "NNS" else []


def _of_head(
    head: Token, clause: Clause, frame: Frame, times: Collection[int]
) -> Iterator[Statement]:
    bad = found_unpleasant(head) if frame.predicate == "does_not_prefer" else ""
    if bad:
        said = worded("finds", bad)
        yield replace(_framed(frame, value(head, "noun", ()), head, said), predicate="dislikes")
        return
    text, rest = _object(head, clause.verb, frame, times), ""
    if frame.predicate == "prefers":
        text, rest = _compared(_told_before(head, text))
        rest = _THEM.sub(kind_of(head), rest) if head.pos_ == "NOUN" else rest
    apart = _stands_apart(head, clause.verb) or (frame.value == "@jobs" and head.tag_ == "NNS")
    apart = apart or (head.lower_ == "ones" and frame.predicate != "does_not_prefer")
    several = _names_of_several(head) if text and frame.kind == "relationship" else []
    for name in several[1:] if text in several[:1] else several:
        yield replace(_framed(frame, name, head, ""), listed=True)
    for predicate, what in ((frame.predicate, text), ("does_not_prefer", rest)):
        if what:
            said = worded(predicate, what) if apart else _SAID.get(predicate, "").format(what)
            said = said or _named_pet(frame, what, head)
            yield replace(_framed(frame, what, head, said), predicate=predicate)
    if text and frame.kind == "preference" and frame.change is Change.STATE:
        yield from _of_examples(head, frame, apart=apart)


def _named_pet(frame: Frame, name: str, head: Token) -> str:
    """The statement of an animal whose name stands beside the clause: "he's called Pipoca"."""
    beside = not any(each.text in name for each in head.subtree)
    new = frame.predicate == "has_pet" and frame.change is not Change.END and beside
    shown = name.replace("{", "").replace("}", "")
    return f"{shown} is {{}}'s {lemma(head)}" if new else ""


def _object(head: Token, verb: Token, frame: Frame, times: Collection[int]) -> str:
    """The object's text, with what the parser hung on the verb of it."""
    text = object_text(head, frame.value, times)
    served = _as_served(head, verb) if frame.kind == "preference" and is_mine(head) else ""
    if text and served not in text:
        return f"{text} {served}"
    if text and frame.value == "full":
        text = f"{text} {_fitted_with(head, verb, times)}".rstrip()
    return text


def _framed(frame: Frame, what: str, head: Token, said: str) -> Statement:
    """A statement as its frame has it."""
    denies = frame.needs in {"not", "lacking"}
    return Statement(
        frame.predicate,
        what,
        frame.kind,
        frame.change,
        frame.worth,
        head,
        denies=denies,
        said=said,
        single=frame.value in {"pay", "amount"},
    )


def _of_examples(head: Token, frame: Frame, *, apart: bool) -> Iterator[Statement]:
    """The same of each example that the object names, or that what is liked less names."""
    less = other_side(head) if frame.predicate == "prefers" else None
    sides = [(frame.predicate, head)] + ([] if less is None else [("does_not_prefer", less)])
    for predicate, side in sides:
        for each in examples_of(side):
            what = value(each, "noun", ())
            said = worded(predicate, what) if apart else ""
            yield replace(_framed(frame, what, each, said), predicate=predicate)


def _fitted_with(head: Token, verb: Token, times: Collection[int]) -> str:
    """The "with seven seats" right behind a thing, where the parser hung it on the verb."""
    for prep in children(verb, "prep"):
        behind = head.dep_ == "dobj" and prep.left_edge.i == head.right_edge.i + 1
        if behind and prep.lower_ in _FITTED and not any(each.i in times for each in prep.subtree):
            return spelled(own(prep, with_objects=True))
    return ""


def _as_served(head: Token, verb: Token) -> str:
    """The "as bullet points" of "I like my summaries as bullet points", the "black" of coffee."""
    behind = [*children(verb, "prep", "oprd", "acomp", "advmod"), *children(head, "prep")]
    for each in behind:
        how = each.lower_ in {"as", "without"} if each.dep_ == "prep" else each.tag_ == "JJ"
        if how and each.left_edge.i == head.i + 1:
            return spelled(each.subtree)
    return ""


def _stands_apart(head: Token, verb: Token) -> bool:
    """True for an object of another clause: "I tried pottery, and I love it"."""
    below = children(verb, "ccomp", "xcomp")
    named = [child(verb, "dobj"), *(child(each, "nsubj") for each in below)]
    named += [child(each, "pobj") for each in children(verb, "prep")]
    pronouns = [each for each in named if each is not None and each.lower_ in {"it", "them"}]
    before = bool(pronouns) and head.i < verb.i
    return (
        head.doc != verb.doc
        or before
        or (head.i > verb.i and not any(each == head for each in _told(verb)))
    )


def _told(verb: Token) -> Iterator[Token]:
    """The words of a clause, and of the clauses that its statement tells with it."""
    yield from own(verb, with_objects=True, inside=True)
    for aside in children(verb, "advcl", "conj"):
        yield from aside.subtree


def worded(predicate: str, said: str) -> str:
    """The statement of a fact whose clause does not name its object."""
    return f"{{}} {predicate.replace('_', ' ')} {said.replace('{', '').replace('}', '')}"


def _is_none(head: Token) -> bool:
    """True for "no hazelnuts"."""
    return any(each.lower_ in {"no", "zero"} for each in children(head, "det", "nummod"))


def _compared(text: str) -> tuple[str, str]:
    """The preferred thing, and the thing that it is preferred to."""
    parts = _OVER.split(text, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def _told_before(head: Token, text: str) -> str:
    """The text with "over" where it compares by "to": "I prefer trains to planes"."""
    led = [each for each in children(head, "prep") if each.lower_ == "to"]
    others = [each for prep in led for each in children(prep, "pobj", "pcomp")]
    alike = [each for each in others if each.tag_ in {head.tag_, "VBG"} and each.pos_ != "PROPN"]
    joined = lemma(head.head) == "prefer" and alike and _OVER.search(text) is None
    return text.replace(" to ", " over ", 1) if joined else text


def generic(clause: Clause, times: Collection[int]) -> Statement | None:
    """The clause as one fact: what its subject does, did, plans, wants, is or has."""
    verb, reading = clause.verb, clause.reading
    text = phrase(verb, times)
    text = f"{_helped(clause)}{text}"
    short = len(text.split()) < 2 and lemma(verb) not in words("milestones") | {"be"}
    if short or _lacks_object(verb) or _announces(verb):
        return None
    if lemma(verb) in words("taste_verbs") or _names(verb):
        return None
    predicate, kind, worth = _generic_kind(clause)
    said = worded(predicate, f"to {text}") if predicate == "wants" and verb.dep_ == "acl" else ""
    if _is_made_sure(clause):
        said = worded(predicate, f"to be {text}" if verb.tag_ == "VBG" else text)
    if lemma(verb) == "have" and child(verb, "xcomp") is not None:
        return None
    if lemma(verb) == "be" and not _is_to_be(clause):
        return _being(clause, times)
    have = lemma(verb) == "have" and (reading.tense is Tense.PRESENT or is_lasting(clause))
    if (have or is_had(verb)) and reading.mood is Mood.FACT:
        return _having(clause, times)
    change = (
        Change.DEED
        if reading.tense is not Tense.PRESENT or reading.mood is not Mood.FACT
        else Change.STATE
    )
    return Statement(predicate, text, kind, change, worth, verb, generic=True, said=said)


def _is_to_be(clause: Clause) -> bool:
    """True for "I want to be a rock singer": what somebody wants to become."""
    told = child(clause.verb, "attr")
    wished = clause.reading.mood is Mood.WISH and not clause.reading.negated
    return wished and clause.verb.dep_ == "xcomp" and told is not None and _is_one(told)


def _announces(verb: Token) -> bool:
    """True for "the flight's booked: ...", behind which the parser has no clause."""
    return verb.i + 1 < len(verb.doc) and verb.nbor().text == ":"


def _is_made_sure(clause: Clause) -> bool:
    """True for "I want to make sure I'm on time": it is not so yet."""
    own = child(clause.verb, "nsubj", "nsubjpass") is not None
    meant = clause.reading.mood in {Mood.WISH, Mood.PLAN, Mood.CONSIDER}
    return meant and own and clause.verb.dep_ == "ccomp" and clause.verb.head.pos_ == "ADJ"


def _helped(clause: Clause) -> str:
    """The "was" of what was done to somebody, and the "get" of "get rid of it"."""
    passive = child(clause.verb, "auxpass")
    if passive is not None and clause.reading.tense is not Tense.PRESENT:
        return f"{_PASSIVE.get(passive.lower_, 'was')} "
    held = passive is not None and passive.lower_ in {"get", "getting"}
    return f"{passive.lower_} " if passive is not None and held else ""


def _names(verb: Token) -> bool:
    """True for "my cat is called Tilly": a name is no deed."""
    return lemma(verb) in {"call", "name"} and child(verb, "oprd") is not None


def _lacks_object(verb: Token) -> bool:
    """True where the object stands outside the phrase: "what I want to see"."""
    above = verb.head if verb.dep_ in {"xcomp", "ccomp"} else verb
    asked = [each for holder in (verb, above) for each in children(holder, "dobj", "pobj")]
    return any(each.tag_ in {"WP", "WDT"} for each in asked)


def _generic_kind(clause: Clause) -> tuple[str, str, float]:
    of_mood = _BY_MOOD.get(clause.reading.mood)
    if is_rather(clause.verb):
        return "prefers", "preference", 0.6
    above = (lemma(each) for each in clause.verb.ancestors)
    gerund = clause.verb.tag_ == "VBG" or any(
        each.tag_ == "VBG" for each in children(clause.verb, "auxpass")
    )
    liked = gerund and not words("taste_verbs").isdisjoint(above)
    if clause.reading.mood is Mood.WISH and liked:
        return "likes", "preference", 0.4
    if of_mood is not None:
        return of_mood
    if clause.reading.tense is Tense.PRESENT or clause.verb.tag_ == "VBG":
        return "does", "identity", 0.35 if clause.by_speaker else 0.4
    return "did", "experience", 0.4


def _more_of(told: Token | None) -> Token | None:
    """The beginner of "I'm more of a beginner"."""
    if told is None or told.lower_ != "more":
        return told
    of = [each for prep in children(told, "prep") for each in children(prep, "pobj")]
    return of[0] if of else told


def _being(clause: Clause, times: Collection[int]) -> Statement | None:
    head = _more_of(child(clause.verb, "attr", "acomp"))
    if head is None or head.pos_ == "VERB" or is_vague(head) or is_mine(head):
        return None
    now = clause.reading.mood is Mood.FACT and clause.reading.tense is not Tense.PAST
    if head.dep_ == "acomp" or not now:
        return None
    if clause.reading.negated:
        return _not_being(clause, head, times)
    what = clause.subject is not None and clause.subject.lower_ == "i" and _is_one(head)
    return Statement(
        "is",
        value(head, "full", times),
        "identity",
        Change.STATE,
        0.5 if what else 0.35,
        head,
        generic=True,
    )


def _not_being(clause: Clause, head: Token, times: Collection[int]) -> Statement | None:
    """A claim of what somebody is not: "I'm not a morning person"."""
    told = child(head, "compound", "amod") is not None and lemma(head) in words("characters")
    by_speaker = clause.subject is not None and clause.subject.lower_ == "i"
    if not (told and by_speaker and _is_one(head)) or clause.reading.tense is not Tense.PRESENT:
        return None
    what = value(head, "full", times)
    return Statement("is_not", what, "identity", Change.STATE, 0.6, head, generic=True, denies=True)


def _is_one(head: Token) -> bool:
    """True for "a beekeeper" and "the eldest of six": what somebody is, and not how."""
    of = any(each.lower_ == "of" for each in children(head, "prep")) or head.lower_ == "only"
    of = of or any(each.lower_ == "only" for each in children(head, "amod"))
    told = {each.lower_ for each in children(head, "det")}
    return not told.isdisjoint({"a", "an"}) or ("the" in told and of)


def _having(clause: Clause, times: Collection[int]) -> Statement | None:
    """A claim of what somebody has; what they have had for years is worth the telling."""
    head = child(clause.verb, "dobj")
    if head is None or is_vague(head):
        return None
    score = 0.55 if is_lasting(clause) else 0.3
    what = value(head, "full", times)
    return Statement("has", what, "identity", Change.STATE, score, head, generic=True)


def _on(clause: Clause) -> Token | None:
    """The day of "is on the 4th of May", the field of "my degree is in biology"."""
    subject = clause.subject
    fields = subject is not None and lemma(subject) in words("learnt_in")
    for prep in children(clause.verb, "prep"):
        what = child(prep, "pobj")
        if what is None:
            continue
        of_calendar = what.lower_ in words("months") or is_year(what)
        site = what.pos_ == "PROPN" and subject is not None and lemma(subject) in words("sites")
        by_name = prep.lower_ in {"through", "with"} and what.pos_ == "PROPN"
        by_name = by_name and subject is not None and lemma(subject) in words("provided")
        if (
            prep.lower_ in {"on", "about"}
            or by_name
            or (prep.lower_ == "in" and (fields or of_calendar or site))
        ):
            return what
    return None


def attribute(clause: Clause, times: Collection[int]) -> Iterator[Statement]:
    """Facts of the form "my major is physics": the noun is the predicate.

    "My flat is bigger than yours" compares, and says of neither what it is.
    """
    subject = clause.subject
    if subject is None or lemma(clause.verb) != "be" or clause.reading.mood is not Mood.FACT:
        return
    head = child(clause.verb, "attr", "acomp") or _on(clause)
    aim = child(clause.verb, "xcomp")
    had = clause.reading.tense is Tense.PAST
    if head is None and aim is not None and lemma(subject) in words("aims") and not had:
        got = any(each.lower_ == "get" for each in children(aim, "auxpass"))
        what = f"{'get ' if got else ''}{phrase(aim, times)}"
        yield Statement(lemma(subject), what, "goal", Change.STATE, 0.6, aim)
    if head is None or head.tag_ in {"WP", "WDT"} or head.pos_ == "PRON" or _praises(head, subject):
        return
    whole = value(subject, "name", ()).casefold()
    told = not {lemma(subject), whole}.isdisjoint(words("attributes") | words("bodies")) or any(
        lemma(each) in words("chief") for each in (subject, *children(subject, "amod", "compound"))
    )
    told = told or (head.dep_ == "pobj" and child(head, "det", "poss") is None)
    name, per = attribute_name(subject, times)
    if not name or lemma(subject) == "one" or subject.lower_ == "names":
        return
    heads = [
        each for each in coordinated(head) if child(each, "neg") is None and each.tag_ != "JJR"
    ]
    named = any(is_named(each) for each in heads)
    for each in heads:
        text, _ = _compared(value(each, "full" if each.pos_ != "ADJ" else "noun", frozenset()))
        if text:
            amount = is_amount(each)
            told = told or (amount and lemma(subject) in words("aims"))
            score = 0.6 if told or named else 0.35
            if lemma(subject) in words("measured") and not amount:
                continue
            yield Statement(
                name,
                f"{text} {per}".rstrip() if amount else text,
                "identity",
                Change.STATE,
                score,
                each,
                listed=len(heads) > 1,
                single=told and amount and len(heads) == 1,
            )


def _praises(head: Token, subject: Token) -> bool:
    """True for "my new job is great", which tells no job."""
    new = any(each.lower_ == "new" for each in children(subject, "amod"))
    return new and head.dep_ == "acomp" and lemma(subject) in words("posts")


def attribute_name(noun: Token, times: Collection[int]) -> tuple[str, str]:
    """The attribute that a noun names, and the period that its amount is for.

    A monthly income is an income.
    """
    name = value(noun, "name", times).casefold().replace(" ", "_").replace("-", "_")
    name = _SAME.get(name, name)
    first, _, rest = name.partition("_")
    return (rest, first) if rest and first in _PERIODS else (name, "")
