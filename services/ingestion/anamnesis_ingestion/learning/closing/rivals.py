"""The facts among which is what a new one may end, or what may end it."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from anamnesis_ingestion.learning.closing.ends import EMPLOYER, JOB
from anamnesis_ingestion.learning.closing.exclusions import exclusions
from anamnesis_ingestion.learning.closing.plans import PLANS, may_end_plans
from anamnesis_ingestion.learning.knowledge import FactKind, LearnedFact

_OVER = frozenset({FactKind.EXPERIENCE, FactKind.EVENT})
"""Kinds of what happened, and is never told to be over."""


def rivals(fact: LearnedFact) -> Iterator[tuple[str, str]]:
    """Each subject and predicate of such facts; no predicate for any of the subject.

    Its plans are among them, which it may carry out.
    """
    plans = sorted(PLANS) if may_end_plans(fact) else ()
    for predicate in (*_predicates(fact), *plans):
        yield fact.subject, "" if "*" in predicate else predicate


def _predicates(fact: LearnedFact) -> Iterator[str]:
    tables = exclusions("begins"), exclusions("ends")
    ended = tables[1] if fact.ended else tables[0]
    if fact.ended and fact.predicate == EMPLOYER:
        yield JOB
    yield from (each.held for each in ended.get(fact.predicate, ()))
    if fact.ended or fact.kind not in _OVER:
        yield fact.predicate
    if not fact.ended:
        for table in tables:
            for told, rules in table.items():
                if any(fnmatchcase(fact.predicate, each.held) for each in rules):
                    yield told
