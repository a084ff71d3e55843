"""`anamnesis context`: the best memories as one block of text for a prompt."""

import sys
from typing import Unpack

import click

from anamnesis.retrieval.v1.retrieval_service_pb2 import BuildContextRequest, ContextFormat
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.context_notes import BUDGET_MAX, LIMIT_MAX, note_context, print_explained
from anamnesis_cli.output import print_json
from anamnesis_cli.params import words
from anamnesis_cli.scope import (
    ScopeOptions,
    asked_at,
    caller_of,
    fact_time,
    memory_filter,
    of_any_time,
    ranking_of,
    scope_options,
    search_mode,
    zone_of_asker,
)
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.controls import visible
from anamnesis_libs.rpc.enums import enum_value

_EPILOG = """\
\b
Examples:
  anamnesis context "plan the trip to Hangzhou" --budget 400
  anamnesis context "how do we deploy?" > block.md
  anamnesis context --budget 600
  anamnesis context "where do I live?" --user ada --explain
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(1, LIMIT_MAX),
    metavar="N",
    help="Most memories (default: as many as fit).",
)
@click.option(
    "--budget",
    type=click.IntRange(1, BUDGET_MAX),
    metavar="TOKENS",
    help="Most tokens, as o200k_base counts them (default: what the policy says, else 1024).",
)
@click.option(
    "--format",
    "written",
    type=words(ContextFormat),
    default="markdown",
    show_default=True,
    help="Lines by day, or one JSON object a line.",
)
@click.option("--pointers", is_flag=True, help="Write each memory's pointer before it.")
@click.option(
    "--exclude-shown",
    is_flag=True,
    help="Leave out what was told whole to --as-session with this option before, if unchanged.",
)
@click.option(
    "--explain", is_flag=True, help="Tell beside the block why each line is there and its tokens."
)
@scope_options
@target_options
@pass_target
def context(
    target: Target,
    query: tuple[str, ...],
    limit: int | None,
    budget: int | None,
    written: str,
    pointers: bool,
    exclude_shown: bool,
    explain: bool,
    **scope: Unpack[ScopeOptions],
) -> None:
    """Print what is worth knowing about QUERY as one block for a prompt; without it a brief.

    A brief is for a session that begins: rules, the newest facts and lessons, where one stopped.

    The block alone goes to standard output, so that it can be redirected; its size and what did
    not fit are told beside it. It is never over its budget, and empty where nothing is relevant.
    """
    request = BuildContextRequest(
        namespace=target.working_namespace,
        query=" ".join(query),
        limit=limit or 0,
        token_budget=budget or 0,
        pointers=pointers,
        exclude_shown=exclude_shown,
        format=enum_value(ContextFormat, written),
        mode=search_mode(scope),
        ranking=ranking_of(scope),
        filter=memory_filter(scope),
        caller=caller_of(target, scope["as_agent"], scope["as_session"]),
        now=asked_at(scope),
        time_zone=zone_of_asker(scope),
        as_of=fact_time(scope),
        any_time=of_any_time(scope),
        at_least_revision=scope["at_least_revision"],
        rerank=scope["rerank"],
    )
    answer = run(
        target,
        lambda channel: RetrievalServiceStub(channel).BuildContext(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(answer)
        return
    if answer.text:
        # To a file or another program the block goes as it is, to a terminal without controls.
        click.echo(visible(answer.text) if sys.stdout.isatty() else answer.text, color=True)
    if explain and answer.text:
        print_explained(answer)
    note_context(answer, request)
