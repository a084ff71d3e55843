"""`anamnesis activity`: what was learned, from what, when."""

from collections.abc import Iterable, Iterator, Mapping

import click
import grpc
from rich.console import Console
from rich.tree import Tree

from anamnesis.memory.v1.memory_pb2 import MEMORY_STATUS_ARCHIVED, FactKind, Memory, MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import ListActivityRequest, ListActivityResponse
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.segment_pb2 import Activity
from anamnesis_cli.call import run
from anamnesis_cli.cut import cut_end
from anamnesis_cli.memories import read_memories
from anamnesis_cli.output import (
    Json,
    as_dict,
    console,
    is_narrow,
    moment,
    note,
    one_line,
    print_below,
    print_json,
)
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

_CHARS_MAX = 300
_WORDS = {"semantic": "fact", "learning": "lesson", "procedural": "procedure"}
_EPILOG = """\
\b
Examples:
  anamnesis activity -n team-a
  anamnesis activity --session support-4711 --limit 100
  anamnesis activity --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--session", default="", metavar="ID", help="Only from this session.")
@page_options("Tasks", 20)
@caller_options
@target_options
@pass_target
def activity(
    target: Target,
    session: str,
    limit: int,
    page_token: str,
    as_agent: str,
    as_session: str,
) -> None:
    """Show what was learned from which task of which session, and when; newest first.

    Each task has its facts, lessons and procedures as they are now ("archived" where the task was
    cut anew since), and below them how many things were refused, by reason: what the cited words do
    not support, what a system prompt said, what was put into the conversation from memory.
    """
    request = ListActivityRequest(
        namespace=target.working_namespace,
        session_id=session,
        page_size=limit,
        page_token=page_token,
        caller=caller_of(target, as_agent, as_session),
    )
    page, memories = run(target, lambda channel: _read(channel, target, request))
    if target.as_json:
        print_json(_as_json(page, memories))
    else:
        _print(page, memories, target)


def _read(
    channel: grpc.Channel, target: Target, request: ListActivityRequest
) -> tuple[ListActivityResponse, dict[str, Memory]]:
    """A page, and the memories it names."""
    page = MemoryServiceStub(channel).ListActivity(request, timeout=target.timeout_s)
    ids = (each for done in page.activities for each in done.memory_ids)
    return page, read_memories(channel, target, request.caller, ids)


def _as_json(page: ListActivityResponse, memories: Mapping[str, Memory]) -> Json:
    activities = [
        {**as_dict(done), "memories": [as_dict(memory) for memory in _of(done, memories)]}
        for done in page.activities
    ]
    return {"activities": activities, "next_page_token": page.next_page_token}


def _print(page: ListActivityResponse, memories: Mapping[str, Memory], target: Target) -> None:
    if not page.activities:
        note(
            f"nothing was learned in namespace {target.working_namespace} yet; `anamnesis learn` "
            "learns now from what is there"
        )
    to = console()
    for done in page.activities:
        if is_narrow(to):
            _print_block(to, done, memories)
        else:
            to.print(_tree(done, memories))
    note_more(page.next_page_token)


def _tree(done: Activity, memories: Mapping[str, Memory]) -> Tree:
    tree = Tree(_head(done))
    for memory in _of(done, memories):
        tree.add(f"{_said(memory)}  {_identity(memory)}")
    for told in _beside(done, memories):
        tree.add(told)
    return tree


def _print_block(to: Console, done: Activity, memories: Mapping[str, Memory]) -> None:
    to.print(_head(done))
    for memory in _of(done, memories):
        print_below(to, _said(memory), _identity(memory))
    print_below(to, *_beside(done, memories))


def _head(done: Activity) -> str:
    head = f"[bold]{moment(done.time)}[/]  {one_line(done.topic or 'a task')}"
    return f"{head}\n[dim]session {one_line(done.session_id)}, by {one_line(done.extractor)}[/]"


def _said(memory: Memory) -> str:
    return f"[bold]{_kind(memory)}[/]: {one_line(cut_end(_statement(memory), _CHARS_MAX))}"


def _statement(memory: Memory) -> str:
    """A lesson is what happened and what helped, a procedure its name and how long it is."""
    lesson, procedure = memory.lesson, memory.procedure
    if lesson.title:
        return f"{lesson.title} → {lesson.resolution}" if lesson.resolution else lesson.title
    if procedure.name:
        return f"{procedure.name} ({len(procedure.steps)} steps)"
    return memory.overview or memory.summary or memory.content


def _identity(memory: Memory) -> str:
    archived = " archived" if memory.status == MEMORY_STATUS_ARCHIVED else ""
    return f"[dim]{one_line(memory.memory_id)}{archived}[/]"


def _beside(done: Activity, memories: Mapping[str, Memory]) -> Iterator[str]:
    """Lines beside the memories: hidden ones, refusals, or that nothing was worth keeping."""
    hidden = len(done.memory_ids) - sum(each in memories for each in done.memory_ids)
    if hidden:
        yield f"[dim]{hidden} more that you may not see[/]"
    if done.refusals:
        counts = (f"{each.count:,} {each.reason.replace('_', ' ')}" for each in done.refusals)
        yield f"[dim]refused: {one_line(', '.join(counts))}[/]"
    if not (done.memory_ids or done.refusals):
        yield "[dim]nothing worth keeping[/]"


def _of(done: Activity, memories: Mapping[str, Memory]) -> Iterable[Memory]:
    return (memories[each] for each in done.memory_ids if each in memories)


def _kind(memory: Memory) -> str:
    name = enum_word(MemoryKind, memory.kind)
    word = _WORDS.get(name, name)
    if not memory.fact.fact_kind:
        return word
    return f"{word}, {enum_word(FactKind, memory.fact.fact_kind)}"
