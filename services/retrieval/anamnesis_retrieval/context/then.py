"""All that was said at a time, where that is asked for: "What did we talk about yesterday?".

So with the last talk: "What did we discuss last time?". Where it is asked where that stopped, the
last words come first.

No word of such a prompt is in what was said then, so that nothing is the best of it. A context
tells of all that time evenly: where each session begins, then what lies between, people before
assistants. What tools printed and what was learned then says it again.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

from anamnesis_libs.talk.asking import asks_for_last_talk
from anamnesis_retrieval.model import Candidate, Ranked
from anamnesis_retrieval.ranking.named_time import NamedTime, time_recalled

SPEAKERS = ("user", "assistant")
"""Whose words are told, the first before the second."""
_US_PER_S = 1_000_000


def said_in(time: NamedTime, hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits that were said in a time, in the order in which they are worth telling."""
    return told_evenly([hit for hit in hits if _is_within(hit, time)])


def recalls(prompt: str, asked_at: datetime | None) -> bool:
    """True where a prompt asks for all that was said: in a time, or in the last talk."""
    return time_recalled(prompt, asked_at) is not None or asks_for_last_talk(prompt)


def of_last_talk(newest_first: Sequence[Candidate], own_session: str) -> list[Candidate]:
    """The candidates of the last session, but for the one that asks."""
    others = [one for one in newest_first if one.session_id != own_session or not own_session]
    return [one for one in others if one.session_id == others[0].session_id]


def last_first(hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits of people and assistants, the last one first."""
    told = [hit for hit in hits if hit.candidate.role in SPEAKERS]
    return sorted(told, key=_moment, reverse=True)


def told_evenly(hits: Sequence[Ranked]) -> list[Ranked]:
    """The hits of people, then of assistants, each spread over all that there is."""
    told = [hit for hit in hits if hit.candidate.role in SPEAKERS]
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
