"""Standard output and error of the command: any terminal reads them, and a full disk is told."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from anamnesis_cli.failures import Failure


def prepare() -> None:
    """Make both streams ready; a stream that was closed beforehand swallows what it gets."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character gets its escape, not the end of the command.
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def told_if_unwritten() -> Iterator[None]:
    """Write all of the answer; a failure to write it is told and ends the command with 1.

    Who reads through a pipe and has seen enough is told nothing.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # a file that the command was at, not the answer
            raise
        sys.stdout = _nowhere()  # what is left in the old one would fail once more at the exit
        if not isinstance(error, BrokenPipeError):
            Failure(
                f"the answer could not be written: {error.strerror}",
                "free space where standard output goes, or send it elsewhere",
            ).show()
        sys.exit(Failure.exit_code)


def _nowhere() -> TextIOWrapper:
    return Path(os.devnull).open("w", encoding="utf-8")
