"""`anamnesis entities`: who and what is known by name."""

import click

from anamnesis.memory.v1.entity_pb2 import Entity, EntityKind
from anamnesis.memory.v1.knowledge_service_pb2 import ListEntitiesRequest, ListEntitiesResponse
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.output import (
    console,
    is_narrow,
    moment,
    new_table,
    note,
    one_line,
    print_below,
    print_json,
)
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.params import words
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_value, enum_word

_EPILOG = """\
\b
Examples:
  anamnesis entities
  anamnesis entities --kind person --limit 200
  anamnesis entities --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--kind", type=words(EntityKind), help="Only of this kind.")
@page_options("Entities", 50)
@caller_options
@target_options
@pass_target
def entities(
    target: Target, kind: str | None, limit: int, page_token: str, as_agent: str, as_session: str
) -> None:
    """List the people, projects, places and things that memories mention, each once.

    They come in the order of their ids, with other names of theirs and how often memories that you
    may see mention them. `anamnesis timeline NAME` has the facts about one, `anamnesis graph
    --around NAME` what stands around it.
    """
    request = ListEntitiesRequest(
        namespace=target.working_namespace,
        kind=enum_value(EntityKind, kind),
        page_size=limit,
        page_token=page_token,
        caller=caller_of(target, as_agent, as_session),
    )
    page = run(
        target,
        lambda channel: KnowledgeServiceStub(channel).ListEntities(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(page)
    else:
        _print(page, target)


def _print(page: ListEntitiesResponse, target: Target) -> None:
    to = console()
    table = new_table("name", "kind", "mentions", "last", "also", "entity")
    table.columns[-1].no_wrap = True
    for entity in page.entities:
        name, kind, mentions, last, also, entity_id = _cells(entity)
        if is_narrow(to):
            to.print(f"[bold]{name}[/] {kind}, {mentions} mentions, last {last}")
            print_below(to, f"also {also}" if also else "", f"[dim]{entity_id}[/]")
        else:
            table.add_row(name, kind, mentions, last, also, f"[dim]{entity_id}[/]")
    if table.row_count:
        to.print(table)
    if not page.entities:
        note(f"nobody and nothing is named in namespace {target.working_namespace} yet")
    note_more(page.next_page_token)


def _cells(entity: Entity) -> tuple[str, ...]:
    return (
        one_line(entity.name),
        enum_word(EntityKind, entity.kind) if entity.kind else "-",
        f"{entity.mention_count:,}",
        moment(entity.last_mention_time) if entity.HasField("last_mention_time") else "-",
        one_line(", ".join(entity.aliases)),
        one_line(entity.entity_id),
    )
