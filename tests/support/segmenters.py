"""Segmenters that answer as a test says."""

from collections.abc import Callable, Iterable, Sequence

from anamnesis_ingestion.segmentation.tasks import Task
from anamnesis_ingestion.segmentation.windows import Window

Ranges = Sequence[tuple[int, int]]


def task(first: int, last: int, topic: str = "topic") -> Task:
    """A task with words."""
    return Task(first, last, topic, f"summary of {topic}")


class Scripted:
    """Answers with one list of ranges a window, and remembers the windows."""

    name = "scripted"

    def __init__(self, *answers: Ranges) -> None:
        self._answers = list(answers)
        self.windows: list[tuple[int, int]] = []

    async def tasks(self, window: Window) -> Sequence[Task]:
        """The next answer; the window is noted by the indices of its first and last event."""
        self.windows.append((window.events[0].index or 0, window.events[-1].index or 0))
        return [task(first, last) for first, last in self._answers.pop(0)]


class Computed:
    """Answers with what a function makes of the window's length, and counts the calls."""

    name = "computed"

    def __init__(self, answer: Callable[[int], Iterable[Task]]) -> None:
        self._answer = answer
        self.calls = 0

    async def tasks(self, window: Window) -> Sequence[Task]:
        """What the function says."""
        self.calls += 1
        return list(self._answer(len(window.events)))


class Failing:
    """Answers a few times with one task, then raises."""

    name = "failing"

    def __init__(self, error: Exception, after: int) -> None:
        self._error = error
        self._left = after

    async def tasks(self, window: Window) -> Sequence[Task]:
        """One task over the window, as long as it lasts."""
        if not self._left:
            raise self._error
        self._left -= 1
        return [task(1, len(window.events))]
