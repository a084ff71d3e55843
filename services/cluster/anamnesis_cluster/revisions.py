"""The order of the revisions of one namespace.

To callers a revision is opaque. Inside the suite it is known to be the namespace's incarnation,
a dash, and a hexadecimal number that grows with each commit.
"""

import re

from anamnesis_libs.errors import Internal

_REVISION = re.compile(r"^(.+)-([0-9a-f]+)$")


def reaches(revision: str, asked: str) -> bool:
    """True if a revision is the one asked for or later; one of another incarnation never is."""
    life, number = _parts(revision)
    asked_life, asked_number = _parts(asked)
    return life == asked_life and number >= asked_number


def _parts(revision: str) -> tuple[str, int]:
    match = _REVISION.match(revision)
    if match is None:
        raise Internal(f"memory answered {revision!r}, which is no revision")
    return match[1], int(match[2], 16)
