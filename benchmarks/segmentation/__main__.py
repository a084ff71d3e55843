"""`python -m benchmarks.segmentation`: local segmentation beside trivial baselines, by language."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.settings import Models
from anamnesis_libs.tokens import load_counter
from benchmarks.segmentation import logs, methods
from benchmarks.segmentation.conversations import Conversation, read
from benchmarks.segmentation.metrics import Figures, Judged, figures

WIDE_TOKENS = 191_808
NARROW_TOKENS = 256
LANGUAGES = ("en", "zh")

Results = dict[str, dict[str, Figures]]
"""Figures by part of the set and method."""
Parts = dict[str, Sequence[Conversation]]


async def measure(parts: Parts) -> Results:
    """Run every method over every part of a set."""
    counter = load_counter("o200k_base")
    embedder = await load_embedder(Models())
    try:
        candidates = {
            "local": methods.local(embedder.embed, counter, WIDE_TOKENS),
            f"local, windows of {NARROW_TOKENS}": methods.local(
                embedder.embed, counter, NARROW_TOKENS
            ),
            "every user turn": methods.every_turn,
            "every 10 events": methods.fixed_length,
            "one task": methods.one_task,
        }
        return {
            part: {name: await _run(method, chosen) for name, method in candidates.items()}
            for part, chosen in parts.items()
        }
    finally:
        await embedder.close()


async def _run(method: methods.Method, chosen: Sequence[Conversation]) -> Figures:
    return figures([Judged(len(c.events), c.starts, await method(c)) for c in chosen])


def _parts(conversations: Sequence[Conversation]) -> Parts:
    return {
        f"{language}, {'tuned on' if tuned_on else 'held out'}": [
            each
            for each in conversations
            if each.language == language and each.tuned_on is tuned_on
        ]
        for tuned_on in (False, True)
        for language in LANGUAGES
    }


def _logs(marked: Sequence[Conversation]) -> Parts:
    return {"logs": marked, **{each.conversation_id[:8]: [each] for each in marked}}


def _print(results: Results) -> None:
    table = Table("part", "method", "precision", "recall", "F1", "WindowDiff")
    for part, by_method in results.items():
        for name, each in by_method.items():
            values = (each.precision, each.recall, each.f1, each.window_diff)
            table.add_row(part, name, *(f"{value:.3f}" for value in values))
        table.add_section()
    Console(width=100).print(table)


@click.command()
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the figures here."
)
@click.option(
    "--logs",
    "log_dir",
    type=click.Path(exists=True, path_type=Path),
    help="Measure the marked logs of work below this directory instead.",
)
def main(json_file: Path | None, log_dir: Path | None) -> None:
    """Print how well task boundaries are found in the conversations of tests/data/segmentation.

    Half of them were tuned on, and are printed apart from those held out.
    """
    parts = _parts(read()) if log_dir is None else _logs(logs.read(log_dir))
    results = asyncio.run(measure(parts))
    _print(results)
    if json_file is not None:
        plain = {part: {n: asdict(f) for n, f in each.items()} for part, each in results.items()}
        json_file.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
