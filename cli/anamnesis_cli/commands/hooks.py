"""`anamnesis hooks`: gives coding agents a memory, and takes it away again."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from anamnesis_cli import agents
from anamnesis_cli.agents.entries import AGENTS
from anamnesis_cli.agents.hook.project import namespace_of, project_root
from anamnesis_cli.agents.hook.settings import login_name, settings_of
from anamnesis_cli.agents.hook.states import place
from anamnesis_cli.agents.settings_file import NotSettings, SettingsFile
from anamnesis_cli.failures import WrongUsage

_EPILOG = """\
\b
Examples:
  anamnesis hooks install --for claude-code
  anamnesis hooks install --for codex --namespace team-a --url https://memory.example.com
  anamnesis hooks install --for cursor --project .
  anamnesis hooks uninstall --for claude-code
  anamnesis hooks status
"""
_KEPT = (
    "kept from now on: what you, the agent and its tools say in its sessions, without the secrets "
    "that are known by their form; docs/coding-agents.md says what is told when"
)
_agent_option = click.option(
    "--for",
    "agent",
    type=click.Choice(sorted(AGENTS)),
    required=True,
    help="The coding agent.",
)
_project_option = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Only in this project (default: in all of yours).",
)


@click.group(epilog=_EPILOG, short_help="Give a coding agent a memory.")
def hooks() -> None:
    """Give a coding agent a memory, by hooks that it runs itself.

    A session begins with a brief, prompts get what concerns them, and transcripts are taken in. The
    entries go beside those of others in the agent's file of settings, which is kept as it was.
    """


@hooks.command(short_help="Put the hooks into an agent's settings.")
@_agent_option
@_project_option
@click.option("--url", help="The suite's JSON over HTTP, if not on this machine.")
@click.option("--namespace", "-n", help="Default: the project folder's name.")
@click.option("--user", metavar="ID", help="Default: the login name.")
@click.option("--api-key-file", type=click.Path(exists=True, dir_okay=False))
@click.option("--tls-ca", type=click.Path(exists=True, dir_okay=False))
def install(agent: str, project: Path | None, **settings: str | None) -> None:
    """Put the hooks into an agent's file of settings; again changes nothing."""
    file = _file(agent, project)
    changed = _done(lambda: file.install(command_for(agent, settings)))
    click.echo(f"{agent}: {'hooks are in' if changed else 'hooks were already in'} {file.path}")
    if changed:
        click.echo(f"{_KEPT}\n{AGENTS[agent].afterwards}", err=True)


@hooks.command(short_help="Take the hooks out again.")
@_agent_option
@_project_option
def uninstall(agent: str, project: Path | None) -> None:
    """Take the hooks out of an agent's file of settings, and nothing else.

    The file is as it was, unless others changed it since. What was remembered stays: `anamnesis
    erase` takes it away.
    """
    file = _file(agent, project)
    changed = _done(file.uninstall)
    click.echo(f"{agent}: {'hooks are out of' if changed else 'no hooks in'} {file.path}")


@hooks.command(short_help="Tell where the hooks are installed.")
@_project_option
def status(project: Path | None) -> None:
    """Tell for each agent if its hooks are installed, and the end of their log."""
    for agent in AGENTS:
        file = _file(agent, project)
        there = _done(file.is_installed)
        click.echo(f"{agent}: {'installed in' if there else 'not in'} {file.path}")
    for line in _last_notes():
        click.echo(f"  {line}", err=True)


@hooks.command(
    short_help="Serve a project's memory as tools, over MCP.",
    context_settings={"ignore_unknown_options": True},
)
@_agent_option
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def mcp(agent: str, options: tuple[str, ...]) -> None:
    """Run `anamnesis mcp OPTIONS` for the namespace and the user of this folder's hooks."""
    root = project_root(".")
    settings = settings_of([], root)
    whose = {
        "--namespace": settings["namespace"] or namespace_of(root),
        "--user": settings["user"] or login_name(),
        "--agent": agent,
    }
    given = [word for pair in whose.items() for word in pair]
    os.execv(sys.executable, [sys.executable, "-m", "anamnesis_cli.main", "mcp", *given, *options])  # noqa: S606


def command_for(agent: str, settings: Mapping[str, str | None]) -> str:
    """The command that an agent runs: this Python without its packages, and the hook."""
    given = [
        word
        for name, value in settings.items()
        if value
        for word in (f"--{name.replace('_', '-')}", _whole(name, value))
    ]
    return shlex.join(
        [sys.executable, "-I", "-S", str(Path(agents.__file__).parent), agent, *given]
    )


def _last_notes() -> list[str]:
    """The last lines of the log of hooks: what went wrong, which no agent was told."""
    log = Path(place("hooks.log"))
    return (
        log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:] if log.exists() else []
    )


def _whole(name: str, value: str) -> str:
    """The value as it is good in any folder."""
    return str(Path(value).resolve()) if name in ("api_key_file", "tls_ca") else value


def _file(agent: str, project: Path | None) -> SettingsFile:
    return SettingsFile(AGENTS[agent].file(Path.home(), project), AGENTS[agent])


def _done(change: Callable[[], bool]) -> bool:
    """The outcome of a change, or a failure that says what is wrong with the file."""
    try:
        return change()
    except NotSettings as error:
        raise WrongUsage(str(error), "mend it first; nothing was changed") from error
