"""The command `anamnesis`: its help, and its commands."""

import sys
from io import TextIOWrapper

import click

from libs.cli.activity import activity
from libs.cli.context import context
from libs.cli.erase import erase
from libs.cli.export import export
from libs.cli.facts import facts
from libs.cli.failed_work import failures
from libs.cli.failures import WrongUsage
from libs.cli.graph import graph
from libs.cli.import_ import import_namespace
from libs.cli.ingest import ingest
from libs.cli.key import key
from libs.cli.learn import learn
from libs.cli.note import save_note
from libs.cli.observe import observe
from libs.cli.palace import palace
from libs.cli.policy import policy
from libs.cli.reembed import reembed
from libs.cli.search import search
from libs.cli.serve import serve
from libs.cli.sft import sft
from libs.cli.sleep import sleep
from libs.cli.stats import stats
from libs.cli.target import target_options, user_option
from libs.cli.timeline import timeline
from libs.cli.verify import verify

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
    *(serve, ingest, observe, save_note, learn, activity, failures, search, context),
    *(facts, timeline, palace, stats, sft),
    *(policy, sleep, verify, export, import_namespace, reembed, erase),
    *(graph, key),
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
