"""What a frame takes for a fact though it is none: the firm of "I'm a student at Brunn College"."""

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.marks import Tense
from anamnesis_ingestion.learning.english.presupposed import is_role
from anamnesis_ingestion.learning.english.slots import is_named
from anamnesis_ingestion.learning.english.tree import children, is_mine, lemma, possessor
from anamnesis_ingestion.learning.english.vocabulary import Change, words


def is_misread(found: Statement, clause: Clause) -> bool:
    """True for "I studied in Spanish", "the shop is closed", "trying to be a manager".

    "I'm having a baby" is none that somebody has.
    """
    if found.predicate == "studies_in":
        return lemma(found.head) in words("languages")
    if found.predicate == "closed_on":
        return not _is_of_us(clause)
    if found.predicate in {"eats", "drinks"} and clause.verb.tag_ == "VBG":
        return lemma(found.head) in words("dayparts")
    if found.predicate == "income":
        return clause.reading.tense is Tense.PAST and clause.reading.change is None
    if found.predicate == "has_relative" and clause.verb.tag_ == "VBG":
        return True
    verb = lemma(clause.verb)
    tried = verb in {"be", "have"} and _is_tried(clause.verb)
    return tried or (verb == "be" and (_is_study(found, clause) or is_of_other(found)))


def is_another_matter(found: Statement, clause: Clause) -> bool:
    """True for "play some guitar", the job of who "isn't my manager any more", "quit Feedzai"."""
    some = any(each.lower_ == "some" for each in found.head.children)
    over = clause.reading.change is Change.END and is_mine(found.head)
    firm = lemma(clause.verb) == "quit" and found.head.pos_ == "PROPN"
    apart = {"plays": some, "works_as": over, "gave_up": firm}
    return apart.get(found.predicate, False)


def is_by_the_way(found: Statement, clause: Clause) -> bool:
    """True for the food of "I teach them, using food as an example": it is no tool of theirs."""
    return found.predicate == "uses" and clause.verb.dep_ == "advcl" and not is_named(found.head)


def names_other(verb: Token) -> bool:
    """True for "I named her Tilly", and not for "call me Bo"."""
    called = any(each.lower_ != "me" for each in children(verb, "dobj"))
    return called and lemma(verb) in {"call", "name"}


def leads_in(clause: Clause) -> bool:
    """True for "in terms of health, I am Fine": what somebody is in a respect is no name."""
    start = clause.verb.i if clause.subject is None else clause.subject.i
    return any(each.i < start for each in children(clause.verb, "prep", "advcl"))


def is_of_other(found: Statement) -> bool:
    """True for what somebody is to another: "Joanna's assistant" is no job but a tie."""
    owner = possessor(found.head)
    return owner is not None and owner.pos_ == "PROPN" and is_role(found.head)


def _is_of_us(clause: Clause) -> bool:
    """True for "we are": a house that somebody speaks for."""
    return clause.subject is not None and clause.subject.lower_ == "we"


def _is_tried(verb: Token) -> bool:
    """True for "I'm trying to be a manager", "to have a baby": so they are not."""
    return verb.dep_ == "xcomp" and lemma(verb.head) == "try"


def _is_study(found: Statement, clause: Clause) -> bool:
    """True for the firm of "I'm a student at Brunn College": it is no employer."""
    student = any(lemma(each) == "student" for each in children(clause.verb, "attr"))
    return student and found.predicate == "works_at"
