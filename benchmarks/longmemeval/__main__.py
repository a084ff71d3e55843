"""`python -m benchmarks.longmemeval`: runs a file of LongMemEval's through the suite."""

import asyncio
import itertools
from contextlib import nullcontext
from pathlib import Path

import click

from anamnesis_libs.errors import AnamnesisError
from benchmarks.longmemeval import dataset
from benchmarks.longmemeval.answering import Endpoint, Examiner
from benchmarks.longmemeval.report import Report, print_report, write
from benchmarks.longmemeval.run import Options, measure
from benchmarks.recall import embedding
from benchmarks.recall.client import connected
from benchmarks.recall.datasets import DataMissing
from benchmarks.recall.embedding import EmbedderName
from benchmarks.recall.loading import CALLS_AT_ONCE_MAX, RunFailed
from benchmarks.recall.options import budgets_of, depths_of
from benchmarks.recall.suite import SuiteFailed, running_suite

_key_file = click.Path(exists=True, dir_okay=False, path_type=Path)


EXAMPLES = """\
\b
Examples:
  python -m benchmarks.longmemeval longmemeval_s.json --k 5,10 --budgets 500,1000
  python -m benchmarks.longmemeval longmemeval_oracle.json --limit 50 \\
      --reader-url http://127.0.0.1:8000/v1 --reader-model qwen3-8b \\
      --judge-url https://api.openai.com/v1 --judge-model gpt-4o --judge-key-file key
\b
The files are LongMemEval's own: https://github.com/xiaowu0162/LongMemEval
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--k",
    "depths",
    callback=depths_of,
    default="5,10",
    show_default=True,
    help="Depths of recall, with commas between.",
)
@click.option(
    "--budgets",
    callback=budgets_of,
    default="500,1000",
    show_default=True,
    help="The tokens that contexts may have, with commas between.",
)
@click.option("--limit", type=click.IntRange(1), help="Ask the first so many questions alone.")
@click.option("--learn", is_flag=True, help="Learn from the sessions before a question is asked.")
@click.option("--reader-url", help="OpenAI-compatible API of the model that answers.")
@click.option("--reader-model", help="Its name there.")
@click.option("--reader-key-file", type=_key_file, help="File with its key, if it wants one.")
@click.option("--judge-url", help="API of the model that marks (default: the reader's).")
@click.option("--judge-model", help="Its name there (default: the reader's, on the same API).")
@click.option("--judge-key-file", type=_key_file, help="File with its key, if it wants one.")
@click.option(
    "--answer-budget",
    type=int,
    help="One of --budgets: its contexts are answered from (default: the largest).",
)
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=CALLS_AT_ONCE_MAX,
    show_default=True,
    help="Questions at once, and calls at once to each model.",
)
@click.option(
    "--embedder",
    type=click.Choice(embedding.NAMES),
    default="bilingual",
    show_default=True,
    help="The model of the suite, where it is one of its own.",
)
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write figures and answers here."
)
@click.option(
    "--server",
    metavar="HOST:PORT",
    help="A running suite (default: one of its own, on a free port, in a temporary folder).",
)
def main(
    file: Path,
    depths: list[int],
    budgets: list[int],
    limit: int | None,
    learn: bool,
    reader_url: str | None,
    reader_model: str | None,
    reader_key_file: Path | None,
    judge_url: str | None,
    judge_model: str | None,
    judge_key_file: Path | None,
    answer_budget: int | None,
    at_once: int,
    embedder: EmbedderName,
    json_file: Path | None,
    server: str | None,
) -> None:
    """Run FILE, one of LongMemEval's (longmemeval_oracle, _s or _m), through the suite.

    Each question has a namespace of its own, which its history goes into turn by turn. Then, by
    type of question: the sessions and turns with the answer among the first k hits, and contexts
    in which it can be read. It takes no model but the embedder.

    With a reader the question is answered from its context as well, and a judge marks the answer,
    strictly and leniently; a question that cannot be answered is right where the reader says that
    it does not know. A call that fails is told and counted, and the command ends with 1.

    With a server of your own, the histories stay in its namespaces named after FILE and question;
    a second run finds them there.
    """
    reader = _endpoint(reader_url, reader_model, reader_key_file)
    judge = _judge(reader, judge_url, judge_model, judge_key_file)
    if answer_budget is not None and answer_budget not in budgets:
        raise click.UsageError("--answer-budget is none of --budgets")
    options = Options(file.stem, depths, budgets, answer_budget or max(budgets), learn, at_once)
    try:
        next(dataset.read(file), None)  # a file that is none is told before a suite is started
        with nullcontext(server) if server else running_suite(embedder) as address:
            report = asyncio.run(_run(address, file, limit, options, reader, judge))
    except (AnamnesisError, DataMissing, dataset.FileInvalid, RunFailed, SuiteFailed) as failed:
        raise click.ClickException(str(failed)) from failed
    print_report(report)
    if json_file is not None:
        write(report, json_file)
    if report.unmarked:
        count = len(report.unmarked)
        raise click.ClickException(f"{count} of {len(report.asked)} questions have no mark")


def _endpoint(url: str | None, model: str | None, key_file: Path | None) -> Endpoint | None:
    """The reader; none where nothing is said of it."""
    if url and model:
        return Endpoint(url, model, key_file)
    if url or model or key_file:
        raise click.UsageError("a reader needs --reader-url and --reader-model")
    return None


def _judge(
    reader: Endpoint | None, url: str | None, model: str | None, key_file: Path | None
) -> Endpoint | None:
    """The judge; what is not said of it is the reader's, unless it is on another server."""
    if reader is None:
        if url or model or key_file:
            raise click.UsageError("a judge marks what a reader answers: name --reader-url as well")
        return None
    if url in (None, reader.base_url):
        return Endpoint(reader.base_url, model or reader.model, key_file or reader.key_file)
    if model is None:
        raise click.UsageError("a judge on a server of its own needs --judge-model")
    return Endpoint(url, model, key_file)


async def _run(
    address: str,
    file: Path,
    limit: int | None,
    options: Options,
    reader: Endpoint | None,
    judge: Endpoint | None,
) -> Report:
    examiner = None
    if reader is not None and judge is not None:
        examiner = Examiner(reader.load(options.at_once_max), judge.load(options.at_once_max))
    try:
        async with connected(address) as client:
            cases = itertools.islice(dataset.read(file), limit)
            asked = await measure(client, cases, options, examiner)
    finally:
        if examiner is not None:
            await examiner.close()
    return Report(options, asked, examiner.names if examiner else None)


if __name__ == "__main__":
    main()
