"""The figures of a run, as tables, as JSON, and question by question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np
from rich.console import Console
from rich.table import Table

from anamnesis_cli.output import new_table
from benchmarks.everyday.judging import Figures, figures
from benchmarks.everyday.run import Outcome, Part

LEAST = "least"
_WIDTH = 120

Json = Mapping[str, object]


def print_report(parts: Sequence[Part]) -> None:
    """Print a table a kind of memory."""
    console = Console(width=_WIDTH, highlight=False)
    for part in parts:
        console.print(_table(part))


def print_blocks(parts: Sequence[Part]) -> None:
    """Print every question with its context."""
    for part in parts:
        for outcome in part.outcomes:
            right = "right" if outcome.ours.is_right else "WRONG"
            wants = "silence" if outcome.question.silent else ", ".join(outcome.question.must)
            print(f"--- {right} {outcome.space}, {outcome.budget}: {outcome.question.query}")
            print(f"    wants {wants}\n{outcome.text or '(empty)'}")


def document(parts: Sequence[Part]) -> Json:
    """The counts by part, budget and kind of question."""
    return {
        part.name: {
            str(budget): {
                "over_budget": _over(outcomes),
                "p50_ms": float(np.median([one.latency_ms for one in outcomes])),
                "all": _counts(outcomes),
                "kinds": {kind: _counts(of_it) for kind, of_it in _by_kind(outcomes).items()},
            }
            for budget, outcomes in _by_budget(part).items()
        }
        for part in parts
    }


def _counts(outcomes: Sequence[Outcome]) -> Json:
    return {"anamnesis": asdict(_ours(outcomes)), LEAST: asdict(_least(outcomes))}


def _table(part: Part) -> Table:
    headings = ("told", "newer first", "silent")
    beside = [f"{LEAST}: {heading}" for heading in headings]
    table = new_table(
        *("budget", "kind", *headings, *beside, "tokens", "over", "p50 ms"), title=part.name
    )
    for column in table.columns[2:]:
        column.justify = "right"
    for budget, outcomes in _by_budget(part).items():
        table.add_row(f"{budget:,}", "all", *_cells(outcomes), style="bold")
        kinds = _by_kind(outcomes)
        for kind, of_it in kinds.items() if len(kinds) > 1 else ():
            table.add_row("", kind or "other", *_cells(of_it))
    return table


def _cells(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for counted in (_ours(outcomes), _least(outcomes)):
        yield from map(str, (counted.told, counted.newer_first, counted.silent))
    yield f"{np.mean([one.token_count for one in outcomes]):.0f}"
    yield str(_over(outcomes))
    yield f"{np.median([one.latency_ms for one in outcomes]):.1f}"


def _ours(outcomes: Sequence[Outcome]) -> Figures:
    return figures([one.ours for one in outcomes])


def _least(outcomes: Sequence[Outcome]) -> Figures:
    return figures([one.least for one in outcomes])


def _over(outcomes: Sequence[Outcome]) -> int:
    return sum(one.token_count > one.budget for one in outcomes)


def _by_budget(part: Part) -> Mapping[int, list[Outcome]]:
    budgets = dict.fromkeys(one.budget for one in part.outcomes)
    return {budget: [one for one in part.outcomes if one.budget == budget] for budget in budgets}


def _by_kind(outcomes: Sequence[Outcome]) -> Mapping[str, list[Outcome]]:
    kinds = sorted({one.question.kind for one in outcomes})
    return {kind: [one for one in outcomes if one.question.kind == kind] for kind in kinds}
