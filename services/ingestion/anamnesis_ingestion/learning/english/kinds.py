"""Kinds of values: what a noun has to be so that it fits a slot, "@jobs", "place", "age"."""

from collections.abc import Callable

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.tree import child, children, coordinated, lemma
from anamnesis_ingestion.learning.english.values import is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import words
from anamnesis_ingestion.learning.knowledge import EntityKind
from anamnesis_ingestion.learning.local.naming.english_ordinary import PEOPLES
from anamnesis_ingestion.learning.local.naming.gazetteer import listed

_JOINS = frozenset({"conj", "cc", "punct"})
_OLDEST = 115


def fits(head: Token, mode: str) -> bool:
    """True if a noun is of the kind that the value of a frame asks for."""
    kept = _FITS.get(mode, _is_listed if mode.startswith("@") else _is_clear)
    return kept(head, mode)


def _is_clear(head: Token, _mode: str) -> bool:
    return not is_vague(head) and not _is_behind_dash(head)


def _is_behind_dash(head: Token) -> bool:
    """True for "working on - so excited": what is told on there is no object."""
    before = head.left_edge.i - 1
    return head.dep_ == "pobj" and before > 0 and head.doc[before].text == "-"


def _is_one_name(head: Token, _mode: str) -> bool:
    one = any(each.lower_ in {"a", "an"} for each in children(head, "det"))
    if one and head.lower_ in PEOPLES:
        return False
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


def _is_account(head: Token, _mode: str) -> bool:
    """True for "my Twitter account"."""
    kept = lemma(head) in {"account", "subscription", "membership"}
    return kept and any(each.pos_ == "PROPN" for each in children(head, "compound"))


def _is_nick(head: Token, mode: str) -> bool:
    """True for the Max of "I go by Max" and "I answer to Max"; nobody goes to Max so."""
    by = {"go": "by", "answer": "to"}.get(lemma(head.head.head), "")
    return head.head.lower_ == by and _is_person(head, mode) and not is_place(head)


def _is_nationality(head: Token, _mode: str) -> bool:
    """True for the bare "Dutch" of "I'm Dutch"."""
    bare = all(each.is_punct or each.dep_ in {"cc", "conj", "advmod"} for each in head.children)
    known = head.lower_ in PEOPLES - words("faiths") - words("quarters")
    return known and bare and head.text[:1].isupper()


def _is_product(head: Token, _mode: str) -> bool:
    """True for a thing by the name of what it is: "a Canon 5D"."""
    one = any(each.lower_ in {"a", "an"} for each in children(head, "det"))
    name = value(head, "name", ())
    whole = " " in name or any(each.isdigit() for each in name)
    dated = head.lower_ in words("days") | words("months")
    return one and head.pos_ == "PROPN" and not dated and whole and not is_place(head)


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
    """True for "a vegan diet", "keto", "a low-carb meal plan"; not for "the Starter plan"."""
    kinds = children(head, "amod", "compound")
    told = any(_is_listed(each, "@diets") for each in (head, *kinds))
    of_food = any(each.lower_ in words("food_plans") for kind in kinds for each in kind.subtree)
    return told or lemma(head) in words("regimens") or (lemma(head) == "plan" and of_food)


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


_FITS: dict[str, Callable[[Token, str], bool]] = {
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
    "nick": _is_nick,
    "account": _is_account,
    "people": _is_nationality,
    "product": _is_product,
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
