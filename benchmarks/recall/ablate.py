"""`python -m benchmarks.recall.ablate`: what each term of the score is worth, by leaving it out.

Memory is asked once for the candidates of each question; they are ranked with all terms, and once
without each. Differences are told with their intervals over conversations: a term pays where what
it adds is above zero on a set whose scopes it is for, and takes nothing elsewhere.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import click
from rich.console import Console

from anamnesis_cli.output import new_table
from anamnesis_retrieval.model import Ranked
from benchmarks.options import data_option
from benchmarks.recall import datasets
from benchmarks.recall.candidates import Asked, ask_conversation
from benchmarks.recall.client import Client, channel_to
from benchmarks.recall.conversations import Conversation, Dataset
from benchmarks.recall.loading import load
from benchmarks.recall.metrics import Judged, gains, interval, judge, percentages
from benchmarks.recall.suite import running_suite

CANDIDATES = 200
METRICS = ("any@1", "any@5", "any@10", "all@10")
ALL = "all terms"
_WIDTH = 120


def without(turns: Sequence[tuple[str, Ranked]], term: str) -> list[str]:
    """The turns ranked without a term, best first; those of equal scores as they were."""

    def score(hit: Ranked) -> float:
        left_out = sum(one.contribution for one in hit.factors if one.name == term)
        return hit.score - left_out

    return [turn for turn, hit in sorted(turns, key=lambda pair: -score(pair[1]))]


def ablated(
    asked: Sequence[tuple[Conversation, Asked]],
) -> Mapping[str, Sequence[Judged]]:
    """The judged questions by the term that was left out; those with all terms by `ALL`."""
    hits = (hit for _, one in asked for _, hit in one.turns)
    terms = list(dict.fromkeys(term.name for hit in hits for term in hit.terms))
    return {term: [_judged(*one, term) for one in asked] for term in (ALL, *terms)}


def _judged(conversation: Conversation, asked: Asked, term: str) -> Judged:
    ranking = without(asked.turns, term)
    name = conversation.conversation_id
    return judge(asked.question, ranking, conversation.session_of, name)


async def ask_all(address: str, dataset: Dataset) -> list[tuple[Conversation, Asked]]:
    """Every question of a set, with what memory finds for it."""
    async with channel_to(address) as channel:
        loaded = await load(Client(channel), dataset, learn=False)
        return [
            (one.conversation, asked)
            for one in loaded
            for asked in await ask_conversation(channel, one, CANDIDATES)
        ]


def print_table(name: str, judged: Mapping[str, Sequence[Judged]]) -> None:
    """Print a row a term: what is lost without it, and the interval of that at any@10."""
    table = new_table(f"{name}, points lost without", *METRICS, "any@10, 95 %")
    for column in table.columns[1:]:
        column.justify = "right"
    whole = percentages(judged[ALL])
    table.add_row(ALL, *(f"{whole[metric]:.1f}" for metric in METRICS), "")
    for term, rest in judged.items():
        if term == ALL:
            continue
        lost = {metric: interval(gains(judged[ALL], rest, metric), metric) for metric in METRICS}
        sure = lost["any@10"]
        cells = (f"{lost[metric].mean:+.1f}" for metric in METRICS)
        table.add_row(term, *cells, f"{sure.low:+.1f} to {sure.high:+.1f}")
    Console(width=_WIDTH, highlight=False).print(table)


@click.command()
@data_option("locomo-dev.json, beam-dev.json and zh-dev.json")
@click.option("--server", metavar="HOST:PORT", help="A running suite (default: one of its own).")
@click.option("--sets", default=",".join(datasets.NAMES), show_default=True, help="Sets to rank.")
def main(data_dir: Path, server: str | None, sets: str) -> None:
    """Measure what each term of the score is worth, by leaving it out."""
    try:
        loaded = [datasets.load(name, data_dir) for name in sets.split(",")]
    except (datasets.DataMissing, KeyError) as missing:
        raise click.ClickException(str(missing)) from missing
    with nullcontext(server) if server else running_suite("bilingual") as address:
        for dataset in loaded:
            asked = asyncio.run(ask_all(address, dataset))
            print_table(dataset.name, ablated(asked))


if __name__ == "__main__":
    main()
