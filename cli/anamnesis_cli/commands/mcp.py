"""`anamnesis mcp`: the memory as a server of the Model Context Protocol."""

import importlib.util
from pathlib import Path

import click

from anamnesis_cli.defaults import SERVER
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.target import (
    ClientCommand,
    Target,
    pass_target,
    target_options,
    user_option,
    usual_agent,
)

_EPILOG = """\
\b
Examples:
  anamnesis mcp --embedded ~/.anamnesis                over standard input and output
  claude mcp add anamnesis -- anamnesis mcp --embedded ~/.anamnesis
  anamnesis mcp --server 127.0.0.1:50051 -n team --user mara
  anamnesis mcp --http 127.0.0.1:8765                  at http://127.0.0.1:8765/mcp
"""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    cls=ClientCommand, epilog=_EPILOG, short_help="Give agents the memory as tools, over MCP."
)
@click.option(
    "--embedded",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Start the suite with its data in DIR, or use the one that another process has started "
    "there; without it, --server names one that runs.",
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    help="Serve many clients over streamable HTTP at /mcp, instead of one over standard input and "
    "output; port 0 takes a free one.",
)
@click.option("--tls-cert", type=_FILE, metavar="FILE", help="With --http: its certificate, PEM.")
@click.option("--tls-key", type=_FILE, metavar="FILE", help="With --http: the certificate's key.")
@click.option("--agent", default=usual_agent, metavar="ID", help="The agent that is connected.")
@click.option(
    "--tools",
    type=click.Choice(["usual", "all"]),
    default="usual",
    show_default=True,
    help="Offer the eight tools that models need, or all.",
)
@user_option
@target_options
@pass_target
def mcp(
    target: Target,
    embedded: Path | None,
    http: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    agent: str,
    tools: str,
) -> None:
    """Serve the memory to agents over the Model Context Protocol, until they close it.

    Tools recall, remember, forget and look things up; each memory is a resource. Whose memory it
    is, and in which namespace, is said here (over HTTP also by a request's path and headers), and
    never by a model. Over HTTP nobody is the user unless --user or a request names one.
    """
    if embedded is not None and SERVER in target.given:
        raise WrongUsage("--embedded and --server name two places", "name one of them")
    if importlib.util.find_spec("mcp") is None:
        raise WrongUsage(
            "the SDK of the protocol is not installed", "pip install 'anamnesis-cli[mcp]'"
        )
    # Imported here: the protocol's code takes a while to load, and no other command needs it.
    from anamnesis_cli.mcp.running import ServerOptions, run

    run(ServerOptions(target, embedded, http, tls_cert, tls_key, agent, tools == "all"))
