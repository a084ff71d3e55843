"""`python -m benchmarks.everyday`: asks small memories everyday questions, prints what is told."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from anamnesis_libs.errors import AnamnesisError
from benchmarks.everyday.advice import read_advice
from benchmarks.everyday.client import connected
from benchmarks.everyday.questions import Person, Question, read_people, read_questions
from benchmarks.everyday.report import document, print_blocks, print_report
from benchmarks.everyday.run import Part, ask
from benchmarks.everyday.spaces import Filling
from benchmarks.options import data_option
from benchmarks.recall import embedding
from benchmarks.recall.datasets import DataMissing
from benchmarks.recall.embedding import EmbedderName
from benchmarks.recall.loading import RunFailed, check_model
from benchmarks.recall.options import budgets_of
from benchmarks.recall.suite import ROOT, SuiteFailed, running_suite

TEST_DATA = ROOT / "tests" / "data"
CHAT_BUDGETS, PAGE_BUDGETS, LOG_BUDGETS = (300,), (300,), (400,)


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a run to chats, talks, pages and logs; a part without any is left out."""

    people: Sequence[Person]
    of_advice: Sequence[Person]
    of_pages: Sequence[Question]
    of_logs: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Options:
    """The folders of pages and logs; the budgets, None for those of each part; learning first."""

    docs: Path
    data_dir: Path
    budgets: list[int] | None
    learn: bool


def _budgets(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> list[int] | None:
    return None if value is None else budgets_of(context, parameter, value)


@click.command()
@click.argument("chats", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--held", is_flag=True, help="The chats kept for final figures.")
@click.option(
    "--docs",
    type=click.Path(file_okay=False, path_type=Path),
    help="Ask the .md pages of this folder.",
)
@click.option(
    "--questions",
    type=click.Path(dir_okay=False, path_type=Path),
    default=TEST_DATA / "docs" / "questions.jsonl",
    help="The questions to the pages.",
)
@click.option("--advice", is_flag=True, help="Ask for advice that a liking bears on.")
@click.option("--logs", is_flag=True, help="Ask coding logs.")
@click.option(
    "--log-questions",
    type=click.Path(dir_okay=False, path_type=Path),
    default=TEST_DATA / "handover" / "questions.jsonl",
    help="The questions to the logs.",
)
@data_option("the logs and the talks for --advice")
@click.option(
    "--budget",
    "budgets",
    callback=_budgets,
    help="Tokens, with commas between (default: 300, for logs 400).",
)
@click.option("--learn", is_flag=True, help="Learn before anything is asked.")
@click.option("--show", is_flag=True, help="Print each question with its context.")
@click.option(
    "--embedder",
    type=click.Choice(embedding.NAMES),
    default="bilingual",
    show_default=True,
    help="The model of suite and plain blocks.",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the counts here.")
@click.option("--server", metavar="HOST:PORT", help="A running suite (default: one of its own).")
def main(
    chats: Path | None,
    held: bool,
    docs: Path | None,
    questions: Path,
    advice: bool,
    logs: bool,
    log_questions: Path,
    data_dir: Path,
    budgets: list[int] | None,
    learn: bool,
    show: bool,
    embedder: EmbedderName,
    json_file: Path | None,
    server: str | None,
) -> None:
    """Ask CHATS of a few people (default: tests/data/everyday/dev.json), talks, pages, logs."""
    if held and (show or chats):
        raise click.UsageError("the held chats are one file, which nobody reads")
    if chats is None and (held or not (docs or advice or logs)):
        chats = TEST_DATA / "everyday" / ("held.json" if held else "dev.json")
    options = Options(docs or Path(), data_dir, budgets, learn)
    try:
        asked = Asked(
            people=read_people(chats) if chats else (),
            of_advice=read_advice(data_dir) if advice else (),
            of_pages=read_questions(questions) if docs else (),
            of_logs=read_questions(log_questions) if logs else (),
        )
        with nullcontext(server) if server else running_suite(embedder) as address:
            parts = asyncio.run(_run(address, embedder, asked, options))
    except (AnamnesisError, DataMissing, RunFailed, SuiteFailed) as failed:
        raise click.ClickException(str(failed)) from failed
    if show:
        print_blocks(parts)
    print_report(parts)
    if json_file is not None:
        text = json.dumps(document(parts), ensure_ascii=False, indent=2)
        json_file.write_text(f"{text}\n", encoding="utf-8")


async def _run(address: str, embedder: EmbedderName, asked: Asked, options: Options) -> list[Part]:
    async with connected(address) as client, embedding.vectors(embedder) as vectors:
        filling = Filling(client, vectors, address, options.learn)
        parts = []
        for name, people in (("chats", asked.people), ("advice", asked.of_advice)):
            if people:
                chats = await filling.chats(people)
                await check_model(client, vectors, [space.namespace for space in chats])
                parts.append(await ask(client, name, chats, options.budgets or CHAT_BUDGETS))
        if asked.of_pages:
            pages = await filling.pages(options.docs, asked.of_pages)
            parts.append(await ask(client, "pages", pages, options.budgets or PAGE_BUDGETS))
        if asked.of_logs:
            logs = await filling.logs(options.data_dir, asked.of_logs)
            parts.append(await ask(client, "logs", logs, options.budgets or LOG_BUDGETS))
        return parts


if __name__ == "__main__":
    main()
