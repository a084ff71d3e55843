"""The slots of frames: where the object of a fact stands, and its text if it fits."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from spacy.tokens import Token

from anamnesis_ingestion.learning.closing.things import made_by
from anamnesis_ingestion.learning.english.clauses import Clause
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
from anamnesis_ingestion.learning.knowledge import EntityKind
from anamnesis_ingestion.learning.local.naming.english_ordinary import PEOPLES
from anamnesis_ingestion.learning.local.naming.gazetteer import listed

_NAMED_AS = frozenset({"dobj", "nsubj", "pobj"})
_DENIALS = frozenset({"avoids", "dislikes"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "your"})
_FIELD = re.compile(r"(?<=\w) (?:industry|sector|field|business)$")
_JOINS = frozenset({"conj", "cc", "punct"})
_PLAYED = frozenset({"game", "sport"})
_OLDEST = 115
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
        for start in found:
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
                and holder.lower_ not in {"out", "away", "back"}
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
    kept = _FITS.get(mode, _is_listed if mode.startswith("@") else _is_clear)
    if not kept(head, mode):
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
    if mode == "age":
        return spelled(head.subtree)
    if mode == "@jobs" and head.tag_ == "NNS":
        return text.removesuffix(head.text) + lemma(head)
    if mode in {"full", "noun"}:
        text = f"{_shared_by(head)} {text}".lstrip()
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


_WHOLE: dict[str, Callable[[Token], str]] = {
    "date": lambda head: spelled(head.subtree),
    "amount": lambda head: spelled(head.subtree) if is_amount(head) else "",
    "mass": lambda head: spelled(head.subtree) if lemma(head) in words("masses") else "",
    "year": lambda head: str(head.text) if is_year(head) else "",
    "pay": lambda head: spelled(head.subtree) if _is_pay(head) else "",
    "when": _what_when,
    "car": lambda head: make_of(head) if "car" in made_by(make_of(head)) else "",
}
"""The values that are told by all that hangs on a word."""


def _as_written(head: Token, mode: str) -> str:
    """The extent of a noun that belongs to a value: a name has no tail but "of"."""
    if mode in {"@events", "@credentials"}:
        return "full"
    if (
        mode in {"name", "place", "firm", "role", "day"}
        or mode.startswith("@")
        or (mode in {"named", "tool"} and is_named(head))
    ):
        return "name"
    return "full" if mode in {"full", "tool", "diet"} else "noun"


def _is_clear(head: Token, _mode: str) -> bool:
    return not is_vague(head) and not _is_behind_dash(head)


def _is_behind_dash(head: Token) -> bool:
    """True for "working on - so excited": what is told on there is no object."""
    before = head.left_edge.i - 1
    return head.dep_ == "pobj" and before > 0 and head.doc[before].text == "-"


def _is_one_name(head: Token, _mode: str) -> bool:
    return not is_vague(head) and is_named(head) and head.lower_.rstrip("s") not in words("days")


def is_place(head: Token) -> bool:
    """True for the name of a known place."""
    return names_place(value(head, "name", ()))


def names_place(name: str) -> bool:
    """True for a name of a known place."""
    return any(found == name and kind is EntityKind.PLACE for _, found, kind in listed(name))


def names_technology(name: str) -> bool:
    """True for a name of a known technology."""
    return any(kind is EntityKind.TECHNOLOGY and found == name for _, found, kind in listed(name))


def _is_age(head: Token, _mode: str) -> bool:
    """True for the bare number of "I'm 34" and "I turned forty"."""
    years = int(head.text) if head.text.isdecimal() else 0
    if head.dep_ == "conj":
        return False
    named = head.like_num and head.text.isalpha() and head.lower_ not in {"one", "half"}
    bare = all(each.is_punct or each.dep_ in _JOINS for each in head.children)
    alike = all(each.like_num for each in coordinated(head))
    return bare and alike and (named or 1 <= years < _OLDEST)


def _is_technology(head: Token, _mode: str) -> bool:
    """True for the name of a known technology, and for "HTML/CSS": nobody is called so."""
    name = value(head, "name", ())
    return names_technology(name) or names_technology(head.text) or ("/" in name and name.isupper())


def _is_firm(head: Token, mode: str) -> bool:
    grouped = lemma(head) in words("groups")
    owned = child(head, "poss") is not None
    return _is_one_name(head, mode) and not (is_place(head) or grouped or owned)


def _is_known_by_name(head: Token, _mode: str) -> bool:
    own = any(each.dep_ in {"compound", "amod", "nmod"} for each in head.children)
    return not is_vague(head) and (own or is_named(head))


def _is_person(head: Token, _mode: str) -> bool:
    return head.pos_ == "PROPN" and child(head, "det", "poss") is None


def _is_listed(head: Token, mode: str) -> bool:
    """True for a noun of a word list, "@jobs"."""
    return _listed(head, mode[1:])


def _is_medicine(head: Token, _mode: str) -> bool:
    """True for the name of a medicine, by the ending that its kind of substance has."""
    ends = tuple(words("medicine_ends"))
    named = head.lower_ != "april" and head.lower_.endswith(ends)
    return lemma(head) in words("medicines") or named


def _is_diet(head: Token, _mode: str) -> bool:
    """True for "a vegan diet", "keto", "a low-carb meal plan"."""
    told = any(_is_listed(each, "@diets") for each in (head, *children(head, "amod", "compound")))
    return told or lemma(head) in words("regimens")


def _is_doing(head: Token, _mode: str) -> bool:
    """True for the coaching of "I finished coaching", taken for a noun; not for "the building"."""
    return head.lower_.endswith("ing") and child(head, "det", "poss") is None


def _is_job(head: Token, mode: str) -> bool:
    """True for a trade by its list or its ending, and for whatever one is "at Siemens"."""
    by_ending = head.tag_ in {"NN", "NNS"} and head.lower_.endswith(tuple(words("job_ends")))
    return _is_listed(head, mode) or by_ending or _is_post_at(head)


def _is_post_at(head: Token) -> bool:
    """True for the buyer of "I'm a buyer at Halden Labs", and not for a student or a guest."""
    led = [each for prep in children(head, "prep") for each in prep.children if prep.lower_ == "at"]
    one = any(each.lower_ in {"a", "an"} for each in children(head, "det"))
    named = any(each.pos_ == "PROPN" and not is_place(each) for each in led)
    none = lemma(head) in words("no_posts") | words("vague") | words("kin") | words("acquaintances")
    return head.dep_ == "attr" and head.tag_ == "NN" and one and named and not none


def _is_ailing(head: Token, _mode: str) -> bool:
    """True for "a dodgy knee"."""
    told = any(
        lemma(each) in words("ailing") for each in children(head, "amod", "nmod", "compound")
    )
    return lemma(head) in words("bodies") and told


_FITS = {
    "@jobs": _is_job,
    "ailing": _is_ailing,
    "day": lambda head, _mode: head.lower_.rstrip("s") in words("days"),
    "diet": _is_diet,
    "doing": _is_doing,
    "medicine": _is_medicine,
    "name": _is_one_name,
    "place": lambda head, _mode: is_place(head),
    "firm": _is_firm,
    "named": _is_known_by_name,
    "age": _is_age,
    "@events": lambda head, mode: _is_listed(head, mode) and " " in value(head, "full", ()),
    "field": _is_known_by_name,
    "technology": _is_technology,
    "person": _is_person,
}


def _listed(head: Token, name: str) -> bool:
    listed = words(name)
    compound = " ".join([*(lemma(each) for each in children(head, "compound")), lemma(head)])
    return (
        lemma(head) in listed
        or head.lower_ in listed
        or compound in listed
        or _hyphened(head) in listed
    )


def _hyphened(head: Token) -> str:
    start = head.i
    while (
        start > 0 and not head.doc[start - 1].whitespace_ and head.doc[start - 1].text == "-"
    ) or (start > 0 and head.doc[start].text == "-"):
        start -= 1
    return str(head.doc[start : head.i + 1].text).casefold()


def is_named(head: Token) -> bool:
    """True for a proper noun, or a noun that is written like one."""
    return (
        head.pos_ == "PROPN"
        or (head.text[:1].isupper() and head.i > head.sent.start)
        or any(each.pos_ == "PROPN" and each.dep_ == "compound" for each in head.children)
    )
