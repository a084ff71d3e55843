"""The server that a command talks to, and the options that name it.

They may stand before the command or after it (`anamnesis --json search X`, `anamnesis search X
--json`); the one after wins.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from anamnesis_libs.settings.config import USER_VARIABLE, usual_user

DEFAULT_SERVER = "127.0.0.1:50051"
DEFAULT_NAMESPACE = "default"
TIMEOUT_S = 30.0

Run = TypeVar("Run", bound=Callable[..., object])


@dataclass(slots=True)
class Target:
    """The shared options; `namespace` is empty and `user` None if none was named."""

    server: str = DEFAULT_SERVER
    namespace: str = ""
    as_json: bool = False
    api_key_file: Path | None = None
    tls_ca: Path | None = None
    timeout_s: float = TIMEOUT_S
    user: str | None = None

    @property
    def working_namespace(self) -> str:
        """The namespace to read or write."""
        return self.namespace or DEFAULT_NAMESPACE

    @property
    def user_id(self) -> str:
        """The user whose memory is read and written: as named, else the person at this machine."""
        return usual_user() if self.user is None else self.user

    def command(self, *words: str) -> str:
        """A command to type, with the options that lead it to the same server and namespace."""
        options = {
            "-n": self.namespace,
            "--user": self.user,
            "--server": self.server if self.server != DEFAULT_SERVER else "",
            "--api-key-file": self.api_key_file,
            "--tls-ca": self.tls_ca,
        }
        given = [(name, str(value)) for name, value in options.items() if value]
        return shlex.join(["anamnesis", *words, *(each for pair in given for each in pair)])


pass_target = click.make_pass_decorator(Target, ensure=True)


def _remember(
    context: click.Context, option: click.Parameter, value: str | float | Path | None
) -> None:
    if value is not None and option.name:
        setattr(context.ensure_object(Target), option.name, value)


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OPTIONS = (
    click.option(
        "--server",
        metavar="HOST:PORT",
        callback=_remember,
        expose_value=False,
        help=f"The server to call (default {DEFAULT_SERVER}).",
    ),
    click.option(
        "--namespace",
        "-n",
        metavar="NAME",
        callback=_remember,
        expose_value=False,
        help=f"The namespace to work in (default {DEFAULT_NAMESPACE!r}); "
        "nothing ever crosses from one to another.",
    ),
    click.option(
        "--json",
        "as_json",
        is_flag=True,
        default=None,
        callback=_remember,
        expose_value=False,
        help="Print JSON, for scripts.",
    ),
    click.option(
        "--api-key-file",
        type=_FILE,
        metavar="FILE",
        callback=_remember,
        expose_value=False,
        help="File whose first line is the API key.",
    ),
    click.option(
        "--tls-ca",
        type=_FILE,
        metavar="FILE",
        callback=_remember,
        expose_value=False,
        help="Speak TLS; PEM roots that the server's certificate chains to.",
    ),
    click.option(
        "--timeout",
        "timeout_s",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        callback=_remember,
        expose_value=False,
        help=f"Longest wait for an answer (default {TIMEOUT_S:g}).",
    ),
)
_USER = click.option(
    "--user",
    metavar="ID",
    callback=_remember,
    expose_value=False,
    help="Whose memory it is: what this person says, and may see beside what is shared. Default: "
    f"${USER_VARIABLE}, else the login name; '' is nobody.",
)
_SHARED_NAMES = frozenset(Target.__dataclass_fields__) - {"user"}


def user_option(run: Run) -> Run:
    """Adds the option that says whose memory is written or read; see `Target.user_id`."""
    return _USER(run)


def target_options(run: Run) -> Run:
    """Adds the shared options to a command; `pass_target` hands over what they said."""
    for option in reversed(_OPTIONS):
        run = option(run)
    return run


class ClientCommand(click.Command):
    """A command whose help shows its own options first and the shared ones apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes both lists."""
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        records = [(option.name, option.get_help_record(ctx)) for option in options]
        for heading, shared in (("Options", False), ("Shared options", True)):
            rows = [row for name, row in records if row and (name in _SHARED_NAMES) is shared]
            with formatter.section(heading):
                formatter.write_dl(rows)
