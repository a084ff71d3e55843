"""Words of an object about itself: the examples that it names, and how the speaker finds it."""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.tree import child, children, coordinated, lemma
from anamnesis_ingestion.learning.english.values import is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import words

_YOURS = frozenset({"yours", "mine", "ours", "theirs", "hers"})
_AGAINST = frozenset({"over", "than"})
_APPEARS = frozenset({"be", "feel", "seem"})


def examples_of(head: Token) -> Iterator[Token]:
    """The podcasts of "passive methods like podcasts", of a noun or the object of a deed."""
    noun = head if head.pos_ != "VERB" else child(head, "dobj")
    for prep in children(noun, "prep") if noun is not None else ():
        such = prep.lower_ == "as" and any(each.lower_ == "such" for each in prep.children)
        if prep.lower_ != "like" and not such:
            continue
        for first in children(prep, "pobj"):
            yield from (each for each in coordinated(first) if _is_named(each))


def _is_named(noun: Token) -> bool:
    return noun.pos_ in {"NOUN", "PROPN"} and not is_vague(noun) and noun.lower_ not in _YOURS


def other_side(head: Token) -> Token | None:
    """The trains of "planes over trains": what the object is compared with."""
    for each in head.subtree:
        if each.lower_ in _AGAINST and each.i > head.i:
            return child(each, "pobj", "pcomp")
    return None


def found_unpleasant(head: Token) -> str:
    """The "gamified platforms childish" of "those gamified platforms that feel childish"."""
    for clause in children(head, "relcl"):
        subject, told = child(clause, "nsubj"), child(clause, "acomp")
        denied = child(clause, "neg", "aux") is not None
        own = subject is not None and subject.tag_ in {"WDT", "WP"} and not denied
        if own and told is not None and lemma(clause) in _APPEARS:
            bad = [each for each in coordinated(told) if each.lower_ in words("unpleasant")]
            if bad:
                return f"{value(head, 'noun', ())} {' and '.join(each.text for each in bad)}"
    return ""
