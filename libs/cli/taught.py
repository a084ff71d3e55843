"""What was learned, in sentences: the newest first, each with the words it was learned from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import grpc
from rich.cells import cell_len
from rich.console import Console
from rich.markup import render

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.event_pb2 import Role
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.segment_pb2 import Activity
from libs.cli.best_line import best_line
from libs.cli.memories import read_memories
from libs.cli.output import one_line, print_below
from libs.cli.target import Target

SHOWN_MAX = 20
_SOURCES_MAX = 5
_GAP = "   "


@dataclass(frozen=True, slots=True)
class Taught:
    """A fact, a lesson or a procedure; `words` of `speaker` are why, empty where nobody said so."""

    statement: str
    speaker: str
    words: str


def read_taught(
    channel: grpc.Channel, target: Target, activities: Iterable[Activity]
) -> Sequence[Taught]:
    """The last ones of what was learned; those that the caller may not see are left out."""
    caller = Caller(user_id=target.user_id)
    ids = [each for done in activities for each in done.memory_ids]
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
        because = one_line(f'because {each.speaker} said: "{each.words}"') if each.words else ""
        line = f"{statement}{_GAP}[dim]{because}[/]" if because else statement
        if cell_len(render(line).plain) <= to.width:
            to.print(line)
        else:
            to.print(statement)
            print_below(to, f"[dim]{because}[/]" if because else "")


def _taught(memory: Memory, sources: Mapping[str, Memory]) -> Taught:
    statement = memory.overview or memory.summary or memory.content
    said = [sources[each] for each in _source_ids(memory) if each in sources]
    for source in said:
        if words := best_line(source.content, statement):
            return Taught(statement, _speaker(source), words)
    return (
        Taught(statement, _speaker(said[0]), said[0].summary) if said else Taught(statement, "", "")
    )


def _source_ids(memory: Memory) -> Iterator[str]:
    """The drawers that it was learned from."""
    yield from islice(memory.fact.source_memory_ids, _SOURCES_MAX)
    yield from islice(memory.lesson.evidence_memory_ids, _SOURCES_MAX)


def _speaker(source: Memory) -> str:
    episode = source.episode
    return episode.name or Role.Name(episode.role).removeprefix("ROLE_").lower()
