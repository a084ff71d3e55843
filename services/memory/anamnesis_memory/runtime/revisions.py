"""Revisions of a namespace: what callers keep to read at least as much as they wrote."""

from anamnesis_libs.errors import RevisionInFuture, RevisionOfAnotherIncarnation, invalid_field
from anamnesis_libs.revisions import Revision, parse_revision
from anamnesis_memory.model.memory import Namespace


def revision_token(namespace: Namespace, revision: int) -> str:
    """The token of a revision."""
    return str(Revision(namespace.incarnation, revision))


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
    asked = parse_revision(token)
    if asked is None:
        raise invalid_field(field, "is no revision; send one that a call has answered")
    if asked.incarnation != namespace.incarnation:
        raise RevisionOfAnotherIncarnation(namespace.name)
    return asked.number
