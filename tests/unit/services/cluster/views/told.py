"""Lines for tests of the views, as memory would tell them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from anamnesis_cluster.view_model import FactKind, Line, Section, Visibility

NOW = datetime(2026, 6, 1, tzinfo=UTC)
_LAST = iter(range(1, 100_000))


def day(written: str) -> datetime:
    """A day as YYYY-MM-DD."""
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


def fact(
    predicate: str,
    thing: str,
    kind: FactKind = FactKind.OTHER,
    *,
    text: str = "",
    subject: str = "Ann",
    since: str = "",
    until: str = "",
    told: str = "2026-05-01",
    visibility: Visibility = Visibility.SHARED,
    confidence: float = 0.8,
    importance: float = 0.5,
) -> Line:
    """A fact as a line of its own."""
    number = next(_LAST)
    return Line(
        text=text or f"{subject} {predicate.replace('_', ' ')} {thing}",
        memory_ids=(f"m-{number:05}",),
        scope="shared" if visibility is Visibility.SHARED else "user:ann",
        visibility=visibility,
        subject=subject,
        predicate=predicate,
        object=thing,
        kind=kind,
        since=day(since) if since else None,
        until=day(until) if until else None,
        told=day(told),
        confidence=confidence,
        importance=importance,
        sources=(f"d-{number:05}",),
    )


def texts(sections: Iterable[Section]) -> list[str]:
    """The lines of sections, in order."""
    return [line.text for section in sections for line in section.lines]
