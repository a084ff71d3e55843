"""`python -m benchmarks.large`: sizes by ways to search, as a table; or where the time goes."""

import cProfile
import json
import pstats
from pathlib import Path

import click
import faiss
from rich.console import Console
from rich.table import Table

from anamnesis_libs.index.memory_index import MemoryIndex
from benchmarks.large.corpus import Life, life
from benchmarks.large.measure import Figures, measure, queries_of
from benchmarks.options import data_option

SHOWN_MAX = 30


@click.command()
@data_option("locomo-dev.json")
@click.option("--sizes", default="1000,10000,100000", show_default=True, help="Memories.")
@click.option("--profile", is_flag=True, help="Show where the time of a search goes instead.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures too.")
def main(data_dir: Path, sizes: str, profile: bool, json_file: Path | None) -> None:
    """Time searches of one large scope in the index alone: one thread, the static model."""
    faiss.omp_set_num_threads(1)
    told = life(data_dir)
    if profile:
        for size in sizes.split(","):
            _profile(told, int(size))
        return
    figures = [one for size in sizes.split(",") for one in measure(told, int(size))]
    _print(figures)
    if json_file is not None:
        json_file.write_text(json.dumps([_document(each) for each in figures], indent=1))


def _profile(told: Life, memories: int) -> None:
    index = MemoryIndex(told.model.dimension)
    for batch in told.batches(memories):
        index.put(batch)
    queries = queries_of(told)
    index.find(queries[0])
    profile = cProfile.Profile()
    for query in queries:
        profile.runcall(index.find, query)
    click.echo(f"{memories:,} memories, {len(queries)} searches")
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(SHOWN_MAX)


def _print(figures: list[Figures]) -> None:
    table = Table(
        "memories", "way", "p50 ms", "p95 ms", "cpu ms", "after a write p50", "cpu",
        "recall@10", "resident MiB", "index MiB", "trained s",
        title="One search of one scope, in the index; one thread",
    )  # fmt: skip
    for column in table.columns:
        column.justify = "right"
    for each in figures:
        table.add_row(
            f"{each.memories:,}",
            each.way,
            f"{each.search.wall(0.5):.1f}",
            f"{each.search.wall(0.95):.1f}",
            f"{each.search.cpu:.1f}",
            f"{each.after_write.wall(0.5):.1f}",
            f"{each.after_write.cpu:.1f}",
            f"{each.recall:.3f}",
            f"{each.resident_mib:,.0f}",
            f"{each.index_mib:,.0f}",
            f"{each.trained_s:.1f}",
        )
    Console(width=140).print(table)


def _document(figures: Figures) -> dict[str, object]:
    return {
        "memories": figures.memories,
        "way": figures.way,
        "p50_ms": figures.search.wall(0.5),
        "p95_ms": figures.search.wall(0.95),
        "cpu_ms": figures.search.cpu,
        "after_write_p50_ms": figures.after_write.wall(0.5),
        "after_write_cpu_ms": figures.after_write.cpu,
        "recall_at_10": figures.recall,
        "resident_mib": figures.resident_mib,
        "index_mib": figures.index_mib,
        "trained_s": figures.trained_s,
    }


if __name__ == "__main__":
    main()
