"""The look of facts: the statement, its time, its confidence and its sources.

They are rows of a table; where it is too narrow for them, blocks: every id is whole in both.
"""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.table import Table

from anamnesis.memory.v1.knowledge_pb2 import FactFlag, KnownFact
from anamnesis.memory.v1.memory_pb2 import Fact, Memory
from anamnesis_cli.fact_times import begin_of, end_of, told
from anamnesis_cli.output import console, is_narrow, new_table, one_line, print_below
from anamnesis_cli.said_by import Drawers, said_by
from anamnesis_libs.rpc.enums import enum_word

_SAID_BY_CELLS = 26
_FACT_CELLS_MIN = 20
_WIDE_CELLS = 1000
_PADDING = 2
_NARROW = ("from", "until", "fact", "sure", "said by", "memory")
_FACT = _NARROW.index("fact")
_PARTS = ("subject", "predicate", "object")


def print_facts(facts: Iterable[KnownFact], drawers: Drawers, *, wide: bool) -> None:
    """The facts in the order given; wide ones are a line each, however long that is.

    Who says so is told by the drawers that they were taken from.
    """
    page = console()
    if wide:
        page.width = _WIDE_CELLS
    shown = list(facts)
    rows = [tuple(_cells(known, drawers, wide=wide)) for known in shown]
    if is_narrow(page) or not (wide or _fit(rows, page.width)):
        _print_blocks(page, shown, drawers)
        return
    page.print(_table(rows, wide=wide), soft_wrap=wide)


def _fit(rows: Iterable[Sequence[str]], width: int) -> bool:
    """True if a table has room for each cell in one line, but for the facts."""
    longest = [max(map(cell_len, column)) for column in zip(_NARROW, *rows, strict=True)]
    longest[_FACT] = min(longest[_FACT], _FACT_CELLS_MIN)
    return sum(longest) + _PADDING * len(longest) <= width


def _print_blocks(to: Console, facts: Iterable[KnownFact], drawers: Drawers) -> None:
    for known in facts:
        memory = known.memory
        sayers = ", ".join(said_by(known, drawers))
        to.print(f"{one_line(_statement(memory))}{_flags(known)}")
        print_below(
            to,
            one_line(told(memory) or _untold(memory.fact)),
            f"said by {one_line(sayers)}" if sayers else "",
            f"[dim]sure {memory.confidence:.2f}, memory {one_line(memory.memory_id)}[/]",
        )


def _untold(fact: Fact) -> str:
    """The words for a fact of which neither begin nor end is known."""
    return "still, since when is unknown" if end_of(fact) else "when is unknown"


def _table(rows: Iterable[Sequence[str]], *, wide: bool) -> Table:
    table = new_table(*_NARROW[: _FACT + 1], *(_PARTS if wide else ()), *_NARROW[_FACT + 1 :])
    for column in table.columns:
        column.no_wrap = wide or column.header != _NARROW[_FACT]
    table.columns[-1].style = "dim"
    for row in rows:
        table.add_row(*row)
    return table


def _cells(known: KnownFact, drawers: Drawers, *, wide: bool) -> Iterator[str]:
    memory, fact = known.memory, known.memory.fact
    yield begin_of(fact, memory.utc_offset_minutes) or "unknown"
    yield end_of(fact, memory.utc_offset_minutes)
    yield f"{one_line(_statement(memory))}{_flags(known)}"
    if wide:
        yield from map(one_line, (fact.subject, fact.predicate, fact.object))
    yield f"{memory.confidence:.2f}"
    sayers = said_by(known, drawers)
    yield one_line(", ".join(sayers) if wide else _in_short(sayers)) or "-"
    yield one_line(memory.memory_id)


def _statement(memory: Memory) -> str:
    """The sentence that says it."""
    fact = memory.fact
    parts = f"{fact.subject} {fact.predicate.replace('_', ' ')} {fact.object}"
    return memory.content or memory.summary or parts


def _in_short(sources: Sequence[str]) -> str:
    """All of them where there is room, else the first one and how many more."""
    every = ", ".join(sources)
    if cell_len(every) <= _SAID_BY_CELLS:
        return every
    more = f" +{len(sources) - 1}" if len(sources) > 1 else ""
    room = _SAID_BY_CELLS - len(more)
    first = sources[0]
    return (first if cell_len(first) <= room else f"{chop_cells(first, room - 1)[0]}…") + more


def _flags(known: KnownFact) -> str:
    names = (enum_word(FactFlag, flag) for flag in known.flags)
    return "".join(f"  [yellow]({name.replace('_', ' ')})[/]" for name in names)
