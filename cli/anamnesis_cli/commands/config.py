"""`anamnesis config`: the shared options as they hold, and where each is from."""

import click

from anamnesis_cli.defaults import config_file, defaults
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options, user_option

_EPILOG = """\
\b
Examples:
  anamnesis config
  ANAMNESIS_NAMESPACE=team-a anamnesis config --json

\b
The file, of which every line may be left out:
  [default]
  server = "memory.example.org:50051"
  namespace = "team-a"
  user = "mara"
  agent = "coder"
  api_key_file = "~/.config/anamnesis/key"
  tls_ca = "/etc/ssl/certs/ca-certificates.crt"
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@user_option
@target_options
@pass_target
def config(target: Target) -> None:
    """Show the server, namespace, user, agent, key and roots that commands use, and from where.

    An option wins over its variable (ANAMNESIS_SERVER, ANAMNESIS_NAMESPACE, ANAMNESIS_USER,
    ANAMNESIS_AGENT, ANAMNESIS_API_KEY_FILE, ANAMNESIS_TLS_CA), a variable over the file
    ~/.config/anamnesis/config.toml. Of a key only the file is shown. Nothing is called: a server's
    own settings are those of `anamnesis serve`.
    """
    # loaded here: `--help` does without
    from anamnesis_cli.output import console, new_table, note, one_line, print_json

    held = {
        name: (target.given[name], "option")
        if name in target.given
        else (usual.value, usual.source)
        for name, usual in defaults().items()
    }
    file = config_file()
    if target.as_json:
        rows = {name: {"value": value, "from": source} for name, (value, source) in held.items()}
        print_json({"file": str(file), "options": rows})
        return
    table = new_table("option", "value", "from")
    for name, (value, source) in held.items():
        table.add_row(name, one_line(value) or "-", one_line(source))
    console().print(table)
    if not file.exists():
        note(f"there is no {file}; `anamnesis config --help` shows what one may have")
