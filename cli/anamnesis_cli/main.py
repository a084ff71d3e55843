"""The command `anamnesis`: its help, and its commands."""

import sys
from io import TextIOWrapper

import click

from anamnesis_cli.commands.activity import activity
from anamnesis_cli.commands.context import context
from anamnesis_cli.commands.erase import erase
from anamnesis_cli.commands.export import export
from anamnesis_cli.commands.facts import facts
from anamnesis_cli.commands.failed_work import failures
from anamnesis_cli.commands.graph import graph
from anamnesis_cli.commands.hooks import hooks
from anamnesis_cli.commands.import_ import import_namespace
from anamnesis_cli.commands.ingest import ingest
from anamnesis_cli.commands.key import key
from anamnesis_cli.commands.learn import learn
from anamnesis_cli.commands.note import save_note
from anamnesis_cli.commands.observe import observe
from anamnesis_cli.commands.palace import palace
from anamnesis_cli.commands.policy import policy
from anamnesis_cli.commands.reembed import reembed
from anamnesis_cli.commands.route import route
from anamnesis_cli.commands.search import search
from anamnesis_cli.commands.serve import serve
from anamnesis_cli.commands.sft import sft
from anamnesis_cli.commands.sleep import sleep
from anamnesis_cli.commands.stats import stats
from anamnesis_cli.commands.timeline import timeline
from anamnesis_cli.commands.verify import verify
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.target import target_options, user_option

_EPILOG = """\
\b
Start here:
  anamnesis serve                              in one terminal: the whole suite
  anamnesis ingest examples/conversations      in another: some conversations to remember
  anamnesis search what is Mara allergic to    the memories that answer, with scores
  anamnesis learn                              facts, lessons and procedures from them

`anamnesis COMMAND --help` explains a command, with examples. README.md has the way from here to
an installation, ARCHITECTURE.md how it is built, protos/ the API that these commands call.
"""


@click.group(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@user_option
@target_options
def anamnesis() -> None:
    """Anamnesis remembers what agents and people said and did, and finds it again.

    It is a suite of four gRPC services: `memory` keeps everything, `ingestion` takes conversations
    in, `cluster` sorts what was learned into topics, `retrieval` answers what is worth recalling.
    They run in one process or apart; everything lives in namespaces, and nothing crosses from one
    to another. This command runs the suite and talks to it.
    """


for command in (
    *(serve, ingest, observe, save_note, learn, activity, failures, search, context, route),
    *(facts, timeline, palace, stats, sft),
    *(policy, sleep, verify, export, import_namespace, reembed, erase),
    *(graph, key, hooks),
):
    anamnesis.add_command(command)


def main() -> None:
    """The entry point of the installed script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character gets its escape, not the end of the command.
            stream.reconfigure(errors="backslashreplace")
    try:
        anamnesis(prog_name="anamnesis")
    except UnicodeEncodeError:
        failure = WrongUsage("an argument is not UTF-8 text", "write it in UTF-8")
        failure.show()
        sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
