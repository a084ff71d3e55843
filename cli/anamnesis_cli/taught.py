"""The learned memories in sentences: the newest first, each with the words behind it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import grpc
from rich.cells import cell_len
from rich.console import Console
from rich.markup import render

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.event_pb2 import ROLE_TOOL
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_cli.best_line import best_line
from anamnesis_cli.cut import cut_end
from anamnesis_cli.memories import read_memories
from anamnesis_cli.output import one_line, print_below
from anamnesis_cli.said_by import speaker
from anamnesis_cli.target import Target

SHOWN_MAX = 20
_SOURCES_MAX = 5
_CHARS_MAX = 160
_GAP = "   "


@dataclass(frozen=True, slots=True)
class Taught:
    """A fact, a lesson or a procedure, and why: whose words it rests on, empty if nobody's."""

    statement: str
    because: str = ""


def read_taught(channel: grpc.Channel, target: Target, ids: Sequence[str]) -> Sequence[Taught]:
    """The first of these memories; those that the caller may not see are left out."""
    caller = Caller(user_id=target.user_id)
    last = read_memories(channel, target, caller, ids[:SHOWN_MAX])
    newest = [last[each] for each in ids[:SHOWN_MAX] if each in last]
    sources = read_memories(
        channel, target, caller, (each for memory in newest for each in _source_ids(memory))
    )
    return [_taught(memory, sources) for memory in newest]


def print_taught(to: Console, taught: Iterable[Taught]) -> None:
    """A line each, or two where one is too short for it."""
    for each in taught:
        statement = one_line(each.statement)
        because = one_line(each.because)
        line = f"{statement}{_GAP}[dim]{because}[/]" if because else statement
        if cell_len(render(line).plain) <= to.width:
            to.print(line)
        else:
            to.print(statement)
            print_below(to, f"[dim]{because}[/]" if because else "")


def _taught(memory: Memory, sources: Mapping[str, Memory]) -> Taught:
    """The first source that has words of it is why; else the first one."""
    statement = _statement(memory)
    said = [sources[each] for each in _source_ids(memory) if each in sources]
    for source in said:
        if words := best_line(source.content, statement):
            return Taught(statement, _because(source, words))
    return Taught(statement, _because(said[0], said[0].summary) if said else "")


def _statement(memory: Memory) -> str:
    """A fact's sentence; of what takes many lines its name."""
    name = memory.lesson.title or memory.procedure.name
    return cut_end(name or memory.overview or memory.summary or memory.content, _CHARS_MAX)


def _source_ids(memory: Memory) -> Iterator[str]:
    """The drawers that it was learned from."""
    yield from islice(memory.fact.source_memory_ids, _SOURCES_MAX)
    yield from islice(memory.lesson.evidence_memory_ids, _SOURCES_MAX)


def _because(source: Memory, words: str) -> str:
    verb = "answered" if source.episode.role == ROLE_TOOL else "said"
    return f'because {speaker(source)} {verb}: "{words}"'
