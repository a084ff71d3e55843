"""The tables of a run, on standard output."""

import sys
from collections.abc import Iterator, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis_cli.output import new_table
from benchmarks.recall import reference
from benchmarks.recall.context_report import context_tables
from benchmarks.recall.metrics import (
    METRICS,
    NEWER_FIRST,
    Scores,
    by_category,
    interval,
    percentages,
)
from benchmarks.recall.results import OURS, RunResult, SetResult

_PIPE_COLUMNS = 150
_CATEGORY_NAMES = {
    "locomo": {
        "1": "1 multi-hop",
        "2": "2 temporal",
        "3": "3 open-domain",
        "4": "4 single-hop",
    }
}


def print_report(run: RunResult) -> None:
    """Print the tables of each set; in a pipe as wide as the widest of them."""
    is_terminal = sys.stdout.isatty()
    console = Console(width=None if is_terminal else _PIPE_COLUMNS, highlight=False)
    console.print(f"embedder {run.embedder} ({run.embedding_model}); figures in per cent")
    for result in run.sets:
        console.print(_systems(result))
        console.print(_categories(result))
        for table in context_tables(result, _CATEGORY_NAMES.get(result.name, {})):
            console.print(table)
        console.print(_bars(result))
        for line in _notes(run, result):
            console.print(line, soft_wrap=True)


def _systems(result: SetResult) -> Table:
    """A row a system, with the interval of its any@10."""
    metrics = [metric for metric in (*METRICS, NEWER_FIRST) if metric in result.scores[OURS]]
    title = (
        f"{result.name}: {result.conversations} conversations, {result.turns:,} turns, "
        f"{result.questions:,} questions"
    )
    table = _right_aligned(new_table("", *metrics, "any@10, 95 %", title=title))
    for system in result.systems:
        sure = interval(result.judged[system], "any@10")
        cells = _cells(result.scores[system], metrics)
        style = "bold" if system == OURS else ""
        table.add_row(system, *cells, f"{sure.low:.1f}-{sure.high:.1f}", style=style)
    if result.name == "locomo":
        _add_peers(table, metrics)
    return table


def _add_peers(table: Table, metrics: Sequence[str]) -> None:
    table.add_section()
    for peer, figures in reference.PEERS.items():
        scores = dict(zip(reference.PEER_METRICS, figures, strict=True))
        table.add_row(f"{peer} (quoted)", *_cells(scores, metrics), "", style="dim")


def _categories(result: SetResult) -> Table:
    """A row a category: ours, and any@10 of the baselines."""
    ours = ("any@1", "any@10", "all@10")
    baselines = result.systems[1:]
    headings = (*ours, *(f"{name} any@10" for name in baselines))
    table = _right_aligned(new_table("category", "questions", *headings))
    groups = {system: by_category(result.judged[system]) for system in result.systems}
    names = _CATEGORY_NAMES.get(result.name, {})
    for category, judged in groups[OURS].items():
        cells = _cells(percentages(judged), ours)
        beside = [percentages(groups[name][category])["any@10"] for name in baselines]
        shown = [f"{figure:.1f}" for figure in beside]
        table.add_row(names.get(category, category), str(len(judged)), *cells, *shown)
    return table


def _bars(result: SetResult) -> Table:
    table = new_table("bar", "metric", "at least", "reached", "")
    for bar in reference.bars(result):
        met = (
            "[green]met[/]" if bar.is_met else f"[red]missed by {bar.at_least - bar.reached:.1f}[/]"
        )
        table.add_row(bar.kind, bar.metric, f"{bar.at_least:.1f}", f"{bar.reached:.1f}", met)
    return table


def _notes(run: RunResult, result: SetResult) -> Iterator[str]:
    p50, p95 = latency_ms(result)
    yield (
        f"search, {run.searches_at_once} at once, embedding of the question included: "
        f"p50 {p50:.1f} ms, p95 {p95:.1f} ms (for information)"
    )
    yield "profiles: " + ", ".join(f"{name} {n}" for name, n in sorted(result.profiles.items()))
    contexts = {reason for context in result.contexts for reason in context.degraded}
    for reason in sorted({*result.degraded, *contexts}):
        yield f"[red]degraded:[/] {reason}"


def latency_ms(result: SetResult) -> tuple[float, float]:
    """Median and 95th percentile of a search, in milliseconds."""
    p50, p95 = np.percentile(result.latencies_ms, [50, 95])
    return float(p50), float(p95)


def _cells(scores: Scores, metrics: Sequence[str]) -> list[str]:
    return [f"{scores[metric]:.1f}" if metric in scores else "-" for metric in metrics]


def _right_aligned(table: Table) -> Table:
    """Names to the left on one line, figures to the right."""
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    return table
