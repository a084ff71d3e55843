"""The brief of a session that begins: a context where nothing is asked.

    Standing    rules and constraints that were laid down
    Known       the newest facts that hold
    Learned     lessons and procedures, the newest and weightiest first
    20 May      where the last sessions stopped: what was said last, and what was left

Nothing is scored against words: memory answers the newest of each part, and each part leaves room
for the others. A thing is told once: what was said and learned as a rule is the rule alone.
"""

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from anamnesis_libs.errors.root import AnamnesisError
from anamnesis_libs.talk.filler import is_marker, is_small_talk, only_went_well
from anamnesis_libs.talk.phrases import pattern
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import standing_kind
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.context.already import ShownAlready, digest_of
from anamnesis_retrieval.context.asked import PromptReading, read_prompt
from anamnesis_retrieval.context.build import TOKENS_DEFAULT, Built, ContextRequest
from anamnesis_retrieval.context.excerpts import Excerpt, told
from anamnesis_retrieval.context.model import CitationReason, Context, Empty
from anamnesis_retrieval.context.packing import (
    Count,
    Portion,
    Prospect,
    Read,
    pack_portions,
    told_whole,
)
from anamnesis_retrieval.context.standing import standing_sentences
from anamnesis_retrieval.context.writing import (
    CLOSING,
    KNOWN,
    LEARNED,
    OPENING,
    STANDING,
    Style,
    write,
)
from anamnesis_retrieval.model import Candidate, CandidateSet, Part, Remembered, ScopeShape
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.recency import weightiest_first

READ_MAX = {Part.STANDING: 50, Part.SAID: 600, Part.KNOWN: 60, Part.LEARNED: 60}
"""The newest of each part that are looked at: most lines of a log are an agent's and its tools'."""
FETCHED_MAX = 30
"""The best of each part that are read."""
SHARES = {Part.STANDING: 0.25, Part.SAID: 0.40, Part.KNOWN: 0.15, Part.LEARNED: 0.20}
"""Of the room, in the order in which it is filled; what one does not need the next ones get."""
MEMORY_SHARE = 0.35
"""Of the room that one memory may have: a brief says where to begin to read."""
HEADINGS = {Part.STANDING: STANDING, Part.KNOWN: KNOWN, Part.LEARNED: LEARNED, Part.SAID: ""}
LEARNED_PARTS = (Part.STANDING, Part.KNOWN, Part.LEARNED)
AT_WORK = ("tool", "assistant")
"""Roles of what is said and printed within a turn of an agent."""
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~).{0,200}$", re.MULTILINE)
HAPPENED = frozenset({"event", "experience"})
"""Facts of these categories tell what happened once."""


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
    wanted = replace(wanted, budget=wanted.budget or found.context_tokens or TOKENS_DEFAULT)
    chosen = {
        part: _candidates(part, one.candidates, wanted)[:FETCHED_MAX]
        for part, one in zip(Part, parts, strict=True)
    }
    ids = dict.fromkeys(one.memory_id for held in chosen.values() for one in held)
    fetched = await memories.fetch(list(ids), found.revision)
    had = already.of(wanted.session) if already and wanted.session else ()
    context = await asyncio.to_thread(write_brief, chosen, fetched, wanted, tokens, had)
    if already and wanted.session:
        already.add(wanted.session, context.whole)
    try:
        await memories.report_shown([one.memory_id for one in context.citations])
    except AnamnesisError as error:
        found = found.degraded_by(f"uses were not counted: {error.message}")
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
    parts = _parts(chosen, {one.memory_id: one for one in memories})
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
    room = wanted.budget - tokens.count(f"{OPENING}\n") - tokens.count(CLOSING)
    while True:
        entries, left_out = pack_portions(
            _portions(reads, room),
            room,
            wanted.limit,
            style,
            tokens.count,
            int(MEMORY_SHARE * room),
        )
        if not entries:
            return Context(left_out=left_out, empty=Empty.BUDGET_TOO_SMALL)
        context = write(entries, style, tokens)
        if context.token_count <= wanted.budget:
            return replace(context, left_out=left_out, whole=told_whole(entries))
        room -= context.token_count - wanted.budget


Told = tuple[Candidate, Remembered]
"""A candidate, and its memory as it is told."""


def _joined(parts: Sequence[CandidateSet]) -> CandidateSet:
    """What memory answered for all parts as one: the revision of the first that has one."""
    first = next((one for one in parts if one.revision), CandidateSet())
    reasons = dict.fromkeys(reason for one in parts for reason in one.degraded)
    return replace(first, degraded=tuple(reasons))


def _candidates(
    part: Part, found: Sequence[Candidate], wanted: ContextRequest
) -> Sequence[Candidate]:
    """The candidates of a part that are worth reading, the best first."""
    others = [one for one in found if not (own := wanted.own_session) or one.session_id != own]
    match part:
        case Part.SAID:
            return list(_prompts_and_reports(others))
        case Part.KNOWN:
            return [one for one in others if not (one.is_standing or one.category in HAPPENED)]
        case Part.LEARNED if wanted.asked_at is not None:
            return weightiest_first(others, wanted.asked_at)
    return others


def _prompts_and_reports(newest_first: Sequence[Candidate]) -> Iterator[Candidate]:
    """What people said, and what an agent said last before it was spoken to again.

    What it said between its tools is of steps that are done.
    """
    behind: dict[str, str] = {}
    for one in newest_first:
        ends_turn = behind.get(one.session_id) not in AT_WORK
        if one.role == "user" or (one.role == "assistant" and ends_turn):
            yield one
        behind[one.session_id] = one.role


def _parts(
    chosen: Mapping[Part, Sequence[Candidate]], by_id: Mapping[str, Remembered]
) -> dict[Part, list[Told]]:
    """The memories of each part as they are told, each thing once."""
    there = {
        part: [(one, by_id[one.memory_id]) for one in held if one.memory_id in by_id]
        for part, held in chosen.items()
    }
    learned = [one for part in LEARNED_PARTS for one in chosen[part] if not one.role]
    standing = list(_standing(there[Part.STANDING], _read_until(learned)))
    laid_down = {source for one, _ in standing for source in (one.memory_id, *one.source_ids)}
    return {
        Part.STANDING: standing,
        Part.SAID: list(_said(there[Part.SAID], laid_down)),
        Part.KNOWN: [(one, replace(held, speaker="")) for one, held in there[Part.KNOWN]],
        Part.LEARNED: list(_learned(there[Part.LEARNED])),
    }


def _read_until(learned: Sequence[Candidate]) -> dict[str, int]:
    """For each session that was learned from, when that was last."""
    read: dict[str, int] = {}
    for one in learned:
        read[one.session_id] = max(one.create_time_us, read.get(one.session_id, 0))
    return read


def _standing(held: Sequence[Told], read_until: Mapping[str, int]) -> Iterator[Told]:
    """Rules that were learned, then those that were said and of which none was learned.

    Where a session was learned from since, what was said counts if it is to last by its words.
    """
    learned = [(one, replace(memory, speaker="")) for one, memory in held if not one.role]
    sources = {source for one, _ in learned for source in one.source_ids}
    said = [
        (one, _laid_down(memory, lasting=one.create_time_us <= read_until.get(one.session_id, -1)))
        for one, memory in held
        if one.role and one.memory_id not in sources and not is_marker(memory.content)
    ]
    seen = {""}
    for one, memory in (*learned, *said):
        key = _plain(memory.content.removeprefix("Rule:"))
        if key not in seen:
            yield one, memory
        seen.add(key)


def _laid_down(memory: Remembered, *, lasting: bool) -> Remembered:
    """The memory by the sentences that lay something down, or those that do so for ever."""
    sentences = standing_sentences(memory)
    kept = [one for one in sentences if not lasting or pattern("lasting").search(one)]
    return replace(memory, content="\n".join(kept))


def _said(held: Sequence[Told], laid_down: Collection[str]) -> Iterator[Told]:
    """What was said last, the newest first, without code and without rules that stand already."""
    for place, (one, memory) in enumerate(held):
        text = _without_code(memory.content)
        if one.memory_id in laid_down:
            said = (unit.text for unit in units_of(text))
            text = "\n".join(each for each in said if not standing_kind(each, memory.role))
        if one.role == "assistant":
            says_nothing = only_went_well(text)
        else:
            says_nothing = is_small_talk(text) and not _answers(place, held)
        if text.strip() and not says_nothing:
            yield one, replace(memory, content=text)


def _answers(place: int, held: Sequence[Told]) -> bool:
    """True for what was said right after a question: "do it" tells what was decided then."""
    session = held[place][0].session_id
    before = next((memory for one, memory in held[place + 1 :] if one.session_id == session), None)
    return before is not None and before.content.rstrip().endswith(("?", "？"))


def _without_code(text: str) -> str:
    """A text without its blocks of code."""
    *before, last = _FENCE.split(text)[::2]
    return "\n".join([*map(_without_lead, before), last])


def _without_lead(text: str) -> str:
    """A text that code follows, without the sentence that leads to it; a first one says more."""
    units = units_of(text)
    leads = len(units) > 1 and units[-1].text.endswith((":", "："))
    return text.rstrip().removesuffix(units[-1].text) if leads else text


def _learned(held: Sequence[Told]) -> Iterator[Told]:
    """Lessons and procedures by their gist; of those with one title the first."""
    seen: set[str] = set()
    for one, memory in held:
        title = memory.gist.partition("\n")[0]
        key = " ".join(word for word in title.casefold().split() if word.isalpha()) or title
        if key not in seen:
            yield one, replace(memory, speaker="", role="assistant", content=memory.gist)
        seen.add(key)


def _prospect(
    part: Part,
    candidate: Candidate,
    memory: Remembered,
    unanswered: Collection[str],
    count: Count,
) -> Prospect | None:
    """A memory as it may be shown; None where it says nothing."""
    said = told(memory, candidate, _nothing_asked(), frozenset(), count)
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


def _portions(reads: Mapping[Part, Sequence[Read]], room: int) -> Iterator[Portion]:
    kept = 1.0
    for part, share in SHARES.items():
        kept = max(0.0, kept - share)
        yield Portion(reads[part], int(room * kept))


def _year(wanted: ContextRequest) -> int:
    return wanted.asked_at.year if wanted.asked_at else 0


@cache
def _nothing_asked() -> PromptReading:
    return read_prompt("", ScopeShape())


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
