"""Has the server learn, and tells how it goes: by piece of work while it runs, then in one table.

Used by `learn` and by `ingest --learn`. With `--json` it is one line a piece, as it is finished,
and a last line with the sums.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import grpc

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest, RunPipelineResponse
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.work_pb2 import WorkKind
from libs.cli.call import run
from libs.cli.failures import resumable
from libs.cli.output import Json, as_dict, console, new_table, note, one_line, print_json
from libs.cli.params import words
from libs.cli.target import Target
from libs.cli.work_bar import WorkBar

_COUNTS = ("segments", "facts", "lessons", "procedures", "refused")
_LOST = "LEASE_LOST"
_FAILURES_SHOWN_MAX = 20
_PREFIX = "WORK_KIND_"

STAGES = words(WorkKind.DESCRIPTOR, _PREFIX, without=("WORK_KIND_CLUSTER",))
"""The stages as options take them."""


@dataclass(slots=True)
class Learned:
    """What came of it, by stage; work that another took over is counted nowhere."""

    sessions: Counter[str] = field(default_factory=Counter)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[RunPipelineResponse] = field(default_factory=list)
    revision: str = ""

    def add(self, step: RunPipelineResponse) -> None:
        """Counts one piece of work."""
        if step.failure:
            if not step.failure.startswith(_LOST):
                self.failures.append(step)
            return
        stage = stage_word(step.stage)
        self.sessions[stage] += 1
        counts = self.counts.setdefault(stage, Counter())
        counts.update({name: getattr(step, name) for name in _COUNTS})

    def as_json(self) -> Json:
        """The sums as JSON."""
        stages = {
            stage: {"sessions": done, **{name: self.counts[stage][name] for name in _COUNTS}}
            for stage, done in self.sessions.items()
        }
        return {"stages": stages, "failed": len(self.failures), "revision": self.revision}


def stage_word(stage: WorkKind.ValueType) -> str:
    """A stage in a word."""
    return WorkKind.Name(stage).removeprefix(_PREFIX).lower()


def stage_values(stages: Sequence[str]) -> list[WorkKind.ValueType]:
    """The stages that an option names."""
    return [WorkKind.Value(f"{_PREFIX}{stage.upper()}") for stage in stages]


def learn_now(target: Target, session: str = "", stages: Sequence[str] = ()) -> Learned:
    """Runs the pipeline to its end, shows it, and answers what came of it."""
    request = RunPipelineRequest(
        namespace=target.working_namespace, session_id=session, stages=stage_values(stages)
    )
    with resumable("what was learned stays; go on with: anamnesis learn"):
        return run(target, lambda channel: _followed(channel, target, request))


def print_learned(learned: Learned, target: Target) -> None:
    """Prints the table, or the last line of JSON."""
    if target.as_json:
        print_json(learned.as_json(), indent=None)
        return
    if learned.sessions:
        table = new_table("stage", "sessions", *_COUNTS)
        for column in table.columns[1:]:
            column.justify = "right"
        for stage, cells in _rows(learned):
            table.add_row(stage, *cells)
        console().print(table)
    _tell_failures(learned.failures)
    if learned.revision:
        note(f"revision {learned.revision} (search --at-least-revision waits for it)")
    note(
        "`anamnesis activity` tells what was learned, from what and when"
        if learned.sessions
        else "nothing was left to learn; `anamnesis activity` tells what was learned before"
    )


def _followed(channel: grpc.Channel, target: Target, request: RunPipelineRequest) -> Learned:
    learned = Learned()
    with WorkBar("learn", hidden=target.as_json) as bar:
        for done, step in enumerate(IngestionServiceStub(channel).RunPipeline(request), start=1):
            learned.add(step)
            bar.move(
                f"{stage_word(step.stage)} {one_line(step.session_id)}", done, done + step.left
            )
            if target.as_json:
                print_json(_line(step), indent=None)
    found = AdminServiceStub(channel).GetNamespace(
        GetNamespaceRequest(namespace=request.namespace), timeout=target.timeout_s
    )
    learned.revision = found.namespace.revision
    return learned


def _line(step: RunPipelineResponse) -> Json:
    return {**as_dict(step), "stage": stage_word(step.stage)}


def _rows(learned: Learned) -> Iterator[tuple[str, list[str]]]:
    for stage, sessions in learned.sessions.items():
        numbers = (sessions, *(learned.counts[stage][name] for name in _COUNTS))
        yield stage, [f"{number:,}" for number in numbers]


def _tell_failures(failures: Sequence[RunPipelineResponse]) -> None:
    for step in failures[:_FAILURES_SHOWN_MAX]:
        note(f"failed: {stage_word(step.stage)} of {step.session_id}: {step.failure}")
    if failures:
        note(
            f"{len(failures)} pieces of work failed; they are tried again by themselves, and "
            "`anamnesis failures` lists them"
        )
