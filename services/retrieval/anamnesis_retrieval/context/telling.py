"""The part of each chosen memory that a context may tell: what packing fills a budget with.

A rule is told by its standing sentences, a fact whole, an answer by the sentences that answer, with
the question before it where it cannot be understood without.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from anamnesis_libs.index.analysis import is_question
from anamnesis_libs.index.analysis import tokens as terms_of
from anamnesis_libs.talk.sentences import units_of
from anamnesis_retrieval.context.choosing import Chosen
from anamnesis_retrieval.context.excerpts import Excerpt, told
from anamnesis_retrieval.context.model import CitationReason, Entry
from anamnesis_retrieval.context.packing import Prospect, Prospects, Read
from anamnesis_retrieval.context.writing import FACTS, KNOWN, LEARNED
from anamnesis_retrieval.model import Ranked, Remembered, ScopeShape

ANSWER_TERMS_MAX = 5
"""A text of no more terms may not be understood without the question before it."""
QUESTION_TOKENS_MAX = 40
"""A longer question is not repeated for its answer."""
BY_FACT = ("fact",)
"""How a fact that is told first was found."""


def prospects_of(chosen: Chosen, scope: ScopeShape, count: Callable[[str], int]) -> Prospects:
    """The chosen as they may be shown, `count` giving a text's tokens; each read when asked for."""
    names = frozenset(word for name in scope.names for word in name.lower().split())
    telling = _Telling(chosen, names, count)
    return Prospects(
        [_once(partial(telling.standing, hit)) for hit in chosen.standing],
        [_once(partial(telling.answering, hit)) for hit in chosen.answering],
        [partial(telling.known, fact) for fact in chosen.known],
    )


def _once(read: Read) -> Read:
    """The same, read once: a context that comes out too long is packed again."""
    held: list[Prospect | None] = []

    def read_once() -> Prospect | None:
        if not held:
            held.append(read())
        return held[0]

    return read_once


@dataclass(frozen=True, slots=True)
class _Telling:
    chosen: Chosen
    names: frozenset[str]
    """The words of speakers' names."""
    count: Callable[[str], int]

    def standing(self, hit: Ranked) -> Prospect | None:
        """A standing memory: by its standing sentences, unless all of it answers the prompt."""
        return self._prospect(hit, self.chosen.as_standing(hit), CitationReason.STANDING)

    def known(self, fact: Remembered) -> Prospect:
        """A fact that is told first, whole."""
        units = units_of(fact.content)
        costs = [self.count(f" {unit.text}") for unit in units]
        said = Excerpt(units, costs, range(len(units)), len(units))
        return Prospect(fact, said, routes=BY_FACT, heading=KNOWN)

    def answering(self, hit: Ranked) -> Prospect | None:
        """An answer, under the heading of its kind."""
        memory = self.chosen.memory(hit)
        heading = _heading_of(memory)
        shown = replace(memory, speaker="") if heading == FACTS else memory
        return self._prospect(hit, shown, CitationReason.ANSWERS, heading)

    def _prospect(
        self, hit: Ranked, memory: Remembered, reason: CitationReason, heading: str = ""
    ) -> Prospect | None:
        asked = self.chosen.asked
        stands = reason is CitationReason.STANDING
        said = told(memory, hit.candidate, asked, self.names, self.count, by_parts=stands)
        if said is None:
            return None
        question = self._question(hit) if reason is CitationReason.ANSWERS else None
        return Prospect(
            *(memory, said, reason, hit.score, hit.routes, question),
            heading=heading,
            is_asked_for=asked.about_agent and hit.candidate.role == "assistant",
        )

    def _question(self, hit: Ranked) -> Entry | None:
        """The question before a short answer, where it is there."""
        before = self.chosen.by_id.get(hit.candidate.previous_id)
        if before is None or len(terms_of(self.chosen.memory(hit).content)) > ANSWER_TERMS_MAX:
            return None
        asking = [unit.text for unit in units_of(before.content) if is_question(unit.text)]
        if not asking or self.count(asking[-1]) > QUESTION_TOKENS_MAX:
            return None
        return Entry(before, asking[-1], CitationReason.ASKED)


def _heading_of(memory: Remembered) -> str:
    """The heading of a procedure, and of a fact that no day of telling leads; "" of all else."""
    if memory.learned and memory.learned.steps:
        return LEARNED
    return FACTS if memory.fact_line and memory.event_time_us is None else ""
