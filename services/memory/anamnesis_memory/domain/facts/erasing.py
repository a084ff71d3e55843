"""Erasure on a line: an erased telling was never said, and leaves no history.

Withdrawing keeps what was known when; erasing does not. A fact that nobody else asserts goes with
its whole history. A fact that others assert too gets a new history, made from the tellings that are
left, for the old history names who had asserted the fact. Other facts of the line end where the
next known fact begins, as ever; that they ended elsewhere before stays known, without the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.settling import settle
from anamnesis_memory.domain.facts.transitions import FactChange, LineEdits, is_single, retract
from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling, by_record


@dataclass(frozen=True, slots=True)
class FactErasure:
    """The writes of an erasure, in one transaction.

    Args:
        outcome: the line after it, and the facts that stay and have changed; no tellings.
        histories: by fact that has lost a telling and stays, all that is to be known of it.
    """

    outcome: LineEdits
    histories: Mapping[str, tuple[FactVersion, ...]] = field(default_factory=dict)


def erase(
    line: FactLine, telling_ids: Collection[str], recorded_us: int, predicates: SingleValued
) -> FactErasure:
    """The changes of erasing tellings; tellings that do not stand change nothing."""
    taken = retract(line, telling_ids, recorded_us, predicates)
    left = taken.line.tellings
    told = {each.fact_id for each in left}
    touched = {each.fact_id for each in taken.tellings}
    histories = {fact_id: history(fact_id, left, predicates) for fact_id in sorted(touched & told)}
    gone = touched - told
    current = tuple(
        histories[each.state.fact_id][-1] if each.state.fact_id in histories else each
        for each in taken.line.versions
    )
    changes = tuple(
        _unsaid(each, gone, histories) for each in taken.changes if each.fact_id not in gone
    )
    return FactErasure(LineEdits(replace(taken.line, versions=current), (), changes), histories)


def history(
    fact_id: str, tellings: Sequence[Telling], predicates: SingleValued
) -> tuple[FactVersion, ...]:
    """All that was known of a fact, if nothing but these standing tellings was ever recorded."""
    versions: list[FactVersion] = []
    recorded = by_record(tellings)
    for known_from_us in sorted({each.known_from_us for each in recorded}):
        known = [each for each in recorded if each.known_from_us <= known_from_us]
        state = settle(known, single_valued=is_single(known, predicates)).get(fact_id)
        if state is None or (versions and versions[-1].state == state):
            continue
        if versions:
            versions[-1] = replace(versions[-1], known_to_us=known_from_us)
        versions.append(FactVersion(state, known_from_us))
    return tuple(versions)


def _unsaid(
    change: FactChange, gone: Collection[str], histories: Mapping[str, tuple[FactVersion, ...]]
) -> FactChange:
    """A change of a fact that stays, without the names of what goes."""
    if change.fact_id in histories:
        return replace(change, before=None, after=histories[change.fact_id][-1])
    before = change.before
    if before is None:
        return change
    closed_by = tuple(each for each in before.state.closed_by if each not in gone)
    state = replace(before.state, closed_by=closed_by)
    return replace(change, before=replace(before, state=state))
