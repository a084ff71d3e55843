"""The part of `stats` about learning: its progress, scores of tasks, the cost of models."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import grpc
from rich.table import Table

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    GetPipelineStatusRequest,
    GetPipelineStatusResponse,
    StageStatus,
)
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetUsageRequest, GetUsageResponse
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.ledger_service_pb2 import (
    GetTrajectoryStatsRequest,
    GetTrajectoryStatsResponse,
)
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.segment_pb2 import TaskTypeStats
from anamnesis_cli.call import error_of
from anamnesis_cli.learning import stage_word
from anamnesis_cli.output import Json, as_dict, console, new_table, note, one_line
from anamnesis_cli.target import Target
from anamnesis_libs.errors import Unimplemented

Answer = TypeVar("Answer")

_USAGE_HOURS = 24
_STATES = ("pending", "running", "done", "failed", "dead")


@dataclass(frozen=True, slots=True)
class LearningStats:
    """Answers of the services; None of a service that this server does not run."""

    pipeline: GetPipelineStatusResponse | None
    trajectories: GetTrajectoryStatsResponse | None
    usage: GetUsageResponse | None

    def as_json(self) -> Json:
        """The answers that are there, as JSON."""
        told = {
            "pipeline": self.pipeline,
            "trajectories": self.trajectories,
            "usage": self.usage,
        }
        return {name: as_dict(answer) for name, answer in told.items() if answer is not None}


def learning_stats(channel: grpc.Channel, target: Target) -> LearningStats:
    """Asks the services that know."""
    name, timeout_s = target.working_namespace, target.timeout_s
    status = GetPipelineStatusRequest(namespace=name)
    tasks = GetTrajectoryStatsRequest(namespace=name, caller=Caller(user_id=target.user_id))
    usage = GetUsageRequest(namespace=name, hours=_USAGE_HOURS)
    ingestion, ledger = IngestionServiceStub(channel), LedgerServiceStub(channel)
    admin = AdminServiceStub(channel)
    return LearningStats(
        pipeline=_if_there(lambda: ingestion.GetPipelineStatus(status, timeout=timeout_s), target),
        trajectories=_if_there(lambda: ledger.GetTrajectoryStats(tasks, timeout=timeout_s), target),
        usage=_if_there(lambda: admin.GetUsage(usage, timeout=timeout_s), target),
    )


def print_learning(told: LearningStats) -> None:
    """Prints a table of each, where there is anything in it."""
    if told.pipeline is not None and told.pipeline.stages:
        console().print(_pipeline(told.pipeline.stages))
        if any(stage.failed or stage.dead for stage in told.pipeline.stages):
            note("`anamnesis failures` tells what failed and why")
    if told.trajectories is not None and told.trajectories.task_types:
        console().print(_tasks(told.trajectories.task_types))
    if told.usage is not None:
        _print_usage(told.usage)


def _if_there(call: Callable[[], Answer], target: Target) -> Answer | None:
    try:
        return call()
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), Unimplemented):
            return None
        raise


def _pipeline(stages: Iterable[StageStatus]) -> Table:
    table = _counting("stage", *_STATES, title="sessions by stage of learning")
    for stage in stages:
        counts = (getattr(stage, state) for state in _STATES)
        table.add_row(stage_word(stage.stage), *(f"{count:,}" for count in counts))
    return table


def _tasks(types: Iterable[TaskTypeStats]) -> Table:
    table = _counting(
        "task type", "tasks", "mean score", "for lessons", "for training", title="tasks"
    )
    for each in types:
        counts = (each.segments, each.eligible_for_lessons, each.eligible_for_sft)
        tasks, lessons, training = (f"{count:,}" for count in counts)
        word = one_line(each.task_type or "not measured yet")
        table.add_row(word, tasks, f"{each.mean_score:.2f}", lessons, training)
    return table


def _print_usage(usage: GetUsageResponse) -> None:
    calls: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    received: Counter[str] = Counter()
    for used in (used for hour in usage.hours for used in hour.usages):
        calls[used.purpose] += used.calls
        sent[used.purpose] += used.input_tokens
        received[used.purpose] += used.output_tokens
    if not calls:
        return
    title = f"models, last {_USAGE_HOURS} hours"
    table = _counting("purpose", "calls", "tokens sent", "tokens received", title=title)
    for purpose in sorted(calls):
        counts = (calls[purpose], sent[purpose], received[purpose])
        table.add_row(one_line(purpose), *(f"{count:,}" for count in counts))
    console().print(table)
    note(f"left this hour: {usage.calls_left:,} calls, {usage.tokens_left:,} tokens")


def _counting(*columns: str, title: str) -> Table:
    table = new_table(*columns, title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    return table
