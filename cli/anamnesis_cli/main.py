"""The command `anamnesis`: its help, and its commands."""

import sys

import click

from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.lazy_group import Entry, LazyGroup
from anamnesis_cli.streams import prepare, told_if_unwritten
from anamnesis_cli.target import target_options, user_option
from anamnesis_cli.version import version_option

COMMANDS = {
    "serve": Entry("serve", "serve", "Run the suite, or one service of it."),
    "ingest": Entry("ingest", "ingest", "Remember conversations out of files."),
    "observe": Entry("observe", "observe", "Remember one thing as it happens."),
    "note": Entry("note", "save_note", "Put a text into a drawer."),
    "learn": Entry("learn", "learn", "Learn now from what was said, and wait."),
    "activity": Entry("activity", "activity", "Show what was learned, from what."),
    "failures": Entry("failed_work", "failures", "List work that failed, or retry it."),
    "search": Entry("search", "search", "Find the memories that answer a question."),
    "context": Entry("context", "context", "Print a block of memories for a prompt."),
    "route": Entry("route", "route", "Tell which ways a question takes, and why."),
    "facts": Entry("facts", "facts", "Show what is known, and of when."),
    "fact": Entry("fact", "fact", "State a fact, or take one back."),
    "entities": Entry("entities", "entities", "List who and what is known by name."),
    "timeline": Entry("timeline", "timeline", "Show somebody's facts over time."),
    "profile": Entry("profile", "profile", "Show what holds now of a person."),
    "episodes": Entry("episodes", "episodes", "List what happened to somebody."),
    "skills": Entry("skills", "skills", "Make skills of lessons, review them, export them."),
    "seed": Entry("seed", "seed", "Begin with what others learned, or be rid of it."),
    "pages": Entry("pages", "pages", "Read all that is known of a subject."),
    "clusters": Entry("clusters", "clusters", "Read and mend lessons by topic."),
    "palace": Entry("palace", "palace", "Walk through what is kept."),
    "sessions": Entry("sessions", "sessions", "List the conversations."),
    "get": Entry("get", "get", "Show memories in full, by id or pointer."),
    "stats": Entry("stats", "stats", "List the namespaces, or count what one holds."),
    "sft": Entry("sft", "sft", "Write training rows of what went well."),
    "policy": Entry("policy", "policy", "Show or change a namespace's policy."),
    "consolidate": Entry("consolidate", "consolidate", "Make lessons that say the same one."),
    "sleep": Entry("sleep", "sleep", "Rank, fade and forget now, or list it."),
    "verify": Entry("verify", "verify", "Compare records, texts, vectors and topics."),
    "export": Entry("export", "export", "Write a namespace to a file."),
    "import": Entry("import_", "import_namespace", "Make a namespace of an exported file."),
    "reembed": Entry("reembed", "reembed", "Bind a namespace to the server's model."),
    "forget": Entry("forget", "forget", "Delete memories; shows first which."),
    "erase": Entry("erase", "erase", "Take a person, agent or session away, for good."),
    "mcp": Entry("mcp", "mcp", "Give agents the memory as tools, over MCP."),
    "hooks": Entry("hooks", "hooks", "Give a coding agent a memory."),
    "graph": Entry("graph", "graph", "Show what is known around an entity."),
    "key": Entry("key", "key", "Make an API key, and the line that accepts it."),
    "config": Entry("config", "config", "Show the shared options and where each is from."),
}
"""Every command: the module of `anamnesis_cli.commands` that has it, its name there, its help."""
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


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@version_option
@user_option
@target_options
def anamnesis() -> None:
    """Anamnesis remembers what agents and people said and did, and finds it again.

    It is a suite of four gRPC services: `memory` keeps everything, `ingestion` takes conversations
    in, `cluster` sorts what was learned into topics, `retrieval` answers what is worth recalling.
    They run in one process or apart; everything lives in namespaces, and nothing crosses from one
    to another but what its policy gives away. This command runs the suite and talks to it.
    """


def main() -> None:
    """The entry point of the installed script."""
    prepare()
    try:
        with told_if_unwritten():
            anamnesis(prog_name="anamnesis")
    except UnicodeEncodeError:
        failure = WrongUsage("an argument is not UTF-8 text", "write it in UTF-8")
        failure.show()
        sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
