"""Needs of a frame besides its verb: a word beside it, or how the clause is read."""

from collections.abc import Callable, Mapping

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.marks import Mood, Tense, is_over
from anamnesis_ingestion.learning.english.tree import child, children, is_negated, lemma
from anamnesis_ingestion.learning.english.values import is_year
from anamnesis_ingestion.learning.english.vocabulary import Change, Frame, words


def meets(clause: Clause, frame: Frame) -> bool:
    """True if a clause has what the frame needs besides its verb."""
    by_reading = _BY_READING.get(frame.needs)
    if by_reading is not None:
        return by_reading(clause)
    if frame.needs in {"alone", "from"} and child(clause.verb, "dobj") is not None:
        return False
    return frame.needs == "alone" or _has_beside(clause, frame)


def _has_beside(clause: Clause, frame: Frame) -> bool:
    """True if the word that the frame needs stands beside the verb."""
    needed = frame.needs.replace("_", " ")
    beside = (
        *clause.verb.children,
        *(
            inner
            for each in clause.verb.children
            if each.dep_ in {"prep", "acomp"}
            for inner in each.children
        ),
    )
    lead, _, last = needed.rpartition(" ")
    return any(
        last in {lemma(each), each.lower_}
        and (not lead or any(inner.lower_ == lead for inner in each.children))
        for each in beside
    )


def _is_denied_now(verb: Token) -> bool:
    """True for "I can't stand it any more": the denial that a frame needs has begun."""
    return is_over(verb) and is_negated(verb)


def _goes_home(verb: Token) -> bool:
    """True for "moved to a flat in Lyon": where somebody's dwelling is, they live."""
    led = [each for prep in children(verb, "prep") for each in children(prep, "pobj")]
    return any(lemma(each) in words("dwellings") for each in led) and child(verb, "dobj") is None


def _is_denied_alone(clause: Clause) -> bool:
    """True for "I don't drive" and "I don't drink any more", without a word of what."""
    held = [each for each in children(clause.verb, "dobj") if each.lower_ != "more"]
    denied = clause.reading.negated or clause.reading.change is Change.END
    present = clause.reading.tense is Tense.PRESENT
    present = present and clause.reading.mood in {Mood.FACT, Mood.CAN}
    return denied and present and not held and child(clause.verb, "prep", "prt", "advcl") is None


def is_switched(verb: Token) -> bool:
    """True for "I quit Duolingo and switched to Anki": what is quit was used."""
    return any(lemma(each) in {"switch", "migrate"} for each in children(verb, "conj"))


def is_swapped(verb: Token) -> bool:
    """True for "I cancelled Spotify and moved to Tidal"."""
    return verb.dep_ == "conj" and lemma(verb.head) in words("cancels_use")


def _moves_content(verb: Token) -> bool:
    """True for "I moved my blog from Ghost to Astro"."""
    return any(lemma(each) in words("contents") for each in children(verb, "dobj"))


def lasts(verb: Token) -> bool:
    """True for a verb that tells of years: "for nine years", "since 2015", and not "for days"."""
    led = [prep for prep in children(verb, "prep") if prep.lower_ in {"for", "since"}]
    told = [each for prep in led for each in prep.subtree]
    return any(lemma(each) in {"year", "month", "decade"} or is_year(each) for each in told)


def is_lasting(clause: Clause) -> bool:
    """True for "I've been at Ocado for nine years": begun then, and going on."""
    return lasts(clause.verb) and clause.reading.tense is Tense.PERFECT


_BY_READING: Mapping[str, Callable[[Clause], bool]] = {
    "": lambda _: True,
    "not": lambda clause: clause.reading.negated or _is_denied_now(clause.verb),
    "begun": lambda clause: clause.reading.change is Change.BEGIN,
    "happened": lambda clause: clause.verb.tag_ in {"VBD", "VBN"},
    "perfect": lambda clause: clause.reading.tense is Tense.PERFECT,
    "home": lambda clause: _goes_home(clause.verb),
    "lasting": is_lasting,
    "now": lambda clause: (
        clause.verb.tag_ in {"VBG", "VBP", "VBZ"} and clause.reading.tense is not Tense.PAST
    ),
    "swapped": lambda clause: is_swapped(clause.verb),
    "content": lambda clause: _moves_content(clause.verb),
    "active": lambda clause: child(clause.verb, "auxpass") is None,
    "plain": lambda clause: child(clause.verb, "acomp", "attr") is None,
    "over": lambda clause: clause.reading.change is Change.END,
    "done": lambda clause: child(clause.verb, "auxpass") is not None,
    "denied": _is_denied_alone,
    "had": lambda clause: is_had(clause.verb) and not clause.reading.negated,
    "lacking": lambda clause: clause.reading.negated and is_had(clause.verb),
    "switched": lambda clause: is_switched(clause.verb),
    "chosen": lambda clause: lemma(clause.verb.head) in words("chooses"),
}
"""What a frame may need of a clause as it is read, by its word in `frames.tsv`."""


def is_had(verb: Token) -> bool:
    """True for "I've got a stack of bands": one has it, and nobody knows since when."""
    helped = any(each.lower_ in {"have", "'ve", "has", "'s"} for each in children(verb, "aux"))
    return verb.lower_ == "got" and helped and child(verb, "dobj") is not None
