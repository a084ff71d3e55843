"""`anamnesis erase`: take a person, an agent, a session or a whole namespace away, for good."""

from collections.abc import Sequence
from dataclasses import dataclass

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import (
    DeleteNamespaceRequest,
    DeleteSubjectRequest,
    GetNamespaceRequest,
    VerifyErasureRequest,
    VerifyErasureResponse,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.erasure_pb2 import ErasureReceipt
from anamnesis_cli.call import run
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.output import as_dict, console, new_table, note, one_line, print_json
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis erase -n team-a --user ada
  anamnesis erase -n team-a --session s-42 --yes
  anamnesis erase -n team-a --user ada --verify "ada lovelace" --verify "12 St James"
  anamnesis erase -n team-a --whole-namespace
"""


@dataclass(frozen=True, slots=True)
class _Whom:
    """The target of an erasure: one of the four."""

    user: str
    agent: str
    session: str
    namespace: bool

    @property
    def told(self) -> str:
        """The target in words."""
        named = {"user": self.user, "agent": self.agent, "session": self.session}
        words = [f"{kind} {name!r}" for kind, name in named.items() if name]
        return ", ".join([*words, *(["the whole namespace"] if self.namespace else [])])

    def check(self, *, verifies: bool) -> None:
        """Refuse all but one.

        Raises:
            WrongUsage: none is named, or several are.
        """
        if [self.user, self.agent, self.session].count("") + (not self.namespace) != 3:
            raise WrongUsage(
                f"{self.told or 'nobody'} is to be erased",
                "name one of --user, --agent, --session and --whole-namespace",
            )
        if self.namespace and verifies:
            raise WrongUsage(
                "there is nothing left to look through where the whole namespace goes",
                "leave --verify out",
            )


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--user", default="", metavar="ID", help="Everything from and about this user.")
@click.option("--agent", default="", metavar="ID", help="Everything of this agent.")
@click.option("--session", default="", metavar="ID", help="This session.")
@click.option("--whole-namespace", is_flag=True, help="The namespace with all its files.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--verify",
    multiple=True,
    metavar="TEXT",
    help="Look for this text afterwards, in everything that is kept of the namespace. "
    "May be given several times.",
)
@target_options
@pass_target
def erase(
    target: Target,
    user: str,
    agent: str,
    session: str,
    whole_namespace: bool,
    yes: bool,
    verify: tuple[str, ...],
) -> None:
    """Erase everything of a user, an agent or a session, or a whole namespace.

    Memories, what was derived from them alone, sessions with their ledger and uploads, working
    memories, stored answers, and every trace in index, snapshots and files. What rests on somebody
    else's words too stays without what was erased, and is marked for review. It cannot be undone;
    exports and backups made before are yours to erase. Broken off, it is finished by running it
    again. --timeout does not apply.

    With --verify the exit code is 1 where a text is still found. docs/erasure.md says what a
    server keeps by its nature.
    """
    whom = _Whom(user, agent, session, whole_namespace)
    whom.check(verifies=bool(verify))
    if not yes:
        click.confirm(f"erase {whom.told} of {target.working_namespace}?", abort=True, err=True)
    receipt, found = run(target, lambda channel: _erased(channel, target, whom, verify))
    if target.as_json:
        print_json({"receipt": as_dict(receipt), "found": as_dict(found)})
    else:
        _print(receipt, found, verify)
    if found.places:
        raise click.exceptions.Exit(1)


def _erased(
    channel: grpc.Channel, target: Target, whom: _Whom, canaries: Sequence[str]
) -> tuple[ErasureReceipt, VerifyErasureResponse]:
    stub, name = AdminServiceStub(channel), target.working_namespace
    if whom.namespace:
        there = stub.GetNamespace(GetNamespaceRequest(namespace=name)).namespace
        gone = DeleteNamespaceRequest(namespace=name, incarnation=there.incarnation)
        return stub.DeleteNamespace(gone).receipt, VerifyErasureResponse()
    request = DeleteSubjectRequest(namespace=name)
    if whom.user:
        request.user_id = whom.user
    elif whom.agent:
        request.agent_id = whom.agent
    else:
        request.session_id = whom.session
    receipt = stub.DeleteSubject(request).receipt
    if not canaries:
        return receipt, VerifyErasureResponse()
    asked = VerifyErasureRequest(namespace=name, canaries=canaries)
    return receipt, stub.VerifyErasure(asked)


def _print(receipt: ErasureReceipt, found: VerifyErasureResponse, canaries: Sequence[str]) -> None:
    table = new_table("erased", "count")
    for kind, count in sorted(receipt.records.items()):
        table.add_row(one_line(kind), f"{count:,}")
    if receipt.records:
        console().print(table)
    note(
        f"{receipt.derived_memories:,} memories went since all they rested on went, "
        f"{receipt.kept_for_review:,} stay and are to be reviewed; {receipt.index_entries:,} texts "
        f"and vectors left the index, {receipt.files:,} files were removed or written anew"
    )
    if not receipt.records:
        console().print("there was nothing to erase", highlight=False)
    if canaries:
        _print_found(found, canaries)


def _print_found(found: VerifyErasureResponse, canaries: Sequence[str]) -> None:
    looked = ", ".join(f"{count:,} {name}" for name, count in sorted(found.looked_through.items()))
    note(f"looked through {looked}")
    if not found.places:
        console().print("found nowhere", highlight=False)
        return
    table = new_table("text", "store", "place", "times")
    for one in found.places:
        told = (canaries[one.canary], one.store, one.place)
        table.add_row(*map(one_line, told), f"{one.occurrences:,}")
    console().print(table)
