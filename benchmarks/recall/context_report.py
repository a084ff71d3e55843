"""The tables of contexts, on standard output and as plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np
from rich.table import Table

from anamnesis_cli.output import new_table
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.metrics import (
    Judged,
    Scores,
    by_category,
    gains,
    interval,
    percentages,
    values,
)
from benchmarks.recall.results import CITED, EMPTY, OURS, OVER, READABLE, ContextResult, SetResult

_HEADINGS = (
    *(READABLE, "95 %", f"{PLAIN_LINES} {READABLE}", "95 %", "more, 95 %"),
    *(CITED, f"{PLAIN_LINES} {CITED}"),
    *("tokens", f"{PLAIN_LINES} tokens", EMPTY, OVER, "p50 ms"),
)

Json = Mapping[str, object]


def context_tables(result: SetResult, names: Mapping[str, str]) -> Iterator[Table]:
    """A table by budget and one by category, whose names for people `names` has."""
    if result.contexts:
        yield _by_budget(result)
        yield _by_category(result, names)


def context_document(contexts: Sequence[ContextResult]) -> Json:
    """The figures by budget, in per cent and not rounded."""
    return {str(one.budget): _budget_document(one) for one in contexts}


def left_out(judged: Sequence[Judged]) -> int:
    """The number of questions that have no passage to read."""
    return len(judged) - len(values(judged, READABLE))


def over_budget(context: ContextResult) -> int:
    """The number of contexts of ours that have more tokens than were allowed."""
    return sum(one > context.budget for one in context.token_counts[OURS])


def _by_budget(result: SetResult) -> Table:
    judged = result.contexts[0].judged[OURS]
    title = (
        f"{result.name}: contexts of {len(judged):,} questions, "
        f"{len(values(judged, READABLE)):,} of them with words to read"
    )
    table = new_table("budget", *_HEADINGS, title=title)
    for column in table.columns:
        column.justify = "right"
    for context in result.contexts:
        ours, plain = context.scores[OURS], context.scores[PLAIN_LINES]
        table.add_row(
            f"{context.budget:,}",
            *_readable_cells(context, OURS),
            *_readable_cells(context, PLAIN_LINES),
            _gain_cell(context),
            _cell(ours, CITED),
            _cell(plain, CITED),
            f"{np.mean(context.token_counts[OURS]):.0f}",
            f"{np.mean(context.token_counts[PLAIN_LINES]):.0f}",
            f"{ours[EMPTY]:.1f}",
            str(over_budget(context)),
            f"{np.median(context.latencies_ms):.1f}",
        )
    return table


def _readable_cells(context: ContextResult, system: str) -> tuple[str, str]:
    """The mean and its interval."""
    judged = context.judged[system]
    if not values(judged, READABLE):
        return "-", "-"
    sure = interval(judged, READABLE)
    return f"{sure.mean:.1f}", f"{sure.low:.1f}-{sure.high:.1f}"


def _gain_cell(context: ContextResult) -> str:
    """The interval of what ours says more than plain lines, question by question."""
    gained = _gains(context)
    if not gained:
        return "-"
    sure = interval(gained, READABLE)
    return f"{sure.low:+.1f} to {sure.high:+.1f}"


def _gains(context: ContextResult) -> Sequence[Judged]:
    return gains(context.judged[OURS], context.judged[PLAIN_LINES], READABLE)


def _by_category(result: SetResult, names: Mapping[str, str]) -> Table:
    """A row a category; of each budget what is readable, cited, and readable in plain lines."""
    budgets = [f"{context.budget:,}" for context in result.contexts]
    title = f"{READABLE} / {CITED} / {PLAIN_LINES} {READABLE}, by budget"
    table = new_table("category", "questions", *budgets, title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for category, judged in by_category(result.contexts[0].judged[OURS]).items():
        cells = [_category_cell(context, category) for context in result.contexts]
        count = len(values(judged, READABLE))
        table.add_row(names.get(category, category), f"{count} of {len(judged)}", *cells)
    return table


def _category_cell(context: ContextResult, category: str) -> str:
    ours = percentages(by_category(context.judged[OURS])[category])
    plain = percentages(by_category(context.judged[PLAIN_LINES])[category])
    figures = (_cell(ours, READABLE), _cell(ours, CITED), _cell(plain, READABLE))
    return " / ".join(figures)


def _cell(scores: Scores, name: str) -> str:
    return f"{scores[name]:.1f}" if name in scores else "-"


def _budget_document(context: ContextResult) -> Json:
    p50, p95 = np.percentile(context.latencies_ms, [50, 95])
    return {
        "scores": context.scores,
        "intervals": {
            system: {
                name: asdict(interval(judged, name))
                for name in (READABLE, CITED)
                if values(judged, name)
            }
            for system, judged in context.judged.items()
        },
        "gain_interval": asdict(interval(gained, READABLE)) if (gained := _gains(context)) else {},
        "questions_left_out": left_out(context.judged[OURS]),
        "over_budget": over_budget(context),
        "tokens_mean": {
            system: float(np.mean(counts)) for system, counts in context.token_counts.items()
        },
        "categories": {
            system: {
                category: {
                    "questions": len(of_it),
                    "questions_left_out": left_out(of_it),
                    **percentages(of_it),
                }
                for category, of_it in by_category(judged).items()
            }
            for system, judged in context.judged.items()
        },
        "latency_ms": {"p50": float(p50), "p95": float(p95)},
        "degraded": context.degraded,
    }
