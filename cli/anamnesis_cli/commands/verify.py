"""`anamnesis verify`: whether everything that is kept of a namespace agrees."""

from collections.abc import Sequence

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import (
    Finding,
    FindingKind,
    VerificationSummary,
    VerifyConsistencyRequest,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.output import as_dict, console, new_table, note, one_line, print_json
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.rpc.enums import enum_word

_SHOWN_MAX = 100
_EPILOG = """\
\b
Examples:
  anamnesis verify -n team-a
  anamnesis verify -n team-a --repair
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option(
    "--repair",
    is_flag=True,
    help="Make anew what is derived and wrong. No record is ever changed or removed.",
)
@target_options
@pass_target
def verify(target: Target, repair: bool) -> None:
    """Compare everything that is kept of a namespace with everything else.

    Reads and writes go on meanwhile. The exit code is 1 where something does not agree and was not
    repaired. It takes as long as it takes: --timeout does not apply.
    """
    findings, summary = run(target, lambda channel: _told(channel, target, repair))
    if target.as_json:
        print_json({"findings": [as_dict(each) for each in findings], "summary": as_dict(summary)})
    else:
        _print(findings, summary)
    if summary.findings > summary.repaired:
        raise click.exceptions.Exit(1)


def _told(
    channel: grpc.Channel, target: Target, repair: bool
) -> tuple[list[Finding], VerificationSummary]:
    request = VerifyConsistencyRequest(namespace=target.working_namespace, repair=repair)
    findings: list[Finding] = []
    summary = VerificationSummary()
    with WorkBar("records", hidden=target.as_json) as bar:
        for told in AdminServiceStub(channel).VerifyConsistency(request):
            match told.WhichOneof("told"):
                case "progress":
                    bar.move(told.progress.stage, told.progress.done, told.progress.total)
                case "finding":
                    findings.append(told.finding)
                case _:
                    summary = told.summary
    return findings, summary


def _print(findings: Sequence[Finding], summary: VerificationSummary) -> None:
    if findings:
        table = new_table("what", "id", "how it differs", "repaired")
        for each in findings[:_SHOWN_MAX]:
            kind = enum_word(FindingKind, each.kind)
            told = (kind.replace("_", " "), each.id, each.description)
            table.add_row(*map(one_line, told), "yes" if each.repaired else "no")
        console().print(table)
    if len(findings) > _SHOWN_MAX:
        note(f"{len(findings) - _SHOWN_MAX} more are not shown; --json has them all")
    records = sorted(summary.records.items())
    counted = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in records if count)
    note(f"compared at revision {summary.revision}: {counted or 'nothing'}")
    rebuilt = "; the index was built anew" if summary.index_rebuilt else ""
    console().print(_verdict(summary) + rebuilt, highlight=False)


def _verdict(summary: VerificationSummary) -> str:
    if not summary.findings:
        return "everything agrees"
    left = summary.findings - summary.repaired
    return f"{summary.findings:,} findings, {summary.repaired:,} repaired, {left:,} left"
