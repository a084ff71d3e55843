"""`anamnesis import`: a namespace out of a file, or of standard input."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import (
    ImportNamespaceHeader,
    ImportNamespaceRequest,
    ImportNamespaceResponse,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.output import console, new_table, note, one_line, print_json
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar

STDIN = "-"
CHUNK_BYTES = 1 << 20
ORDER = (
    *("wings", "sessions", "events", "memories", "embeddings"),
    *("topics", "topic_members", "segments", "activities", "work", "usages"),
    *("uploads", "deletions", "tombstones", "stubs"),
)
_EPILOG = """\
\b
Examples:
  anamnesis import team-a.jsonl -n team-b
  gunzip --stdout team-a.jsonl.gz | anamnesis import - -n team-b
"""


@click.command("import", cls=ClientCommand, epilog=_EPILOG)
@click.argument("file", metavar="FILE|-")
@target_options
@pass_target
def import_namespace(target: Target, file: str) -> None:
    """Make the namespace given with -n of FILE, or of standard input (`-`).

    The file is what `anamnesis export` wrote. The namespace appears when all of it is stored and
    checked, or not at all, and never in place of one that holds something. What the file holds is
    taken as it is: import only what you trust. It takes as long as it takes: --timeout does not
    apply.
    """
    if not target.namespace:
        raise WrongUsage("no namespace is named", "say which one to make: -n NAME")
    if file == STDIN:
        made = run(target, lambda channel: _send(channel, target, sys.stdin.buffer, 0))
    else:
        made = _send_file(target, Path(file))
    if target.as_json:
        print_json(made)
    else:
        _print(made)


def _send_file(target: Target, path: Path) -> ImportNamespaceResponse:
    try:
        with path.open("rb") as source:
            size_bytes = path.stat().st_size
            return run(target, lambda channel: _send(channel, target, source, size_bytes))
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}", "name a readable file") from error


def _send(
    channel: grpc.Channel, target: Target, source: IO[bytes], size_bytes: int
) -> ImportNamespaceResponse:
    with WorkBar("import (MiB)", hidden=target.as_json) as bar:
        return AdminServiceStub(channel).ImportNamespace(
            _requests(target.namespace, source, size_bytes, bar)
        )


def _requests(
    namespace: str, source: IO[bytes], size_bytes: int, bar: WorkBar
) -> Iterator[ImportNamespaceRequest]:
    yield ImportNamespaceRequest(header=ImportNamespaceHeader(namespace=namespace))
    sent_bytes = 0
    while chunk := source.read(CHUNK_BYTES):
        yield ImportNamespaceRequest(chunk=chunk)
        sent_bytes += len(chunk)
        bar.move("import (MiB)", sent_bytes >> 20, max(size_bytes, sent_bytes) >> 20)


def _print(made: ImportNamespaceResponse) -> None:
    table = new_table("what", "how many", title=f"namespace {one_line(made.namespace.namespace)}")
    for kind in ORDER:
        table.add_row(one_line(kind.replace("_", " ")), f"{made.records[kind]:,}")
    console().print(table)
    if made.replaced_embedding_model:
        note(
            f"its vectors were of {made.replaced_embedding_model}: they are made again, "
            f"{made.pending_embeddings:,} to go, and topics with them"
        )
    elif made.pending_embeddings:
        note(f"{made.pending_embeddings:,} memories wait for their vectors")
    note(f"revision {made.namespace.revision} (search --at-least-revision waits for it)")
