"""Operations driven by hand: their calls are collected, their answers given."""

from collections.abc import Sequence
from typing import TypeVar

from google.protobuf.message import Message

from anamnesis_client.errors import AnamnesisError
from anamnesis_client.operations import Operations
from anamnesis_client.revisions import Revisions
from anamnesis_client.scope import Scope
from anamnesis_client.steps import Call, Flow, Patience, Pause, Running

Result = TypeVar("Result")
Said = Message | AnamnesisError

SCOPE = Scope("app", user="mara", agent="juno", session="s-1")


def operations(retries: int = 0, revisions: Revisions | None = None) -> Operations:
    """Operations of a scope, on a clock that stands still."""
    patience = Patience(30.0, retries, clock=lambda: 0.0, jitter=lambda: 0.5)
    return Operations(SCOPE, revisions or Revisions(), patience)


def driven(flow: Flow[Result], answers: Sequence[Said]) -> tuple[Result, list[Call], list[float]]:
    """The result of an operation, its calls, and the pauses between them."""
    calls: list[Call] = []
    pauses: list[float] = []
    left = list(answers)
    running = Running(flow)
    while (step := running.step) is not None:
        if isinstance(step, Pause):
            pauses.append(step.seconds)
            running.answered(None)
            continue
        calls.append(step)
        said = left.pop(0)
        running.failed(said) if isinstance(said, AnamnesisError) else running.answered(said)
    assert not left, "not all answers were asked for"
    return running.result, calls, pauses
