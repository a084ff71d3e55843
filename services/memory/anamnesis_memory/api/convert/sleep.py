"""Runs of sleep and their phases between the wire and the model."""

from collections.abc import Iterable

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import sleep_pb2
from anamnesis_memory.api.convert.enums import PHASE, RUN_STATE
from anamnesis_memory.api.convert.operator import from_progress
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.maintenance.runner import Told
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.sleep_runs import PHASES, SleepRun


def to_phases(phases: "Iterable[sleep_pb2.SleepPhase.ValueType]") -> tuple[Work, ...]:
    """Phases of sleep; none means all."""
    return tuple(map(PHASE.from_pb, phases)) or PHASES


def from_told(told: Told) -> pb.RunSleepCycleResponse:
    """A message of a sleep cycle: the progress of a phase, or the run that it came to."""
    if isinstance(told, SleepRun):
        return pb.RunSleepCycleResponse(run=from_run(told))
    return pb.RunSleepCycleResponse(progress=from_progress(told))


def from_run(run: SleepRun) -> sleep_pb2.Run:
    """A run for the wire; where it stands is its own affair."""
    return sleep_pb2.Run(
        run_id=run.run_id,
        phase=PHASE.to_pb(run.phase),
        state=RUN_STATE.to_pb(run.state),
        start_time=to_timestamp(run.start_us),
        end_time=to_timestamp(run.end_us),
        counts=run.counts,
        model_tokens=run.model_tokens,
        reason=run.reason,
    )
