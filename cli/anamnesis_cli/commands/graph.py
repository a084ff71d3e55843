"""`anamnesis graph`: what lies around an entity, as a tree or as a picture."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
import grpc

from anamnesis.memory.v1.entity_pb2 import Entity, EntityKind
from anamnesis.memory.v1.knowledge_service_pb2 import (
    GetEntityRequest,
    TraverseRequest,
    TraverseResponse,
)
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.failures import Failure
from anamnesis_cli.graphs.neighbourhood import Neighbourhood, gathered
from anamnesis_cli.graphs.tree import tree
from anamnesis_cli.output import as_dict, console, note, print_json
from anamnesis_cli.params import words
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_value

NODES_MAX = 2000
_ID = re.compile(r"e-[0-9a-f]{32}")
_EPILOG = """\
\b
Examples:
  anamnesis graph --around Mara
  anamnesis graph --around Mara --hops 4 --png mara.png
  anamnesis graph --around 林悦 --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--around", required=True, metavar="ENTITY", help="Name or id of the entity.")
@click.option(
    "--kind",
    type=words(EntityKind),
    help="Kind of the entity, if several have the name.",
)
@click.option(
    "--hops",
    type=click.IntRange(1, 8),
    default=2,
    show_default=True,
    help="Steps: 2 reach the facts about it and whom they name, 4 the facts about those.",
)
@click.option(
    "--png",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Draw a picture too; needs the extra `pictures`.",
)
@caller_options
@target_options
@pass_target
def graph(
    target: Target,
    around: str,
    kind: str | None,
    hops: int,
    png: Path | None,
    as_agent: str,
    as_session: str,
) -> None:
    """Show an entity with the facts about it, whom they name, and who is mentioned beside it."""
    caller = caller_of(target, as_agent, as_session)
    asked = GetEntityRequest(namespace=target.working_namespace, caller=caller)
    if _ID.fullmatch(around):
        asked.entity_id = around
    else:
        asked.name = around
        asked.kind = enum_value(EntityKind, kind)
    entity, walked = run(target, lambda channel: _walked(channel, target, asked, hops))
    found = gathered(entity, walked.nodes, datetime.now(UTC))
    if target.as_json:
        print_json({"entity": as_dict(entity), "around": as_dict(walked)})
    else:
        console().print(tree(found))
    if walked.truncated and walked.truncated != "hops":
        note(f"there is more: the walk ended by its bound on {walked.truncated}")
    if png is not None:
        for told in _drawn(found, png):
            note(told)
        note(f"drawn: {png}")


def _walked(
    channel: grpc.Channel, target: Target, asked: GetEntityRequest, hops: int
) -> tuple[Entity, TraverseResponse]:
    stub = KnowledgeServiceStub(channel)
    entity = stub.GetEntity(asked, timeout=target.timeout_s).entity
    request = TraverseRequest(
        namespace=asked.namespace,
        caller=asked.caller,
        start_ids=[entity.entity_id],
        hops_max=hops,
        nodes_max=NODES_MAX,
        time_ms_max=round(min(target.timeout_s, 30) * 1000),
    )
    return entity, stub.Traverse(request, timeout=target.timeout_s)


def _drawn(found: Neighbourhood, png: Path) -> Sequence[str]:
    try:
        from anamnesis_cli.graphs.picture import draw

        return draw(found, png)
    except ImportError as missing:
        raise Failure(
            f"a picture needs matplotlib, which is not installed ({missing.name})",
            "pip install 'anamnesis-suite[pictures]'",
        ) from missing
    except OSError as failed:
        raise Failure(
            f"{png} cannot be written: {failed.strerror}", "name another file"
        ) from failed
