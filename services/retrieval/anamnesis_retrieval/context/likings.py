"""Choice of what a person likes or avoids, where it matters: it comes unasked.

"I tend to avoid boat trips", said in passing a year ago among other things, is found by no word of
"Which cruise would you recommend?". Of all that a person likes little is of a prompt's matter, so
the nearest few are told, by meaning, by the corner of life and by words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import wants_likings
from anamnesis_libs.talk.standing import LIKING, PREFERENCE
from anamnesis_libs.talk.topics import topics_of
from anamnesis_libs.zones import day_on_clock
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.standing import standing_sentences
from anamnesis_retrieval.model import Candidate, CandidateSet, Ranked, Remembered

CANDIDATES_MAX = 16
"""Likings that are candidates whatever their score,"""
READ_MAX = 8
"""the nearest of them, whose texts are read,"""
TOLD_MAX = 3
"""and the nearest of these, which are told."""
WORTH_MIN, FROM_BEST = 0.2, 0.12
"""The worth from which a liking is told, and how far behind the best. With PrefEval's 72 talks,
seven a person, the one that was meant is told in nine of ten, and less than one other beside it."""
OF_MATTER, OF_RELATION, OF_WORD, WORDS_MAX = 0.1, 0.1, 0.05, 3
"""Added to the cosine: for the corner of life, its relation, and each of so many shared words."""


def as_near_as_facts(found: CandidateSet) -> CandidateSet:
    """The candidates, likings as near as the nearest fact that was learned of them.

    A fact says the liking alone, where its line was said among other things.
    """
    lent: dict[str, float] = {}
    for one in found.candidates:
        for source in one.source_ids if one.category == PREFERENCE and not one.ended else ():
            lent[source] = max(one.cosine, lent.get(source, one.cosine))
    if not lent:
        return found
    return replace(found, candidates=[_lent(one, lent) for one in found.candidates])


def _lent(one: Candidate, lent: Mapping[str, float]) -> Candidate:
    if one.category != LIKING or one.memory_id not in lent:
        return one
    return one._replace(cosine=max(one.cosine, lent[one.memory_id]))


def nearest_likings(hits: Iterable[Ranked]) -> Sequence[Ranked]:
    """The likings among some hits whose texts are to be read."""
    likings = [hit for hit in hits if hit.candidate.category == LIKING]
    return sorted(likings, key=_nearness)[:READ_MAX]


def likings_told(
    read: Iterable[tuple[Ranked, Remembered]], asked: PromptReading
) -> Sequence[Ranked]:
    """The best of the likings that concern a prompt, the best first."""
    if asked.is_talk or not wants_likings(asked.query):
        return []
    worths = {hit: _worth(hit, memory, asked) for hit, memory in read if memory.category == LIKING}
    least = max(WORTH_MIN, max(worths.values(), default=0.0) - FROM_BEST)
    told = [hit for hit, worth in worths.items() if worth >= least]
    return sorted(told, key=lambda hit: (-worths[hit], *_nearness(hit)))[:TOLD_MAX]


def dated_liking(memory: Remembered) -> Remembered:
    """A memory that stands, with the day where it is a liking: tastes change."""
    if memory.category != LIKING or memory.event_time_us is None:
        return memory
    day = day_on_clock(memory.event_time_us, memory.utc_offset_minutes).isoformat()
    return replace(memory, caveats=(*memory.caveats, day))


def _worth(hit: Ranked, memory: Remembered, asked: PromptReading) -> float:
    said = " ".join(standing_sentences(memory))
    held = topics_of(said)
    shared = len(set(tokens(said)) & {term for term, weight in asked.terms.items() if weight})
    return (
        hit.candidate.cosine
        + OF_MATTER * bool(held.matters & asked.topics.matters)
        + OF_RELATION * bool(held.relations & asked.topics.relations)
        + OF_WORD * min(shared, WORDS_MAX)
    )


def _nearness(hit: Ranked) -> tuple[float, str]:
    return (-hit.candidate.cosine, hit.candidate.memory_id)
