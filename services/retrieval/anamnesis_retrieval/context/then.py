"""All that was said at a time, where that is asked for: "What did we talk about yesterday?".

No word of such a prompt is in what was said then, so that nothing is the best of it. A context
tells of all that time evenly: where each session begins, then what lies between, people before
assistants. What tools printed and what was learned then says it again.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from anamnesis_retrieval.model import Ranked
from anamnesis_retrieval.ranking.named_time import NamedTime

SPEAKERS = ("user", "assistant")
"""Whose words are told, the first before the second."""
_US_PER_S = 1_000_000


def said_in(time: NamedTime, hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits that were said in a time, in the order in which they are worth telling."""
    told = [hit for hit in hits if hit.candidate.role in SPEAKERS and _is_within(hit, time)]
    return [
        hit
        for role in SPEAKERS
        for hit in _evenly([hit for hit in told if hit.candidate.role == role])
    ]


def _is_within(hit: Ranked, time: NamedTime) -> bool:
    moment_us = hit.candidate.event_time_us
    since_s, until_s = time.since.timestamp(), time.until.timestamp()
    return moment_us is not None and since_s <= moment_us / _US_PER_S < until_s


def _evenly(hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits, so that the first few, however many, are spread over all sessions and over each."""
    sessions: dict[str, list[Ranked]] = defaultdict(list)
    for hit in sorted(hits, key=_moment):
        sessions[hit.candidate.session_id].append(hit)
    turns = zip_longest(*(_halving(said) for said in sessions.values()))
    return [hit for turn in turns for hit in turn if hit is not None]


def _halving(hits: Sequence[Ranked]) -> list[Ranked]:
    """The first, the one in the middle, those in the middle of both halves, and so on."""
    bits = max(len(hits) - 1, 1).bit_length()
    places = sorted(range(len(hits)), key=lambda at: f"{at:0{bits}b}"[::-1])
    return [hits[at] for at in places]


def _moment(hit: Ranked) -> tuple[int, int]:
    return hit.candidate.event_time_us or 0, hit.candidate.event_index
