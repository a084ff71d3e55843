"""`anamnesis forget`: single memories are deleted, once a person has seen which."""

from collections.abc import Sequence

import click
import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import DeleteMemoryRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_cli.call import error_of, run
from anamnesis_cli.failures import Failure, WrongUsage
from anamnesis_cli.memories import read_memories
from anamnesis_cli.memory_rows import print_memory_lines
from anamnesis_cli.named_memories import named_memories
from anamnesis_cli.output import console, note, print_json
from anamnesis_cli.scope import caller_of, caller_options, in_sight
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_client.answers import that_say_it
from anamnesis_libs.errors import NotFound

_EPILOG = """\
\b
Examples:
  anamnesis forget 01a201b99e4c9b8e4c9028cf76a4dd8b
  anamnesis forget "§ W-001/R-02/D-007" --yes
  anamnesis forget --query "the code of the old door"
  anamnesis forget --query "the code of the old door" --dry-run --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("names", nargs=-1, metavar="[ID|POINTER]...")
@click.option("--query", default="", metavar="TEXT", help="Those that speak of TEXT.")
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=10,
    metavar="N",
    help="With --query: at most so many, the best first (default 10).",
)
@click.option("--dry-run", is_flag=True, help="Show which they are, and delete nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@caller_options
@target_options
@pass_target
def forget(
    target: Target,
    names: tuple[str, ...],
    query: str,
    limit: int,
    dry_run: bool,
    yes: bool,
    as_agent: str,
    as_session: str,
) -> None:
    """Delete memories for good: those that are named, or those that speak of a query.

    Of what a search for the query finds, those have its words; where none has, its meaning.
    They are shown first, and go when their number is typed, or with --yes. What was derived from
    one of them alone goes with it; what has other sources stays and is marked for review.
    `anamnesis erase` takes away all of a person, an agent or a session; a fact that was never true
    is rather taken back: `anamnesis fact retract`.
    """
    if bool(names) == bool(query):
        raise WrongUsage(
            "memories are named or searched for", "give ids and pointers, or a --query"
        )
    if target.as_json and not (dry_run or yes):
        raise WrongUsage("--json shows nothing to confirm", "give --dry-run first, then --yes")
    caller = caller_of(target, as_agent, as_session)

    def found(channel: grpc.Channel) -> Sequence[Memory]:
        if names:
            return named_memories(channel, target, caller, names)
        return _matching(channel, target, caller, query, limit)

    memories = run(target, found)
    if not target.as_json:
        print_memory_lines(memories)
        if query and len(memories) == limit:
            note(f"there may be more than these {limit}: --limit shows up to 100")
    if memories and not dry_run and not yes:
        _confirm(len(memories), target)
    goes = [] if dry_run else memories
    deleted = run(target, lambda channel: _delete(channel, target, caller, goes))
    _tell(target, caller, memories, deleted, dry_run=dry_run)


def _matching(
    channel: grpc.Channel, target: Target, caller: Caller, query: str, limit: int
) -> Sequence[Memory]:
    """The memories that a search finds and that speak of it themselves, in full."""
    request = SearchRequest(
        namespace=target.working_namespace, query=query, limit=limit, caller=caller
    )
    answer = RetrievalServiceStub(channel).Search(request, timeout=target.timeout_s)
    telling = that_say_it(answer.results, lambda result: result.routes)
    ids = [result.memory.memory_id for result in telling]
    return list(read_memories(channel, target, caller, ids).values())


def _confirm(count: int, target: Target) -> None:
    """Asks for the number of memories to be typed.

    Raises:
        Failure: another answer is given.
    """
    question = f"type {count} and they go from {target.working_namespace} for good"
    if click.prompt(question, default="", show_default=False, err=True) != str(count):
        raise Failure("nothing was deleted", "type the number that is asked for, or give --yes")


def _delete(
    channel: grpc.Channel, target: Target, caller: Caller, memories: Sequence[Memory]
) -> list[str]:
    """Deletes one after another; one that has gone with another is passed over."""
    stub, deleted = MemoryServiceStub(channel), []
    for memory in memories:
        request = DeleteMemoryRequest(
            namespace=target.working_namespace, memory_id=memory.memory_id, caller=caller
        )
        try:
            stub.DeleteMemory(request, timeout=target.timeout_s)
        except grpc.RpcError as failed:
            if not isinstance(error_of(failed, target.server), NotFound):
                raise
        deleted.append(memory.memory_id)
    return deleted


def _tell(
    target: Target,
    caller: Caller,
    memories: Sequence[Memory],
    deleted: Sequence[str],
    *,
    dry_run: bool,
) -> None:
    if target.as_json:
        ids = [memory.memory_id for memory in memories]
        print_json({"memory_ids": ids, "deleted": list(deleted), "dry_run": dry_run})
    elif not memories:
        note(f"nothing relevant {in_sight(target.working_namespace, caller)}")
    elif dry_run:
        note(f"{len(memories):,} would be deleted; --yes, or their number typed, deletes them")
    else:
        console().print(f"deleted {len(deleted):,}, with what was derived from them alone")
