"""Numbers, with their units and versions: which of one text stand nowhere in the other.

`2 GB` and `2048 MB`, `half past nine` and `9:30`, `3x` and `three times` are the same number. A
number that only one text has is none against the pair where it stands in a clause of which the
other text says nothing; and `one` says little by itself.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.quantities import Amounts, Quantity
from anamnesis_memory.dedup.reading import TokenReading, is_extra


def number_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Numbers, versions and units of one that are not in the other."""
    left, right = _unmatched(a.numbers, b.numbers)
    if left and right:
        pairs = min(len(left), len(right))
        for one, other in zip(left[:pairs], right[:pairs], strict=True):
            yield Difference(_aspect(one, other), one.text, other.text)
        return
    yield from (Difference(_aspect(one, one), one.text, "") for one in left if _weighs(one, a, b))
    yield from (Difference(_aspect(one, one), "", one.text) for one in right if _weighs(one, b, a))


def _weighs(one: Quantity, of: TokenReading, other: TokenReading) -> bool:
    return not one.weak and not is_extra(of, of.clause_at(one.start), other)


def _aspect(one: Quantity, other: Quantity) -> Aspect:
    if one.version or other.version:
        return Aspect.VERSION
    if one.dimension != other.dimension or one.dimension == "rate":
        return Aspect.UNIT
    amounts = {re.sub(r"\D", "", one.text), re.sub(r"\D", "", other.text)}
    same_figure = (
        len(amounts) == 1
        and amounts != {""}
        and one.text != other.text
        and one.value != other.value
    )
    return Aspect.UNIT if one.dimension and same_figure else Aspect.NUMBER


def _unmatched(
    left: Sequence[Quantity], right: Sequence[Quantity]
) -> tuple[list[Quantity], list[Quantity]]:
    ours, theirs = Amounts(left), Amounts(right)
    return [one for one in left if one not in theirs], [one for one in right if one not in ours]
