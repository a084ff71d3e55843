"""`anamnesis export`: a namespace, or what it keeps of a person, into a file or standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
import grpc

from anamnesis.memory.v1.admin_service_pb2 import ExportNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.failures import Failure, WrongUsage
from anamnesis_cli.output import note, print_json
from anamnesis_cli.person_export import lines_of
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar

STDOUT = "-"
_EPILOG = """\
\b
Examples:
  anamnesis export -n team-a team-a.jsonl
  anamnesis export -n team-a - | gzip > team-a.jsonl.gz
  anamnesis export -n team-a --of-user ada ada.jsonl
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--of-user", default="", metavar="ID", help="Only what is kept of this person, for them."
)
@target_options
@pass_target
def export(target: Target, file: str, of_user: str) -> None:
    """Write all of a namespace to FILE, or to standard output (`-`), as JSON Lines.

    It is the namespace at one revision; reads and writes go on meanwhile. The file appears when it
    is whole, and never in place of one that is there. `anamnesis import` makes a namespace of it,
    on this server or another. It takes as long as it takes: --timeout does not apply.

    With --of-user it is what a person may ask for, and no namespace is made of it: their sessions
    with all that was said in them, and all that was learned from it, also from those with others.
    """
    with _sink(file) as sink:
        records, size_bytes = run(
            target,
            lambda channel: (
                _write_person(channel, target, of_user, sink)
                if of_user
                else _write(channel, target, sink)
            ),
        )
    if target.as_json and file != STDOUT:
        print_json({"file": file, "records": records, "bytes": size_bytes})
    else:
        note(f"{records:,} records, {size_bytes:,} bytes")


def _write(channel: grpc.Channel, target: Target, sink: IO[bytes]) -> tuple[int, int]:
    request = ExportNamespaceRequest(namespace=target.working_namespace)
    records = size_bytes = 0
    with WorkBar("export", hidden=target.as_json) as bar:
        for part in AdminServiceStub(channel).ExportNamespace(request):
            sink.write(part.chunk)
            records, size_bytes = part.records, size_bytes + len(part.chunk)
            bar.move("export", part.records, part.records_total)
    return records, size_bytes


def _write_person(
    channel: grpc.Channel, target: Target, user_id: str, sink: IO[bytes]
) -> tuple[int, int]:
    sizes = [sink.write(line) for line in lines_of(channel, target, user_id)]
    if not sizes:
        raise Failure(
            f"nothing is kept of {user_id} in namespace {target.working_namespace}",
            "name the person by the id that they were written under, `--user`",
        )
    return len(sizes), sum(sizes)


@contextmanager
def _sink(file: str) -> Iterator[IO[bytes]]:
    """The stream to write to; a file gets its name once it is whole and on the disk."""
    if file == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path, part = Path(file), Path(f"{file}.part")
    if path.exists():
        raise WrongUsage(f"{file} is there already", "name another file, or move it away")
    try:
        with part.open("xb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        part.rename(path)
    except OSError as error:
        raise WrongUsage(f"cannot write {file}: {error.strerror}", "name another file") from error
    finally:
        part.unlink(missing_ok=True)
