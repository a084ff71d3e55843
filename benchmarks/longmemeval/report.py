"""The tables of a run, on standard output, and its figures as one JSON document."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from anamnesis_cli.output import new_table, printable
from benchmarks.longmemeval.answering import MARKS
from benchmarks.longmemeval.recall import metrics_of
from benchmarks.longmemeval.run import Asked, Options
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.metrics import Judged, Scores, by_category, interval, percentages, values
from benchmarks.recall.results import CITED, EMPTY, OURS, OVER, READABLE

ALL = "all"
NO_MARK = "no mark"
_PIPE_COLUMNS = 150

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Report:
    """A run: what was asked, with these options, answered by this reader and judge, if any."""

    options: Options
    asked: Sequence[Asked]
    models: tuple[str, str] | None

    @property
    def unmarked(self) -> Sequence[Asked]:
        """The questions of which a call to a model failed."""
        return [one for one in self.asked if one.answered and one.answered.failure]


def print_report(report: Report) -> None:
    """Print the tables; in a pipe as wide as the widest of them."""
    width = None if sys.stdout.isatty() else _PIPE_COLUMNS
    console = Console(width=width, highlight=False)
    console.print("figures in per cent")
    console.print(_recall(report))
    console.print(_contexts(report))
    if report.models is not None:
        console.print(_answers(report, *report.models))
    for line in _notes(report):
        console.print(line, soft_wrap=True)


def write(report: Report, path: Path) -> None:
    """Write the figures by type, not rounded, and every question with its answer."""
    document = {
        "file": report.options.name,
        "models": report.models,
        "answer_budget": report.options.answer_budget,
        "recall": _scores(_recalled(report)),
        "contexts": {
            str(budget): {
                system: _scores([one.contexts[budget][system] for one in report.asked])
                for system in (OURS, PLAIN_LINES)
            }
            for budget in report.options.budgets
        },
        "answers": _scores(_marked(report)),
        "questions": [_question(one) for one in report.asked],
    }
    text = json.dumps(document, ensure_ascii=False, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")


def _recall(report: Report) -> Table:
    """A row a type: sessions and turns among the first k, with the interval of the deepest."""
    metrics = metrics_of(report.options.depths)
    deepest = f"session all@{max(report.options.depths)}"
    turns = sum(one.turn_count for one in report.asked)
    title = f"{report.options.name}: {len(report.asked):,} questions, {turns:,} turns; recall"
    table = _table("type", "questions", *metrics, f"{deepest}, 95 %", title=title)
    for name, judged in _groups(_recalled(report)):
        scores = percentages(judged)
        cells = [_cell(scores, metric) for metric in metrics]
        table.add_row(
            name, str(len(judged)), *cells, _interval(judged, deepest), style=_style(name)
        )
    return table


def _contexts(report: Report) -> Table:
    """A row a type; of each budget what can be read and cited, plain lines, and what is empty."""
    budgets = report.options.budgets
    parts = f"{READABLE} / {CITED} / {PLAIN_LINES} {READABLE} / {EMPTY}"
    headings = [f"{budget:,}" for budget in budgets]
    table = _table("type", "with words to read", *headings, title=f"contexts: {parts}, by budget")
    ours = {budget: dict(_groups(_of(report, budget, OURS))) for budget in budgets}
    plain = {budget: dict(_groups(_of(report, budget, PLAIN_LINES))) for budget in budgets}
    for name, judged in ours[budgets[0]].items():
        count = f"{len(values(judged, READABLE))} of {len(judged)}"
        cells = [_context_cell(ours[budget][name], plain[budget][name]) for budget in budgets]
        table.add_row(name, count, *cells, style=_style(name))
    return table


def _context_cell(ours: Sequence[Judged], plain: Sequence[Judged]) -> str:
    scores, beside = percentages(ours), percentages(plain)
    figures = (_cell(scores, READABLE), _cell(scores, CITED), _cell(beside, READABLE))
    return " / ".join((*figures, _cell(scores, EMPTY)))


def _answers(report: Report, reader: str, judge: str) -> Table:
    """A row a type; an answer without a mark counts as wrong, and beside."""
    title = (
        f"answers from {report.options.answer_budget:,} tokens by {reader}, marked by {judge}; "
        "without a mark is not right"
    )
    headings = [heading for mark in MARKS for heading in (mark, "95 %")]
    table = _table("type", "questions", *headings, NO_MARK, title=printable(title))
    for name, judged in _groups(_marked(report)):
        scores = percentages(judged)
        cells = [c for mark in MARKS for c in (_cell(scores, mark), _interval(judged, mark))]
        missing = int(sum(values(judged, NO_MARK)))
        table.add_row(name, str(len(judged)), *cells, str(missing), style=_style(name))
    return table


def _notes(report: Report) -> Iterator[str]:
    for budget in report.options.budgets:
        if over := int(sum(values(_of(report, budget, OURS), OVER))):
            yield f"[red]{over} contexts are over the budget of {budget:,} tokens[/]"
    for reason in sorted({reason for one in report.asked for reason in one.degraded}):
        yield f"[red]degraded:[/] {printable(reason)}"
    failures = Counter(one.answered.failure for one in report.unmarked if one.answered)
    for failure, count in failures.most_common():
        yield f"[red]{NO_MARK}, {count} of {len(report.asked)}:[/] {printable(failure)}"


def _recalled(report: Report) -> list[Judged]:
    """The questions that have an answer to be found."""
    return [one.recall for one in report.asked if one.recall.scores]


def _of(report: Report, budget: int, system: str) -> list[Judged]:
    return [one.contexts[budget][system] for one in report.asked]


def _marked(report: Report) -> list[Judged]:
    """The answers as they are counted: a mark that is missing is none that is right."""
    return [
        Judged(
            one.category,
            {
                **{mark: float(one.answered.marks.get(mark, False)) for mark in MARKS},
                NO_MARK: float(bool(one.answered.failure)),
            },
            one.question_id,
        )
        for one in report.asked
        if one.answered is not None
    ]


def _groups(judged: Sequence[Judged]) -> list[tuple[str, Sequence[Judged]]]:
    """The questions of each type, then all of them."""
    return [*by_category(judged).items(), (ALL, judged)] if judged else []


def _scores(judged: Sequence[Judged]) -> Json:
    return {name: {"questions": len(of), **percentages(of)} for name, of in _groups(judged)}


def _question(one: Asked) -> Json:
    answered = one.answered
    told = (
        {"answer": answered.answer, **answered.marks, "failure": answered.failure}
        if answered
        else {}
    )
    contexts = {str(budget): one.contexts[budget][OURS].scores for budget in one.contexts}
    return {
        "question_id": one.question_id,
        "type": one.category,
        "recall": one.recall.scores,
        "contexts": contexts,
        **told,
    }


def _interval(judged: Sequence[Judged], metric: str) -> str:
    if not values(judged, metric):
        return "-"
    sure = interval(judged, metric)
    return f"{sure.low:.1f}-{sure.high:.1f}"


def _cell(scores: Scores, name: str) -> str:
    return f"{scores[name]:.1f}" if name in scores else "-"


def _style(name: str) -> str:
    return "bold" if name == ALL else ""


def _table(*headings: str, title: str) -> Table:
    """Types to the left on one line, figures to the right."""
    table = new_table(*headings, title=title)
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    return table
