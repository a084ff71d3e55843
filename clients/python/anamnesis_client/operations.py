"""The operations of a client, each written once: requests in, answers out, no I/O.

They are generators, see `steps`; the drivers `sync` and `aio` run them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anamnesis.memory.v1.memory_service_pb2 import DeleteMemoryRequest, ReadPurpose
from anamnesis_client import methods
from anamnesis_client.answers import Forgotten, Memory, that_say_it
from anamnesis_client.asking import new_id
from anamnesis_client.documents import Documents
from anamnesis_client.errors import FieldViolation, InvalidArgument, NotFound
from anamnesis_client.reads import Reads
from anamnesis_client.statements import Statements
from anamnesis_client.steps import Flow
from anamnesis_client.writes import Writes


@dataclass(frozen=True, slots=True)
class Operations(Reads, Writes, Statements, Documents):
    """All that a client can do, for one scope."""

    def on_behalf(self, **named: str | None) -> "Operations":
        """The same for another scope; what is None of its fields stays as it is."""
        changed = {field: value for field, value in named.items() if value is not None}
        return replace(self, scope=replace(self.scope, **changed))

    def forget(
        self,
        ids: str | Iterable[str] = (),
        *,
        query: str = "",
        limit: int = 10,
        dry_run: bool = True,
    ) -> Flow[Forgotten]:
        """Deletes memories for good, with what was derived from them alone.

        A dry run, which it is unless it is said otherwise, only tells which these would be: look
        at them, then hand the right `ids` in with `dry_run=False`.

        Args:
            ids: ids or pointers; or
            query: the memories that a `search` finds and that speak of it themselves.
            limit: of a query at most so many.
            dry_run: tell, and delete nothing.
        """
        asked = [ids] if isinstance(ids, str) else list(ids)
        if bool(asked) == bool(query):
            told = FieldViolation("ids", "name ids or a query, one of the two")
            raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,))
        if query:
            found = yield from self.search(query, limit=limit)
            telling = that_say_it(found, lambda hit: hit.routes)
            named = {hit.id: hit.memory for hit in telling}
        else:
            named = yield from self.named(asked, ReadPurpose.READ_PURPOSE_INTERNAL)
        missing = tuple(each for each in asked if each not in named)
        memories = tuple(named.values())
        if dry_run:
            return Forgotten(memories, dry_run=True, missing=missing)
        return (yield from self._delete(memories, missing))

    def _delete(self, memories: Sequence[Memory], missing: tuple[str, ...]) -> Flow[Forgotten]:
        """Deletes memories one by one; one that went in between went with another of them."""
        for memory in memories:
            request = DeleteMemoryRequest(
                namespace=self.scope.namespace,
                memory_id=memory.id,
                caller=self.scope.caller,
                request_id=new_id(),
            )
            try:
                answer = yield from self.patience.ask(methods.DELETE_MEMORY, request)
            except NotFound:
                continue
            self.revisions.wrote(self.scope.namespace, answer.revision)
        return Forgotten(tuple(memories), dry_run=False, missing=missing, revision=self.seen)
