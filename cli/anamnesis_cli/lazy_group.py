"""A group of commands of which only the one that is called is imported.

A command takes a quarter of a second to import, and there are thirty of them.
"""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is not imported yet: its module, its name there, its help in one line."""

    module: str
    attribute: str
    short_help: str

    def load(self) -> click.Command:
        """The command itself."""
        # what an import leaves is no garbage: to look for it would be a tenth of the time
        gc.disable()
        try:
            module = import_module(f"anamnesis_cli.commands.{self.module}")
        finally:
            gc.enable()
        command = getattr(module, self.attribute)
        assert isinstance(command, click.Command)
        return command


class LazyGroup(click.Group):
    """A group over entries, listed in their order."""

    def __init__(self, *, entries: Mapping[str, Entry], **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]  # click's own, by name
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        entry = self.entries.get(cmd_name)
        return entry.load() if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments call; a name that is none is told with the nearest."""
        near = get_close_matches(args[0], self.entries, n=1)
        if args[0] not in self.entries and near:
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{near[0]}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.short_help) for name, each in self.entries.items()])
