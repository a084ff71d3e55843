"""Revisions as they are told: a namespace's incarnation, a dash, and a hexadecimal number.

The number grows with each commit. To callers a revision is opaque; the services write and read it
here and nowhere else.
"""

import re
from typing import NamedTuple

from anamnesis_libs.errors import Internal

_TOKEN = re.compile(r"^([0-9a-f]{20})-([0-9a-f]{1,15})$")


class Revision(NamedTuple):
    """A revision of one incarnation of a namespace; as a text it is its token."""

    incarnation: str
    number: int

    def __str__(self) -> str:
        """The token."""
        return f"{self.incarnation}-{self.number:x}"


def parse_revision(token: str) -> Revision | None:
    """The revision that a token tells; None if it is no token."""
    match = _TOKEN.match(token)
    return Revision(match[1], int(match[2], 16)) if match else None


def reaches(revision: str, asked: str) -> bool:
    """True if a revision is the one asked for or a later one; another incarnation never is.

    Raises:
        Internal: one of them is no revision. Both come from the memory service.
    """
    reached, wanted = _told(revision), _told(asked)
    return reached.incarnation == wanted.incarnation and reached.number >= wanted.number


def _told(token: str) -> Revision:
    revision = parse_revision(token)
    if revision is None:
        raise Internal(f"memory answered {token!r}, which is no revision")
    return revision
