"""The part of LessonService that seeds a namespace from another, and takes it back."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grpc import aio

from anamnesis.memory.v1 import lesson_service_pb2 as pb
from anamnesis.memory.v1 import seed_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.redaction.policy import DEFAULT_POLICY, RedactionPolicy
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.convert.enums import KIND
from anamnesis_memory.api.convert.erasure import from_receipt
from anamnesis_memory.api.convert.values import to_caller, to_timestamp
from anamnesis_memory.memories.craft.seeds import Copied, NoteSeeded, Seeded, SeedMemories
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.memory import Memory, Namespace
from anamnesis_memory.model.seeds import Seed, seed_key, seed_of
from anamnesis_memory.ports import CommitStamp, ReadView
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token
from anamnesis_memory.seeding.seeder import (
    LIMIT_DEFAULT,
    SeedRequest,
    best_of,
    check_allowed,
    check_room,
    prepared,
)
from anamnesis_memory.seeding.withdrawing import SeedEraser, standing

WAIT_S_MAX = 600.0


class SeedRpcs:
    """Serves cold start; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer, seeds: SeedEraser) -> None:
        self._calls = calls
        self._prepare = prepare
        self._seeds = seeds

    async def SeedNamespace(
        self,
        request: pb.SeedNamespaceRequest,
        context: aio.ServicerContext[pb.SeedNamespaceRequest, pb.SeedNamespaceResponse],
    ) -> pb.SeedNamespaceResponse:
        """Copy the best of another namespace into this one."""
        if request.source_namespace == request.namespace:
            raise invalid_field("source_namespace", "must be another namespace")
        agent_id = _agent_of(request)
        async with self._calls.reading(request.source_namespace) as source:
            check_allowed(source, request.namespace)
            chosen = await best_of(source, _to_wanted(request))
            if chosen and not request.dry_run:
                # first, so that what is erased in the source from now on is looked for here
                await self._calls.apply(source, NoteSeeded(request.namespace))
            given = _Given(source.namespace, chosen, agent_id)
        if request.dry_run:
            return await self._foreseen(request, given)
        async with self._calls.writing(request.namespace) as opened:
            return await self._seed(opened, request, given)

    async def _seed(
        self, opened: OpenNamespace, request: pb.SeedNamespaceRequest, given: "_Given"
    ) -> pb.SeedNamespaceResponse:
        write, refused = await self._write(opened.policy.redaction, given)
        check_room(opened, write.seed)
        kinds = {one.memory.kind for one in write.copies}
        async with self._calls.work_due(opened, self._calls.lessons_due(kinds)):
            answer = await self._calls.commit(
                opened,
                request,
                write,
                lambda seeded, revision: _from_seeded(
                    seeded, refused, revision_token(opened.namespace, revision)
                ),
                pb.SeedNamespaceResponse,
            )
        await opened.learn_seeds()
        return answer

    async def _foreseen(
        self, request: pb.SeedNamespaceRequest, given: "_Given"
    ) -> pb.SeedNamespaceResponse:
        """Tell what would be copied; a namespace that is not there holds nothing."""
        try:
            async with self._calls.reading(request.namespace) as opened:
                write, refused = await self._write(opened.policy.redaction, given)
                seeded, _ = await self._calls.apply(opened, replace(write, dry_run=True))
        except NamespaceNotFound:
            write, refused = await self._write(DEFAULT_POLICY, given)
            seeded = write.decide(ReadView(), CommitStamp(0, self._calls.now_us())).result
        return _from_seeded(seeded, refused, "")

    async def _write(self, redaction: RedactionPolicy, given: "_Given") -> tuple[SeedMemories, int]:
        """The write that stores copies, and how many texts the policy refuses."""
        prepare = self._prepare.under(redaction)
        copies, refused = await asyncio.to_thread(
            prepared, given.source, given.chosen, prepare, given.agent_id, self._calls.now_us()
        )
        seed = Seed(given.source.name, given.source.incarnation, 0, agent_id=given.agent_id)
        return SeedMemories(seed, copies), refused

    async def ListSeeds(
        self,
        request: pb.ListSeedsRequest,
        context: aio.ServicerContext[pb.ListSeedsRequest, pb.ListSeedsResponse],
    ) -> pb.ListSeedsResponse:
        """List a page of what came from other namespaces."""
        page = page_of(request, (str,))
        after = str(page.after[0]) if page.after else ""
        caller = to_caller(request.caller)
        async with self._calls.reading(request.namespace) as opened:
            found = await opened.store.documents(Collection.SEED, after, page.size)
            seen = [one for one in found if one.agent_id in ("", caller.agent_id)]
            seeds = [await self._told(opened, one) for one in seen]
        full = len(found) == page.size
        return pb.ListSeedsResponse(
            seeds=seeds, next_page_token=page.next_token((found[-1].name,)) if full else ""
        )

    async def _told(self, opened: OpenNamespace, document: Document) -> seed_pb2.Seed:
        seed = seed_of(document)
        stands = await standing(opened.store, seed)
        return seed_pb2.Seed(
            source_namespace=seed.namespace,
            agent_id=seed.agent_id,
            create_time=to_timestamp(seed.create_time_us),
            update_time=to_timestamp(document.update_time_us),
            memories=len(stands.confirmed) + len(stands.unconfirmed),
            confirmed=len(stands.confirmed),
            source_present=await self._is_present(seed),
        )

    async def _is_present(self, seed: Seed) -> bool:
        try:
            async with self._calls.namespaces.reading(seed.namespace) as source:
                return source.namespace.incarnation == seed.incarnation
        except NamespaceNotFound:
            return False

    async def WithdrawSeed(
        self,
        request: pb.WithdrawSeedRequest,
        context: aio.ServicerContext[pb.WithdrawSeedRequest, pb.WithdrawSeedResponse],
    ) -> pb.WithdrawSeedResponse:
        """Erase what came from a source and is not confirmed."""
        wait_s = remaining_s(context, WAIT_S_MAX)
        return await self._calls.deleting(lambda: self._withdraw(request, wait_s))

    async def _withdraw(
        self, request: pb.WithdrawSeedRequest, wait_s: float
    ) -> pb.WithdrawSeedResponse:
        key = seed_key(request.source_namespace, _agent_of(request))
        async with self._calls.reading(request.namespace) as opened:
            document = await opened.store.document(key)
            if document is None:
                return pb.WithdrawSeedResponse()
            seed = seed_of(document)
            stands = await standing(opened.store, seed)
            stays = frozenset() if request.include_confirmed else stands.confirmed
            goes = (stands.confirmed | stands.unconfirmed) - stays
            answer = pb.WithdrawSeedResponse(withdrawn=len(goes), confirmed=len(stays))
            if request.dry_run:
                return answer
            gone = {one.memory_id for one in seed.items} - stays
            receipt = await self._seeds.erase(opened, seed, gone, wait_s)
            answer.receipt.CopyFrom(from_receipt(receipt, opened.namespace))
            return answer


@dataclass(frozen=True, slots=True)
class _Given:
    """The memories that a source gives, and the agent that alone is to see them."""

    source: Namespace
    chosen: Sequence[Memory]
    agent_id: str


def _agent_of(request: pb.SeedNamespaceRequest | pb.WithdrawSeedRequest) -> str:
    """The agent that alone sees the seed; empty where everybody does.

    Raises:
        InvalidArgument: it is for an agent, and the caller names none.
    """
    if request.private_to_agent and not request.caller.agent_id:
        raise invalid_field("caller.agent_id", "is required with private_to_agent")
    return request.caller.agent_id if request.private_to_agent else ""


def _to_wanted(request: pb.SeedNamespaceRequest) -> SeedRequest:
    return SeedRequest(
        kinds=tuple(map(KIND.from_pb, request.kinds)),
        categories=tuple(request.categories),
        tags=tuple(request.tags),
        confidence_min=request.confidence_min,
        limit=request.limit or LIMIT_DEFAULT,
    )


def _from_seeded(seeded: Seeded, refused: int, revision: str) -> pb.SeedNamespaceResponse:
    return pb.SeedNamespaceResponse(
        memories=[_from_copied(one, made=bool(revision)) for one in seeded.copies],
        known=seeded.known,
        refused=refused,
        revision=revision,
    )


def _from_copied(copied: Copied, *, made: bool) -> seed_pb2.SeededMemory:
    memory = copied.memory
    return seed_pb2.SeededMemory(
        memory_id=memory.memory_id if made else "",
        source_memory_id=copied.source.memory_id,
        kind=KIND.to_pb(memory.kind),
        summary=memory.summary or memory.content,
        confidence=memory.confidence,
    )
