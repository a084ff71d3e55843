"""The records of facts in a store: who told what, and what was held true in which interval.

A `Telling` is one act of saying so, kept as it was told for ever. Its own recorded life ends when
it is taken back, and it changes in no other way. A `FactVersion` is what followed from the tellings
of its line for a while: an interval of valid time in an interval of recorded time. Nothing in it is
overwritten: when a fact's end, sources or flags change, the recorded life of the old version ends
and that of the next begins, in one transaction. So this is one fact, "Nadia lives in Rotterdam",
told in 2019 and closed in 2021 by "lives in Utrecht, since March 2021":

      valid time
          ^
    open  |         +--------------------+
          |         | version 1          |
          |         | [2018, open)       |
    2021-03         |                    +------------------------> version 2
          |         |                    | [2018, 2021-03), closed by Utrecht
    2018  |         +--------------------+------------------------
          +---------|--------------------|------------------------> recorded time
                 2019-02              2021-04
              known_from_us        known_to_us of version 1,
                                   known_from_us of version 2

A read is a point in this plane: `as_of` up, `known_at` to the right. At most one version of a fact
covers any recorded instant, and those that are current have no `known_to_us`.

Intervals follow from the tellings alone, never from versions, so whatever a telling has closed
opens by itself when it is taken back, however many others have been told in between; `closed_by`
names what closed a version, for people and for the `SUPERSEDES` edge.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement

CONFIDENCE_STEP = 0.05
"""The step that each further source adds to a fact's confidence, up to 1."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One assertion of a fact by a source.

    Args:
        telling_id: given by whoever records it; the same again is no second telling.
        statement: as written.
        told: its interval as told, before anything closes it.
        source: who or what says so; a second one reinforces the fact, the same again does not.
        confidence: in [0, 1].
        single_valued: the teller's word that the predicate has one object at a time.
        known_from_us: when it was recorded.
        known_to_us: when it was taken back; None while it stands.
    """

    telling_id: str
    statement: Statement
    told: Interval
    source: str
    confidence: float
    known_from_us: int
    single_valued: bool = False
    known_to_us: int | None = None

    @property
    def fact_id(self) -> str:
        """The id of the fact that is told: of its scope, statement and interval as told."""
        return self.statement.fact_id(self.told)


@dataclass(frozen=True, slots=True)
class FactState:
    """A fact as it followed from what was known.

    Args:
        fact_id: of the scope, the statement and the interval as told: it outlives every closing.
        statement: as its first standing telling wrote it.
        interval: when it holds, after closing.
        told_confidence: of its first standing telling.
        sources: who says so, each once, the first one first.
        told_us: when the first standing telling was recorded.
        first_telling_id: which that is.
        closed_by: the facts that begin where this one was made to end; empty where it ends as told.
        contradicted: another object on its line begins at the same instant.
    """

    fact_id: str
    statement: Statement
    interval: Interval
    told_confidence: float
    sources: tuple[str, ...]
    told_us: int
    first_telling_id: str
    closed_by: tuple[str, ...] = ()
    contradicted: bool = False

    @property
    def confidence(self) -> float:
        """A step more for every source after the first, 1 at most."""
        return min(1.0, self.told_confidence + CONFIDENCE_STEP * (len(self.sources) - 1))


@dataclass(frozen=True, slots=True)
class FactVersion:
    """A fact's state, known from `known_from_us` until `known_to_us`, exclusive (None: still)."""

    state: FactState
    known_from_us: int
    known_to_us: int | None = None

    @property
    def void(self) -> bool:
        """True if no read can see the version, since its recorded life is empty: not to be kept."""
        return self.known_to_us == self.known_from_us

    def known_at(self, known_at_us: int | None) -> bool:
        """True if the version was the known one at an instant; None: now, by no clock."""
        if known_at_us is None:
            return self.known_to_us is None
        ended = self.known_to_us is not None and self.known_to_us <= known_at_us
        return self.known_from_us <= known_at_us and not ended


@dataclass(frozen=True, slots=True)
class FactLine:
    """A line: the facts that can close, contradict or reinforce each other.

    Args:
        tellings: those that stand.
        versions: the current ones.
        settled_us: when the line last changed; what comes after is never recorded before it.
    """

    tellings: tuple[Telling, ...] = ()
    versions: tuple[FactVersion, ...] = ()
    settled_us: int = 0

    def of_fact(self, fact_id: str) -> tuple[str, ...]:
        """The tellings of a fact: these have to be withdrawn to withdraw the fact."""
        return tuple(each.telling_id for each in self.tellings if each.fact_id == fact_id)


def by_record(tellings: Iterable[Telling]) -> list[Telling]:
    """Tellings in the order in which they were recorded."""
    return sorted(tellings, key=lambda told: (told.known_from_us, told.telling_id))
