"""`python -m benchmarks.recall`: runs the suite and the baselines, prints how they compare."""

import asyncio
from contextlib import nullcontext
from pathlib import Path

import click

from anamnesis_cli.output import note
from anamnesis_libs.errors import AnamnesisError
from benchmarks.options import data_option
from benchmarks.recall import datasets, document, embedding, plot
from benchmarks.recall.client import connected
from benchmarks.recall.contexts import BUDGETS
from benchmarks.recall.conversations import Dataset
from benchmarks.recall.embedding import EmbedderName
from benchmarks.recall.loading import CALLS_AT_ONCE_MAX, RunFailed
from benchmarks.recall.options import budgets_of
from benchmarks.recall.report import print_report
from benchmarks.recall.results import RunResult
from benchmarks.recall.run import Options, measure
from benchmarks.recall.suite import SuiteFailed, running_suite


def _names(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    """The sets named, in the order of the program."""
    asked = {name.strip() for name in value.split(",")}
    if unknown := asked - set(datasets.NAMES):
        raise click.BadParameter(
            f"no set is called {', '.join(sorted(unknown))}; there are {', '.join(datasets.NAMES)}"
        )
    return [name for name in datasets.NAMES if name in asked]


@click.command()
@data_option("locomo-dev.json, beam-dev.json and zh-dev.json")
@click.option(
    "--sets",
    "names",
    callback=_names,
    default=",".join(datasets.NAMES),
    show_default=True,
    help="The sets to run, with commas between.",
)
@click.option(
    "--embedder",
    type=click.Choice(embedding.NAMES),
    default="bilingual",
    show_default=True,
    help="The model of suite and baselines.",
)
@click.option(
    "--budgets",
    callback=budgets_of,
    default=",".join(map(str, BUDGETS)),
    show_default=True,
    help="The tokens that contexts may have, with commas between.",
)
@click.option(
    "--contexts-only",
    is_flag=True,
    help="Contexts beside plain lines, without the baselines that rank.",
)
@click.option(
    "--learn",
    is_flag=True,
    help="Learn from the sessions first: what was learned takes its place among the hits.",
)
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the figures here."
)
@click.option("--plot", "plot_file", type=click.Path(path_type=Path), help="Draw any@10 here.")
@click.option(
    "--server",
    metavar="HOST:PORT",
    help="A running suite (default: one of its own, on a free port, in a temporary folder).",
)
def main(
    data_dir: Path,
    names: list[str],
    embedder: EmbedderName,
    budgets: list[int],
    contexts_only: bool,
    learn: bool,
    json_file: Path | None,
    plot_file: Path | None,
    server: str | None,
) -> None:
    """Measure how often the turn that answers a question is found, beside plain baselines.

    Contexts are measured by what can be read in them, beside plain whole lines.

    With a server of your own, the conversations stay in its namespaces named recall-*; a second
    run finds them there.
    """
    if contexts_only and plot_file is not None:
        raise click.UsageError("--plot draws the baselines: leave --contexts-only out")
    try:
        sets = [datasets.load(name, data_dir) for name in names]
        with nullcontext(server) if server else running_suite(embedder) as address:
            options = Options(budgets, learn=learn, with_baselines=not contexts_only)
            run = asyncio.run(_run(address, embedder, sets, options))
    except (AnamnesisError, RunFailed, SuiteFailed, datasets.DataMissing) as failed:
        raise click.ClickException(str(failed)) from failed
    print_report(run)
    if json_file is not None:
        document.write(run, json_file)
    if plot_file is not None:
        _draw(run, plot_file)


async def _run(
    address: str, embedder: EmbedderName, sets: list[Dataset], options: Options
) -> RunResult:
    async with connected(address) as client, embedding.vectors(embedder) as vectors:
        results = [await measure(client, vectors, dataset, options) for dataset in sets]
        return RunResult(embedder, vectors.model, CALLS_AT_ONCE_MAX, results)


def _draw(run: RunResult, path: Path) -> None:
    if plot.is_available():
        plot.write(run, path)
    else:
        note(f"no picture at {path}: matplotlib is not installed (it comes with the extra `bench`)")


if __name__ == "__main__":
    main()
