"""Has the services sleep, each its own part, and tells how it goes: a bar, then a table.

With `--json` it is one line a phase, as it ends.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import grpc

from anamnesis.cluster.v1.cluster_service_pb2 import (
    ConsolidateRequest,
    CrystallizeReadyRequest,
    RefineMemoriesRequest,
)
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import RunSleepCycleRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.ledger_service_pb2 import ListWorkRequest
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.sleep_pb2 import Run, RunState, SleepPhase
from anamnesis.memory.v1.work_pb2 import (
    WORK_KIND_COMPRESS,
    WORK_KIND_EXTRACT,
    WORK_STATE_FAILED,
    WORK_STATE_PENDING,
    WorkItem,
)
from anamnesis_cli.call import error_of
from anamnesis_cli.output import console, new_table, note, one_line, print_json
from anamnesis_cli.params import words
from anamnesis_cli.target import Target
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.errors import Unimplemented
from anamnesis_libs.rpc.enums import enum_value, enum_word

CLUSTER_PHASES = ("merge", "crystallise", "refine")
MEMORY_PHASES = tuple(words(SleepPhase, without=CLUSTER_PHASES).choices)
PHASES = ("compress", "extract", *CLUSTER_PHASES, *MEMORY_PHASES)
"""In the order in which they are run."""
NOT_HERE = "not_here"
"""The state of a phase whose service the server is not."""
_WELL = frozenset({"done", "held_elsewhere", NOT_HERE})
_COUNTED = ("segments", "facts", "lessons", "procedures", "refused")
_PAGE_SIZE = 500


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a phase."""

    phase: str
    state: str
    took_s: float
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""


def phases_run(channel: grpc.Channel, target: Target, phases: Sequence[str]) -> list[Ended]:
    """Run phases in their order, all if none is named; those of another server are passed over."""
    chosen = [phase for phase in PHASES if not phases or phase in phases]
    ended = []
    with WorkBar("sleep", hidden=target.as_json) as bar:
        for phase in chosen:
            began_s = time.monotonic()
            try:
                done = _run(channel, target, phase, bar)
            except grpc.RpcError as failed:
                if phases or not isinstance(error_of(failed, target.server), Unimplemented):
                    raise
                done = Ended(phase, NOT_HERE, time.monotonic() - began_s)
            if target.as_json:
                print_json(_line(done), indent=None)
            ended.append(done)
    return ended


def ended_well(ended: Ended) -> bool:
    """True if a phase is no reason to fail."""
    return ended.state in _WELL


def print_ended(ended: Sequence[Ended], target: Target) -> None:
    """The table; with `--json` all has been told."""
    if target.as_json:
        return
    table = new_table("phase", "state", "took", "did")
    for one in ended:
        told = one_line(one.reason) if one.reason else counted(one.counts)
        table.add_row(one.phase, one.state.replace("_", " "), f"{one.took_s:,.1f} s", told)
    console().print(table)
    if any(one.state == "held_elsewhere" for one in ended):
        note("what is held elsewhere is being done by the server or by somebody else just now")
    note("`anamnesis sleep --runs` lists what was done before")


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words, the names as they are told."""
    named = (f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count)
    return ", ".join(named) or "-"


def ended_of(run: Run) -> Ended:
    """A run of the memory service."""
    took_s = (run.end_time.ToNanoseconds() - run.start_time.ToNanoseconds()) / 1e9
    return Ended(
        enum_word(SleepPhase, run.phase),
        enum_word(RunState, run.state),
        took_s if run.HasField("end_time") else 0.0,
        dict(sorted(run.counts.items())),
        run.reason,
    )


def _run(channel: grpc.Channel, target: Target, phase: str, bar: WorkBar) -> Ended:
    if phase in MEMORY_PHASES:
        return _memory_phase(channel, target, phase, bar)
    if phase == "merge":
        return _merge(channel, target, bar)
    if phase == "crystallise":
        return _crystallise(channel, target, bar)
    if phase == "refine":
        return _refine(channel, target, bar)
    began_s = time.monotonic()
    counts, failures = Counter[str](), []
    for request in _pipeline_requests(channel, target, phase):
        for done, step in enumerate(IngestionServiceStub(channel).RunPipeline(request), start=1):
            bar.move(f"{phase} {one_line(step.session_id)}", done, done + step.left)
            counts["sessions"] += not step.failure
            counts.update({name: getattr(step, name) for name in _COUNTED})
            failures += [step.failure] if step.failure else []
    state = "failed" if failures else "done"
    reason = f"{len(failures)} sessions failed; `anamnesis failures` lists them" if failures else ""
    return Ended(phase, state, time.monotonic() - began_s, +counts, reason)


def _merge(channel: grpc.Channel, target: Target, bar: WorkBar) -> Ended:
    """Lessons that say the same; `anamnesis consolidate` tells each decision, too."""
    request = ConsolidateRequest(namespace=target.working_namespace)
    run = Run(phase=SleepPhase.SLEEP_PHASE_MERGE)
    for told in ClusterServiceStub(channel).Consolidate(request):
        if told.HasField("run"):
            run = told.run
        elif told.HasField("progress"):
            bar.move("merge", told.progress.lessons, told.progress.lessons)
    return ended_of(run)


def _crystallise(channel: grpc.Channel, target: Target, bar: WorkBar) -> Ended:
    """Skills of what is ready; `anamnesis skills attempts` tells each attempt."""
    request = CrystallizeReadyRequest(namespace=target.working_namespace)
    run, done = Run(phase=SleepPhase.SLEEP_PHASE_CRYSTALLISE), 0
    for told in ClusterServiceStub(channel).CrystallizeReady(request):
        if told.HasField("run"):
            run = told.run
        else:
            done += 1
            bar.move(f"crystallise {one_line(told.cluster.label)}", done, done)
    return ended_of(run)


def _refine(channel: grpc.Channel, target: Target, bar: WorkBar) -> Ended:
    """Importance in doubt and long memories; nothing is done without a chat model."""
    request = RefineMemoriesRequest(namespace=target.working_namespace)
    run = Run(phase=SleepPhase.SLEEP_PHASE_REFINE)
    for told in ClusterServiceStub(channel).RefineMemories(request):
        if told.HasField("run"):
            run = told.run
        else:
            bar.move("refine", told.progress.asked, told.progress.asked)
    return ended_of(run)


def _memory_phase(channel: grpc.Channel, target: Target, phase: str, bar: WorkBar) -> Ended:
    value = enum_value(SleepPhase, phase)
    request = RunSleepCycleRequest(namespace=target.working_namespace, phases=[value])
    run = Run(phase=value)
    began_s = time.monotonic()
    for told in AdminServiceStub(channel).RunSleepCycle(request):
        if told.HasField("run"):
            run = told.run
        else:
            bar.move(told.progress.stage, told.progress.done, told.progress.total)
    ended = ended_of(run)
    return Ended(phase, ended.state, time.monotonic() - began_s, ended.counts, ended.reason)


def _pipeline_requests(
    channel: grpc.Channel, target: Target, phase: str
) -> Iterator[RunPipelineRequest]:
    """Requests for all that is left to learn, or, of compressing, for each session that is due."""
    name = target.working_namespace
    if phase == "extract":
        yield RunPipelineRequest(namespace=name, stages=[WORK_KIND_EXTRACT])
        return
    for item in list(_compressible(channel, target)):
        yield RunPipelineRequest(
            namespace=name, session_id=item.session_id, stages=[WORK_KIND_COMPRESS]
        )


def _compressible(channel: grpc.Channel, target: Target) -> Iterator[WorkItem]:
    """Sessions whose 48 hours are over."""
    request = ListWorkRequest(
        namespace=target.working_namespace,
        kinds=[WORK_KIND_COMPRESS],
        states=[WORK_STATE_PENDING, WORK_STATE_FAILED],
        page_size=_PAGE_SIZE,
    )
    now_s = time.time()
    while True:
        page = LedgerServiceStub(channel).ListWork(request, timeout=target.timeout_s)
        yield from (item for item in page.items if item.due_time.ToSeconds() <= now_s)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _line(ended: Ended) -> Mapping[str, object]:
    return {
        "phase": ended.phase,
        "state": ended.state,
        "took_s": round(ended.took_s, 3),
        "counts": dict(ended.counts),
        "reason": ended.reason,
    }
