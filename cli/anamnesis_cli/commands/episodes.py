"""`anamnesis episodes`: what happened to somebody, by time."""

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1.projection_service_pb2 import ListEpisodesRequest, ListEpisodesResponse
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.memory.v1.filter_pb2 import TimeRange
from anamnesis_cli.call import run
from anamnesis_cli.dates import WrittenDate
from anamnesis_cli.fact_times import date_of
from anamnesis_cli.output import console, new_table, note, one_line, print_json
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.scope import caller_of, caller_options, in_sight
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis episodes --user mara
  anamnesis episodes Mara --since 2021 --until 2022
  anamnesis episodes Mara --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("subject", nargs=-1)
@click.option("--since", type=WrittenDate(), metavar="TIME", help="Only what happened then or on.")
@click.option("--until", type=WrittenDate(), metavar="TIME", help="Only what happened before.")
@page_options("Episodes", 50)
@caller_options
@target_options
@pass_target
def episodes(
    target: Target,
    subject: tuple[str, ...],
    since: Timestamp | None,
    until: Timestamp | None,
    limit: int,
    page_token: str,
    as_agent: str,
    as_session: str,
) -> None:
    """List what happened to SUBJECT, the oldest first; without SUBJECT to the person of `--user`.

    An episode stands at the time at which it happened. Where nobody said when that was it stands at
    the time at which it was told, in brackets. `anamnesis timeline NAME` has all facts, those that
    held for a while too.
    """
    request = ListEpisodesRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        subject=" ".join(subject),
        time_range=TimeRange(start_time=since, end_time=until),
        page_size=limit,
        page_token=page_token,
    )
    page = run(
        target,
        lambda channel: ProjectionServiceStub(channel).ListEpisodes(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(page)
    else:
        _print(page, request)


def _print(page: ListEpisodesResponse, request: ListEpisodesRequest) -> None:
    table = new_table("when", "what happened", "memory")
    for column in (table.columns[0], table.columns[-1]):
        column.no_wrap = True
    for episode in page.episodes:
        dated = episode.HasField("valid_from")
        when = (
            date_of(episode.valid_from, episode.time_precision)
            if dated
            else f"({date_of(episode.told_time)[:10]})"
        )
        table.add_row(when, one_line(episode.text), f"[dim]{one_line(episode.memory_ids[0])}[/]")
    if page.episodes:
        console().print(table)
    else:
        note(
            f"no episodes {in_sight(request.namespace, request.caller)}; `anamnesis timeline NAME` "
            "has what held for a while"
        )
    note_more(page.next_page_token)
