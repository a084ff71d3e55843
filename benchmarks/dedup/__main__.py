"""`python -m benchmarks.dedup`: precision and recall of merging near duplicates of lessons."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click
from rich.console import Console
from rich.table import Table

from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.settings import Dedup, Models
from anamnesis_memory.dedup.decide import nearest
from anamnesis_memory.dedup.normalised import normal_form
from anamnesis_memory.dedup.semantic_diff import differences
from anamnesis_memory.dedup.thresholds import Thresholds, thresholds_of
from benchmarks.dedup.figures import (
    ClassFigures,
    Figures,
    Judged,
    by_class,
    figures,
    lowest_precise,
)
from benchmarks.dedup.pairs import PARTS, Pair, read

EMBEDDERS: tuple[Literal["bilingual", "minilm", "static"], ...] = ("bilingual", "minilm", "static")
STEPS = tuple(round(0.60 + 0.05 * step, 2) for step in range(8))
FINE_STEPS = tuple(round(0.50 + 0.01 * step, 2) for step in range(50))
PRECISION_MIN = 0.97


@dataclass(frozen=True, slots=True)
class Result:
    """One embedder on one half of the set."""

    half: str
    embedder: str
    thresholds: Thresholds
    judged: list[Judged]


async def measure(half: str, embedder: Literal["bilingual", "minilm", "static"]) -> Result:
    """Judge every pair of a half with the vectors of an embedder."""
    pairs = read(half)
    model = await load_embedder(Models(embedder=embedder))
    try:
        ours = await model.embed([pair.a for pair in pairs])
        theirs = await model.embed([pair.b for pair in pairs])
    finally:
        await model.close()
    judged = [
        _judged(pair, nearest(a[None], b[None]))
        for pair, a, b in zip(pairs, ours, theirs, strict=True)
    ]
    return Result(half, embedder, thresholds_of(model.model, Dedup()), judged)


def _judged(pair: Pair, cosine: float) -> Judged:
    identical = normal_form(pair.a) == normal_form(pair.b)
    return Judged(pair, cosine, identical, bool(differences(pair.a, pair.b)))


def _part(judged: Sequence[Judged], languages: tuple[str, ...]) -> list[Judged]:
    return [each for each in judged if each.pair.language in languages]


def _steps(result: Result) -> list[float]:
    return sorted({*STEPS, result.thresholds.merge})


def _print_thresholds(console: Console, result: Result) -> None:
    head = ("part", "cosine", "precision", "recall", "right", "wrong")
    table = Table(*head, "P unguarded", "R unguarded", title=f"{result.half}, {result.embedder}")
    for part, languages in PARTS.items():
        judged = _part(result.judged, languages)
        for step in _steps(result):
            with_guard = figures(judged, step, guarded=True)
            without = figures(judged, step, guarded=False)
            mark = " *" if step == result.thresholds.merge else ""
            table.add_row(part, f"{step:.2f}{mark}", *_cells(with_guard), *_shares(without))
        table.add_section()
    console.print(table)
    both = _part(result.judged, PARTS["both"])
    lowest = lowest_precise(both, FINE_STEPS, PRECISION_MIN)
    console.print(f"* in use; lowest from which on precision is {PRECISION_MIN}: {lowest}\n")


def _cells(each: Figures) -> tuple[str, ...]:
    return (*_shares(each), str(each.right), str(each.wrong))


def _shares(each: Figures) -> tuple[str, str]:
    return f"{each.precision:.3f}", f"{each.recall:.3f}"


def _print_classes(console: Console, result: Result) -> None:
    title = f"{result.half}, {result.embedder}, at {result.thresholds.merge}"
    table = Table("class", "pairs", "objected", "merged", "merged unguarded", title=title)
    for label, each in by_class(result.judged, result.thresholds.merge).items():
        values = (each.pairs, each.objected, each.merged, each.merged_unguarded)
        table.add_row(label, *map(str, values))
    console.print(table)


def _plain(result: Result) -> dict[str, object]:
    classes: dict[str, ClassFigures] = by_class(result.judged, result.thresholds.merge)
    return {
        "thresholds": asdict(result.thresholds),
        "parts": {part: _plain_part(result, langs) for part, langs in PARTS.items()},
        "classes": {label: asdict(each) for label, each in classes.items()},
    }


def _plain_part(result: Result, languages: tuple[str, ...]) -> list[dict[str, float]]:
    judged = _part(result.judged, languages)
    return [
        {
            "cosine_min": step,
            **_named("", figures(judged, step, guarded=True)),
            **_named("unguarded_", figures(judged, step, guarded=False)),
        }
        for step in _steps(result)
    ]


def _named(prefix: str, each: Figures) -> dict[str, float]:
    return {
        f"{prefix}precision": each.precision,
        f"{prefix}recall": each.recall,
        f"{prefix}right": each.right,
        f"{prefix}wrong": each.wrong,
    }


def _print_mistakes(console: Console, result: Result) -> None:
    for each in result.judged:
        merged = each.merged(result.thresholds.merge, guarded=True)
        if merged is not each.pair.same:
            word = "WRONG " if merged else "MISSED"
            pair = each.pair
            console.print(f"{word} {pair.name} {pair.label} {each.cosine:.2f} {pair.a} | {pair.b}")


@click.command()
@click.option("--held", is_flag=True, help="The half kept for final figures, as well.")
@click.option("--show", is_flag=True, help="List what is wrong and missed in the other half.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the figures here."
)
def main(*, held: bool, show: bool, json_file: Path | None) -> None:
    """Print how well near duplicates are told on tests/data/dedup."""
    console = Console(width=120)
    document: dict[str, dict[str, object]] = {}
    for half in ("dev", "held") if held else ("dev",):
        for embedder in EMBEDDERS:
            result = asyncio.run(measure(half, embedder))
            _print_thresholds(console, result)
            _print_classes(console, result)
            if show and half == "dev":
                _print_mistakes(console, result)
            document.setdefault(half, {})[embedder] = _plain(result)
    if json_file is not None:
        json_file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
