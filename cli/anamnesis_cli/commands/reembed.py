"""`anamnesis reembed`: bind a namespace to the server's embedding model."""

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import ReembedRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.namespace_pb2 import Namespace
from anamnesis_cli.call import run
from anamnesis_cli.output import note, print_json
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar

_EPILOG = """\
\b
Example:
  anamnesis reembed -n team-a
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@target_options
@pass_target
def reembed(target: Target) -> None:
    """Make all vectors of a namespace anew with the model the server is configured with.

    Searches go on by text alone, and writes are accepted, until all vectors are there and take the
    place of the old ones at once. Interrupted, it goes on where it stopped when it is run again. It
    takes as long as it takes: --timeout does not apply.
    """
    namespace = run(target, lambda channel: _followed(channel, target))
    if target.as_json:
        print_json(namespace)
    else:
        note(f"{namespace.namespace} is bound to {namespace.embedding_model}")


def _followed(channel: grpc.Channel, target: Target) -> Namespace:
    request = ReembedRequest(namespace=target.working_namespace)
    namespace = Namespace()
    with WorkBar("embed", hidden=target.as_json) as bar:
        for told in AdminServiceStub(channel).Reembed(request):
            if told.HasField("namespace"):
                namespace = told.namespace
            else:
                bar.move(told.progress.stage, told.progress.done, told.progress.total)
    return namespace
