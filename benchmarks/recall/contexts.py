"""Contexts as agents read them: what their text tells, beside plain whole lines.

readable: the share of a question's passages that can be read in the block (`readable.py`).
cited: an evidence turn's memory is among the citations, of plain lines: an evidence turn is among
the lines. Questions without a passage are left out of both. empty: there is no text. over budget:
the text, counted again, has more tokens than were allowed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anamnesis_libs.tokens import TokenCounter, load_counter
from benchmarks.recall.client import Block, Client, Place
from benchmarks.recall.conversations import Conversation, Dataset, Question
from benchmarks.recall.lines import PLAIN_LINES, line_of, whole_lines
from benchmarks.recall.loading import Loaded, each
from benchmarks.recall.metrics import Judged, Ranking
from benchmarks.recall.progress import stage
from benchmarks.recall.readable import Passages, Words, share_read
from benchmarks.recall.results import CITED, EMPTY, OURS, OVER, READABLE, ContextResult

BUDGETS = (150, 250, 500, 1_000)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A question to a conversation, with the turns that a search found."""

    loaded: Loaded
    question: Question
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of a block, without pointers, and the turns that it comes from."""

    text: str
    turns: frozenset[str]
    token_count: int


@dataclass(frozen=True, slots=True)
class _Told:
    """A question with both blocks at one budget."""

    ranked: Ranked
    block: Block
    ours: Shown
    plain: Shown


async def measure_contexts(
    client: Client, dataset: Dataset, ranked: Sequence[Ranked], budgets: Sequence[int]
) -> list[ContextResult]:
    """Build a context for every question at every budget, and plain lines beside it.

    Raises:
        AnamnesisError: a call fails.
    """
    spaces = {one.loaded.namespace: one.loaded for one in ranked}
    turns = {name: await turns_of(client, loaded) for name, loaded in spaces.items()}
    passages = {name: Passages(loaded.conversation) for name, loaded in spaces.items()}
    wanted = [passages[one.loaded.namespace].of(one.question) for one in ranked]
    tokens = load_counter("o200k_base")
    results = []
    with stage(f"{dataset.name}: contexts built", len(ranked) * len(budgets)) as advance:
        for budget in budgets:

            async def build(one: Ranked, budget: int = budget) -> _Told:
                block = await client.build_context(
                    one.loaded.namespace,
                    one.question.text,
                    budget,
                    one.loaded.revision,
                    now=one.loaded.asked_at,
                )
                advance(1)
                known = turns[one.loaded.namespace]
                plain = plain_block(one.loaded.conversation, one.ranking, budget, tokens)
                return _Told(one, block, shown(block, known, tokens), plain)

            results.append(_result(budget, await each(ranked, build), wanted))
    return results


def shown(block: Block, turn_of: Mapping[str, str], tokens: TokenCounter) -> Shown:
    """A block of the suite as it is judged; `turn_of` names the turn of each memory."""
    text = block.text
    for pointer in block.pointers:
        text = text.replace(pointer, " ")
    turns = frozenset(turn_of[memory] for memory in block.memory_ids if memory in turn_of)
    return Shown(text, turns, tokens.count(block.text))


def plain_block(
    conversation: Conversation, ranking: Ranking, budget: int, tokens: TokenCounter
) -> Shown:
    """Plain whole lines in the order of a ranking; learned memories are passed over."""
    held = {turn.turn_id: turn for turn in conversation.turns}
    found = [turn_id for turn_id in ranking if turn_id in held]
    lines = whole_lines((line_of(held[turn_id]) for turn_id in found), budget, tokens)
    text = "\n".join(lines)
    return Shown(text, frozenset(found[: len(lines)]), tokens.count(text))


def judge_block(
    question: Question,
    passages: Sequence[Words],
    block: Shown,
    budget: int,
    conversation: str = "",
) -> Judged:
    """Score one block for one question; without passages nothing can be read or cited."""
    scores = {EMPTY: float(not block.text), OVER: float(block.token_count > budget)}
    if passages:
        scores[READABLE] = share_read(passages, block.text)
        scores[CITED] = float(not block.turns.isdisjoint(question.evidence))
    return Judged(question.category, scores, conversation)


async def turns_of(client: Client, loaded: Loaded) -> Mapping[str, str]:
    """The turn of each memory of a namespace; learned memories have none."""
    ids = {
        Place(session.session_id, index): turn.turn_id
        for session in loaded.conversation.sessions
        for index, turn in enumerate(session.turns)
    }
    places = await client.places(loaded.namespace)
    return {memory: ids[place] for memory, place in places.items() if place in ids}


def _result(budget: int, told: Sequence[_Told], wanted: Sequence[Sequence[Words]]) -> ContextResult:
    judged: dict[str, list[Judged]] = {OURS: [], PLAIN_LINES: []}
    for one, passages in zip(told, wanted, strict=True):
        question, name = one.ranked.question, one.ranked.loaded.conversation.conversation_id
        for system, block in ((OURS, one.ours), (PLAIN_LINES, one.plain)):
            judged[system].append(judge_block(question, passages, block, budget, name))
    return ContextResult(
        budget=budget,
        judged=judged,
        token_counts={
            OURS: [one.ours.token_count for one in told],
            PLAIN_LINES: [one.plain.token_count for one in told],
        },
        latencies_ms=[one.block.latency_ms for one in told],
        degraded=sorted({reason for one in told for reason in one.block.degraded}),
    )
