"""`anamnesis policy`: what a namespace's owner decides about its memories, shown and changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

import click
import grpc
from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2, policy_pb2
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.policy_pb2 import AgentSwitch, Policy
from anamnesis_cli.call import error_of, run
from anamnesis_cli.context_notes import CONTEXT_TOKENS
from anamnesis_cli.failures import resumable
from anamnesis_cli.made_private import made_private, tell_private
from anamnesis_cli.output import as_dict, console, new_table, note, one_line, print_json
from anamnesis_cli.params import words
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.errors import NotFound
from anamnesis_libs.rpc.enums import enum_value, enum_word

_ALL = "all"
_EPILOG = """\
\b
Examples:
  anamnesis policy -n team-a
  anamnesis policy -n team-a --redaction strict
  anamnesis policy -n team-a --found block --kind CREDENTIAL --kind LLM_API_KEY
  anamnesis policy -n team-a --forgetting adaptive --cold-days 90
  anamnesis policy -n team-a --agent-off scraper
  anamnesis policy -n hub --visibility shared
  anamnesis policy -n team-a --experience shared
  anamnesis policy -n team-a --seeds team-b
  anamnesis policy -n team-a --context-tokens 400 --context-floor 0.05
  anamnesis policy -n team-a --private
  anamnesis policy -n team-a --single-valued has_front_wheel
"""


_OWN, _SHARED = "own", "shared"
_ANY, _NONE = "any", "none"
_ANY_NAMESPACE = "*"
_READERS = words(event_pb2.Visibility, more=(_OWN,))


class Options(TypedDict):
    """The options of the command."""

    forgetting: str | None
    redaction: str | None
    found: str | None
    kinds: tuple[str, ...]
    visibility: str | None
    cold_days: int | None
    agents_off: tuple[str, ...]
    agents_on: tuple[str, ...]
    single_valued: tuple[str, ...]
    many_valued: tuple[str, ...]
    experience: str | None
    seeds: tuple[str, ...]
    context_tokens: int | None
    context_floor: float | None
    time_zone: str | None


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The changes that the options ask for; None leaves a value as it is."""

    forgetting: str | None = None
    redaction: str | None = None
    found: str | None = None
    kinds: tuple[str, ...] = ()
    visibility: str | None = None
    cold_days: int | None = None
    agents_off: tuple[str, ...] = ()
    agents_on: tuple[str, ...] = ()
    single_valued: tuple[str, ...] = ()
    many_valued: tuple[str, ...] = ()
    experience: str | None = None
    seeds: tuple[str, ...] = ()
    context_tokens: int | None = None
    context_floor: float | None = None
    time_zone: str | None = None


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option(
    "--redaction",
    type=words(policy_pb2.RedactionLevel),
    help="Redaction of texts: nothing, secrets and personal data, or people's names too.",
)
@click.option(
    "--found",
    type=words(policy_pb2.RedactionAction),
    help="Action on a write with something to redact: store it redacted, or refuse it.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Take out only this kind, such as EMAIL_ADDRESS; may be repeated. "
    f"{_ALL!r} takes out all of the level again.",
)
@click.option(
    "--forgetting",
    type=words(policy_pb2.ForgettingPolicy),
    help="Archive and later remove observed memories that fade, or keep them.",
)
@click.option(
    "--visibility",
    type=_READERS,
    help="Who sees what is written without a word of it: the user it names, where it names one "
    "(own), everybody in the namespace, or this user or agent alone.",
)
@click.option(
    "--cold-days",
    type=click.IntRange(0, 36_500),
    metavar="DAYS",
    help="Archive a cold memory after so long without use; 0: never.",
)
@click.option(
    "--agent-off",
    "agents_off",
    multiple=True,
    metavar="ID",
    help="This agent recalls nothing, and nothing is learned from it; may be repeated.",
)
@click.option(
    "--agent-on",
    "agents_on",
    multiple=True,
    metavar="ID",
    help="This agent takes part again; may be repeated.",
)
@click.option(
    "--single-valued",
    multiple=True,
    metavar="PREDICATE",
    help="A new object of this predicate closes the fact before it; may be repeated.",
)
@click.option(
    "--many-valued",
    multiple=True,
    metavar="PREDICATE",
    help="Objects of this predicate add up, whoever says otherwise; may be repeated.",
)
@click.option(
    "--experience",
    type=click.Choice((_SHARED, _OWN)),
    help="What becomes of lessons and procedures that at least three users' work bears out: told "
    "to all, without the words that fewer of them have, or each user's own (the default).",
)
@click.option(
    "--seeds",
    multiple=True,
    metavar="NAMESPACE",
    help="This namespace may be seeded with the lessons and procedures that everybody sees here "
    f"(`anamnesis seed`); may be repeated, and takes the place of what was. {_ANY!r}: whoever may "
    f"read here; {_NONE!r}: nobody, the default.",
)
@click.option(
    "--context-tokens",
    type=click.IntRange(0, 200_000),
    metavar="TOKENS",
    help="The budget of a context that is asked for without one; 0: 1,024.",
)
@click.option(
    "--context-floor",
    type=click.FloatRange(-1, 1),
    metavar="-1..1",
    help="How much more evidence a context wants before it speaks, in cosines: 0.05 makes it "
    "empty more often, -0.05 less, 0 is as usual.",
)
@click.option(
    "--time-zone",
    metavar="ZONE",
    help="Where people are who do not say, Asia/Shanghai or +08:00: what they say from now on is "
    "of a day there, and so is the yesterday of their questions; UTC: the default.",
)
@click.option(
    "--private",
    is_flag=True,
    help="Make all that is shared and names a user that user's own, what is stored included.",
)
@target_options
@pass_target
def policy(target: Target, *, private: bool, **options: Unpack[Options]) -> None:
    """Show what a namespace's owner has decided, after changing what options name.

    A policy holds for what comes in from now on: what is stored stays as it was stored. Only
    --private changes that; broken off, it goes on when it is run again, and --timeout does not
    apply. Changing the policy of a namespace that is not there yet creates it. docs/redaction.md
    says what each level takes out, and lists the kinds; docs/facts.md lists the predicates that
    have one object at a time everywhere; docs/whose-memory.md tells who sees what.
    """
    wanted = PolicyOptions(**options)
    if private and wanted != PolicyOptions():
        raise click.UsageError("--private stands alone: change the rest in a second call")
    with resumable("what was done stays; the same command again goes on"):
        made = run(target, lambda channel: made_private(channel, target)) if private else None
    held = run(target, lambda channel: _held(channel, target, wanted))
    if target.as_json:
        print_json(held if made is None else {"policy": as_dict(held), "private": as_dict(made)})
        return
    _print(target.working_namespace, held)
    if made is not None:
        tell_private(made)


def _held(channel: grpc.Channel, target: Target, wanted: PolicyOptions) -> Policy:
    """The policy as it is after the change."""
    stub, name = AdminServiceStub(channel), target.working_namespace
    if wanted == PolicyOptions():
        return _read(stub, target)
    try:
        before = _read(stub, target)
    except grpc.RpcError as failed:
        if not isinstance(error_of(failed, target.server), NotFound):
            raise
        new = pb.CreateNamespaceRequest(namespace=name, policy=changed(wanted, Policy()))
        return stub.CreateNamespace(new, timeout=target.timeout_s).namespace.policy
    change = changed(wanted, before)
    given = pb.UpdateNamespacePolicyRequest(
        namespace=name, policy=change, update_mask=FieldMask(paths=_paths(change, wanted))
    )
    return stub.UpdateNamespacePolicy(given, timeout=target.timeout_s).policy


def _read(stub: AdminServiceStub, target: Target) -> Policy:
    asked = pb.GetNamespaceRequest(namespace=target.working_namespace)
    return stub.GetNamespace(asked, timeout=target.timeout_s).namespace.policy


def changed(wanted: PolicyOptions, before: Policy) -> Policy:
    """The policy with its new values; lists of agents and predicates are given whole."""
    policy = Policy(
        cold_days=wanted.cold_days,
        context_tokens=wanted.context_tokens,
        context_floor=wanted.context_floor,
    )
    if wanted.forgetting:
        policy.forgetting = enum_value(policy_pb2.ForgettingPolicy, wanted.forgetting)
    if wanted.redaction:
        policy.redaction_level = enum_value(policy_pb2.RedactionLevel, wanted.redaction)
    if wanted.found:
        policy.redaction_action = enum_value(policy_pb2.RedactionAction, wanted.found)
    if wanted.time_zone:
        policy.time_zone = wanted.time_zone
    if wanted.experience:
        policy.share_experience = wanted.experience == _SHARED
    if _NONE not in wanted.seeds:
        named = (_ANY_NAMESPACE if one == _ANY else one for one in wanted.seeds)
        policy.seeds_to.extend(dict.fromkeys(named))
    if wanted.visibility not in (None, _OWN):
        policy.visibility_default = enum_value(event_pb2.Visibility, wanted.visibility)
    _change_lists(policy, wanted, before)
    return policy


def _change_lists(policy: Policy, wanted: PolicyOptions, before: Policy) -> None:
    """Set kinds as given; add to and take from the lists of agents and predicates."""
    if _ALL not in wanted.kinds:
        policy.redaction_kinds.extend(dict.fromkeys(wanted.kinds))
    if wanted.agents_off or wanted.agents_on:
        policy.agents.extend(_switched(before.agents, wanted))
    if wanted.single_valued or wanted.many_valued:
        single, many = wanted.single_valued, wanted.many_valued
        policy.single_valued_predicates.extend(
            _listed(before.single_valued_predicates, single, many)
        )
        policy.many_valued_predicates.extend(_listed(before.many_valued_predicates, many, single))


def _listed(known: Sequence[str], more: Sequence[str], fewer: Sequence[str]) -> list[str]:
    """The list of predicates with new ones, without those that the other list takes."""
    gone = {name.casefold() for name in fewer}
    return [name for name in dict.fromkeys((*known, *more)) if name.casefold() not in gone]


def _switched(agents: Sequence[AgentSwitch], wanted: PolicyOptions) -> list[AgentSwitch]:
    off = [
        AgentSwitch(agent_id=agent, recall_off=True, mining_off=True)
        for agent in dict.fromkeys(wanted.agents_off)
    ]
    named = {*wanted.agents_off, *wanted.agents_on}
    return [*(one for one in agents if one.agent_id not in named), *off]


def _paths(change: Policy, wanted: PolicyOptions) -> list[str]:
    """The paths of the values that change: those that are set, and lists that become empty."""
    paths = {field.name for field, _ in change.ListFields()}
    if wanted.kinds:
        paths.add("redaction_kinds")
    if wanted.seeds:
        paths.add("seeds_to")
    if wanted.visibility == _OWN:
        paths.add("visibility_default")
    if wanted.agents_off or wanted.agents_on:
        paths.add("agents")
    if wanted.single_valued or wanted.many_valued:
        paths |= {"single_valued_predicates", "many_valued_predicates"}
    return sorted(paths)


def _print(name: str, policy: Policy) -> None:
    table = new_table("of", "policy")
    for label, told in _rows(policy):
        table.add_row(label, one_line(told))
    console().print(table)
    note(f"namespace {name}; options of `anamnesis policy` change it")


def _rows(policy: Policy) -> list[tuple[str, str]]:
    default = policy.visibility_default
    visibility = enum_word(event_pb2.Visibility, default)
    visibility = visibility if default else f"{_OWN}: of the user that a write names, else shared"
    agents = [
        f"{one.agent_id} ({' and '.join(_off(one))} off)" for one in policy.agents if _off(one)
    ]
    return [
        ("redaction", enum_word(policy_pb2.RedactionLevel, policy.redaction_level)),
        ("found", enum_word(policy_pb2.RedactionAction, policy.redaction_action)),
        ("kinds", ", ".join(policy.redaction_kinds) or _ALL),
        ("forgetting", enum_word(policy_pb2.ForgettingPolicy, policy.forgetting)),
        ("visibility", visibility),
        ("experience", _SHARED if policy.share_experience else _OWN),
        ("seeds", ", ".join(policy.seeds_to).replace(_ANY_NAMESPACE, _ANY) or _NONE),
        ("cold days", f"{policy.cold_days:,}" if policy.cold_days else "never"),
        ("context", _context(policy)),
        ("time zone", policy.time_zone or "UTC"),
        ("agents", ", ".join(agents) or "all take part"),
        ("single-valued", ", ".join(policy.single_valued_predicates) or "as everywhere"),
        ("many-valued", ", ".join(policy.many_valued_predicates) or "as everywhere"),
    ]


def _context(policy: Policy) -> str:
    """The budget of contexts, and how much more evidence they want."""
    tokens = f"{policy.context_tokens or CONTEXT_TOKENS:,} tokens"
    floor = f", floor {policy.context_floor:+g}" if policy.context_floor else ""
    return f"{tokens}{floor}"


def _off(agent: AgentSwitch) -> list[str]:
    return [what for what in ("recall", "mining") if getattr(agent, f"{what}_off")]
