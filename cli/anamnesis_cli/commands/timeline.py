"""`anamnesis timeline`: all that is known of somebody or something, over time."""

import re

import click
import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.entity_pb2 import Entity, EntityKind
from anamnesis.memory.v1.knowledge_service_pb2 import GetTimelineRequest, GetTimelineResponse
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.dates import known_at_option
from anamnesis_cli.fact_rows import print_facts
from anamnesis_cli.output import console, note, one_line, print_json
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.said_by import Drawers, read_drawers
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

_ID = re.compile(r"e-[0-9a-f]{32}")
_EPILOG = """\
\b
Examples:
  anamnesis timeline Mara
  anamnesis timeline Halden Labs --known-at "May 2021"
  anamnesis timeline e-5d0a7b1c9f3e4d2a8b6c1f0e9d8a7b6c --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("entity", nargs=-1, required=True)
@known_at_option
@page_options("Facts", 50)
@click.option("--wide", is_flag=True, help="Subject, predicate and object too; nothing is cut.")
@caller_options
@target_options
@pass_target
def timeline(
    target: Target,
    entity: tuple[str, ...],
    known_at: Timestamp | None,
    limit: int,
    page_token: str,
    wide: bool,
    as_agent: str,
    as_session: str,
) -> None:
    """Show all facts about ENTITY, past and present, by when they begin.

    ENTITY is one of its names (case, accents and spaces do not matter), or its id. Facts are about
    it where it is their subject or is named by them, also under a name of an entity that was merged
    into it. `anamnesis facts --help` explains the columns and the two times of a fact.
    """
    named = " ".join(entity)
    is_id = bool(_ID.fullmatch(named))
    request = GetTimelineRequest(
        namespace=target.working_namespace,
        entity_id=named if is_id else "",
        name="" if is_id else named,
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
    channel: grpc.Channel, target: Target, request: GetTimelineRequest
) -> tuple[GetTimelineResponse, Drawers]:
    """A page of facts, and what people said that they were taken from."""
    page = KnowledgeServiceStub(channel).GetTimeline(request, timeout=target.timeout_s)
    if target.as_json:
        return page, {}
    return page, read_drawers(channel, target, request.caller, page.facts)


def _print(
    page: GetTimelineResponse, request: GetTimelineRequest, drawers: Drawers, *, wide: bool
) -> None:
    console().print(_head(page.entity))
    if page.facts:
        print_facts(page.facts, drawers, wide=wide)
    elif request.HasField("known_at"):
        note("no facts about it were known at that time; without --known-at there may be some")
    else:
        note("it is mentioned, but there are no facts about it")
    note_more(page.next_page_token)


def _head(entity: Entity) -> str:
    kind = enum_word(EntityKind, entity.kind) if entity.kind else ""
    head = " ".join(filter(None, (f"[bold]{one_line(entity.name)}[/]", kind)))
    other = f", also {one_line(', '.join(entity.aliases))}" if entity.aliases else ""
    return f"{head}{other}  [dim]{one_line(entity.entity_id)}[/]"
