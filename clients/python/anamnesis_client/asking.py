"""The ground of all operations: the scope, reads that wait for one's own writes, lists in pages."""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from anamnesis_client.errors import AnamnesisError
from anamnesis_client.revisions import Revisions
from anamnesis_client.scope import Scope
from anamnesis_client.steps import Answer, Flow, Method, Patience, Request

Row = TypeVar("Row")

PAGE_MAX = 500

_ANOTHER_PAST = frozenset({"REVISION_OF_ANOTHER_INCARNATION", "REVISION_IN_FUTURE"})
_NOT_THERE = frozenset(
    {"NAMESPACE_NOT_FOUND", "SESSION_NOT_FOUND", "ENTITY_NOT_FOUND", "POINTER_NOT_FOUND"}
)


@dataclass(frozen=True, slots=True)
class Asking:
    """The scope that is spoken for; `revisions` is shared with other scopes of one client."""

    scope: Scope
    revisions: Revisions
    patience: Patience

    def pages(
        self,
        method: Method[Request, Answer],
        page: Callable[..., Request],
        rows: Callable[[Answer], tuple[Iterable[Row], str]],
        limit: int | None,
    ) -> Flow[tuple[Row, ...]]:
        """The rows of a list, page by page, until there are no more or there are enough."""
        found: list[Row] = []
        token = ""
        while limit is None or len(found) < limit:
            size = PAGE_MAX if limit is None else min(limit - len(found), PAGE_MAX)
            request = page(page_size=size, page_token=token)
            more, token = rows((yield from self.read(method, request)))
            found.extend(more)
            if not token:
                break
        return tuple(found)

    @property
    def seen(self) -> str:
        """The revision that reads wait for; empty where this client wrote nothing."""
        return self.revisions.of(self.scope.namespace)

    def read(self, method: Method[Request, Answer], request: Request) -> Flow[Answer]:
        """The answer of a read; an empty one where what it asks about is not there.

        Where the namespace has another past than the one that was written to (it was deleted and
        made anew, or restored), what was written is forgotten and nothing is waited for.
        """
        try:
            return (yield from self.patience.ask(method, request))
        except AnamnesisError as error:
            if error.reason in _NOT_THERE:
                return method.answer()
            if error.reason not in _ANOTHER_PAST:
                raise
            self.revisions.drop(self.scope.namespace)
            request.ClearField("at_least_revision")
        return (yield from self.patience.ask(method, request))


def new_id() -> str:
    """An id for one write, however often it is sent: sent again, it is stored once."""
    return uuid.uuid4().hex
