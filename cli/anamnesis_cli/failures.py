"""The message of a failed call: one line for the failure, one line for a way out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from urllib.parse import urlsplit

import click

from anamnesis_libs import errors

# By reason first; a class stands for its subclasses and for reasons without a line of their own.
_REMEDIES: dict[str | type[errors.AnamnesisError], str] = {
    "NAMESPACE_NOT_FOUND": "`anamnesis stats` lists the namespaces; name one with -n, or make it "
    "by writing to it: `anamnesis -n NAME ingest PATH`",
    "POINTER_NOT_FOUND": "`anamnesis palace` shows what is there; --user and --as-agent ask as "
    "somebody who may see more",
    "WING_NOT_FOUND": "`anamnesis palace` lists the wings",
    "PAGE_TOKEN_INVALID": "repeat the command without --page-token, or unchanged but for it",
    "FILE_NOT_TEXT": "give JSON Lines files: one message a line; plain text goes with --text",
    "DOCUMENT_UNREADABLE": "mend the file at that place, or write one message a line",
    "NAMESPACE_EXISTS": "choose another name with -n: what is there is never written over",
    "EXPORT_DAMAGED": "nothing was imported; take another copy, or make the export again",
    "SCHEMA_NEWER": "start the version that wrote it, or a newer one; nothing was changed",
    "EMBEDDING_MODEL_MISMATCH": "start the server with the model that the namespace is bound to, "
    "or bind it to this one: anamnesis reembed -n NAME",
    "REVISION_OF_ANOTHER_INCARNATION": "leave --at-least-revision out",
    "REVISION_IN_FUTURE": "pass the revision that a write to this namespace printed",
    "TOO_LARGE": "send less at once",
    "MODEL_UNAVAILABLE": "see whether the model answers (the server's log names it), then retry",
    "MODEL_REFUSED": "the model declined this text; take it out, or configure another model",
    "ANSWER_MALFORMED": "try once more; if it stays so, configure a stronger model",
    "PROMPT_TOO_LONG": "give less text, or raise models.llm_max_input_tokens on the server",
    "MODEL_BUDGET_EXHAUSTED": "wait for the next hour, or raise the namespace's budget",
    "PEER_UNAVAILABLE": "start the service that is missing, or one `anamnesis serve` with all",
    "STORE_FULL": "free space on the server's disk, then run the command again; what is stored can "
    "be read and deleted meanwhile",
    "STORE_UNAVAILABLE": "free space on the server's disk or start its store, then retry",
    "UNAUTHENTICATED": "name a file that holds a key the server knows: --api-key-file FILE",
    "PERMISSION_DENIED": "use a key that may do this: --api-key-file FILE",
    "KEY_NOT_ENTITLED": "use a key that may do this: --api-key-file FILE",
    "SEEDING_NOT_ALLOWED": "the owner of the source allows it: "
    "anamnesis policy -n SOURCE --seeds NAMESPACE",
    "ENTITY_NOT_FOUND": "`anamnesis entities` lists them; what is private needs --user or "
    "--as-agent",
    "CLUSTER_NOT_READY": "wait until more was learned, or make it all the same with --force",
    "CLUSTER_NOT_FOUND": "`anamnesis clusters list` shows what is there; what is private needs "
    "--user or --as-agent",
    "MEMORY_NOT_ASSIGNABLE": "do what the message says first, or give it a cluster of its own: "
    "anamnesis clusters assign MEMORY_ID --new",
    "LEASE_LOST": "leave it: another worker has the work by now",
    errors.InvalidArgument: "correct it; `anamnesis COMMAND --help` explains each option",
    errors.NotFound: "see what is there: `anamnesis search`, `anamnesis stats`",
    errors.Conflict: "run the command again",
    errors.ResourceExhausted: "the server is busy: run the command again in a moment",
    errors.Unavailable: "run the command again in a moment",
    errors.DeadlineExceeded: "run it again, or give it longer: --timeout SECONDS",
    errors.Unimplemented: "call a server that runs this service (`anamnesis serve` runs all), "
    "of the same version as this command",
    errors.Internal: "the server's log has the cause; please report it with the incident id",
}

_HOST_PORT = "name the server as HOST:PORT, such as 127.0.0.1:50051"
_OF_HTTP = "http1.x server"
"""gRPC says so where the answer was one of HTTP/1."""
_OF_A_FILE = ("FILE_NOT_TEXT", "DOCUMENT_UNREADABLE", "EXPORT_DAMAGED")


class Failure(click.ClickException):
    """A failure with its remedy, told on standard error; exit code 1."""

    exit_code = 1

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy

    def show(self, file: IO[str] | None = None) -> None:
        """Prints the two lines."""
        # loaded here, since a command that does not fail may do without
        from anamnesis_cli.output import console_on, printable

        console = console_on(file or sys.stderr)
        console.print(f"[bold red]error:[/] {printable(self.message)}", soft_wrap=True)
        console.print(f"[bold]remedy:[/] {printable(self.remedy)}", soft_wrap=True)


class WrongUsage(Failure):
    """The command or its settings are wrong, and will stay wrong; exit code 2."""

    exit_code = 2


class Interrupted(Failure):
    """A person stopped it; exit code 130, as shells have it."""

    exit_code = 130


@contextmanager
def resumable(how_to_go_on: str) -> Iterator[None]:
    """Tells how to go on when what is done inside is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("interrupted", how_to_go_on) from None


def failure_of(error: errors.AnamnesisError, server: str) -> Failure:
    """The failure to tell for an error of a call to `server`."""
    if is_unreachable(error, server):
        return _misnamed(error, server) or Failure(
            f"no server answers at {server}",
            "start one in another terminal: anamnesis serve   (or name another: --server "
            "HOST:PORT; --tls-ca FILE is for a server with a certificate, and for no other)",
        )
    typed_wrong = isinstance(error, errors.InvalidArgument) and error.reason not in _OF_A_FILE
    return (WrongUsage if typed_wrong else Failure)(told(error), _remedy(error))


def _misnamed(error: errors.AnamnesisError, server: str) -> Failure | None:
    """The failure of an address that is no gRPC server's, whatever runs there; None for others."""
    if server.startswith(("http://", "https://")):
        return WrongUsage(f"{server} is an address of HTTP, and gRPC is spoken here", _HOST_PORT)
    if _OF_HTTP in error.message:
        return WrongUsage(
            f"{server} speaks HTTP, and gRPC is spoken here",
            "name the other port, which `anamnesis serve` tells first: it is 50051 unless set",
        )
    if not names_port(server):
        return WrongUsage(f"no server answers at {server}, which names no port", _HOST_PORT)
    return None


def names_port(server: str) -> bool:
    """True for HOST:PORT with a port that there can be, and for what is no address of a network."""
    if "/" in server:
        return True
    try:
        return urlsplit(f"//{server}").port is not None
    except ValueError:
        return False


def is_unreachable(error: errors.AnamnesisError, server: str) -> bool:
    """True if the server itself, and not one behind it, does not answer."""
    return isinstance(error, errors.PeerUnavailable) and error.metadata.get("peer") == server


def told(error: errors.AnamnesisError) -> str:
    """The failure in one line; for a wrong request, every broken rule; of a file no field."""
    if isinstance(error, errors.InvalidArgument) and error.violations:
        if error.reason in _OF_A_FILE:
            return "; ".join(v.description for v in error.violations)
        return "; ".join(f"{v.field}: {v.description}" for v in error.violations)
    return " ".join(error.message.split())


def _remedy(error: errors.AnamnesisError) -> str:
    if error.reason in _REMEDIES:
        return _REMEDIES[error.reason]
    known = (_REMEDIES[cls] for cls in type(error).__mro__ if cls in _REMEDIES)
    return next(known, "see the server's log")
