"""A bar for work of the server that takes its time; on a terminal only, on standard error."""

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from libs.cli.output import error_console


class WorkBar:
    """Shows the stage the work is in, and how much of it is done."""

    def __init__(self, stage: str, *, hidden: bool = False) -> None:
        to = error_console()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=to,
            transient=True,
            disable=hidden or not to.is_terminal,
        )
        self._task = self._progress.add_task(stage, total=None)

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

    def move(self, stage: str, done: int, total: int) -> None:
        """Shows where the work is now."""
        self._progress.update(self._task, description=stage, completed=done, total=total)
