"""DocumentService: JSON objects that callers name."""

import asyncio
from collections.abc import Callable, Sequence

from grpc import aio

from anamnesis.memory.v1 import document_service_pb2 as pb
from anamnesis.memory.v1 import document_service_pb2_grpc
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.index.port import Query, SearchScope
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.convert.documents import (
    from_changed,
    from_hit,
    from_record,
    scope_for,
    to_conditions,
    to_document,
    to_matches,
    to_name,
    to_visibility,
)
from anamnesis_memory.documents.deleting import put_traced
from anamnesis_memory.documents.finding import DocumentsWanted, listed, ranked
from anamnesis_memory.documents.put import DocumentChange, DocumentResult, PutDocuments
from anamnesis_memory.documents.touch import TouchDocuments
from anamnesis_memory.domain.documents.paths import fitting, fixed_prefix
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.json_documents import DocumentPlace
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.preparation.json_documents import prepared
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

HITS_DEFAULT = 10
WAIT_S_MAX = 30.0
_Scoped = (
    pb.BatchGetDocumentsRequest
    | pb.ListDocumentsRequest
    | pb.ListDocumentPathsRequest
    | pb.SearchDocumentsRequest
    | pb.TouchDocumentsRequest
    | pb.BatchPutDocumentsRequest
)


class DocumentServicer(document_service_pb2_grpc.DocumentServiceServicer):
    """Serves documents; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer, finder: CandidateFinder) -> None:
        self._calls = calls
        self._prepare = prepare
        self._finder = finder

    async def BatchPutDocuments(
        self,
        request: pb.BatchPutDocumentsRequest,
        context: aio.ServicerContext[pb.BatchPutDocumentsRequest, pb.BatchPutDocumentsResponse],
    ) -> pb.BatchPutDocumentsResponse:
        """Put and delete documents in one transaction."""
        async with self._calls.writing(request.namespace) as opened:
            changes = await asyncio.to_thread(self._changes, request, opened)
            write = PutDocuments(changes, _scope(request, opened))
            async with self._calls.work_due(opened, self._calls.lessons_due((Kind.LEARNING,))):
                return await put_traced(
                    opened.store,
                    write,
                    lambda ready: self._calls.commit(
                        opened,
                        request,
                        ready,
                        _put(opened),
                        pb.BatchPutDocumentsResponse,
                        tells_memories=False,
                    ),
                )

    def _changes(
        self, request: pb.BatchPutDocumentsRequest, opened: OpenNamespace
    ) -> Sequence[DocumentChange]:
        """The changes of a request, redacted; ids sort as what was stated."""
        visibility = to_visibility(request.visibility, request.caller, opened.policy)
        prepare = self._prepare.under(opened.policy.redaction)
        now_us = self._calls.now_us()
        changes: list[DocumentChange] = []
        ids = sorted(new_id(now_us) for _ in request.changes)
        for place, (memory_id, change) in enumerate(zip(ids, request.changes, strict=True)):
            memory = None
            if change.WhichOneof("change") == "value":
                path = f"changes[{place}]"
                memory = to_document(change, memory_id, request.caller, visibility, path)
                assert isinstance(memory.part, JsonDocument)
                memory = prepared(prepare, memory, memory.part)
            changes.append(DocumentChange(to_name(change.name), memory))
        return changes

    async def BatchGetDocuments(
        self,
        request: pb.BatchGetDocumentsRequest,
        context: aio.ServicerContext[pb.BatchGetDocumentsRequest, pb.BatchGetDocumentsResponse],
    ) -> pb.BatchGetDocumentsResponse:
        """Read documents by name."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            digests = _digests(request, opened)
            known = await opened.store.named_documents(digests)
            found = [known[digest] for digest in digests if digest in known]
            return pb.BatchGetDocumentsResponse(
                records=[from_record(one, opened.namespace) for one in found]
            )

    async def ListDocuments(
        self,
        request: pb.ListDocumentsRequest,
        context: aio.ServicerContext[pb.ListDocumentsRequest, pb.ListDocumentsResponse],
    ) -> pb.ListDocumentsResponse:
        """List documents under a path, by path."""
        page = page_of(request, (str, int))
        after = (str(page.after[0]), int(page.after[1])) if page.after else None
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            found = await listed(opened.store, _wanted(request, opened), after, page.size)
            return pb.ListDocumentsResponse(
                records=[from_record(one, opened.namespace) for one in found.items],
                next_page_token="" if found.behind is None else page.next_token(found.behind),
            )

    async def ListDocumentPaths(
        self,
        request: pb.ListDocumentPathsRequest,
        context: aio.ServicerContext[pb.ListDocumentPathsRequest, pb.ListDocumentPathsResponse],
    ) -> pb.ListDocumentPathsResponse:
        """List paths that hold documents."""
        page = page_of(request, (int,))
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            matches = to_matches(request.matches)
            place = DocumentPlace(_scope(request, opened), fixed_prefix(matches))
            paths = await opened.store.document_paths(place)
            start = int(page.after[0]) if page.after else 0
            fit = fitting(paths, matches, request.depth_max)
            left = list(enumerate(fit, start=1))[start : start + page.size + 1]
            shown, token = page.take(left, lambda one: (one[0],))
            return pb.ListDocumentPathsResponse(
                paths=[pb.DocumentPath(path=path) for _, path in shown], next_page_token=token
            )

    async def SearchDocuments(
        self,
        request: pb.SearchDocumentsRequest,
        context: aio.ServicerContext[pb.SearchDocumentsRequest, pb.SearchDocumentsResponse],
    ) -> pb.SearchDocumentsResponse:
        """Rank documents under a path by what is asked."""
        async with self._calls.reading(request.namespace) as opened:
            at_least = await self._calls.check_revision(opened, request.at_least_revision)
            wanted = _wanted(request, opened)
            prepare = self._prepare.asking(opened.policy.redaction)
            text = await asyncio.to_thread(prepare.clean, request.query)
            caller = request.caller
            scope = SearchScope(caller_agent=caller.agent_id, caller_user=caller.user_id)
            query = Query(text, None, scope, limit=request.limit or HITS_DEFAULT)
            left_s = remaining_s(context, WAIT_S_MAX)
            found = await ranked(self._finder, opened, wanted, query, at_least, left_s)
            return pb.SearchDocumentsResponse(
                hits=[from_hit(memory, hit, opened.namespace) for memory, hit in found.found],
                degraded=found.degraded,
            )

    async def TouchDocuments(
        self,
        request: pb.TouchDocumentsRequest,
        context: aio.ServicerContext[pb.TouchDocumentsRequest, pb.TouchDocumentsResponse],
    ) -> pb.TouchDocumentsResponse:
        """Let the time to live of documents begin anew."""
        async with self._calls.changing(request.namespace) as opened:
            return await self._calls.commit(
                opened,
                request,
                TouchDocuments(_digests(request, opened)),
                lambda touched, revision: pb.TouchDocumentsResponse(
                    touched=touched, revision=revision_token(opened.namespace, revision)
                ),
                pb.TouchDocumentsResponse,
                tells_memories=False,
            )


def _scope(request: _Scoped, opened: OpenNamespace) -> str:
    return scope_for(request.visibility, request.caller, opened.policy)


def _digests(
    request: pb.BatchGetDocumentsRequest | pb.TouchDocumentsRequest, opened: OpenNamespace
) -> Sequence[bytes]:
    """The digests of the names of a request, each once."""
    scope = _scope(request, opened)
    return list(dict.fromkeys(to_name(one).digest_in(scope) for one in request.names))


def _wanted(
    request: pb.ListDocumentsRequest | pb.SearchDocumentsRequest, opened: OpenNamespace
) -> DocumentsWanted:
    place = DocumentPlace(_scope(request, opened), tuple(request.path_prefix))
    if any(not segment for segment in place.prefix):
        raise invalid_field("path_prefix", "must not hold an empty segment")
    return DocumentsWanted(place, to_conditions(request.conditions))


def _put(
    opened: OpenNamespace,
) -> Callable[[tuple[DocumentResult, ...], int], pb.BatchPutDocumentsResponse]:
    return lambda changed, revision: pb.BatchPutDocumentsResponse(
        results=[from_changed(one) for one in changed],
        revision=revision_token(opened.namespace, revision),
    )
