"""`python -m benchmarks.recall.silence`: how often a context is empty, where it should be or not.

Each conversation of LoCoMo is asked its own questions, which it can answer; those of the next one,
with the names of its own speakers put in; and what nobody has to remember anything for
(`data/nothing_asked.txt`). A context speaks from a *floor* of evidence: the margins above it, as
the service reads them, tell what every other floor would have done.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
from grpc import aio
from rich.console import Console

from anamnesis.memory.v1.memory_service_pb2 import BatchGetMemoriesRequest, FindCandidatesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.output import new_table
from anamnesis_libs.rpc.peers import call
from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.doubt import is_doubted
from anamnesis_retrieval.context.evidence import judge_of
from anamnesis_retrieval.context.hits import context_hits, wanted_ids
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.convert.search import from_weights, to_found, to_remembered
from anamnesis_retrieval.model import CandidateSet, Mode
from anamnesis_retrieval.ranking.rank import candidate_weights
from benchmarks.options import data_option
from benchmarks.recall import datasets
from benchmarks.recall.client import Client, channel_to
from benchmarks.recall.conversations import Conversation
from benchmarks.recall.loading import Loaded, each, load
from benchmarks.recall.metrics import Judged, interval
from benchmarks.recall.suite import running_suite

BUDGET = 300
CANDIDATES = 100
FLOORS = (-0.15, -0.10, -0.05, 0.0, 0.05, 0.10, 0.15)
"""Floors, as differences from the service's own."""
ANSWERABLE, STRANGERS = "answerable", "strangers' questions"
NOTHING_ASKED = Path(__file__).parent / "data" / "nothing_asked.txt"
SILENT = "silent"
DOUBTED = -0.9
"""The margin of a prompt that is doubted (`context/doubt.py`), whatever its evidence."""
NEVER = -1.0
"""The margin of a prompt to which no evidence makes a context speak."""
_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Margin:
    """A prompt of a kind, and by how much the best evidence for it is above the floor."""

    kind: str
    conversation: str
    above: float


def nothing_asked(path: Path = NOTHING_ASKED) -> Mapping[str, Sequence[str]]:
    """The prompts of the file by their headings; the comment that opens it is none."""
    prompts: dict[str, list[str]] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
        heading, *lines = block.strip().splitlines()
        prompts[heading.removeprefix("# ").lower()] = lines
    return prompts


def with_names(text: str, theirs: Sequence[str], ours: Sequence[str]) -> str:
    """A question with the names of its speakers replaced."""
    for their, our in zip(theirs, ours, strict=False):
        text = re.sub(rf"\b{re.escape(their)}\b", our, text)
    return text


def prompts_of(own: Conversation, other: Conversation) -> Iterable[tuple[str, str]]:
    """The prompts that a conversation is asked, with their kinds."""
    yield from ((ANSWERABLE, question.text) for question in own.questions)
    yield from ((STRANGERS, text) for text in strangers_to(own, other))
    for kind, prompts in nothing_asked().items():
        yield from ((kind, prompt) for prompt in prompts)


def strangers_to(own: Conversation, other: Conversation) -> list[str]:
    """The questions of another conversation, with the names of one's own speakers put in."""
    return [with_names(one.text, _names(other), _names(own)) for one in other.questions]


def _names(conversation: Conversation) -> list[str]:
    return sorted({turn.name for turn in conversation.turns if turn.name})


def silent(margins: Sequence[Margin], kind: str, floor: float) -> Sequence[Judged]:
    """The prompts of a kind, with a score of 1 where a context is empty under a floor."""
    return [
        Judged(kind, {SILENT: float(one.above < floor)}, one.conversation)
        for one in margins
        if one.kind == kind
    ]


async def margins_of(channel: aio.Channel, loaded: Loaded, other: Conversation) -> list[Margin]:
    """The margins of all prompts that a conversation is asked."""
    name = loaded.conversation.conversation_id

    async def margin(prompt: tuple[str, str]) -> Margin:
        kind, text = prompt
        return Margin(kind, name, await _margin(channel, loaded, text))

    return await each(list(prompts_of(loaded.conversation, other)), margin)


async def find(channel: aio.Channel, loaded: Loaded, text: str) -> CandidateSet:
    """The candidates for one prompt."""
    finding = FindCandidatesRequest(
        namespace=loaded.namespace,
        query=text,
        limit=CANDIDATES,
        weights=from_weights(candidate_weights(text, Mode.AUTO)),
        at_least_revision=loaded.revision,
    )
    answer = MemoryServiceStub(channel).FindCandidates
    return to_found(await call(answer, finding, timeout_s=_TIMEOUT_S, peer="memory"))


async def _margin(channel: aio.Channel, loaded: Loaded, text: str) -> float:
    """The margin of one prompt, by the same calls and functions as a context's."""
    memory, found = MemoryServiceStub(channel), await find(channel, loaded, text)
    wanted = ContextRequest(text, BUDGET)
    hits, asked = context_hits(found, wanted), read_prompt(text, found.scope)
    ids = wanted_ids(hits, wanted)
    if not ids or asked.is_talk:
        return NEVER
    reading = BatchGetMemoriesRequest(namespace=loaded.namespace, memory_ids=ids)
    read = await call(memory.BatchGetMemories, reading, timeout_s=_TIMEOUT_S, peer="memory")
    texts = {one.memory_id: to_remembered(one) for one in read.memories}
    if is_doubted(asked, found.scope, hits):
        return DOUBTED
    judge = judge_of(asked, found.scope, list(texts.values()))
    candidates = [hit.candidate for hit in hits if hit.candidate.memory_id in texts]
    evidence = judge.all_evidence([(one, texts[one.memory_id]) for one in candidates])
    return max((one.strength for one in evidence), default=NEVER) - judge.floor


async def _measure(address: str, data_dir: Path) -> list[Margin]:
    async with channel_to(address) as channel:
        loaded = await load(Client(channel), datasets.load("locomo", data_dir), learn=False)
        around = [*loaded, loaded[0]]
        return [
            margin
            for one, following in pairwise(around)
            for margin in await margins_of(channel, one, following.conversation)
        ]


def print_tables(margins: Sequence[Margin]) -> None:
    """Print the share of empty contexts by kind, with intervals, and the curve over the floor."""
    kinds = list(dict.fromkeys(one.kind for one in margins))
    console = Console(width=120, highlight=False)
    told = new_table("empty contexts, %", "prompts", "empty", "95 %")
    for kind in kinds:
        judged = silent(margins, kind, 0.0)
        sure = interval(judged, SILENT)
        told.add_row(
            kind, str(len(judged)), f"{sure.mean:.1f}", f"{sure.low:.1f} to {sure.high:.1f}"
        )
    console.print(told)
    curve = new_table("floor", *kinds)
    for floor in FLOORS:
        means = (interval(silent(margins, kind, floor), SILENT).mean for kind in kinds)
        curve.add_row(f"{floor:+.2f}", *(f"{mean:.1f}" for mean in means))
    console.print(curve)


@click.command()
@data_option("locomo-dev.json")
@click.option("--server", metavar="HOST:PORT", help="A running suite (default: one of its own).")
def main(data_dir: Path, server: str | None) -> None:
    """Measure how often a context is empty where it should be, and the curve over its floor."""
    try:
        with nullcontext(server) if server else running_suite("bilingual") as address:
            print_tables(asyncio.run(_measure(address, data_dir)))
    except datasets.DataMissing as missing:
        raise click.ClickException(str(missing)) from missing


if __name__ == "__main__":
    main()
