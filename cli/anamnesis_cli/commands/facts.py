"""`anamnesis facts`: what is known, from when until when, and how sure it is."""

import click
import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.knowledge_service_pb2 import ListFactsRequest, ListFactsResponse
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.dates import WrittenDate, known_at_option
from anamnesis_cli.fact_rows import print_facts
from anamnesis_cli.output import note, print_json
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.said_by import Drawers, read_drawers
from anamnesis_cli.scope import caller_of, caller_options, in_sight
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis facts --subject Mara
  anamnesis facts --subject Mara --wide
  anamnesis facts --subject Mara --predicate lives_in --as-of 2021-03-01
  anamnesis facts --as-of "31 May 2021" --known-at 2022
  anamnesis facts --predicate works_at --object "Halden Labs" --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option(
    "--subject", default="", metavar="NAME", help="Subject of the facts: any of its names."
)
@click.option(
    "--predicate", default="", metavar="WORD", help="Predicate of the facts, e.g. lives_in."
)
@click.option("--object", "object_", default="", metavar="TEXT", help="Object of the facts.")
@click.option(
    "--as-of",
    type=WrittenDate(),
    metavar="TIME",
    help="Only what held at TIME; a date is its first instant.",
)
@known_at_option
@page_options("Facts", 50)
@click.option("--wide", is_flag=True, help="Subject, predicate and object too; nothing is cut.")
@caller_options
@target_options
@pass_target
def facts(
    target: Target,
    subject: str,
    predicate: str,
    object_: str,
    as_of: Timestamp | None,
    known_at: Timestamp | None,
    limit: int,
    page_token: str,
    wide: bool,
    as_agent: str,
    as_session: str,
) -> None:
    """Show facts by when they begin: past ones, those that hold, and those to come.

    A fact has two times. `--as-of` asks when it held: where Mara lived in March 2021. `--known-at`
    asks what was known: where we thought, in 2022, that she had lived then. Without the first,
    facts of all times are shown; without the second, they are shown as they are known now.

    "until" is the first instant at which a fact holds no more; what happened once, an event or an
    experience, has only its date. A fact is (superseded) where a later one gave it its end,
    (contradicted) where another begins when it does, and (needs review) where something that it was
    derived from has changed. Case and spaces do not matter in any name.
    """
    request = ListFactsRequest(
        namespace=target.working_namespace,
        subject=subject,
        predicate=predicate,
        object=object_,
        as_of=as_of,
        known_at=known_at,
        page_size=limit,
        page_token=page_token,
        caller=caller_of(target, as_agent, as_session),
    )
    page, drawers = run(target, lambda channel: _read(channel, target, request))
    if target.as_json:
        print_json(page)
    else:
        _print(page, request, drawers, wide=wide)


def _read(
    channel: grpc.Channel, target: Target, request: ListFactsRequest
) -> tuple[ListFactsResponse, Drawers]:
    """A page of facts, and what people said that they were taken from."""
    page = KnowledgeServiceStub(channel).ListFacts(request, timeout=target.timeout_s)
    if target.as_json:
        return page, {}
    return page, read_drawers(channel, target, request.caller, page.facts)


def _print(
    page: ListFactsResponse, request: ListFactsRequest, drawers: Drawers, *, wide: bool
) -> None:
    if page.facts:
        print_facts(page.facts, drawers, wide=wide)
    else:
        note(_nothing(request))
    note_more(page.next_page_token)


def _nothing(request: ListFactsRequest) -> str:
    """The reason why no fact is found, and something to try."""
    where = in_sight(request.namespace, request.caller)
    if request.HasField("as_of") or request.HasField("known_at"):
        return f"no such fact {where} at that time; without --as-of and --known-at all are shown"
    if request.subject or request.predicate or request.object:
        return f"no such fact {where}; `anamnesis facts` without options shows all"
    return f"no facts {where}; `anamnesis learn` learns them from what was said"
