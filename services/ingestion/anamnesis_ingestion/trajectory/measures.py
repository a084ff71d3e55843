"""The nouns of labelling: measures of how well a task went, each with what shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.trajectory.steps import TrajectoryStep, failing_line
from anamnesis_libs.models.chat import Json

FAILURES_MAX = 20
FAILURE_CHARS_MAX = 200
UNNAMED_TOOL = "tool"


class TaskType(StrEnum):
    """The kind of task that a segment is."""

    CODING = "coding"
    DEBUGGING = "debugging"
    RESEARCH = "research"
    WRITING = "writing"
    PLANNING = "planning"
    DATA = "data"
    OPERATIONS = "operations"
    CONVERSATION = "conversation"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: 0 is bad and 1 is good; `evidence` are the indices of events that show it."""

    name: str
    value: float
    weight: float
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Measures:
    """The score and type of a task: `document` has both under `summary`, with their reasons."""

    score: float
    task_type: TaskType
    document: dict[str, Json]


class Labeller(Protocol):
    """Measures a task."""

    @property
    def name(self) -> str:
        """The name of the labeller: "local", or the name of the chat model."""
        ...

    async def measure(self, events: Sequence[LedgerEvent]) -> Measures:
        """Return the measures of one segment, given by its events.

        Raises:
            AnamnesisError: there is no answer; the segment stays unmeasured.
        """
        ...


def overall(measures: Sequence[Measure]) -> float:
    """Return the weighted mean of the values, in [0, 1]; 0 where nothing has weight."""
    weight = sum(each.weight for each in measures)
    return sum(each.value * each.weight for each in measures) / weight if weight else 0.0


def is_task(events: Sequence[LedgerEvent]) -> bool:
    """True if somebody speaks or acts; a text that was taken in is no task, and goes no way."""
    return any(event.role in {Role.USER, Role.ASSISTANT, Role.TOOL} for event in events)


def unmeasured() -> Measures:
    """The document of what is no task: no measure, and a score that no threshold lets through."""
    return Measures(
        0.0, TaskType.OTHER, {"summary": summary(0.0, TaskType.OTHER, ""), "measures": []}
    )


def listed(measures: Sequence[Measure]) -> list[Json]:
    """Return measures as a document has them."""
    return [
        {
            "name": each.name,
            "value": round(each.value, 4),
            "weight": each.weight,
            "evidence": list[Json](each.evidence),
        }
        for each in measures
    ]


def summary(score: float, task_type: TaskType, labeller: str) -> dict[str, Json]:
    """Return the part of the document that everybody reads."""
    return {
        "overall_score": round(score, 4),
        "task_type": task_type.value,
        "labeller": labeller,
    }


def tool_uses(taken: Sequence[TrajectoryStep]) -> list[Json]:
    """Return the tools of a task as a document has them: calls, and lines that told of failure.

    A call without an answer is no failure here, nor is one whose answer only quotes a file that
    speaks of errors: nothing says what went wrong.
    """
    by_tool: dict[str, list[TrajectoryStep]] = {}
    for step in taken:
        by_tool.setdefault(step.call.name or UNNAMED_TOOL, []).append(step)
    return [
        {"name": name, "calls": len(used), "failures": list[Json](_failing_lines(used))}
        for name, used in by_tool.items()
    ]


def _failing_lines(used: Sequence[TrajectoryStep]) -> list[str]:
    told = (failing_line(step.answer) for step in used if step.failed)
    return [line[:FAILURE_CHARS_MAX] for line in told if line][:FAILURES_MAX]
