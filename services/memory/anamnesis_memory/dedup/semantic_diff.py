"""Differences that keep two near duplicates apart: the one token that matters.

Texts at a cosine of 0.95 can say opposite things. Precision first: a wrong merge destroys what was
told, a pair kept apart costs a little space.
"""

from anamnesis_memory.dedup.alignment import aligned
from anamnesis_memory.dedup.conditions import condition_differences
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.directions import direction_differences, particle_differences
from anamnesis_memory.dedup.environments import environment_differences
from anamnesis_memory.dedup.names import name_differences, replaced
from anamnesis_memory.dedup.negation import negation_differences
from anamnesis_memory.dedup.normalised import normal_form
from anamnesis_memory.dedup.numbers import number_differences
from anamnesis_memory.dedup.order import sequence_differences, swapped
from anamnesis_memory.dedup.reading import TokenReading, read, resolved

CHARS_MAX = 10_000


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Return the differences of two texts, in the order of aspects; empty if they may be one.

    Symmetric: the differences of `b` and `a` are the same, turned. Time is linear in the length of
    the texts; texts longer than `CHARS_MAX` are not compared but kept apart.
    """
    if normal_form(a) == normal_form(b):
        return ()
    if max(len(a), len(b)) > CHARS_MAX:
        return (Difference(Aspect.LENGTH, f"{len(a):,} characters", f"{len(b):,} characters"),)
    if b < a:
        return tuple(each.turned() for each in differences(b, a))
    ours, theirs = read(a), read(b)
    return _differences(resolved(ours, theirs), resolved(theirs, ours))


def _differences(a: TokenReading, b: TokenReading) -> tuple[Difference, ...]:
    alignment = aligned(a, b) if a.is_chinese is b.is_chinese else None
    found = (
        *number_differences(a, b),
        *negation_differences(a, b),
        *environment_differences(a, b),
        *direction_differences(a, b),
        *particle_differences(a, b),
        *name_differences(a, b),
        *condition_differences(a, b, alignment),
        *swapped(a, b),
        *sequence_differences(a, b),
    )
    return tuple(dict.fromkeys(found or replaced(a, alignment)))
