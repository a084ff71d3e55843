"""`anamnesis search`: the memories that answer a question, best first."""

from typing import Unpack

import click
import grpc

from anamnesis.retrieval.v1.retrieval_pb2 import Detail
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from libs.cli.call import run
from libs.cli.output import print_json
from libs.cli.params import words
from libs.cli.results import print_results
from libs.cli.scope import Scope, caller_of, memory_filter, scope_options, search_mode
from libs.cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis search what is Mara allergic to
  anamnesis search "deploy failed" --explain --limit 3
  anamnesis search budget --after 2026-03-01 --kind episodic --json
"""


@click.command(
    cls=ClientCommand, epilog=_EPILOG, short_help="Find the memories that answer a question."
)
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
    type=words(Detail.DESCRIPTOR, "DETAIL_"),
    default="l0",
    show_default=True,
    help="One line of each memory, or its overview.",
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
    explain: bool,
    **scope: Unpack[Scope],
) -> None:
    """Find the memories that answer QUERY, best first.

    Words and meaning both count, and so do the turns around a hit. Each result has its score, its
    place in the palace (pointer), when it happened, who spoke, and one line of what was said.
    An option that narrows the search may be repeated where it says "these".
    """
    request = SearchRequest(
        namespace=target.working_namespace,
        query=" ".join(query),
        limit=limit,
        page_token=page_token,
        detail=Detail.Value(f"DETAIL_{detail.upper()}"),
        mode=search_mode(scope),
        filter=memory_filter(scope),
        caller=caller_of(target, scope["as_agent"], scope["as_session"]),
        now=scope["now"],
        as_of=scope["as_of"],
        explain=explain,
        at_least_revision=scope["at_least_revision"],
    )
    answer = run(target, lambda channel: _pages(channel, request, pages, target.timeout_s))
    if target.as_json:
        print_json(answer)
    else:
        print_results(answer, request.namespace, explain)


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
