"""Denials of what may be held of a speaker: "I'm not allergic to penicillin after all".

A denial is no fact, and ends the one that says what it denies.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, stated
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.tree import children
from anamnesis_ingestion.learning.english.vocabulary import Change

_DENIABLE = frozenset(
    [
        *("is_allergic_to", "lives_in", "works_at", "works_as", "studies_at", "studies", "owns"),
        *("marital_status", "married_to", "has_partner", "has_pet", "drives", "plays", "smokes"),
        *("is", "has"),
    ]
)
"""What is held of somebody once, and may have been wrong or be over."""
_SOME_DAYS = re.compile(r"day|week|month|year|morning|evening|night|time|winter|summer")
_PLAINLY = frozenset({"actually", "really", "even", "currently", "now", "anymore", "after", "all"})


def denied(clause: Clause, times: Collection[int]) -> Iterator[Statement]:
    """The ends of what a clause plainly denies; not of what is only so at times."""
    reading = clause.reading
    plain = reading.negated and reading.mood is Mood.FACT and reading.change is None
    if not plain or reading.tense is not Tense.PRESENT or reading.teller is not None:
        return
    verb = clause.verb
    narrowed = {each.lower_ for each in children(verb, "advmod", "npadvmod")} - _PLAINLY
    told_of_time = any(each.i in times or _SOME_DAYS.search(each.lower_) for each in verb.subtree)
    if narrowed or told_of_time:
        return
    told = replace(clause, reading=replace(reading, negated=False))
    for each in stated(told, times):
        if each.predicate in _DENIABLE and each.change is Change.STATE and not each.denies:
            yield replace(each, change=Change.END)
