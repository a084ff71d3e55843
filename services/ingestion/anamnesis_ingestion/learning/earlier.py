"""The text up to an event of a lecture; each event is read once, however many facts ask."""

from bisect import bisect_right

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import ExtractionInput


class LearnedEarlier:
    """Text before and in an event, the context included: a pronoun may stand for a name of there.

    Events are in the order of their indices; one without an index counts by its place.
    """

    def __init__(self, lecture: ExtractionInput) -> None:
        context = "".join(f"{learnable_text(event)}\n" for event in lecture.context)
        self._indices: list[int] = []
        self._ends: list[int] = [len(context)]
        parts = [context]
        for at, event in enumerate(lecture.events):
            parts.append(f"{learnable_text(event)}\n{event.speaker}\n")
            self._indices.append(at if event.index is None else event.index)
            self._ends.append(self._ends[-1] + len(parts[-1]))
        self._text = "".join(parts)

    def until(self, last: int) -> str:
        """The text up to the event with this index."""
        return self._text[: self._ends[bisect_right(self._indices, last)]]
