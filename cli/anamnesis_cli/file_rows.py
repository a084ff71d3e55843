"""A row a file: its name, as short as it stays clear, and what was counted; then their sum.

A column without a count is left out. Of many files there is the sum alone.
"""

from collections import Counter
from collections.abc import Sequence

from anamnesis_cli.cut import MiddleCut
from anamnesis_cli.output import console, new_table
from anamnesis_cli.sources import Source

ROWS_MAX = 20

Row = tuple[Source, Sequence[int]]
"""A file and its counts, in the order of their names."""


def print_files(rows: Sequence[Row], names: Sequence[str]) -> None:
    """The table; nothing where there is no file."""
    if not rows:
        return
    totals = [sum(column) for column in zip(*(counts for _, counts in rows), strict=True)]
    kept = [at for at, total in enumerate(totals) if total or at == 0]
    table = new_table("file", *(names[at] for at in kept))
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    if len(rows) <= ROWS_MAX:
        for name, counts in sorted(zip(_names(rows), (c for _, c in rows), strict=True)):
            table.add_row(MiddleCut(name), *(f"{counts[at]:,}" for at in kept))
    if len(rows) > 1:
        table.add_section()
        sums = (f"{totals[at]:,}" for at in kept)
        table.add_row(f"{len(rows):,} files", *sums, style="bold")
    console().print(table)


def _names(rows: Sequence[Row]) -> list[str]:
    """The names of files below the named folder; in full if two files would share a name."""
    named = Counter(source.within for source, _ in rows)
    return [source.within if named[source.within] == 1 else source.shown for source, _ in rows]
