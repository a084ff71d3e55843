"""`python -m benchmarks.index`: each form of vectors at each size, as a table."""

import dataclasses
import json
from pathlib import Path

import click
import faiss
from rich.console import Console
from rich.table import Table

from benchmarks.index.candidates import FORMS
from benchmarks.index.corpus import Corpus, embedded
from benchmarks.index.measure import Figures, exact_scores, measure

SIZES = "10000,50000,100000,200000,500000"
COLUMNS = (
    ("rows", "rows", ","),
    ("form", "form", ""),
    ("all ms", "scored_ms", ".2f"),
    ("5 % ms", "part_ms", ".2f"),
    ("MiB", "mib", ",.1f"),
    ("recall@10", "recall", ".3f"),
    ("error max", "error_max", ".5f"),
    ("added/s", "added_per_s", ",.0f"),
    ("¼ deleted ms", "deleted_ms", ",.1f"),
    ("save s", "saved_s", ".2f"),
    ("load s", "loaded_s", ".2f"),
    ("file MiB", "file_mib", ",.1f"),
)


@click.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("../shared/data"),
    show_default=True,
    help="Where locomo-dev.json, beam-dev.json and zh-dev.json are.",
)
@click.option("--sizes", default=SIZES, show_default=True, help="Numbers of vectors.")
@click.option(
    "--vectors", type=click.Path(path_type=Path), help="Keep the embedded texts here, or read them."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures too.")
def main(data: Path, sizes: str, vectors: Path | None, json_file: Path | None) -> None:
    """Time, memory and recall of each form in which an index could hold its vectors."""
    faiss.omp_set_num_threads(1)
    corpus = embedded(data, vectors)
    figures = [one for size in sizes.split(",") for one in _at(corpus, int(size))]
    _print(figures)
    if json_file is not None:
        json_file.write_text(json.dumps([dataclasses.asdict(each) for each in figures], indent=1))


def _at(corpus: Corpus, size: int) -> list[Figures]:
    rows = corpus.grown(size)
    truth = exact_scores(rows, corpus.questions)
    click.echo(f"{size:,} vectors", err=True)
    return [measure(name, make, rows, corpus.questions, truth) for name, make in FORMS.items()]


def _print(figures: list[Figures]) -> None:
    table = Table(title="One question over a whole scope, one thread; vectors of MiniLM")
    for heading, _, _ in COLUMNS:
        table.add_column(heading, justify="left" if heading == "form" else "right")
    for each in figures:
        values = [(getattr(each, field), form) for _, field, form in COLUMNS]
        table.add_row(*("" if value is None else format(value, form) for value, form in values))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
