"""The brief of a session that begins: a context where nothing is asked.

    Standing    rules and constraints that were laid down
    Known       the newest facts that hold
    Learned     lessons and procedures, the newest and weightiest first
    20 May      where the last sessions stopped: what was said last, and what was left

Nothing is scored against words: memory answers the newest of each part, and each part leaves room
for the others. A thing is told once: what was said and learned as a rule is the rule alone.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate

from anamnesis_libs.talk.phrases import pattern
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.context.already import ShownAlready, digest_of
from anamnesis_retrieval.context.asked import PromptReading, read_prompt
from anamnesis_retrieval.context.brief_parts import Told, candidates_of, parts_of
from anamnesis_retrieval.context.build import (
    TOKENS_DEFAULT,
    Built,
    counted,
    within,
)
from anamnesis_retrieval.context.excerpts import Excerpt, told
from anamnesis_retrieval.context.model import CitationReason, Context, Empty, Entry
from anamnesis_retrieval.context.packing import (
    Count,
    Portion,
    Prospect,
    Read,
    pack_portions,
    told_whole,
)
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.writing import (
    KNOWN,
    LEARNED,
    STANDING,
    Style,
)
from anamnesis_retrieval.model import Candidate, CandidateSet, Part, Remembered, ScopeShape
from anamnesis_retrieval.ports import Memories

READ_MAX = {Part.STANDING: 50, Part.SAID: 600, Part.KNOWN: 60, Part.LEARNED: 60}
"""The newest of each part that are looked at: most lines of a log are an agent's and its tools'."""
FETCHED_MAX = 30
"""The best of each part that are read."""
SHARES = {Part.STANDING: 0.25, Part.SAID: 0.40, Part.KNOWN: 0.15, Part.LEARNED: 0.20}
"""Of the room, in the order in which it is filled; what one does not need the next ones get."""
MEMORY_SHARE = 0.3
"""Of the room that one memory may have: a brief says where to begin to read."""
HEADINGS = {Part.STANDING: STANDING, Part.KNOWN: KNOWN, Part.LEARNED: LEARNED, Part.SAID: ""}


async def build_brief(
    memories: Memories,
    wanted: ContextRequest,
    tokens: TokenCounter,
    already: ShownAlready | None = None,
) -> Built:
    """Read the newest of each part, write the brief within its budget, count what is shown.

    Uses that cannot be counted are told as degraded: the brief is good all the same.
    """
    parts = await asyncio.gather(
        *(memories.newest(part, READ_MAX[part], wanted.at_least_revision) for part in Part)
    )
    found = _joined(parts)
    budget = wanted.budget or found.context_tokens or TOKENS_DEFAULT
    wanted = replace(wanted, budget=budget, asked_at=found.on_clock(wanted.asked_at))
    chosen = {
        part: candidates_of(part, one.candidates, wanted)[:FETCHED_MAX]
        for part, one in zip(Part, parts, strict=True)
    }
    ids = dict.fromkeys(one.memory_id for held in chosen.values() for one in held)
    fetched = await memories.fetch(list(ids), found.revision)
    had = already.of(wanted.session) if already and wanted.session else ()
    context = await asyncio.to_thread(write_brief, chosen, fetched, wanted, tokens, had)
    found = await counted(memories, context, found, wanted, already)
    return Built(context, found, wanted.budget)


def write_brief(
    chosen: Mapping[Part, Sequence[Candidate]],
    memories: Sequence[Remembered],
    wanted: ContextRequest,
    tokens: TokenCounter,
    had: Collection[bytes] = (),
) -> Context:
    """Choose among fetched memories what a session is to begin with, and write it down.

    What has one of the digests in `had` was shown already.
    """
    if not memories:
        return Context(empty=Empty.NOTHING_VISIBLE)
    by_id = {one.memory_id: one for one in memories}
    parts = parts_of(chosen, by_id)
    left = {
        part: [one for one in held if digest_of(one[1]) not in had] for part, held in parts.items()
    }
    if not any(left.values()):
        shown = any(parts.values())
        return Context(empty=Empty.ALREADY_SHOWN if shown else Empty.NOTHING_RELEVANT)
    unanswered = _unanswered(left[Part.SAID])
    style = Style(wanted.written, pointers=wanted.pointers, year=_year(wanted))
    reads = {
        part: [cache(partial(_prospect, part, *one, unanswered, tokens.count)) for one in held]
        for part, held in left.items()
    }

    def packed(room: int) -> tuple[list[Entry], int]:
        portions, most = _portions(reads, room), int(MEMORY_SHARE * room)
        return pack_portions(portions, room, wanted.limit, style, tokens.count, most)

    return within(wanted.budget, packed, style, tokens, {}, partial(_whole, by_id))


def _joined(parts: Sequence[CandidateSet]) -> CandidateSet:
    """The answers for all parts as one; its revision is that of the first that has one."""
    first = next((one for one in parts if one.revision), CandidateSet())
    reasons = dict.fromkeys(reason for one in parts for reason in one.degraded)
    return replace(first, degraded=tuple(reasons))


def _prospect(
    part: Part,
    candidate: Candidate,
    memory: Remembered,
    unanswered: Collection[str],
    count: Count,
) -> Prospect | None:
    """A memory as it may be shown; None where it says nothing."""
    said = told(memory, candidate, _nothing_asked(), frozenset(), count, by_parts=True)
    if said is None:
        return None
    if part is Part.SAID:
        said = _led(said, left_first=memory.memory_id in unanswered)
    if part is Part.LEARNED:  # whole or not at all
        said = replace(said, needed=len(said.order))
    reason = CitationReason.STANDING if part is Part.STANDING else CitationReason.NEWEST
    return Prospect(memory, said, reason, heading=HEADINGS[part])


def _led(said: Excerpt, *, left_first: bool) -> Excerpt:
    """The excerpt from its beginning on, or with what was left to do before the rest."""
    left = [
        number
        for number in said.order
        if left_first and pattern("left_open").search(said.units[number].text)
    ]
    order = [*left, *(number for number in said.order if number not in left)]
    leads_on = said.units[order[0]].text.endswith((":", "："))
    return replace(said, order=order, needed=min(len(order), 1 + leads_on))


def _unanswered(held: Sequence[Told]) -> frozenset[str]:
    """The last that was said in each session: what it left open is open still."""
    last: dict[str, str] = {}
    for one, memory in held:
        last.setdefault(one.session_id, memory.memory_id)
    return frozenset(last.values())


def _whole(by_id: Mapping[str, Remembered], entries: Sequence[Entry]) -> tuple[Remembered, ...]:
    """The memories told whole, also those of which a rule stands apart from the rest."""
    shown: dict[str, str] = {}
    for entry in entries:
        memory_id = entry.memory.memory_id
        shown[memory_id] = f"{shown.get(memory_id, '')}\n{entry.text}"
    in_parts = (
        by_id[memory_id]
        for memory_id, text in shown.items()
        if all(unit.text in text for unit in units_of(by_id[memory_id].content))
    )
    return (*told_whole(entries), *in_parts)


def _portions(reads: Mapping[Part, Sequence[Read]], room: int) -> list[Portion]:
    """The parts in the order in which they are filled, with the tokens that each leaves."""
    left = [max(0.0, 1 - taken) for taken in accumulate(SHARES.values())]
    return [Portion(reads[part], int(room * kept)) for part, kept in zip(SHARES, left, strict=True)]


def _year(wanted: ContextRequest) -> int:
    return wanted.asked_at.year if wanted.asked_at else 0


@cache
def _nothing_asked() -> PromptReading:
    return read_prompt("", ScopeShape())
