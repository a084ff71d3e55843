"""`anamnesis route`: the ways that a question takes, and why."""

from collections.abc import Iterable
from datetime import datetime

import click

from anamnesis.memory.v1.filter_pb2 import TimeRange
from anamnesis.retrieval.v1.retrieval_pb2 import Route, SearchMode
from anamnesis.retrieval.v1.retrieval_service_pb2 import RouteQueryRequest
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.clocks import time_zone_option, zone_asked
from anamnesis_cli.dates import WrittenMoment
from anamnesis_cli.output import console, moment, new_table, one_line, print_json
from anamnesis_cli.params import timestamp, words
from anamnesis_cli.scope import caller_of
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options, user_option
from anamnesis_libs.rpc.enums import enum_value

_EPILOG = """\
\b
Examples:
  anamnesis route "what did we decide last week?"
  anamnesis route "book a table for my sister" --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--mode", type=words(SearchMode), default="auto", show_default=True, help="As for `search`."
)
@click.option(
    "--now",
    type=WrittenMoment(),
    metavar="TIME",
    help="Ask as if it were TIME (default: the server's clock).",
)
@time_zone_option
@user_option
@target_options
@pass_target
def route(
    target: Target,
    query: tuple[str, ...],
    mode: str,
    now: datetime | None,
    time_zone: str | None,
) -> None:
    """Tell which ways QUERY takes, and why: nothing is searched.

    Ways add to each other. The times that it names are told as they were read.
    """
    request = RouteQueryRequest(
        namespace=target.working_namespace,
        query=" ".join(query),
        mode=enum_value(SearchMode, mode),
        now=None if now is None else timestamp(now),
        time_zone=zone_asked(now, time_zone),
        caller=caller_of(target, "", ""),
    )
    answer = run(
        target,
        lambda channel: RetrievalServiceStub(channel).RouteQuery(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print(answer.routes)


def _print(routes: Iterable[Route]) -> None:
    table = new_table("route", "why", "by")
    for one in routes:
        decided = [*one.words, *map(_written, one.times)]
        table.add_row(one_line(one.name), one_line(one.reason), one_line(", ".join(decided)))
    console().print(table)


def _written(times: TimeRange) -> str:
    """A range of times; an end that is open is left out."""
    ends = [
        moment(stamp) if there else ""
        for stamp, there in (
            (times.start_time, times.HasField("start_time")),
            (times.end_time, times.HasField("end_time")),
        )
    ]
    return " to ".join(ends).strip()
