"""The server that a command talks to, and the options that name it.

They may stand before the command or after it (`anamnesis --json search X`, `anamnesis search X
--json`); the one after wins. What is not given is as `anamnesis_cli.defaults` says.
"""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import click

from anamnesis_cli.defaults import (
    AGENT,
    API_KEY_FILE,
    LOGIN,
    NAMESPACE,
    SERVER,
    TLS_CA,
    USER,
    Default,
    defaults,
    variable_of,
)

TIMEOUT_S = 30.0

Run = TypeVar("Run", bound=Callable[..., object])


@dataclass(slots=True)
class Target:
    """The shared options: as `given` on the command line, else as they are by `usual`."""

    as_json: bool = False
    timeout_s: float = TIMEOUT_S
    given: dict[str, str] = field(default_factory=dict)
    usual: Mapping[str, Default] = field(default_factory=defaults)

    @property
    def server(self) -> str:
        """The address of the server to call."""
        return self._value(SERVER)

    @property
    def namespace(self) -> str:
        """The namespace that the command line names; empty where it names none."""
        return self.given.get(NAMESPACE, "")

    @property
    def working_namespace(self) -> str:
        """The namespace to read or write."""
        return self.namespace or self.usual[NAMESPACE].value

    @property
    def user_id(self) -> str:
        """The user whose memory is read and written: as named, else the person at this machine."""
        return self._value(USER)

    @property
    def named_user(self) -> str:
        """The user as named; empty where only the login name tells one."""
        usual = self.usual[USER]
        return self.given.get(USER, "" if usual.source == LOGIN else usual.value)

    @property
    def api_key_file(self) -> Path | None:
        """The file whose first line is the API key."""
        return self._path(API_KEY_FILE)

    @property
    def tls_ca(self) -> Path | None:
        """The file of the roots that a server's certificate chains to; none where TLS is off."""
        return self._path(TLS_CA)

    def command(self, *words: str) -> str:
        """A command to type, with the options that lead it to the same server and namespace."""
        given = [(flag, self.given[name]) for name, flag in _FLAGS.items() if self.given.get(name)]
        return shlex.join(["anamnesis", *words, *(each for pair in given for each in pair)])

    def _value(self, name: str) -> str:
        return self.given[name] if name in self.given else self.usual[name].value

    def _path(self, name: str) -> Path | None:
        value = self._value(name)
        return Path(value) if value else None


_FLAGS = {
    NAMESPACE: "-n",
    USER: "--user",
    SERVER: "--server",
    API_KEY_FILE: "--api-key-file",
    TLS_CA: "--tls-ca",
}
pass_target = click.make_pass_decorator(Target, ensure=True)


def _remember(
    context: click.Context, option: click.Parameter, value: str | float | Path | None
) -> None:
    if value is None or not option.name:
        return
    target = context.ensure_object(Target)
    if option.name in _FLAGS:
        target.given[option.name] = str(value)
    else:
        setattr(target, option.name, value)


def usual_agent() -> str:
    """The agent that acts where a command names none: the default of its option."""
    return click.get_current_context().ensure_object(Target).usual[AGENT].value


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_OPTIONS = (
    click.option(
        "--server",
        metavar="HOST:PORT",
        callback=_remember,
        expose_value=False,
        help=f"The server to call (default: ${variable_of(SERVER)}, else 127.0.0.1:50051).",
    ),
    click.option(
        "--namespace",
        "-n",
        metavar="NAME",
        callback=_remember,
        expose_value=False,
        help=f"The namespace to work in (default: ${variable_of(NAMESPACE)}, else 'default'); "
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
    f"${variable_of(USER)}, else the login name; '' is nobody.",
)
_SHARED_NAMES = frozenset({*_FLAGS, "as_json", "timeout_s"}) - {USER}


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
