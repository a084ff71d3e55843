"""`anamnesis skills`: what lessons came to, their review, and skills as folders for agents."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import grpc

from anamnesis.cluster.v1.cluster_pb2 import (
    CLUSTER_STATE_READY,
    CLUSTER_STATE_READY_AGAIN,
    Cluster,
)
from anamnesis.cluster.v1.cluster_service_pb2 import (
    CrystallizeClusterRequest,
    CrystallizeClusterResponse,
    ListClustersRequest,
    ListCrystallizationsRequest,
    ListCrystallizationsResponse,
)
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.cluster.v1.projection_service_pb2 import (
    SKILL_VERDICT_PUBLISH,
    SKILL_VERDICT_REJECT,
    ReviewSkillRequest,
    SkillVerdict,
)
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import (
    PROCEDURE_STATUS_ACTIVE,
    PROCEDURE_STATUS_DEPRECATED,
    PROCEDURE_STATUS_DRAFT,
    Memory,
    ProcedureStatus,
)
from anamnesis.memory.v1.topic_pb2 import CrystallizationOutcome
from anamnesis_cli.call import run
from anamnesis_cli.failures import Failure, WrongUsage
from anamnesis_cli.output import (
    console,
    is_narrow,
    moment,
    new_table,
    note,
    one_line,
    print_below,
    print_json,
    printable,
)
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.skill_exchange import (
    PAGE_SIZE,
    keep_skill,
    listed_skills,
    make_way,
    skills_there,
    sources_of,
    write_folder,
)
from anamnesis_cli.skill_folder import (
    folder_files,
    read_folder,
    unused_name,
)
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

_WORDS = {
    PROCEDURE_STATUS_DRAFT: "proposed",
    PROCEDURE_STATUS_ACTIVE: "in use",
    PROCEDURE_STATUS_DEPRECATED: "rejected",
}
_EPILOG = """\
\b
Examples:
  anamnesis skills make
  anamnesis skills list
  anamnesis skills show git-push
  anamnesis skills publish git-push --note "checked by hand"
  anamnesis skills export .claude/skills
  anamnesis skills import ~/skills/pdf-forms
"""


@click.group(epilog=_EPILOG)
def skills() -> None:
    """Make skills of what was learned, review them, and hand them to agents.

    A cluster of five lessons or more is ready to become a skill: when to use it, steps in order,
    failures with their remedies. Without a chat model it is written in the lessons' own words.
    What is written is a proposal until you publish it. Agents load a skill as a folder with a
    SKILL.md.
    """


@skills.command("list", cls=ClientCommand)
@click.option("--rejected", is_flag=True, help="Those that were rejected.")
@caller_options
@target_options
@pass_target
def list_skills(target: Target, as_agent: str, as_session: str, *, rejected: bool) -> None:
    """List skills: what was proposed, and what is in use."""
    caller = caller_of(target, as_agent, as_session)
    status = PROCEDURE_STATUS_DEPRECATED if rejected else ProcedureStatus.ValueType(0)
    found = run(target, lambda channel: [*listed_skills(channel, target, caller, status)])
    if target.as_json:
        for one in found:
            print_json(one)
        return
    if found:
        _print_skills(found)
    else:
        note(
            f"there are no skills in namespace {target.working_namespace}; `anamnesis skills make` "
            "makes them of what is ready, `anamnesis clusters list` shows what is"
        )


@skills.command("show", cls=ClientCommand)
@click.argument("name")
@caller_options
@target_options
@pass_target
def show_skill(target: Target, name: str, as_agent: str, as_session: str) -> None:
    """Print the skill NAME, or of this memory, as Markdown."""
    caller = caller_of(target, as_agent, as_session)
    found = run(target, lambda channel: _named(channel, target, caller, name))
    if target.as_json:
        print_json(found)
    else:
        console().print(printable(found.content.rstrip()), soft_wrap=True)
        if found.procedure.review_note:
            note(f"its reviewer says: {found.procedure.review_note}")


@skills.command("make", cls=ClientCommand)
@click.argument("cluster", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only show what would come of it.")
@click.option("--force", is_flag=True, help="Also of clusters that are not ready.")
@caller_options
@target_options
@pass_target
def make_skills(
    target: Target,
    cluster: tuple[str, ...],
    as_agent: str,
    as_session: str,
    *,
    dry_run: bool,
    force: bool,
) -> None:
    """Make skills of the clusters that are ready, or of each CLUSTER that is named.

    Every attempt is kept: `anamnesis skills attempts CLUSTER` lists them.
    """
    caller = caller_of(target, as_agent, as_session)

    def work(channel: grpc.Channel) -> int:
        ids = cluster or [one.cluster_id for one in _ready(channel, target, caller)]
        stub = ClusterServiceStub(channel)
        for cluster_id in ids:
            request = CrystallizeClusterRequest(
                namespace=target.working_namespace,
                cluster_id=cluster_id,
                caller=caller,
                dry_run=dry_run,
                force=force,
            )
            answer = stub.CrystallizeCluster(request, timeout=target.timeout_s)
            _print_made(cluster_id, answer, target, dry_run=dry_run)
        return len(ids)

    if not run(target, work):
        note("no cluster is ready: one needs five lessons, or three more than at the last attempt")


@skills.command("attempts", cls=ClientCommand)
@click.argument("cluster")
@caller_options
@target_options
@pass_target
def list_attempts(target: Target, cluster: str, as_agent: str, as_session: str) -> None:
    """List the attempts to make a skill of CLUSTER, the newest first."""
    request = ListCrystallizationsRequest(
        namespace=target.working_namespace,
        cluster_id=cluster,
        caller=caller_of(target, as_agent, as_session),
        page_size=PAGE_SIZE,
    )
    page = run(
        target,
        lambda channel: ClusterServiceStub(channel).ListCrystallizations(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(page)
    else:
        _print_attempts(page)


@skills.command("publish", cls=ClientCommand)
@click.argument("name")
@click.option("--note", "said", default="", help="Why; kept with the skill.")
@caller_options
@target_options
@pass_target
def publish_skill(target: Target, name: str, said: str, as_agent: str, as_session: str) -> None:
    """Put the skill NAME to use."""
    _review(target, name, SKILL_VERDICT_PUBLISH, said, caller_of(target, as_agent, as_session))


@skills.command("reject", cls=ClientCommand)
@click.argument("name")
@click.option("--note", "said", default="", help="Why; kept with the skill.")
@caller_options
@target_options
@pass_target
def reject_skill(target: Target, name: str, said: str, as_agent: str, as_session: str) -> None:
    """Take the skill NAME out of use: it is archived and found no more."""
    _review(target, name, SKILL_VERDICT_REJECT, said, caller_of(target, as_agent, as_session))


@skills.command("export", cls=ClientCommand)
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--proposed", is_flag=True, help="Also what nobody has published yet.")
@caller_options
@target_options
@pass_target
def export_skills(
    target: Target, directory: Path, as_agent: str, as_session: str, *, proposed: bool
) -> None:
    """Write skills into DIRECTORY, each as a folder with a SKILL.md that agents load.

    A folder that is there is written over if it holds the same skill, and left alone otherwise.
    """
    caller = caller_of(target, as_agent, as_session)
    taken: dict[str, str] = {}

    def work(channel: grpc.Channel) -> None:
        for one in listed_skills(channel, target, caller):
            if one.procedure.status == PROCEDURE_STATUS_ACTIVE or proposed:
                name = unused_name(one.procedure.name, taken)
                taken[name] = one.memory_id
                files = folder_files(one, name, sources_of(channel, target, caller, one))
                write_folder(directory / name, one, files)

    run(target, work)
    if not taken:
        note("no skill is in use; --proposed writes those that wait for review too")


@skills.command("import", cls=ClientCommand)
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--proposed", is_flag=True, help="Leave them for review; else they are in use.")
@click.option("--replace", is_flag=True, help="Delete what is there of the same name.")
@click.option("--private", is_flag=True, help="For --user alone; else everybody sees them.")
@caller_options
@target_options
@pass_target
def import_skills(
    target: Target,
    folders: tuple[Path, ...],
    as_agent: str,
    as_session: str,
    *,
    proposed: bool,
    replace: bool,
    private: bool,
) -> None:
    """Keep the SKILL.md of each FOLDER, word for word, as a skill.

    Other files of a folder are not kept, and named. Import only what you trust: agents follow it.
    """
    found = [read_folder(folder) for folder in folders]
    caller = caller_of(target, as_agent, as_session)

    def work(channel: grpc.Channel) -> None:
        known = {one.procedure.name: one for one in skills_there(channel, target, caller)}
        for one in found:
            before = known.get(one.name)
            if before is not None and before.content.strip() == one.text.strip():
                note(f"{one.name}: is there already, unchanged")
                continue
            if before is not None:
                make_way(channel, target, caller, before, replace=replace)
            made = keep_skill(
                channel, target, one, proposed=proposed, user_id=caller.user_id if private else ""
            )
            console().print(f"{one_line(one.name)}  [dim]memory {made.memory_id}[/]")
            if one.left_out:
                note(f"{one.name}: not kept: {', '.join(one.left_out)}")

    run(target, work)


def _named(channel: grpc.Channel, target: Target, caller: Caller, name: str) -> Memory:
    """The skill of a name or of a memory's id, the rejected ones too.

    Raises:
        Failure: there is none.
        WrongUsage: there are several of this name.
    """
    statuses = (ProcedureStatus.ValueType(0), PROCEDURE_STATUS_DEPRECATED)
    found = [
        one
        for status in statuses
        for one in listed_skills(channel, target, caller, status)
        if name in (one.procedure.name, one.memory_id)
    ]
    if not found:
        raise Failure(f"there is no skill {name}, as far as you may see", "anamnesis skills list")
    if len(found) > 1:
        ids = ", ".join(one.memory_id for one in found)
        raise WrongUsage(f"there are {len(found)} skills {name}", f"name one by its memory: {ids}")
    return found[0]


def _ready(channel: grpc.Channel, target: Target, caller: Caller) -> Iterator[Cluster]:
    stub = ClusterServiceStub(channel)
    request = ListClustersRequest(
        namespace=target.working_namespace, caller=caller, page_size=PAGE_SIZE
    )
    while True:
        page = stub.ListClusters(request, timeout=target.timeout_s)
        for one in page.clusters:
            if one.state in (CLUSTER_STATE_READY, CLUSTER_STATE_READY_AGAIN):
                yield one
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return


def _print_skills(found: Iterable[Memory]) -> None:
    """A table, or where that would be folded beyond reading a block each."""
    to = console()
    table = new_table("skill", "stands", "use when", "by", "memory")
    table.columns[-1].no_wrap = True
    for one in found:
        name, stands = one_line(one.procedure.name), _WORDS.get(one.procedure.status, "")
        goal, memory_id = one_line(one.procedure.goal), f"[dim]{one.memory_id}[/]"
        by = one_line(one.provenance.model or "a person")
        table.add_row(name, stands, goal, by, memory_id)
        if is_narrow(to):
            to.print(name)
            print_below(to, f"{stands}, by {by}", f"use when {goal}", memory_id)
    if not is_narrow(to):
        to.print(table)


def _print_made(
    cluster_id: str, answer: CrystallizeClusterResponse, target: Target, *, dry_run: bool
) -> None:
    if target.as_json:
        print_json(answer)
        return
    attempt = answer.crystallization
    outcome = enum_word(CrystallizationOutcome, attempt.outcome).replace("_", " ")
    console().print(f"{one_line(cluster_id)}  [bold]{outcome}[/]: {one_line(attempt.reason)}")
    if answer.text and dry_run:
        console().print(printable(answer.text), soft_wrap=True, end="")
    if answer.HasField("skill"):
        name = answer.skill.procedure.name
        console().print(f"  skill {one_line(name)}  [dim]memory {answer.skill.memory_id}[/]")
        note(f"read it with `anamnesis skills show {name}`, then publish or reject it")


def _print_attempts(page: ListCrystallizationsResponse) -> None:
    table = new_table("attempt", "when", "lessons", "outcome", "why", "by")
    for one in page.crystallizations:
        table.add_row(
            str(one.attempt),
            moment(one.create_time),
            str(one.member_count),
            enum_word(CrystallizationOutcome, one.outcome).replace("_", " "),
            one_line(one.reason),
            one_line(one.model),
        )
    if page.crystallizations:
        console().print(table)
    else:
        note("nobody has tried yet")


def _review(
    target: Target, name: str, verdict: SkillVerdict.ValueType, said: str, caller: Caller
) -> None:
    def work(channel: grpc.Channel) -> Memory:
        found = _named(channel, target, caller, name)
        request = ReviewSkillRequest(
            namespace=target.working_namespace,
            caller=caller,
            memory_id=found.memory_id,
            verdict=verdict,
            note=said,
            etag=found.etag,
        )
        answer = ProjectionServiceStub(channel).ReviewSkill(request, timeout=target.timeout_s)
        return answer.skill

    after = run(target, work)
    if target.as_json:
        print_json(after)
    else:
        stands = _WORDS.get(after.procedure.status, "")
        console().print(f"{one_line(after.procedure.name)} is {stands}")
