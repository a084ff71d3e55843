"""The slots of frames: where the object of a fact stands, and its text if it fits."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from spacy.tokens import Token

from anamnesis_ingestion.learning.closing.things import made_by
from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.kinds import fits, is_named
from anamnesis_ingestion.learning.english.listed import (
    above_all,
    listed_behind,
    listed_on,
    without_light_verb,
)
from anamnesis_ingestion.learning.english.subjects import called_so, name_of
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    coordinated,
    is_verbal,
    lemma,
)
from anamnesis_ingestion.learning.english.values import (
    SPORT,
    is_amount,
    is_vague,
    is_year,
    make_of,
    phrase,
    spelled,
    value,
)
from anamnesis_ingestion.learning.english.vocabulary import Change, Frame, frames, words
from anamnesis_ingestion.learning.local.naming.english_ordinary import PEOPLES

_NAMED_AS = frozenset({"dobj", "nsubj", "pobj"})
_DENIALS = frozenset({"avoids", "dislikes"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "your"})
_FIELD = re.compile(r"(?<=\w) (?:industry|sector|field|business)$")
_JOINS = frozenset({"conj", "cc", "punct"})
_PLAYED = frozenset({"game", "sport"})
_AIMED = frozenset({"dobj", "prt", "acomp", "advmod", "xcomp"})
_PRONOUNS = re.compile(
    r"\b(?:she|he|they|ze|xe)/(?:hers?|him|his|them|they|hir|xem)(?:/\w+)?\b", re.IGNORECASE
)
_TWO = 2
_SIGNS = frozenset({"$", "€", "£", "¥"})
_THOUSANDS = re.compile(r"[$€£]?\d{1,3}(?:\.\d)?k", re.IGNORECASE)
_OBJECTS = frozenset(
    {"dobj", "attr", "acomp", "advmod", "xcomp", "ccomp", "oprd", "npadvmod", "advcl"}
)


def heads(clause: Clause, frame: Frame) -> Iterator[Token]:
    """The words in the frame's slots, with what is joined to them."""
    for slot in frame.slots:
        first, *below = slot.split(">")
        found = _at(clause, first, frame.needs)
        for start in (one for one in found if not _is_set_apart(one)):
            for each in coordinated(start):
                meant = each if below else _meant(each, clause)
                yield from _below(each, below) if below else without_light_verb(meant)
            yield from () if below else listed_behind(start, clause.verb)
            if slot == "attr" and start.pos_ == "PROPN":
                yield from children(start, "appos") if child(start, "neg") is None else ()
        if slot == "dobj":
            yield from listed_on(clause.verb)
        if slot in {"dobj", "xcomp"} and frame.kind == "preference":
            yield from above_all(clause.verb)


def _is_set_apart(head: Token) -> bool:
    """True for the coffee of "I like tea, not coffee"."""
    first = head.left_edge.i
    before = [each.lower_ for each in head.doc[max(0, first - 2) : first]]
    return before == [",", "not"]


def _meant(pronoun: Token, clause: Clause) -> Token:
    """The pottery of "I tried pottery, and I love it": the one thing named before of its number.

    "The game" is the sport that was named last.

    For what is over, it may have been named in the sentence before: there is nothing else to end.
    """
    if pronoun.lower_ in _PLAYED and {each.lower_ for each in pronoun.children} == {"the"}:
        return pronoun.doc.user_data.get(SPORT) or pronoun
    number = {"it": {"NN", "NNP"}, "them": {"NNS", "NNPS"}}.get(pronoun.lower_)
    found_so = pronoun.lower_ == "them" and pronoun.dep_ == "nsubj"
    if number is None or not (pronoun.dep_ in {"dobj", "pobj"} or found_so):
        return pronoun
    before = [
        each
        for each in pronoun.sent
        if each.i < pronoun.i and each.tag_ in number and each.dep_ in _NAMED_AS
    ]
    if not before and clause.before is not None and clause.reading.change is Change.END:
        before = [each for each in clause.before if each.tag_ in number and each.dep_ in _NAMED_AS]
    if len(before) != 1 or is_vague(before[0]) or before[0].dep_ == "pobj":
        return pronoun
    pointed_at = any(each.lower_ in _DEFINITE for each in children(before[0], "det", "poss"))
    return pronoun if pointed_at else before[0]


def _below(head: Token, path: Sequence[str]) -> Iterator[Token]:
    """The words at the end of a path of dependencies and prepositions below a word."""
    if not path:
        yield head
        return
    found = children(head, path[0])
    for prep in children(head, "prep"):
        if prep.lower_ == path[0]:
            found += children(prep, "pobj")
    for each in found:
        yield from _below(each, path[1:])


def _instead(verb: Token) -> Iterator[Token]:
    """The thing or deed behind "instead of", wherever the parser hung it."""
    for each in verb.subtree:
        if each.lower_ == "of" and any(beside.lower_ == "instead" for beside in each.children):
            behind = children(each, "pobj", "pcomp") or children(each.head, "conj")
            yield from (inner for inner in behind if inner.i > each.i)


def _beside_speaker(clause: Clause) -> Iterator[Token]:
    """Whoever else is the subject: Ann of "Ann and I are divorced", Steve of "Paula and Steve"."""
    if clause.subject is not None:
        told = list(coordinated(clause.subject))
        beside = told if any(each.lower_ in FIRST for each in told) else told[1:]
        yield from (each for each in beside if each.lower_ not in FIRST)


def by_its_name(head: Token, mode: str) -> Token:
    """The Fernwood of "a startup called Fernwood", and the climbing of "any form of climbing"."""
    whole = any(each.lower_ in {"any", "all", "every"} for each in children(head, "det"))
    if whole and lemma(head) in words("partitives"):
        inner = [each for prep in children(head, "prep") for each in children(prep, "pobj")]
        return inner[0] if inner else head
    beside = child(head, "appos")
    if mode == "tool" and beside is not None and beside.i == head.i + 1 and is_named(beside):
        return beside
    if mode in {"name", "firm", "person"} and head.tag_ == "NN" and beside is not None:
        return beside if beside.pos_ == "PROPN" else head
    if mode == "noun" and lemma(head) == "project" and beside is not None:
        return beside if beside.pos_ == "NOUN" else head
    if mode in {"name", "named", "firm", "noun"}:
        for each in children(head, "acl"):
            if lemma(each) in {"call", "name"}:
                return child(each, "oprd", "dobj") or head
    return head


def _at(clause: Clause, slot: str, needs: str) -> Iterator[Token]:
    if slot in _PLACES:
        yield from _PLACES[slot](clause)
    elif slot in _OBJECTS:
        yield from children(clause.verb, slot)
    elif slot.startswith(("compared:", "than:")):
        yield from _of_comparison(clause.verb, *slot.split(":"))
    elif slot.startswith("small:"):
        yield from _of_small_clause(clause.verb, slot.removeprefix("small:"))
    else:
        yield from _behind_prepositions(clause.verb, slot, needs)


_PLACES: dict[str, Callable[[Clause], Iterable[Token]]] = {
    "subj": _beside_speaker,
    "verb": lambda clause: [] if _is_state(clause.verb) else [clause.verb],
    "state": lambda clause: [clause.verb] if _is_state_now(clause.verb) else [],
    "instead": lambda clause: _instead(clause.verb),
}


def _is_state(verb: Token) -> bool:
    """True for "was retired", which tells how it was and not what happened."""
    return any(lemma(each) == "be" for each in children(verb, "auxpass"))


def _is_state_now(verb: Token) -> bool:
    """True for "is retired"."""
    helpers = children(verb, "aux", "auxpass")
    return _is_state(verb) and all(each.tag_ in {"VBZ", "VBP"} for each in helpers)


def _behind_prepositions(verb: Token, slot: str, needs: str) -> Iterator[Token]:
    wanted = slot.split("_")
    for particle in children(verb, "prt"):  # "came off propranolol", of which "off" has the object
        yield from children(particle, "pobj") if particle.lower_ == slot else ()
    holders = [verb, *children(verb, "acomp", "advmod", "attr", "prt", "dobj", "prep", "xcomp")]
    for holder in holders:
        if (
            holder != verb
            and holder.dep_ in {"attr", "dobj", "xcomp"}
            and lemma(holder) != needs.replace("_", " ")
        ):
            continue
        for prep in children(holder, "prep", "agent", "advmod"):
            if prep.lower_ != wanted[-1] or (
                len(wanted) > 1 and holder.lower_ != wanted[0] and prep.lower_ != slot
            ):
                continue
            if (
                holder.dep_ == "prep"
                and len(wanted) == 1
                and holder.lower_ not in {"out", "away", "back", "from"}
            ):
                continue
            yield from _unless_denied(prep)


def _unless_denied(prep: Token) -> list[Token]:
    """The objects of a preposition; none if the preposition is negated ("not to")."""
    return children(prep, "pobj", "pcomp") if child(prep, "neg") is None else []


def _of_small_clause(verb: Token, name: str) -> Iterator[Token]:
    """The things that somebody finds so: "I find pop distracting", "I find pop too loud"."""
    for each in children(verb, "ccomp", "xcomp", "oprd"):
        if _is_found(each, name):
            yield from children(each, "nsubj")
    held = children(verb, "dobj")
    for found in held:
        beside = children(verb, "oprd", "acomp", "advcl", "advmod", "amod") + children(found, "acl")
        beside += [each for each in held if each != found and each.tag_ == "JJ"]
        if any(_is_found(each, name) for each in beside):
            yield found
        elif found.tag_ == "JJ" and _is_found(found, name):
            yield from children(found, "compound")[-1:]


def _of_comparison(verb: Token, side: str, name: str) -> Iterator[Token]:
    """The two sides of "I find maps more useful than guides": what is `compared`, and with what."""
    for each in verb.subtree:
        more = each.tag_ == "JJR" or any(a.lower_ == "more" for a in children(each, "advmod"))
        than = [prep for prep in children(each, "prep") if prep.lower_ == "than"]
        if not than or not more or lemma(each) not in words(name):
            continue
        if side == "than":
            yield from children(than[0], "pobj")
        elif each.dep_ in {"ccomp", "xcomp", "oprd"} and each.head == verb:
            yield from children(each, "nsubj") or children(verb, "dobj")
        elif each.dep_ in {"amod", "acomp", "advmod"}:
            yield from children(verb, "dobj")


def _is_found(quality: Token, name: str) -> bool:
    """True if a quality is in the list; too much of anything is unpleasant."""
    too_much = any(each.lower_ == "too" for each in children(quality, "advmod"))
    listed = lemma(quality) in words(name) or quality.lower_ in words(name)
    return name == "unpleasant" if too_much else listed


def object_text(head: Token, mode: str, times: Collection[int]) -> str:
    """The object's text; "" where it is not what the frame asks for."""
    if mode.startswith("="):
        return mode[1:]
    if mode in _WHOLE:
        return _WHOLE[mode](head)
    if is_verbal(head) and head.dep_ in {"xcomp", "pcomp", "conj", "ccomp"}:
        return _doing(head, times) if mode in {"phrase", "full"} else ""
    if not fits(head, mode):
        return ""
    named = name_of(head) if mode in {"person", "@pets", "@kin"} else ""
    named = called_so(head) if mode == "@pets" and not named else named
    if named or mode == "person":
        return named
    spoken = mode == "@languages"
    text = str(head.text) if spoken else value(head, _as_written(head, mode), times)
    return _completed(head, mode, text)


def _completed(head: Token, mode: str, text: str) -> str:
    """The object's text as its value has it: a trade of one, the ages of several."""
    if mode == "account":
        return spelled(each for each in children(head, "compound"))
    if mode == "age":
        return spelled(head.subtree)
    if mode == "@states":
        behind = [*children(head, "prep"), *children(head.head, "prep")]
        parts = [each for each in behind if each.lower_ == "in" and each.i == head.i + 1]
        return " ".join([text, *(spelled(each.subtree) for each in parts)])
    if mode == "@jobs" and head.tag_ == "NNS":
        return text.removesuffix(head.text) + lemma(head)
    if mode in {"full", "noun"}:
        text = f"{_shared_by(head)} {text}".lstrip()
    if mode == "field" and any(each.lower_ in {"a", "an", "my"} for each in head.children):
        return ""
    return _FIELD.sub("", text) if mode == "field" else text


def _shared_by(head: Token) -> str:
    """The "Spanish" of the music in "Spanish culture, music and cuisine"; "" for none.

    Of two, "French films and books", it may be told of the first alone.
    """
    first = head
    while first.dep_ == "conj":
        first = first.head
    several = len(list(coordinated(first))) > _TWO
    if first == head or not several or any(each.dep_ not in _JOINS for each in head.children):
        return ""
    beside = children(first, "amod", "compound")
    return next((str(each.text) for each in beside if each.lower_ in PEOPLES), "")


def _is_pay(head: Token) -> bool:
    """True for "85k", "$3,000", "2,500 euros"."""
    signed = any(each.text in _SIGNS for each in head.children)
    return bool(_THOUSANDS.fullmatch(head.text)) or signed or lemma(head) in words("currencies")


def _denies(verb: Token) -> bool:
    """True if a verb avoids its object by itself: "stay away from"."""
    beside = {each.lower_ for each in verb.children} | {each.dep_ for each in verb.children}
    return any(
        frame.predicate in _DENIALS
        and not frame.needs
        and any(slot.split("_")[0] in beside for slot in frame.slots)
        for frame in frames().get(lemma(verb), ())
    )


def _doing(verb: Token, times: Collection[int]) -> str:
    """The deed that is liked or avoided; of one that is denied only "hate not being there"."""
    if child(verb, "neg") is not None:
        hated = lemma(verb.head) in words("hates")
        return f"not {phrase(verb, times)}" if hated else ""
    return "" if _denies(verb) else _described(verb) or phrase(verb, times)


def _described(verb: Token) -> str:
    """The noun of "hands-on learning experiences", where its own words were taken for a clause."""
    subject, noun = child(verb, "nsubj"), child(verb, "dobj")
    if subject is None or noun is None or not any(each.text == "-" for each in subject.children):
        return ""
    return spelled(verb.doc[verb.left_edge.i : noun.i + 1])


def _what_when(head: Token) -> str:
    """The clause behind "when": "I prefer when examples are short"."""
    when = [each for each in head.children if each.lower_ == "when"]
    return spelled(each for each in head.subtree if each not in when) if when else ""


def _is_per_week(head: Token) -> bool:
    """True for "three days a week"."""
    counted = any(each.like_num for each in children(head, "nummod"))
    per = any(lemma(each) in {"week", "day", "month"} for each in head.subtree if each != head)
    return lemma(head) in {"day", "hour", "night", "shift"} and counted and per


def _none_of(head: Token) -> str:
    """The "no siblings" of "I don't have any siblings", whom nobody comes to have."""
    bare = all(each.lower_ in {"a", "any", "no"} for each in head.children if not each.is_punct)
    return f"no {head.lower_}" if bare and lemma(head) in words("siblings") else ""


def _aim(head: Token) -> str:
    """The aim that somebody sets for their life: "lose 10 pounds by summer"."""
    held = [each for each in head.children if each.dep_ in _AIMED]
    held += [each for prep in children(head, "prep") for each in children(prep, "pobj")]
    told = {lemma(head), *(f"{lemma(head)} {lemma(each)}" for each in held)}
    return "" if told.isdisjoint(words("life_aims")) else phrase(head, ())


def pronouns_of(head: Token) -> str:
    """The pronouns by which somebody goes: "they/them"."""
    found = _PRONOUNS.search(head.sent.text)
    return found[0].casefold() if found is not None else ""


_WHOLE: dict[str, Callable[[Token], str]] = {
    "date": lambda head: spelled(head.subtree),
    "amount": lambda head: spelled(head.subtree) if is_amount(head) else "",
    "mass": lambda head: spelled(head.subtree) if lemma(head) in words("masses") else "",
    "year": lambda head: str(head.text) if is_year(head) else "",
    "pay": lambda head: spelled(head.subtree) if _is_pay(head) else "",
    "when": _what_when,
    "none": _none_of,
    "aim": _aim,
    "pronouns": pronouns_of,
    "hours": lambda head: spelled(head.subtree) if _is_per_week(head) else "",
    "car": lambda head: make_of(head) if "car" in made_by(make_of(head)) else "",
}
"""The values that are told by all that hangs on a word."""


def _as_written(head: Token, mode: str) -> str:
    """The extent of a noun that belongs to a value: a name has no tail but "of"."""
    if mode in {"@events", "@credentials", "@engagements", "@applied"}:
        return "full"
    if (
        mode in {"name", "place", "firm", "role", "day", "people", "product"}
        or mode.startswith("@")
        or (mode in {"named", "tool"} and is_named(head))
    ):
        return "name"
    return "full" if mode in {"full", "tool", "diet"} else "noun"
