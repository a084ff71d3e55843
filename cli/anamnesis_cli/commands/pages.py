"""`anamnesis pages`: the views of what is remembered, and the page of one subject."""

import re

import click

from anamnesis.cluster.v1.projection_pb2 import Projection, ProjectionType
from anamnesis.cluster.v1.projection_service_pb2 import (
    GetKnowledgePageRequest,
    ListProjectionsRequest,
    ListProjectionsResponse,
)
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.memory.v1.entity_pb2 import EntityKind
from anamnesis_cli.call import run
from anamnesis_cli.output import console, new_table, note, one_line, print_json, printable
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

_ID = re.compile(r"e-[0-9a-f]{32}")
_EPILOG = """\
\b
Examples:
  anamnesis pages list
  anamnesis pages show Mara
  anamnesis pages show Halden Labs > halden-labs.md
"""


@click.group(epilog=_EPILOG)
def pages() -> None:
    """Read what is known of a person, a project or a place as one page.

    A page has the facts that hold now, open points, what was before, what happened, and lessons,
    with their sources. It is made of what memory holds when you ask, without a model: what was
    erased or is not yours to see is not on it.
    """


@pages.command("list", cls=ClientCommand)
@page_options("Pages", 50)
@caller_options
@target_options
@pass_target
def list_pages(target: Target, limit: int, page_token: str, as_agent: str, as_session: str) -> None:
    """List what can be shown: profile, episodes, tasks, tools, and a page for each name.

    The size of a page is how many memories that you may see mention its subject.
    """
    request = ListProjectionsRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        page_size=limit,
        page_token=page_token,
    )
    page = run(
        target,
        lambda channel: ProjectionServiceStub(channel).ListProjections(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(page)
    else:
        _print(page, target)


@pages.command("show", cls=ClientCommand)
@click.argument("subject", nargs=-1, required=True)
@caller_options
@target_options
@pass_target
def show_page(target: Target, subject: tuple[str, ...], as_agent: str, as_session: str) -> None:
    """Print the page of SUBJECT, one of its names or its id, as Markdown."""
    named = " ".join(subject)
    is_id = bool(_ID.fullmatch(named))
    request = GetKnowledgePageRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        entity_id=named if is_id else "",
        name="" if is_id else named,
    )
    answer = run(
        target,
        lambda channel: ProjectionServiceStub(channel).GetKnowledgePage(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(answer)
    else:
        console().print(printable(answer.page.markdown), soft_wrap=True, end="")
        if not answer.page.sections:
            name = one_line(answer.page.entity.name)
            note(f"{name} is mentioned, but nothing is known of it yet")


def _print(page: ListProjectionsResponse, target: Target) -> None:
    table = new_table("page", "what", "size", "id")
    table.columns[-1].no_wrap = True
    for view in page.projections:
        table.add_row(*_cells(view))
    if page.projections:
        console().print(table)
    else:
        note(f"nothing is known in namespace {target.working_namespace} yet")
    note_more(page.next_page_token)


def _cells(view: Projection) -> tuple[str, ...]:
    kind = enum_word(ProjectionType, view.type).replace("_", " ")
    of = enum_word(EntityKind, view.entity_kind) if view.entity_kind else ""
    return (
        one_line(view.title),
        of or kind,
        f"{view.size:,}",
        f"[dim]{one_line(view.key)}[/]",
    )
