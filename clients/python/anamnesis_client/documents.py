"""Documents: JSON objects under paths and keys of one's own, put, read, listed and searched.

Each call works in one scope: what the client's user (or agent) keeps for itself, or what the
namespace shares; `visibility` says which, else the namespace's policy.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.document_pb2 import DocumentOutcome, PathMatch
from anamnesis.memory.v1.document_service_pb2 import (
    BatchGetDocumentsRequest,
    BatchPutDocumentsRequest,
    ListDocumentPathsRequest,
    ListDocumentsRequest,
    SearchDocumentsRequest,
    TouchDocumentsRequest,
)
from anamnesis.memory.v1.event_pb2 import Visibility
from anamnesis_client import methods
from anamnesis_client.asking import PAGE_MAX, Asking, new_id
from anamnesis_client.json_documents import (
    Document,
    DocumentPut,
    FoundDocument,
    Json,
    Name,
    Path,
    change_of,
    conditions_of,
    document_of,
    found_document_of,
    name_of,
)
from anamnesis_client.steps import Flow
from anamnesis_client.words import value_of, word_of

BATCH_MAX = 200
"""Documents that one call puts, reads or touches."""
HITS_MAX = 500
"""Documents that one search answers."""
_ANY: Json = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Documents(Asking):
    """The operations on documents."""

    @property
    def _owner(self) -> Caller:
        """The caller whose documents they are, in whichever session."""
        return Caller(agent_id=self.scope.agent, user_id=self.scope.user)

    def put_documents(
        self, puts: Iterable[DocumentPut], *, visibility: str = "", request_id: str = ""
    ) -> Flow[tuple[str, ...]]:
        """Puts and deletes documents in their order, 200 in a transaction.

        Answers what became of each: "created", "replaced", "deleted" or "absent".

        Args:
            puts: what is to be put; a value of None deletes.
            visibility: "shared", "private_to_user" or "private_to_agent".
            request_id: names this write: within a day it is done once, however often it is sent.
        """
        changes = [change_of(put) for put in puts]
        outcomes: list[str] = []
        for start in range(0, len(changes), BATCH_MAX):
            request = BatchPutDocumentsRequest(
                namespace=self.scope.namespace,
                caller=self._owner,
                visibility=value_of(Visibility, visibility, "visibility"),
                changes=changes[start : start + BATCH_MAX],
                request_id=f"{request_id}/{start}" if request_id else new_id(),
            )
            answer = yield from self.patience.ask(methods.BATCH_PUT_DOCUMENTS, request)
            self.revisions.wrote(self.scope.namespace, answer.revision)
            outcomes += [word_of(DocumentOutcome, one.outcome) for one in answer.results]
        return tuple(outcomes)

    def get_documents(
        self, names: Iterable[Name], *, visibility: str = ""
    ) -> Flow[Mapping[Name, Document]]:
        """Reads documents by path and key; what is not there is left out.

        Args:
            names: pairs of a path and a key, e.g. `(("users", "mara"), "taste")`.
            visibility: as in `put_documents`.
        """
        asked = list(names)
        found: list[Document] = []
        for start in range(0, len(asked), BATCH_MAX):
            request = BatchGetDocumentsRequest(
                namespace=self.scope.namespace,
                caller=self._owner,
                visibility=value_of(Visibility, visibility, "visibility"),
                names=map(name_of, asked[start : start + BATCH_MAX]),
                at_least_revision=self.seen,
            )
            answer = yield from self.read(methods.BATCH_GET_DOCUMENTS, request)
            found += map(document_of, answer.records)
        return {document.name: document for document in found}

    def list_documents(
        self,
        path: Sequence[str] = (),
        *,
        where: Json = _ANY,
        limit: int | None = PAGE_MAX,
        visibility: str = "",
    ) -> Flow[tuple[Document, ...]]:
        """Lists documents by path, those of one path in the order in which they were put first.

        Args:
            path: only those whose paths begin with these segments.
            where: only with these values, e.g. `{"kind": "note", "size": {"$gt": 3}}`; operators
                are $eq, $ne, $gt, $gte, $lt and $lte.
            limit: at most so many; None means all.
            visibility: as in `put_documents`.
        """
        page = partial(
            ListDocumentsRequest,
            namespace=self.scope.namespace,
            caller=self._owner,
            visibility=value_of(Visibility, visibility, "visibility"),
            path_prefix=path,
            conditions=conditions_of(where),
            at_least_revision=self.seen,
        )
        return (
            yield from self.pages(
                methods.LIST_DOCUMENTS,
                page,
                lambda answer: (map(document_of, answer.records), answer.next_page_token),
                limit,
            )
        )

    def list_document_paths(
        self,
        *,
        prefixes: Sequence[Sequence[str]] = (),
        suffixes: Sequence[Sequence[str]] = (),
        depth: int | None = None,
        limit: int | None = PAGE_MAX,
        visibility: str = "",
    ) -> Flow[tuple[Path, ...]]:
        """Lists the paths that hold documents, each once, sorted.

        Args:
            prefixes: they begin with each of these; "*" is any one segment.
            suffixes: they end with each of these.
            depth: cut after so many segments.
            limit: at most so many; None means all.
            visibility: as in `put_documents`.
        """
        matches = [PathMatch(prefix=one) for one in prefixes]
        matches += [PathMatch(suffix=one) for one in suffixes]
        page = partial(
            ListDocumentPathsRequest,
            namespace=self.scope.namespace,
            caller=self._owner,
            visibility=value_of(Visibility, visibility, "visibility"),
            matches=matches,
            depth_max=depth or 0,
            at_least_revision=self.seen,
        )
        return (
            yield from self.pages(
                methods.LIST_DOCUMENT_PATHS,
                page,
                lambda answer: ((tuple(one.path) for one in answer.paths), answer.next_page_token),
                limit,
            )
        )

    def search_documents(
        self,
        query: str,
        path: Sequence[str] = (),
        *,
        where: Json = _ANY,
        limit: int = 10,
        visibility: str = "",
    ) -> Flow[tuple[FoundDocument, ...]]:
        """Ranks documents by the words and the meaning of a query, best first.

        Args:
            query: what is asked.
            path: only those whose paths begin with these segments.
            where: only with these values, as in `list_documents`.
            limit: at most so many, up to 500.
            visibility: as in `put_documents`.
        """
        request = SearchDocumentsRequest(
            namespace=self.scope.namespace,
            caller=self._owner,
            visibility=value_of(Visibility, visibility, "visibility"),
            path_prefix=path,
            conditions=conditions_of(where),
            query=query,
            limit=limit,
            at_least_revision=self.seen,
        )
        answer = yield from self.read(methods.SEARCH_DOCUMENTS, request)
        return tuple(map(found_document_of, answer.hits))

    def touch_documents(self, names: Iterable[Name], *, visibility: str = "") -> Flow[int]:
        """Lets the time to live of documents begin anew; answers how many have one.

        Args:
            names: as in `get_documents`.
            visibility: as in `put_documents`.
        """
        asked = list(names)
        touched = 0
        for start in range(0, len(asked), BATCH_MAX):
            request = TouchDocumentsRequest(
                namespace=self.scope.namespace,
                caller=self._owner,
                visibility=value_of(Visibility, visibility, "visibility"),
                names=map(name_of, asked[start : start + BATCH_MAX]),
                request_id=new_id(),
            )
            answer = yield from self.patience.ask(methods.TOUCH_DOCUMENTS, request)
            self.revisions.wrote(self.scope.namespace, answer.revision)
            touched += answer.touched
        return touched
