"""The verb behind `BuildContext`: two calls to memory, and one that counts what is shown.

The first asks for candidates, by the prompt's words and, where callers ask about themselves, by
words of the same relation of life; beside it what was learned of a life is read, where the prompt
asks for that; the second asks for the texts of the best. What is chosen, cut and written is
decided by pure functions over these.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors.root import AnamnesisError
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.context.already import ShownAlready
from anamnesis_retrieval.context.choosing import choose
from anamnesis_retrieval.context.find import find
from anamnesis_retrieval.context.hits import context_hits, in_order, wanted_ids
from anamnesis_retrieval.context.known_facts import told_first
from anamnesis_retrieval.context.model import Context, Empty, Entry
from anamnesis_retrieval.context.packing import folded, pack, told_whole
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.telling import prospects_of
from anamnesis_retrieval.context.then import recalls
from anamnesis_retrieval.context.versions import Replacement
from anamnesis_retrieval.context.writing import CLOSING, OPENING, Style, write
from anamnesis_retrieval.model import CandidateSet, Ranked, Remembered
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.language import is_cjk
from anamnesis_retrieval.ranking.newest import is_about_past
from anamnesis_retrieval.reranking.rerank import Reranking, reread

TOKENS_DEFAULT = 1024
IN_ORDER_OF_TIME = "all of a time is told evenly, and is not read by a reranker"


@dataclass(frozen=True, slots=True)
class Built:
    """A context, what memory answered for it, and the tokens that it might have had."""

    context: Context
    found: CandidateSet
    budget: int


async def build_context(
    memories: Memories,
    wanted: ContextRequest,
    tokens: TokenCounter,
    already: ShownAlready | None = None,
    reranking: Reranking | None = None,
) -> Built:
    """Find what concerns a prompt, write it within its budget, count what is shown.

    Uses that cannot be counted are told as degraded: the context is good all the same.
    """
    revision = wanted.at_least_revision
    query, found, known = await find(
        memories, wanted.query, wanted.mode, revision, wanted.own_session, wanted.asked_at
    )
    wanted = replace(wanted, query=query, asked_at=found.on_clock(wanted.asked_at))
    budget = wanted.budget or found.context_tokens or TOKENS_DEFAULT
    wanted = replace(wanted, budget=budget)
    hits = context_hits(found, wanted)
    first = told_first(known, wanted.query, wanted.as_of or wanted.asked_at)
    ids = wanted_ids(hits, wanted)
    told_in = [source for fact in first for source in fact.source_ids]
    fetched = await memories.fetch(list(dict.fromkeys((*ids, *told_in))), found.revision)
    if reranking is not None and recalls(query, wanted.asked_at):
        found = found.degraded_by(IN_ORDER_OF_TIME)
    elif reranking is not None and hits:
        read = await reread(reranking, found.query, hits, fetched)
        hits = in_order(read.hits, found, wanted) if read.order else read.hits
        found = found.degraded_by(*read.degraded)
    had = already.of(wanted.session) if already and wanted.session else ()
    context = await asyncio.to_thread(
        write_context, found, hits, fetched, wanted, tokens, had, first
    )
    return Built(context, await counted(memories, context, found, wanted, already), budget)


async def counted(
    memories: Memories,
    context: Context,
    found: CandidateSet,
    wanted: ContextRequest,
    already: ShownAlready | None,
) -> CandidateSet:
    """Note what a context shows; what memory answered, degraded where uses are not counted."""
    if already and wanted.session:
        already.add(wanted.session, context.whole)
    try:
        await memories.report_shown([one.memory_id for one in context.citations])
    except AnamnesisError as error:
        return found.degraded_by(f"uses were not counted: {error.message}")
    return found


def write_context(
    found: CandidateSet,
    hits: Sequence[Ranked],
    memories: Sequence[Remembered],
    wanted: ContextRequest,
    tokens: TokenCounter,
    had: Collection[bytes] = (),
    known: Sequence[Remembered] = (),
) -> Context:
    """Choose among fetched memories what the prompt is to be told, and write it down.

    What has one of the digests in `had` was shown already. `known` are facts that are told first.
    """
    if not found.scope.size:
        return Context(empty=Empty.NOTHING_VISIBLE)
    by_id = {one.memory_id: one for one in memories}
    chosen = choose(found, hits, by_id, wanted, known)
    if chosen.is_empty:
        return Context(empty=Empty.NOTHING_RELEVANT)
    chosen = chosen.without(had)
    if chosen.is_empty:
        return Context(empty=Empty.ALREADY_SHOWN)
    style = _style(wanted)
    prospects = prospects_of(chosen, found.scope, tokens.count)

    def packed(room: int) -> tuple[list[Entry], int]:
        return pack(prospects, room, wanted.limit, style, tokens.count)

    return within(wanted.budget, packed, style, tokens, chosen.older)


def within(
    budget: int,
    packed: Callable[[int], tuple[list[Entry], int]],
    style: Style,
    tokens: TokenCounter,
    older: Mapping[str, Replacement],
    whole_of: Callable[[Sequence[Entry]], tuple[Remembered, ...]] = told_whole,
) -> Context:
    """Write the entries that `packed` gives for some room, within a budget of tokens.

    What entries cost is only known once they are written: where that is too much, they are packed
    again into as much less room. `older` is folded under what replaced it, and `whole_of` says
    which memories are told whole.
    """
    room = budget - tokens.count(f"{OPENING}\n") - tokens.count(CLOSING)
    while True:
        entries, left_out = packed(room)
        if not entries:
            return Context(left_out=left_out, empty=Empty.BUDGET_TOO_SMALL)
        context = write(folded(entries, older), style, tokens)
        if context.token_count <= budget:
            return replace(context, left_out=left_out, whole=whole_of(entries))
        room -= context.token_count - budget


def _style(wanted: ContextRequest) -> Style:
    past = is_about_past(wanted.query)
    year = wanted.asked_at.year if wanted.asked_at else 0
    return Style(wanted.written, is_cjk(wanted.query), past, wanted.pointers, year)
