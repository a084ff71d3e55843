"""A fact as somebody states it: dates that cover their periods, and a sentence for its parts."""

from dataclasses import replace
from datetime import UTC, datetime

from anamnesis_memory.domain.facts.interval import Interval, instant_us, period_of
from anamnesis_memory.model.memory_details import Fact

_LAST_US = instant_us(datetime.max.replace(tzinfo=UTC))
"""The last instant that can be written."""


def stated(fact: Fact) -> Fact:
    """The fact with instants for its dates, which have the precision that it names.

    As a beginning a date means its first instant, as an end the one after its last; an end after
    all that can be written is none.

    Raises:
        InvalidArgument: the fact would end before it begins; the error names `valid_to`.
    """
    begins, ends, exact = fact.valid_from_us, fact.valid_to_us, fact.time_precision
    from_us = None if begins is None else period_of(begins, exact).first_us
    to_us = None if ends is None else period_of(ends, exact).after_us
    told = Interval(from_us, None if to_us is None or to_us > _LAST_US else to_us)
    return replace(fact, valid_from_us=told.from_us, valid_to_us=told.to_us)


def worded(fact: Fact) -> str:
    """The sentence for a fact: its parts, with the words of the predicate set apart."""
    return f"{fact.subject} {fact.predicate.replace('_', ' ')} {fact.object}"
