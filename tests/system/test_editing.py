"""Corrections with their history, uses that are counted, and what a policy changes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.common.v1 import caller_pb2
from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    event_pb2,
    filter_pb2,
    memory_pb2,
    memory_service_pb2,
    policy_pb2,
)
from anamnesis.retrieval.v1 import retrieval_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

ADA = caller_pb2.Caller(user_id="ada", session_id="s")
Change = memory_service_pb2.MemoryChange
INTERNAL = memory_service_pb2.READ_PURPOSE_INTERNAL


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A suite in one process, with the embedder that starts at once."""
    directory: Path = tmp_path_factory.mktemp("editing") / "data"
    process = start(directory, settings={"ANAMNESIS_MODELS__EMBEDDER": "static"})
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(address: str) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(address)) as made:
        yield made


async def fact(clients: Clients, space: str, content: str) -> memory_pb2.Memory:
    """Store a fact of Ada's."""
    new = memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=content, user_id="ada"
    )
    request = memory_service_pb2.CreateMemoryRequest(namespace=space, memory=new)
    return (await clients.memory.CreateMemory(request)).memory


async def read(
    clients: Clients, space: str, memory_id: str
) -> memory_service_pb2.GetMemoryResponse:
    """A memory with its history; the look does not count."""
    request = memory_service_pb2.GetMemoryRequest(
        namespace=space, memory_id=memory_id, caller=ADA, purpose=INTERNAL, include_history=True
    )
    return await clients.memory.GetMemory(request)


async def update(
    clients: Clients,
    space: str,
    memory_id: str,
    change: Change,
    *paths: str,
    caller: caller_pb2.Caller = ADA,
) -> memory_pb2.Memory:
    """Change a memory."""
    request = memory_service_pb2.UpdateMemoryRequest(
        namespace=space,
        caller=caller,
        memory_id=memory_id,
        change=change,
        update_mask=FieldMask(paths=paths),
    )
    return (await clients.memory.UpdateMemory(request)).memory


async def found(clients: Clients, space: str, query: str, revision: str = "") -> list[str]:
    """The summaries that a search finds."""
    request = retrieval_service_pb2.SearchRequest(
        namespace=space, query=query, caller=ADA, at_least_revision=revision
    )
    answer = await clients.retrieval.Search(request)
    return [result.memory.summary for result in answer.results]


async def test_a_corrected_text_keeps_what_it_was_and_is_found_by_what_it_is(
    clients: Clients,
) -> None:
    made = await fact(clients, "edit", "The keys hang behind the kitchen door.")
    after = await update(
        clients,
        "edit",
        made.memory_id,
        Change(content="The keys lie in the blue drawer."),
        "content",
    )
    assert after.content == "The keys lie in the blue drawer."
    assert after.create_time == made.create_time
    assert after.update_time.ToNanoseconds() > made.update_time.ToNanoseconds()
    assert after.etag != made.etag
    held = await read(clients, "edit", made.memory_id)
    assert [copy.memory.content for copy in held.copies] == [
        "The keys hang behind the kitchen door."
    ]
    assert held.copies[0].role == memory_pb2.COPY_ROLE_VERSION
    now = await found(clients, "edit", "blue drawer", after.revision)
    assert now == ["The keys lie in the blue drawer."]
    assert "kitchen" not in str(await found(clients, "edit", "kitchen door"))


async def test_what_cannot_be_changed_is_refused_and_changes_nothing(clients: Clients) -> None:
    made = await fact(clients, "edit", "The pump needs new seals.")
    refusals = (
        (Change(), "user_id"),
        (Change(content="x"), ""),
        (Change(content=" "), "content"),
        (Change(visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT), "visibility"),
    )
    for change, path in refusals:
        with pytest.raises(aio.AioRpcError) as refused:
            await update(clients, "edit", made.memory_id, change, *filter(None, [path]))
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT, path
    shared = event_pb2.VISIBILITY_SHARED
    await update(clients, "edit", made.memory_id, Change(visibility=shared), "visibility")
    made = (await read(clients, "edit", made.memory_id)).memory
    bob, no = caller_pb2.Caller(user_id="bob"), Change(content="no")
    with pytest.raises(aio.AioRpcError) as denied:
        await update(clients, "edit", made.memory_id, no, "content", caller=bob)
    assert denied.value.code() is grpc.StatusCode.PERMISSION_DENIED
    with pytest.raises(aio.AioRpcError) as absent:
        await update(clients, "edit", "f" * 32, Change(pinned=True), "pinned")
    assert absent.value.code() is grpc.StatusCode.NOT_FOUND
    after = (await read(clients, "edit", made.memory_id)).memory
    assert (after.etag, after.content, after.pinned) == (made.etag, made.content, False)


async def test_archived_is_out_of_search_and_comes_back(clients: Clients) -> None:
    made = await fact(clients, "edit", "The attic ladder squeaks.")
    gone = await update(
        clients, "edit", made.memory_id, Change(status=memory_pb2.MEMORY_STATUS_ARCHIVED), "status"
    )
    assert gone.HasField("archive_time")
    assert not await found(clients, "edit", "attic ladder", gone.revision)
    back = await update(
        clients, "edit", made.memory_id, Change(status=memory_pb2.MEMORY_STATUS_ACTIVE), "status"
    )
    assert not back.HasField("archive_time")
    assert await found(clients, "edit", "attic ladder", back.revision)


async def hits(clients: Clients, space: str, memory_id: str, expected: int) -> memory_pb2.Memory:
    """The memory once its hits have been counted; more than expected never come."""
    for _ in range(60):
        memory = (await read(clients, space, memory_id)).memory
        if memory.hit_count >= expected:
            break
        await asyncio.sleep(0.1)
    assert memory.hit_count == expected
    return memory


async def test_uses_are_counted_behind_the_answers(clients: Clients) -> None:
    made = await fact(clients, "use", "The ferry to Porto leaves at nine.")
    for _ in range(3):  # one memory, one session, one day: one hit
        await found(clients, "use", "ferry to Porto", made.revision)
    await hits(clients, "use", made.memory_id, 1)
    await clients.memory.GetMemory(
        memory_service_pb2.GetMemoryRequest(namespace="use", memory_id=made.memory_id, caller=ADA)
    )
    await hits(clients, "use", made.memory_id, 3)
    answer = await clients.memory.ReportUse(
        memory_service_pb2.ReportUseRequest(
            namespace="use",
            caller=ADA,
            memory_ids=[made.memory_id, "f" * 32],
            kind=memory_service_pb2.USE_KIND_CITED,
        )
    )
    assert answer.counted == 1
    after = await hits(clients, "use", made.memory_id, 5)
    assert after.HasField("last_hit_time")
    assert after.etag == made.etag
    assert after.retention == pytest.approx(1.0, abs=1e-3)


async def policy(clients: Clients, space: str, wanted: policy_pb2.Policy) -> policy_pb2.Policy:
    """Change a policy."""
    request = admin_service_pb2.UpdateNamespacePolicyRequest(namespace=space, policy=wanted)
    return (await clients.admin.UpdateNamespacePolicy(request)).policy


async def test_a_policy_is_chosen_at_creation_and_changed_field_by_field(clients: Clients) -> None:
    made = await clients.admin.CreateNamespace(
        admin_service_pb2.CreateNamespaceRequest(
            namespace="chosen",
            policy=policy_pb2.Policy(forgetting=policy_pb2.FORGETTING_POLICY_ADAPTIVE),
        )
    )
    assert made.namespace.policy.forgetting == policy_pb2.FORGETTING_POLICY_ADAPTIVE
    assert made.namespace.policy.redaction_level == policy_pb2.REDACTION_LEVEL_DEFAULT
    assert made.namespace.policy.cold_days == 30
    after = await policy(
        clients, "chosen", policy_pb2.Policy(cold_days=0, redaction_kinds=["EMAIL_ADDRESS"])
    )
    assert after.forgetting == policy_pb2.FORGETTING_POLICY_ADAPTIVE
    assert (after.cold_days, list(after.redaction_kinds)) == (0, ["EMAIL_ADDRESS"])
    got = await clients.admin.GetNamespace(
        admin_service_pb2.GetNamespaceRequest(namespace="chosen")
    )
    assert got.namespace.policy == after
    with pytest.raises(aio.AioRpcError) as refused:
        await policy(clients, "chosen", policy_pb2.Policy(redaction_kinds=["SHOE_SIZE"]))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_redaction_follows_the_policy(clients: Clients) -> None:
    text = "Write to jo@example.net about it."
    assert (await fact(clients, "mask", text)).content == "Write to <EMAIL_ADDRESS> about it."
    await policy(clients, "mask", policy_pb2.Policy(redaction_level=policy_pb2.REDACTION_LEVEL_OFF))
    assert (await fact(clients, "mask", text)).content == text
    await policy(
        clients,
        "mask",
        policy_pb2.Policy(
            redaction_level=policy_pb2.REDACTION_LEVEL_DEFAULT,
            redaction_action=policy_pb2.REDACTION_ACTION_BLOCK,
        ),
    )
    with pytest.raises(aio.AioRpcError) as blocked:
        await fact(clients, "mask", text)
    assert blocked.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "jo@example.net" not in str(blocked.value)
    assert await found(clients, "mask", "jo@example.net") is not None


async def say(clients: Clients, space: str, agent: str, *texts: str) -> None:
    """Append to a session of an agent, and end it."""
    events = [
        event_pb2.Event(
            role=event_pb2.ROLE_USER,
            name="Marta Silva",
            content=text,
            event_time=Timestamp(seconds=9),
        )
        for text in texts
    ]
    await clients.ingestion.AppendEvents(
        ingestion_service_pb2.AppendEventsRequest(
            namespace=space,
            session_id=f"s-{agent}",
            agent_id=agent,
            events=events,
            end_session=True,
        )
    )


async def test_a_person_is_one_pseudonym_all_over_a_strict_namespace(clients: Clients) -> None:
    await say(clients, "strict", "warm-up", "hello there")
    await policy(
        clients, "strict", policy_pb2.Policy(redaction_level=policy_pb2.REDACTION_LEVEL_STRICT)
    )
    await say(clients, "strict", "one", "I am Marta Silva and I live in Lisbon.")
    await say(clients, "strict", "two", "Marta Silva asked for the invoice.")
    listed = await clients.memory.ListMemories(
        memory_service_pb2.ListMemoriesRequest(namespace="strict")
    )
    told = [one for one in listed.memories if one.session_id in ("s-one", "s-two")]
    names = {one.episode.name for one in told}
    assert len(names) == 1
    (name,) = names
    assert name.startswith("<PERSON_")
    assert all(name in one.content for one in told)
    assert "Lisbon" in told[0].content
    assert "Marta" not in str(told)


async def test_an_agent_may_be_switched_off(clients: Clients) -> None:
    await say(clients, "switch", "loud", "The depot opens at six.")
    await policy(
        clients,
        "switch",
        policy_pb2.Policy(
            agents=[policy_pb2.AgentSwitch(agent_id="quiet", recall_off=True, mining_off=True)]
        ),
    )
    await say(clients, "switch", "quiet", "The depot closes at ten.")
    query = retrieval_service_pb2.SearchRequest(
        namespace="switch", query="When does the depot open?"
    )
    assert (await clients.retrieval.Search(query)).results
    query.caller.agent_id = "quiet"
    answer = await clients.retrieval.Search(query)
    assert not answer.results
    assert "switched off" in str(answer.degraded)
    status = await clients.ingestion.GetPipelineStatus(
        ingestion_service_pb2.GetPipelineStatusRequest(namespace="switch", session_id="s-quiet")
    )
    assert not any(stage.pending or stage.done for stage in status.stages)


async def sweep(clients: Clients, where: filter_pb2.MemoryFilter, *, dry: bool) -> tuple[int, str]:
    """Delete what fits; how much, and at which revision."""
    answer = await clients.memory.DeleteMemories(
        memory_service_pb2.DeleteMemoriesRequest(
            namespace="sweep", caller=ADA, filter=where, dry_run=dry
        )
    )
    return answer.memories, answer.revision


async def test_what_fits_a_filter_goes_and_a_dry_run_only_counts(clients: Clients) -> None:
    for number in range(3):
        await fact(clients, "sweep", f"Crate {number} stands in the hall.")
    kept = await fact(clients, "sweep", "The hall has two doors.")
    await update(clients, "sweep", kept.memory_id, Change(tags=["house"]), "tags")
    where = filter_pb2.MemoryFilter(tags=["house"])
    assert await sweep(clients, where, dry=True) == (1, "")
    with pytest.raises(aio.AioRpcError) as refused:
        await sweep(clients, filter_pb2.MemoryFilter(include_archived=True), dry=False)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert len(await found(clients, "sweep", "the hall")) == 4
    removed, revision = await sweep(clients, where, dry=False)
    assert removed == 1
    assert "two doors" not in str(await found(clients, "sweep", "the hall", revision))
    removed, revision = await sweep(clients, filter_pb2.MemoryFilter(user_id="ada"), dry=False)
    assert removed == 3
    assert await found(clients, "sweep", "the hall", revision) == []
