"""The record of what a namespace did in its sleep."""

from collections.abc import Sequence

import grpc

from anamnesis.memory.v1.admin_service_pb2 import ListRunsRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.sleep_pb2 import Run
from anamnesis_cli.output import as_dict, console, moment, new_table, note, one_line, print_json
from anamnesis_cli.sleeping import counted, ended_of
from anamnesis_cli.target import Target

_RUNS_MAX = 40
_PAGE_SIZE = 500


def last_runs(channel: grpc.Channel, target: Target, phases: Sequence[str]) -> list[Run]:
    """The last runs, the newest first; of these phases, if any is named."""
    request = ListRunsRequest(namespace=target.working_namespace, page_size=_PAGE_SIZE)
    found: list[Run] = []
    while len(found) < _RUNS_MAX:
        page = AdminServiceStub(channel).ListRuns(request, timeout=target.timeout_s)
        found += (run for run in page.runs if not phases or ended_of(run).phase in phases)
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    return found[:_RUNS_MAX]


def print_runs(runs: Sequence[Run], target: Target) -> None:
    """A table, or one document of JSON."""
    if target.as_json:
        print_json({"runs": [as_dict(run) for run in runs]})
        return
    if not runs:
        note(f"namespace {target.working_namespace} has not slept yet")
        return
    table = new_table("began", "phase", "state", "took", "did")
    for run in runs:
        one = ended_of(run)
        told = one_line(one.reason) if one.reason else counted(one.counts)
        began, took = moment(run.start_time), f"{one.took_s:,.1f} s"
        table.add_row(began, one.phase, one.state.replace("_", " "), took, told)
    console().print(table)
