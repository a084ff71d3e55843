"""`anamnesis policy --private`: what a namespace holds becomes its users' own, step by step."""

import grpc

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_cli.output import note
from anamnesis_cli.target import Target
from anamnesis_cli.work_bar import WorkBar


def made_private(channel: grpc.Channel, target: Target) -> pb.MadePrivate:
    """Follows the work, and answers what became whose."""
    request = pb.MakePrivateRequest(namespace=target.working_namespace)
    made = pb.MadePrivate()
    with WorkBar("private", hidden=target.as_json) as bar:
        for told in AdminServiceStub(channel).MakePrivate(request):
            if told.HasField("done"):
                made = told.done
            else:
                bar.move(told.progress.stage, told.progress.done, told.progress.total)
    return made


def tell_private(made: pb.MadePrivate) -> None:
    """Says how much became whose."""
    note(f"{made.sessions:,} sessions and {made.memories:,} memories are their users' own now")
    if made.nobodys:
        note(
            f"{made.nobodys:,} of them came of several users' words, so nobody sees them: "
            f"{', '.join(made.nobodys_ids)}"
        )
