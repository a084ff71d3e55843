"""Bars for work that takes its time; on a terminal only, on standard error."""

from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from anamnesis_cli.output import error_console


class Bar:
    """A bar that is shown while its work runs, with notes beside it."""

    def __init__(
        self,
        description: str,
        *columns: ProgressColumn,
        total: float | None = None,
        hidden: bool = False,
    ) -> None:
        to = error_console()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            *columns,
            console=to,
            transient=True,
            disable=hidden or not to.is_terminal,
        )
        self._task = self._progress.add_task(description, total=total)

    def __enter__(self) -> Self:
        """Shows the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Takes it away again."""
        self._progress.stop()


class WorkBar(Bar):
    """Shows the stage the work of the server is in, and how much of it is done."""

    def __init__(self, stage: str, *, hidden: bool = False) -> None:
        super().__init__(stage, MofNCompleteColumn(), TimeElapsedColumn(), hidden=hidden)

    def move(self, stage: str, done: int, total: int) -> None:
        """Shows where the work is now."""
        self._progress.update(self._task, description=stage, completed=done, total=total)
