"""`anamnesis search`: the memories that answer a question, best first."""

from collections.abc import Mapping
from typing import Unpack

import click
import grpc

from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.retrieval.v1.retrieval_pb2 import Detail
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_cli.call import error_of, run
from anamnesis_cli.memories import read_memories
from anamnesis_cli.output import print_json
from anamnesis_cli.params import words
from anamnesis_cli.results import SearchHits, print_results
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
from anamnesis_libs.errors import Unimplemented
from anamnesis_libs.rpc.enums import enum_value

_EPILOG = """\
\b
Examples:
  anamnesis search what is Mara allergic to
  anamnesis search "deploy failed" --explain --limit 3
  anamnesis search budget --after 2026-03-01 --kind episodic --json
  anamnesis search "what happened last week" --mode temporal
  anamnesis search "who works with Mara" --mode graph
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=10,
    metavar="N",
    help="Results on a page (default 10).",
)
@click.option(
    "--pages",
    type=click.IntRange(1, 100),
    default=1,
    metavar="N",
    help="Pages to fetch (default 1).",
)
@click.option("--page-token", default="", metavar="TOKEN", help="Go on after an earlier page.")
@click.option(
    "--detail",
    type=words(Detail),
    default="l0",
    show_default=True,
    help="One line of each memory, or its overview.",
)
@click.option(
    "--seed",
    default="",
    metavar="MEMORY_ID",
    help="With --mode graph: begin at this memory (default: at what answers best).",
)
@click.option("--explain", is_flag=True, help="Show every factor of every score.")
@scope_options
@target_options
@pass_target
def search(
    target: Target,
    query: tuple[str, ...],
    limit: int,
    pages: int,
    page_token: str,
    detail: str,
    seed: str,
    explain: bool,
    **scope: Unpack[ScopeOptions],
) -> None:
    """Find the memories that answer QUERY, best first.

    Words and meaning both count, and so do the turns around a hit. Each result has its score, its
    place in the palace (pointer), when it happened, who spoke, and the line of what was said that
    answers best. What was said in the same words again stands below it ("also in"). Results that
    nothing speaks for, with a score of zero or less, are left out; --explain and --json have all.
    An option that narrows the search may be repeated where it says "these".
    """
    request = SearchRequest(
        namespace=target.working_namespace,
        query=" ".join(query),
        limit=limit,
        page_token=page_token,
        detail=enum_value(Detail, detail),
        mode=search_mode(scope),
        ranking=ranking_of(scope),
        seed_memory_id=seed,
        filter=memory_filter(scope),
        caller=caller_of(target, scope["as_agent"], scope["as_session"]),
        now=asked_at(scope),
        time_zone=zone_of_asker(scope),
        as_of=fact_time(scope),
        any_time=of_any_time(scope),
        explain=explain,
        at_least_revision=scope["at_least_revision"],
        rerank=scope["rerank"],
    )
    if target.as_json:
        print_json(run(target, lambda channel: _pages(channel, request, pages, target.timeout_s)))
    else:
        answer, bodies = run(target, lambda channel: _with_bodies(channel, target, request, pages))
        print_results(SearchHits(answer, bodies, request), explain)


def _with_bodies(
    channel: grpc.Channel, target: Target, request: SearchRequest, pages: int
) -> tuple[SearchResponse, Mapping[str, Memory]]:
    """The results, and their memories with all that was said where the server has them."""
    answer = _pages(channel, request, pages, target.timeout_s)
    ids = (result.memory.memory_id for result in answer.results)
    try:
        return answer, read_memories(channel, target, request.caller, ids)
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), Unimplemented):
            return answer, {}
        raise


def _pages(
    channel: grpc.Channel, request: SearchRequest, pages: int, timeout_s: float
) -> SearchResponse:
    """The first pages as if they were one."""
    rpc = RetrievalServiceStub(channel).Search
    answer = rpc(request, timeout=timeout_s)
    for _ in range(pages - 1):
        if not answer.next_page_token:
            break
        request.page_token = answer.next_page_token
        following = rpc(request, timeout=timeout_s)
        answer.MergeFrom(following)
        answer.next_page_token = following.next_page_token
    return answer
