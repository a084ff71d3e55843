"""A context judged by its text.

told: every string of `must` stands in it. newer first: the words of the statement that holds stand
before those of the one it replaced, if these are there at all. silent: there is no text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.everyday.questions import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One text as it was judged; None where a question does not ask for that."""

    told: bool | None = None
    newer_first: bool | None = None
    silent: bool | None = None

    @property
    def is_right(self) -> bool:
        """True if nothing that was asked for is missing."""
        return False not in (self.told, self.newer_first, self.silent)


@dataclass(frozen=True, slots=True)
class Count:
    """Questions that ask for something, and those of them that got it."""

    right: int
    asked: int

    def __str__(self) -> str:
        """As in a table: `17 of 30`, or a dash where nothing was asked."""
        return f"{self.right} of {self.asked}" if self.asked else "-"


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of several verdicts."""

    told: Count
    newer_first: Count
    silent: Count


def judge(question: Question, text: str) -> Verdict:
    """Judge the text that a question got."""
    if question.silent:
        return Verdict(silent=not text)
    held = text.lower()
    told = all(word.lower() in held for word in question.must)
    if question.new_first is None:
        return Verdict(told=told)
    newer, older = (word.lower() for word in question.new_first)
    first = newer in held and (older not in held or held.index(newer) < held.index(older))
    return Verdict(told=told, newer_first=first)


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """Count them."""
    return Figures(
        told=_count(verdict.told for verdict in verdicts),
        newer_first=_count(verdict.newer_first for verdict in verdicts),
        silent=_count(verdict.silent for verdict in verdicts),
    )


def _count(answers: Iterable[bool | None]) -> Count:
    asked = [answer for answer in answers if answer is not None]
    return Count(sum(asked), len(asked))
