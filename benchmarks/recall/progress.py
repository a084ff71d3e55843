"""The progress of a run: bars on a terminal, and a line on standard error for each step done."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from anamnesis_cli.output import error_console, note

Advance = Callable[[int], None]


@contextmanager
def stage(description: str, total: int | None) -> Iterator[Advance]:
    """A bar for one stage, whose end may be unknown; what it yields moves the bar by so many."""
    console = error_console()
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    begun_s = time.monotonic()
    with bars:
        task = bars.add_task(description, total=total)
        yield lambda count: bars.advance(task, count)
        done = int(bars.tasks[task].completed) if total is None else total
    note(f"{description}: {done:,} in {time.monotonic() - begun_s:.1f} s")
