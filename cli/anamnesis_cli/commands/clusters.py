"""`anamnesis clusters`: lessons by topic: what there is, one cluster, moves, grouping anew."""

from collections.abc import Iterable

import click
import grpc

from anamnesis.cluster.v1.cluster_pb2 import Cluster, ClusterState
from anamnesis.cluster.v1.cluster_service_pb2 import (
    AssignMemoryRequest,
    ClusteringSummary,
    GetClusterRequest,
    ListClusterMemoriesRequest,
    ListClusterMemoriesResponse,
    ListClustersRequest,
    RunInitialClusteringRequest,
)
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.memory.v1.event_pb2 import VISIBILITY_SHARED, Visibility
from anamnesis_cli.call import run
from anamnesis_cli.failures import resumable
from anamnesis_cli.output import (
    console,
    is_narrow,
    moment,
    new_table,
    note,
    one_line,
    print_below,
    print_json,
)
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.rpc.enums import enum_word

_EPILOG = """\
\b
Examples:
  anamnesis clusters list
  anamnesis clusters show t-01a2005afbaa316142a755dc772b6889
  anamnesis clusters assign 01a2005afbaa316142a755dc772b6889 --new
  anamnesis clusters run
"""


@click.group(epilog=_EPILOG)
def clusters() -> None:
    """Read and mend how lessons are sorted by topic.

    A lesson that is learned joins the nearest cluster or founds one, by itself. Private lessons
    have clusters of their own, which only their owner sees.
    """


@clusters.command("list", cls=ClientCommand)
@page_options("Clusters", 50)
@caller_options
@target_options
@pass_target
def list_clusters(
    target: Target, limit: int, page_token: str, as_agent: str, as_session: str
) -> None:
    """List the clusters that you may see, with how many lessons each has.

    Five lessons are ready to become a skill: `anamnesis skills make` makes one.
    """
    request = ListClustersRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        page_size=limit,
        page_token=page_token,
    )
    page = run(
        target,
        lambda channel: ClusterServiceStub(channel).ListClusters(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(page)
        return
    if page.clusters:
        _print(page.clusters)
    else:
        note(f"namespace {target.working_namespace} has no lessons in clusters yet")
    note_more(page.next_page_token)


@clusters.command("show", cls=ClientCommand)
@click.argument("cluster_id")
@page_options("Lessons", 50)
@caller_options
@target_options
@pass_target
def show_cluster(
    target: Target, cluster_id: str, limit: int, page_token: str, as_agent: str, as_session: str
) -> None:
    """Show one cluster and its lessons, the oldest first."""
    caller = caller_of(target, as_agent, as_session)
    whole = GetClusterRequest(
        namespace=target.working_namespace, caller=caller, cluster_id=cluster_id
    )
    members = ListClusterMemoriesRequest(
        namespace=target.working_namespace,
        caller=caller,
        cluster_id=cluster_id,
        page_size=limit,
        page_token=page_token,
    )

    def asked(channel: grpc.Channel) -> tuple[Cluster, ListClusterMemoriesResponse]:
        service = ClusterServiceStub(channel)
        cluster = service.GetCluster(whole, timeout=target.timeout_s).cluster
        return cluster, service.ListClusterMemories(members, timeout=target.timeout_s)

    cluster, page = run(target, asked)
    if target.as_json:
        print_json(page)
        return
    console().print(f"{one_line(cluster.label)}  [dim]lessons: {cluster.member_count:,}[/]")
    table = new_table("lesson", "id")
    table.columns[-1].no_wrap = True
    for memory in page.memories:
        said = memory.lesson.title or memory.summary or memory.content
        table.add_row(one_line(said), f"[dim]{one_line(memory.memory_id)}[/]")
    console().print(table)
    note_more(page.next_page_token)


@clusters.command("assign", cls=ClientCommand)
@click.argument("memory_id")
@click.option("--to", "cluster_id", default="", metavar="ID", help="Into this cluster, to stay.")
@click.option("--new", "own", is_flag=True, help="Into a new cluster of its own, to stay.")
@click.option("--nearest", is_flag=True, help="To where it would go if it were new.")
@caller_options
@target_options
@pass_target
def assign(
    target: Target,
    memory_id: str,
    cluster_id: str,
    as_agent: str,
    as_session: str,
    *,
    own: bool,
    nearest: bool,
) -> None:
    """Move the lesson MEMORY_ID into a cluster, by exactly one of --to, --new and --nearest.

    What you place stays: it is not moved again by itself until its text changes, or you move it.
    """
    if [bool(cluster_id), own, nearest].count(True) != 1:
        raise click.UsageError("give exactly one of --to ID, --new and --nearest")
    request = AssignMemoryRequest(
        namespace=target.working_namespace,
        memory_id=memory_id,
        caller=caller_of(target, as_agent, as_session),
    )
    if cluster_id:
        request.cluster_id = cluster_id
    elif own:
        request.new_cluster = True
    else:
        request.nearest = True
    answer = run(
        target,
        lambda channel: ClusterServiceStub(channel).AssignMemory(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
        return
    table = new_table("topic", "lessons", "seen by", "changed", "id")
    table.columns[-1].no_wrap = True
    table.add_row(*_cells(answer.cluster))
    console().print(table)
    note(f"it left {answer.left_cluster_id}" if answer.left_cluster_id else "it was there already")


@clusters.command("run", cls=ClientCommand)
@target_options
@pass_target
def run_clustering(target: Target) -> None:
    """Group all lessons of the namespace anew, and move those that belong elsewhere.

    The same lessons give the same clusters, in whatever order they were learned. Clusters keep
    their ids where the lesson that founded them stays; what you placed by hand stays where it is.
    Stopped half-way, what was moved stays, and running it again goes on. It takes as long as it
    takes: --timeout does not apply.
    """
    with resumable("what was moved stays; go on with: anamnesis clusters run"):
        summary = run(target, lambda channel: _grouped(channel, target))
    if target.as_json:
        print_json(summary)
        return
    table = new_table("lessons", "moved", "clusters before", "clusters now")
    counts = (summary.lessons, summary.moved, summary.clusters_before, summary.clusters)
    table.add_row(*(f"{count:,}" for count in counts))
    console().print(table)
    if summary.waiting:
        note(f"{summary.waiting:,} lessons wait for their vectors, and join when they have them")


def _grouped(channel: grpc.Channel, target: Target) -> ClusteringSummary:
    """Run it, with a bar; gives what came of it."""
    request = RunInitialClusteringRequest(namespace=target.working_namespace)
    summary = ClusteringSummary()
    with WorkBar("read", hidden=target.as_json) as bar:
        for told in ClusterServiceStub(channel).RunInitialClustering(request):
            if told.HasField("summary"):
                summary = told.summary
            else:
                bar.move(told.progress.stage, told.progress.done, told.progress.total)
    return summary


def _print(found: Iterable[Cluster]) -> None:
    """A table, or where that would be folded beyond reading a block each."""
    to = console()
    if is_narrow(to):
        for cluster in found:
            label, lessons, skill, seen_by, changed, cluster_id = _cells(cluster)
            to.print(label)
            told = f"{lessons} lesson{'s' * (lessons != '1')}"
            print_below(to, f"{told}, {skill}, seen by {seen_by}, {changed}", cluster_id)
        return
    table = new_table("topic", "lessons", "skill", "seen by", "changed", "id")
    table.columns[-1].no_wrap = True
    for cluster in found:
        table.add_row(*_cells(cluster))
    to.print(table)


def _cells(cluster: Cluster) -> tuple[str, ...]:
    owners = cluster.agent_id or cluster.user_id or ", ".join(cluster.participants)
    shared = cluster.visibility == VISIBILITY_SHARED
    seen_by = "all" if shared else owners or enum_word(Visibility, cluster.visibility)
    return (
        one_line(cluster.label),
        f"{cluster.member_count:,}",
        enum_word(ClusterState, cluster.state).replace("_", " "),
        one_line(seen_by),
        moment(cluster.update_time),
        f"[dim]{one_line(cluster.cluster_id)}[/]",
    )
