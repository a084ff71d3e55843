"""Extras of the suite: packages that only those installations have that ask for them."""

from collections.abc import Iterator
from contextlib import contextmanager

from anamnesis_libs.errors import SetupInvalid

PROJECT = "anamnesis-suite"


@contextmanager
def needs_extra(extra: str, setting: str) -> Iterator[None]:
    """Imports what a setting needs, out of packages that an extra brings.

    Raises:
        SetupInvalid: the extra is not installed; the message names the remedy.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise SetupInvalid(
            f"{setting} needs the package {missing.name}, which is not installed: "
            f"pip install '{PROJECT}[{extra}]'"
        ) from missing
