"""Revision tokens: what callers keep to read at least as much as they wrote.

A token names the namespace's incarnation and a revision in it. To callers it is
opaque.
"""

import re

from anamnesis_libs.errors import RevisionInFuture, RevisionOfAnotherIncarnation, invalid_field
from anamnesis_memory.model.memory import Namespace

_TOKEN = re.compile(r"^([0-9a-f]{20})-([0-9a-f]{1,15})$")


def revision_token(namespace: Namespace, revision: int) -> str:
    """The token of a revision."""
    return f"{namespace.incarnation}-{revision:x}"


def read_revision(
    namespace: Namespace, token: str, reached: int, field: str = "at_least_revision"
) -> int:
    """The revision of a token; 0 for none.

    Raises:
        InvalidArgument: the text is no revision token.
        RevisionOfAnotherIncarnation: the namespace was deleted and made again since.
        RevisionInFuture: the namespace never gave it.
    """
    revision = asked_revision(namespace, token, field)
    if revision > reached:
        raise RevisionInFuture(asked=revision, reached=reached)
    return revision


def asked_revision(namespace: Namespace, token: str, field: str) -> int:
    """The revision of a token, reached or not; 0 for none.

    Raises:
        InvalidArgument: the text is no revision token.
        RevisionOfAnotherIncarnation: the namespace was deleted and made again since.
    """
    if not token:
        return 0
    match = _TOKEN.match(token)
    if match is None:
        raise invalid_field(field, "is no revision; send one that a call has answered")
    if match[1] != namespace.incarnation:
        raise RevisionOfAnotherIncarnation(namespace.name)
    return int(match[2], 16)
