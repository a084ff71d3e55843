"""The options of commands that answer in pages, and what they say of the next page."""

from collections.abc import Callable
from typing import TypeVar

import click

from anamnesis_cli.output import note

PAGE_MAX = 500
Run = TypeVar("Run", bound=Callable[..., object])


def page_options(things: str, default: int) -> Callable[[Run], Run]:
    """Adds `--limit` and `--page-token`; take them as `limit` and `page_token`."""
    options = (
        click.option(
            "--limit",
            type=click.IntRange(1, PAGE_MAX),
            default=default,
            metavar="N",
            help=f"{things} on a page (default {default}).",
        ),
        click.option(
            "--page-token", default="", metavar="TOKEN", help="Go on after an earlier page."
        ),
    )

    def with_options(run: Run) -> Run:
        for option in reversed(options):
            run = option(run)
        return run

    return with_options


def note_more(next_page_token: str) -> None:
    """Says how to go on, where there is more."""
    if next_page_token:
        note(f"more: the same command with --page-token {next_page_token}")
