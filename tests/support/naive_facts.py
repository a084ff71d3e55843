"""A naive bi-temporal model of facts: the reference that the real graph is compared with.

Nothing is kept up to date here. For each question the assertions that were known are taken anew, in
the order of their record, and the facts follow from them:

1. Known at `known_at` is what was recorded at or before it, was not refused, and was not retracted
   by a retraction recorded at or before it.
2. Refused is an assertion whose end is not after its beginning.
3. A line is the scope, subject and predicate. What is on different lines never meets.
4. On the line of a single-valued predicate an assertion ends where the first other object with a
   later beginning begins, or at its own end if that is earlier. No beginning is before every other.
   Before that, on every line: an assertion without a beginning and with an end is an end alone. It
   ends what says the same, has no end and begins earlier; and begins where the last of what then
   ends with it begins.
5. Assertions of one line with the same object and, after rule 4, the same interval are one fact.
   Its confidence is the first one's, and a step more for each further source, 1 at most.
6. Facts of a single-valued line with another object and the same beginning contradict each other.
7. A fact holds at `as_of` when its beginning <= `as_of` < its end. A caller sees the shared scope
   and their own.

Objects and names are compared after NFKC, case folding and with spaces collapsed. Times are aware
datetimes; quadratic on purpose.
"""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

SHARED = ""
BEGINNING = datetime.min.replace(tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)
CONFIDENCE_STEP = 0.05

Line = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """An assertion: from `start` on, until `end` (exclusive), `source` says."""

    id: str
    recorded: datetime
    subject: str
    predicate: str
    object: str
    start: datetime = BEGINNING
    """When it begins to hold; `BEGINNING` where nobody said."""
    end: datetime = NEVER
    source: str = ""
    scope: str = SHARED
    """The user whose alone it is, or `SHARED`."""
    confidence: float = 0.8

    @property
    def line(self) -> Line:
        """What can close it, contradict it or be the same."""
        return self.scope, folded(self.subject), folded(self.predicate)


@dataclass(frozen=True, slots=True)
class Retracted:
    """A retraction of the assertion `of`."""

    id: str
    recorded: datetime
    of: str


Entry = Told | Retracted


@dataclass(frozen=True, slots=True)
class Held:
    """A fact as it was known at some time, with its interval after closing."""

    line: Line
    object: str
    """As the first assertion wrote it."""
    start: datetime
    end: datetime
    confidence: float
    told: tuple[Told, ...]
    """The assertions that say it, by record."""
    contradicts: bool
    closed_by: tuple[str, ...]
    """Ids of the assertions that supersede it: those that begin where it was made to end."""


def folded(text: str) -> str:
    """`text` as identity sees it."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def refused(told: Told) -> bool:
    """Whether its interval is empty or runs backwards."""
    return told.end <= told.start


def known(entries: Iterable[Entry], known_at: datetime) -> list[Told]:
    """The assertions that stood at `known_at`, by record."""
    heard = [entry for entry in entries if entry.recorded <= known_at]
    gone = {entry.of for entry in heard if isinstance(entry, Retracted)}
    stood = [entry for entry in heard if isinstance(entry, Told) and entry.id not in gone]
    return sorted((told for told in stood if not refused(told)), key=lambda told: told.recorded)


def facts(
    entries: Iterable[Entry], single_valued: Collection[str], known_at: datetime
) -> list[Held]:
    """All facts known at `known_at`, whenever they hold; in the order of their first record."""
    single = {folded(predicate) for predicate in single_valued}
    standing = with_ends(known(entries, known_at))
    groups: list[list[Told]] = []
    for told in standing:
        group = next((each for each in groups if _same(each[0], told, standing, single)), None)
        if group is None:
            groups.append([told])
        else:
            group.append(told)
    return [_held(group, standing, single) for group in groups]


def with_ends(standing: list[Told]) -> list[Told]:
    """The assertions after those that tell an end alone."""
    ends = [told for told in standing if told.start == BEGINNING and told.end != NEVER]
    ended = [
        replace(told, end=min([NEVER, *(end.end for end in _alike(told, ends, told.start))]))
        if told.end == NEVER
        else told
        for told in standing
    ]
    return [
        replace(told, start=max([BEGINNING, *(each.start for each in ended if _meets(told, each))]))
        if told.start == BEGINNING and told.end != NEVER
        else told
        for told in ended
    ]


def _alike(told: Told, ends: list[Told], after: datetime) -> list[Told]:
    """The ends of what says the same, after an instant."""
    return [end for end in ends if _says(told, end) and end.end > after]


def _meets(end: Told, told: Told) -> bool:
    return _says(end, told) and told.end == end.end


def _says(a: Told, b: Told) -> bool:
    return a.line == b.line and folded(a.object) == folded(b.object)


def holding(facts_known: Iterable[Held], as_of: datetime, caller: str = SHARED) -> list[Held]:
    """Those that hold at `as_of` and that `caller` may see."""
    return [
        fact
        for fact in facts_known
        if fact.start <= as_of < fact.end and fact.line[0] in {SHARED, caller}
    ]


def about(facts_known: Iterable[Held], subject: str, predicate: str) -> list[Held]:
    """Those of one subject and predicate, in every scope."""
    return [fact for fact in facts_known if fact.line[1:] == (folded(subject), folded(predicate))]


def _later(told: Told, standing: list[Told], single: set[str]) -> list[Told]:
    """What would end `told` on its line: other objects that begin later."""
    return [
        other
        for other in standing
        if other.line == told.line
        and told.line[2] in single
        and folded(other.object) != folded(told.object)
        and other.start > told.start
    ]


def _end(told: Told, standing: list[Told], single: set[str]) -> datetime:
    return min([told.end, *(other.start for other in _later(told, standing, single))])


def _same(a: Told, b: Told, standing: list[Told], single: set[str]) -> bool:
    return (
        a.line == b.line
        and folded(a.object) == folded(b.object)
        and a.start == b.start
        and _end(a, standing, single) == _end(b, standing, single)
    )


def _contradicted(told: Told, standing: list[Told], single: set[str]) -> bool:
    return told.line[2] in single and any(
        other.line == told.line
        and other.start == told.start
        and folded(other.object) != folded(told.object)
        for other in standing
    )


def _held(group: list[Told], standing: list[Told], single: set[str]) -> Held:
    first, end = group[0], _end(group[0], standing, single)
    sources = {told.source for told in group}
    later = _later(first, standing, single) if any(told.end > end for told in group) else []
    return Held(
        line=first.line,
        object=first.object,
        start=first.start,
        end=end,
        confidence=min(1.0, first.confidence + CONFIDENCE_STEP * (len(sources) - 1)),
        told=tuple(group),
        contradicts=_contradicted(first, standing, single),
        closed_by=tuple(other.id for other in later if other.start == end),
    )
