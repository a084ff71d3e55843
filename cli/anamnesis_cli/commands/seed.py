"""`anamnesis seed`: begin a namespace with what another learned, and be rid of it again."""

from collections.abc import Iterator, Sequence

import click
import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.lesson_service_pb2 import (
    ListSeedsRequest,
    SeedNamespaceRequest,
    SeedNamespaceResponse,
    WithdrawSeedRequest,
    WithdrawSeedResponse,
)
from anamnesis.memory.v1.lesson_service_pb2_grpc import LessonServiceStub
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_LEARNING,
    MEMORY_KIND_PROCEDURAL,
    MemoryKind,
)
from anamnesis.memory.v1.seed_pb2 import Seed
from anamnesis_cli.call import run
from anamnesis_cli.output import console, moment, new_table, note, one_line, print_json
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

PAGE_SIZE = 500
_KINDS = {"lessons": MEMORY_KIND_LEARNING, "procedures": MEMORY_KIND_PROCEDURAL}
_EPILOG = """\
\b
Examples:
  anamnesis policy -n kitchen --seeds bakery      first: the owner of kitchen allows it
  anamnesis seed from kitchen -n bakery --dry-run
  anamnesis seed from kitchen -n bakery --limit 50 --tag sqlite
  anamnesis seed list -n bakery
  anamnesis seed withdraw kitchen -n bakery
"""


@click.group(epilog=_EPILOG)
def seed() -> None:
    """Begin a namespace with lessons and procedures that another learned.

    Only what everybody sees there is copied, as far as that namespace's policy allows; nothing that
    was said, no facts, nobody's own. Copies say where they came from, are less sure until they held
    here, and can be withdrawn. What is erased in the source goes here too. See docs/cold-start.md.
    """


_PRIVATE = click.option(
    "--private", is_flag=True, help="For --as-agent alone, instead of for everybody."
)


@seed.command("from", cls=ClientCommand, epilog=_EPILOG)
@click.argument("source")
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=100,
    metavar="N",
    help="At most so many, the best first: published skills, then what held most (default 100).",
)
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(tuple(_KINDS)), help="Only these."
)
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Only of these.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with one of these.")
@click.option(
    "--confidence",
    "confidence_min",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="0..1",
    help="Only what is at least so sure there; never less than 0.5.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be copied.")
@_PRIVATE
@caller_options
@target_options
@pass_target
def seed_from(
    target: Target,
    source: str,
    limit: int,
    kinds: Sequence[str],
    categories: Sequence[str],
    tags: Sequence[str],
    confidence_min: float,
    as_agent: str,
    as_session: str,
    *,
    dry_run: bool,
    private: bool,
) -> None:
    """Copy the best of the namespace SOURCE into this one, all of it or nothing.

    What was copied before, is here word for word, or was deleted here is passed over: the same
    command again adds only what is new.
    """
    request = SeedNamespaceRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        source_namespace=source,
        limit=limit,
        kinds=[_KINDS[one] for one in dict.fromkeys(kinds)],
        categories=categories,
        tags=tags,
        confidence_min=confidence_min,
        private_to_agent=private,
        dry_run=dry_run,
    )
    answer = run(
        target,
        lambda channel: LessonServiceStub(channel).SeedNamespace(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print_seeded(answer, target.working_namespace, source, dry_run=dry_run)


@seed.command("list", cls=ClientCommand)
@caller_options
@target_options
@pass_target
def list_seeds(target: Target, as_agent: str, as_session: str) -> None:
    """List what came from other namespaces, and how much of it held here."""
    caller = caller_of(target, as_agent, as_session)
    found = run(target, lambda channel: [*_listed(channel, target, caller)])
    if target.as_json:
        for one in found:
            print_json(one)
    elif found:
        _print_seeds(found)
    else:
        note(f"namespace {target.working_namespace} was not seeded; `anamnesis seed from` does it")


@seed.command("withdraw", cls=ClientCommand)
@click.argument("source")
@click.option("--confirmed", is_flag=True, help="Also what has held here since.")
@click.option("--dry-run", is_flag=True, help="Only count.")
@_PRIVATE
@caller_options
@target_options
@pass_target
def withdraw_seed(
    target: Target,
    source: str,
    as_agent: str,
    as_session: str,
    *,
    confirmed: bool,
    dry_run: bool,
    private: bool,
) -> None:
    """Erase what came from the namespace SOURCE, with what was derived from it alone.

    What has held here since stays, unless --confirmed: lessons that were applied or validated,
    procedures that ran well or were put to use, what was pinned or worked on, and what own lessons
    were merged into; those lessons stay in any case. `anamnesis seed from` brings it back.
    """
    request = WithdrawSeedRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        source_namespace=source,
        private_to_agent=private,
        include_confirmed=confirmed,
        dry_run=dry_run,
    )
    answer = run(
        target,
        lambda channel: LessonServiceStub(channel).WithdrawSeed(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print_withdrawn(answer, source, dry_run=dry_run)


def _listed(channel: grpc.Channel, target: Target, caller: Caller) -> Iterator[Seed]:
    request = ListSeedsRequest(
        namespace=target.working_namespace, caller=caller, page_size=PAGE_SIZE
    )
    while True:
        page = LessonServiceStub(channel).ListSeeds(request, timeout=target.timeout_s)
        yield from page.seeds
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _print_seeded(
    answer: SeedNamespaceResponse, namespace: str, source: str, *, dry_run: bool
) -> None:
    if answer.memories:
        table = new_table("sure", "kind", "lesson or procedure", "memory")
        table.columns[-1].no_wrap = True
        for one in answer.memories:
            kind = enum_word(MemoryKind, one.kind)
            memory_id = one.memory_id or one.source_memory_id
            table.add_row(f"{one.confidence:.2f}", kind, one_line(one.summary), memory_id)
        console().print(table)
    done = "would come" if dry_run else "came"
    note(f"{len(answer.memories):,} {done} from {source} to {namespace}, {answer.known:,} known")
    if answer.refused:
        note(f"{answer.refused:,} passed over: the policy of {namespace} refuses such texts")


def _print_seeds(found: Sequence[Seed]) -> None:
    table = new_table("source", "for", "memories", "held here", "last came", "erasures there")
    for one in found:
        table.add_row(
            one_line(one.source_namespace),
            one_line(one.agent_id) or "all",
            f"{one.memories:,}",
            f"{one.confirmed:,}",
            moment(one.update_time),
            "reach here" if one.source_present else "do not: not on this server",
        )
    console().print(table)


def _print_withdrawn(answer: WithdrawSeedResponse, source: str, *, dry_run: bool) -> None:
    done = "would go" if dry_run else "withdrawn"
    derived = answer.receipt.derived_memories
    console().print(
        f"{answer.withdrawn:,} from {one_line(source)} {done}"
        + (f", with {derived:,} derived from them alone" if derived else "")
    )
    if answer.confirmed:
        note(f"{answer.confirmed:,} stay: they have held here since; --confirmed takes them too")
