"""The look of memories of any kind: one line each, or one in full."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from anamnesis.memory.v1.event_pb2 import Role, Visibility
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_STATUS_ARCHIVED,
    Memory,
    MemoryCopy,
    MemoryKind,
    Origin,
)
from anamnesis_cli.clocks import said_at
from anamnesis_cli.fact_times import told
from anamnesis_cli.output import console, is_narrow, moment, new_table, one_line, print_below
from anamnesis_libs.controls import visible
from anamnesis_libs.rpc.enums import enum_word

_NAME_CHARS = 11


def print_memory_lines(memories: Iterable[Memory]) -> None:
    """Prints each memory in a line; where it is narrow, in two."""
    to = console()
    table = new_table("kind", "memory", "what it says")
    for memory in memories:
        kind, place, said = _kind(memory), _place(memory), one_line(_summary(memory))
        if is_narrow(to):
            to.print(f"[bold]{kind}[/] {place}")
            print_below(to, said)
        else:
            table.add_row(kind, place, said)
    if table.row_count:
        to.print(table)


def print_memory(memory: Memory, copies: Iterable[MemoryCopy] = ()) -> None:
    """Prints a memory with what is known of it, its text, and then what it was before."""
    to = console()
    to.print(f"[bold]{_kind(memory)}[/] [cyan]{_place(memory)}[/]", soft_wrap=True)
    for name, line in _rows(memory):
        to.print(f"  [dim]{name:<{_NAME_CHARS}}[/]{one_line(line)}", soft_wrap=True)
    to.print()
    to.print(Text(visible(memory.content)), soft_wrap=True)
    for copy in copies:
        to.print()
        to.print(f"[dim]until {moment(copy.create_time)}: {_kind(copy.memory)}[/]")
        to.print(Text(visible(copy.memory.content)), soft_wrap=True)


def _rows(memory: Memory) -> Iterator[tuple[str, str]]:
    if memory.pointer:
        yield "memory", memory.memory_id
    if memory.HasField("event_time"):
        yield "happened", said_at(memory)
    yield "stored", moment(memory.create_time)
    yield from _part_rows(memory)
    yield "seen by", _readers(memory)
    if memory.HasField("provenance"):
        yield "origin", _origin(memory)
    if memory.tags:
        yield "tags", ", ".join(memory.tags)
    yield "importance", f"{memory.importance:.2f}, used {memory.hit_count:,} times"
    if memory.provenance.HasField("refinement"):
        yield "refined", _refined(memory)
    if memory.HasField("expire_time"):
        yield "expires", moment(memory.expire_time)
    yield from (("note", note) for note in _notes(memory))


def _part_rows(memory: Memory) -> Iterator[tuple[str, str]]:
    """The rows that only memories of this kind have."""
    if memory.HasField("episode"):
        yield "said by", memory.episode.name or enum_word(Role, memory.episode.role)
    if memory.HasField("fact"):
        fact = memory.fact
        yield "fact", f"{fact.subject} {fact.predicate} {fact.object}"
        yield "holds", told(memory) or "when is unknown"
        yield "sure", f"{memory.confidence:.2f}"


def _notes(memory: Memory) -> Iterator[str]:
    if memory.status == MEMORY_STATUS_ARCHIVED:
        yield "archived: out of search"
    if memory.pinned:
        yield "pinned: never forgotten"
    if memory.needs_review:
        yield "needs review: what it was derived from has changed"


def _readers(memory: Memory) -> str:
    readers = {
        Visibility.VISIBILITY_PRIVATE_TO_USER: ", ".join(memory.participants or [memory.user_id]),
        Visibility.VISIBILITY_PRIVATE_TO_AGENT: f"agent {memory.agent_id}",
    }
    return f"{readers[memory.visibility]} alone" if memory.visibility in readers else "all"


def _origin(memory: Memory) -> str:
    source = memory.provenance
    said = [enum_word(Origin, source.origin)]
    if source.session_id or memory.session_id:
        said.append(f"session {source.session_id or memory.session_id}")
    if source.model:
        said.append(f"by {source.model}")
    if source.HasField("seed"):
        said.append(f"seeded from {source.seed.namespace}, memory {source.seed.memory_id}")
        said.append(f"revision {source.seed.revision}")
    return ", ".join(said)


def _refined(memory: Memory) -> str:
    """The row of what a chat model said of it."""
    told = memory.provenance.refinement
    said = []
    if told.HasField("importance_before"):
        why = f" ({told.reason})" if told.reason else ""
        said.append(f"importance was {told.importance_before:.2f}{why}")
    levels = [name for name in ("summary", "overview") if getattr(told, name)]
    if levels:
        said.append(f"wrote the {' and the '.join(levels)}")
    return one_line(f"{moment(told.time)} by {told.model}: {', '.join(said)}")


def _kind(memory: Memory) -> str:
    return enum_word(MemoryKind, memory.kind)


def _place(memory: Memory) -> str:
    return one_line(memory.pointer or memory.memory_id)


def _summary(memory: Memory) -> str:
    return memory.summary or memory.content
