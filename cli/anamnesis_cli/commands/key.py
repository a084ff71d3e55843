"""`anamnesis key`: a new API key, and the line of a file of keys that accepts it."""

import secrets

import click

from anamnesis_cli.failures import WrongUsage
from anamnesis_libs.rpc.admission.key_files import (
    LINE_FORM,
    digest_line,
    may_stand_behind_a_key,
)

KEY_BYTES = 32
_EPILOG = """\
\b
Examples:
  anamnesis key                       a key, and its line
  anamnesis key agent=coder user=*    a line for an agent's key
  anamnesis key agent=coder namespaces=team-a rights=read calls_per_s=20
"""


@click.command(epilog=_EPILOG)
@click.argument("words", nargs=-1, metavar="[NAME=VALUE]...")
def key(words: tuple[str, ...]) -> None:
    """Make an API key, and the line that accepts it.

    The key is for whoever calls and is shown this once. The line holds its digest alone: append it
    to the file that `security.api_keys_file` names (operators and services) or, with what the key
    may do behind it, to that of `security.agent_keys_file`. The file is for its owner alone:
    chmod 600.
    """
    if not may_stand_behind_a_key(words):
        raise WrongUsage(
            f"no line of a key may say {' '.join(words)}", f"write it as in: {LINE_FORM}"
        )
    made = secrets.token_hex(KEY_BYTES)
    click.echo(f"key   {made}")
    click.echo(f"line  {' '.join((digest_line(made), *words))}")
