"""Has the server learn, and tells how it goes: a bar while it runs, then what came of it.

That is how much was learned, and the last things that were. With `--json` it is one line a piece of
work, as it is finished, and a last line with the sums. Used by `learn` and by `ingest --learn`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    GetPipelineStatusRequest,
    RunPipelineRequest,
    RunPipelineResponse,
)
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.segment_pb2 import Activity
from anamnesis.memory.v1.work_pb2 import WORK_KIND_EXTRACT, WorkKind
from anamnesis_cli.call import error_of, run
from anamnesis_cli.failures import resumable
from anamnesis_cli.learned import (
    COUNTS,
    BySession,
    activities_since,
    by_session,
    learned_here,
    memory_ids,
    newest,
    print_sums,
    total,
)
from anamnesis_cli.output import Json, as_dict, console, note, one_line, print_json
from anamnesis_cli.params import words
from anamnesis_cli.target import Target
from anamnesis_cli.taught import Taught, print_taught, read_taught
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.errors import Unimplemented
from anamnesis_libs.rpc.enums import enum_value, enum_word

_LOST = "LEASE_LOST"
_FAILURES_SHOWN_MAX = 20

_NOT_STAGES = ("cluster", "retain", "reinforce", "tier", "forget")

STAGES = words(WorkKind, without=_NOT_STAGES)
"""The stages as options take them."""


@dataclass(frozen=True, slots=True)
class LearningRun:
    """The result of a learning run.

    `by_session` counts what was learned, whoever did it; `memories` is the number of memories that
    hold it, fewer where several tasks say the same, and `taught` are the last of them; `failures`
    are pieces of work that failed.
    """

    by_session: BySession
    memories: int
    taught: Sequence[Taught]
    failures: Sequence[RunPipelineResponse]
    revision: str


def stage_word(stage: WorkKind.ValueType) -> str:
    """A stage in a word."""
    return enum_word(WorkKind, stage)


def stage_values(stages: Sequence[str]) -> list[WorkKind.ValueType]:
    """The stages that an option names."""
    return [enum_value(WorkKind, stage) for stage in stages]


def last_learned(target: Target) -> Activity | None:
    """The newest activity, to tell later what came after it."""
    return run(target, lambda channel: newest(channel, target))


def learn_now(
    target: Target, mark: Activity | None, session: str = "", stages: Sequence[str] = ()
) -> LearningRun:
    """Run the pipeline to its end, show it, and return the result since `mark`."""
    request = RunPipelineRequest(
        namespace=target.working_namespace, session_id=session, stages=stage_values(stages)
    )
    options = [("--session", session)] if session else []
    options += [("--stage", stage) for stage in stages]
    again = target.command("learn", *(word for option in options for word in option))
    with resumable(f"what was learned stays; go on with: {again}"):
        return run(target, lambda channel: _learned(channel, target, request, mark))


def print_learned(learned: LearningRun, target: Target) -> None:
    """Prints the table, or the last line of JSON."""
    if target.as_json:
        print_json(_sums(learned), indent=None)
        return
    if learned.by_session:
        print_sums(learned.by_session)
    print_taught(console(), learned.taught)
    _tell_failures(learned.failures, target)
    if learned.revision:
        note(f"revision {learned.revision} (search --at-least-revision waits for it)")
    note(_where_the_rest_is(learned, f"`{target.command('activity')}`"))


def _where_the_rest_is(learned: LearningRun, activity: str) -> str:
    counts = total(learned.by_session)
    if not counts["facts"] + counts["lessons"] + counts["procedures"]:
        return f"nothing new was learned; {activity} tells what was before"
    if not learned.taught:
        return f"{activity} tells what was learned, from what and when"
    if len(learned.taught) < learned.memories:
        last = f"these are the last {len(learned.taught)} of {learned.memories:,}"
        return f"{last}; {activity} tells all"
    return f"{activity} tells from what and when"


def _learned(
    channel: grpc.Channel, target: Target, request: RunPipelineRequest, mark: Activity | None
) -> LearningRun:
    steps = list(_steps(channel, target, request))
    if request.session_id and not steps:
        _check_session(channel, target, request)
    done = activities_since(channel, target, request.session_id, mark)
    if done is None:
        sessions = learned_here(step for step in steps if step.stage == WORK_KIND_EXTRACT)
    else:
        sessions = by_session(done)
    ids = memory_ids(done or ())
    taught = () if target.as_json else read_taught(channel, target, ids)
    failed = [step for step in steps if step.failure and not step.failure.startswith(_LOST)]
    return LearningRun(sessions, len(ids), taught, failed, _revision(channel, target))


def _check_session(channel: grpc.Channel, target: Target, request: RunPipelineRequest) -> None:
    """A session that is not there has nothing to do, which would look like success."""
    asked = GetPipelineStatusRequest(
        namespace=request.namespace,
        session_id=request.session_id,
        caller=Caller(user_id=target.user_id),
    )
    IngestionServiceStub(channel).GetPipelineStatus(asked, timeout=target.timeout_s)


def _steps(
    channel: grpc.Channel, target: Target, request: RunPipelineRequest
) -> Iterator[RunPipelineResponse]:
    """The server's steps of the pipeline, shown as they come."""
    with WorkBar("learn", hidden=target.as_json) as bar:
        for done, step in enumerate(IngestionServiceStub(channel).RunPipeline(request), start=1):
            what = f"{stage_word(step.stage)} {one_line(step.session_id)}"
            bar.move(what, done, done + step.left)
            if target.as_json:
                print_json({**as_dict(step), "stage": stage_word(step.stage)}, indent=None)
            yield step


def _revision(channel: grpc.Channel, target: Target) -> str:
    """A revision that holds all learning; empty if this server cannot tell."""
    request = GetNamespaceRequest(namespace=target.working_namespace)
    try:
        found = AdminServiceStub(channel).GetNamespace(request, timeout=target.timeout_s)
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), Unimplemented):
            return ""
        raise
    return found.namespace.revision


def _sums(learned: LearningRun) -> Json:
    counts = total(learned.by_session)
    return {
        "sessions": len(learned.by_session),
        **{name: counts[name] for name in COUNTS},
        "failed": len(learned.failures),
        "revision": learned.revision,
    }


def _tell_failures(failures: Sequence[RunPipelineResponse], target: Target) -> None:
    for step in failures[:_FAILURES_SHOWN_MAX]:
        note(f"failed: {stage_word(step.stage)} of {step.session_id}: {step.failure}")
    if failures:
        note(
            f"{len(failures)} pieces of work failed; they are tried again by themselves, and "
            f"`{target.command('failures')}` lists them"
        )
