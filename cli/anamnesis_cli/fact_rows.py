"""The look of facts: the statement, its time, its confidence and its sources.

They are rows of a table; where it is narrow, blocks, in which every id is whole.
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
_WIDE_CELLS = 1000
_PARTS = ("subject", "predicate", "object")


def print_facts(facts: Iterable[KnownFact], drawers: Drawers, *, wide: bool) -> None:
    """The facts in the order given; wide ones are a line each, however long that is.

    Who says so is told by the drawers that they were taken from.
    """
    page = console()
    if wide:
        page.width = _WIDE_CELLS
    if is_narrow(page):
        _print_blocks(page, facts, drawers)
        return
    page.print(_table(facts, drawers, wide=wide), soft_wrap=wide)


def _print_blocks(to: Console, facts: Iterable[KnownFact], drawers: Drawers) -> None:
    for known in facts:
        memory = known.memory
        sayers = ", ".join(said_by(known, drawers))
        to.print(f"{one_line(_statement(memory))}{_flags(known)}")
        print_below(
            to,
            one_line(told(memory.fact) or _untold(memory.fact)),
            f"said by {one_line(sayers)}" if sayers else "",
            f"[dim]sure {memory.confidence:.2f}, memory {one_line(memory.memory_id)}[/]",
        )


def _untold(fact: Fact) -> str:
    """The words for a fact of which neither begin nor end is known."""
    return "still, since when is unknown" if end_of(fact) else "when is unknown"


def _table(facts: Iterable[KnownFact], drawers: Drawers, *, wide: bool) -> Table:
    table = new_table(
        "from", "until", "fact", *(_PARTS if wide else ()), "sure", "said by", "memory"
    )
    for column in table.columns:
        column.no_wrap = wide or column.header in ("from", "until", "sure", "said by")
    table.columns[-1].overflow = "ellipsis"
    for known in facts:
        table.add_row(*_cells(known, drawers, wide=wide))
    return table


def _cells(known: KnownFact, drawers: Drawers, *, wide: bool) -> Iterator[str]:
    memory, fact = known.memory, known.memory.fact
    yield begin_of(fact) or "unknown"
    yield end_of(fact)
    yield f"{one_line(_statement(memory))}{_flags(known)}"
    if wide:
        yield from map(one_line, (fact.subject, fact.predicate, fact.object))
    yield f"{memory.confidence:.2f}"
    sayers = said_by(known, drawers)
    yield one_line(", ".join(sayers) if wide else _in_short(sayers)) or "-"
    yield f"[dim]{one_line(memory.memory_id)}[/]"


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
