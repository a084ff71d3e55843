"""Options that several benchmarks take."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def data_option(what: str) -> Callable[[F], F]:
    """Return the option `--data`: the folder of other people's sets, of which it takes `what`."""
    return click.option(
        "--data",
        "data_dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("../shared/data"),
        show_default=True,
        help=f"Where {what} are.",
    )
