"""Whose memory it is: by default the user's that a write names, over gRPC on every backend."""

from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2, memory_pb2, policy_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving
from tests.support.messages import made

SPACE = "n"
ADA, BOB, NOBODY = Caller(user_id="ada"), Caller(user_id="bob"), Caller()
SHARED = event_pb2.VISIBILITY_SHARED
TO_USER = event_pb2.VISIBILITY_PRIVATE_TO_USER
ILL = "I was diagnosed with epilepsy last year, I take lamotrigine."
NOTED = "Noted: you take lamotrigine."


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard nothing."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


async def say(
    served: Served, session_id: str, *texts: str, user_id: str = "", **fields: object
) -> ledger_pb.AppendEventsResponse:
    """Events of a user and an assistant in turn."""
    events = [
        event_pb2.Event(
            role=event_pb2.ROLE_ASSISTANT if place % 2 else event_pb2.ROLE_USER,
            content=text,
            event_time=Timestamp(seconds=place),
        )
        for place, text in enumerate(texts)
    ]
    request = made(
        ledger_pb.AppendEventsRequest,
        namespace=SPACE,
        session_id=session_id,
        user_id=user_id,
        events=events,
        **fields,
    )
    return await served.ledger.AppendEvents(request)


async def create(
    served: Served, text: str, kind: "memory_pb2.MemoryKind.ValueType", **fields: object
) -> memory_pb2.Memory:
    new = made(pb.NewMemory, kind=kind, content=text, **fields)
    request = pb.CreateMemoryRequest(namespace=SPACE, memory=new)
    return (await served.memory.CreateMemory(request)).memory


async def lesson(served: Served, text: str, **fields: object) -> memory_pb2.Memory:
    return await create(served, text, memory_pb2.MEMORY_KIND_LEARNING, **fields)


async def texts(served: Served, caller: Caller, *, everything: bool = False) -> set[str]:
    """All that a caller sees; `everything` is for an operator."""
    request = pb.ListMemoriesRequest(
        namespace=SPACE, caller=caller, all_visibilities=everything, page_size=500
    )
    ids = [one.memory_id for one in (await served.memory.ListMemories(request)).memories]
    wanted = pb.BatchGetMemoriesRequest(
        namespace=SPACE, memory_ids=ids, caller=caller, all_visibilities=everything
    )
    return {one.content for one in (await served.memory.BatchGetMemories(wanted)).memories}


async def decide(served: Served, visibility: "event_pb2.Visibility.ValueType") -> None:
    policy = policy_pb2.Policy(visibility_default=visibility)
    await served.admin.UpdateNamespacePolicy(
        admin_pb.UpdateNamespacePolicyRequest(
            namespace=SPACE, policy=policy, update_mask=FieldMask(paths=["visibility_default"])
        )
    )


async def code_of(call: Awaitable[object]) -> grpc.StatusCode:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return refused.value.code()


async def test_what_names_a_user_is_that_users_and_the_rest_is_shared(served: Served) -> None:
    told = await say(served, "s-ada", ILL, NOTED, user_id="ada")
    await say(served, "s-all", "The office closes at six.")
    assert (told.session.visibility, told.session.user_id) == (TO_USER, "ada")
    rule = await lesson(served, "Ask for the dose first.", user_id="ada")
    fact = await served.knowledge.AssertFact(
        knowledge_pb.AssertFactRequest(
            namespace=SPACE, subject="Ada", predicate="takes", object="lamotrigine", user_id="ada"
        )
    )
    note = await served.palace.SaveNote(
        palace_pb.SaveNoteRequest(namespace=SPACE, content="The pills are blue.", user_id="ada")
    )
    kept = {rule.visibility, fact.fact.memory.visibility, note.memory.visibility}
    assert kept == {TO_USER}
    own = {ILL, NOTED, rule.content, fact.fact.memory.content, "The pills are blue."}
    shared = {"The office closes at six."}
    assert await texts(served, ADA) == own | shared
    for other in (BOB, NOBODY, Caller(agent_id="ada")):
        assert await texts(served, other) == shared
    assert await texts(served, NOBODY, everything=True) == own | shared


async def test_the_policy_says_otherwise_and_a_write_for_itself(served: Served) -> None:
    await say(served, "s-1", ILL, user_id="ada")
    await decide(served, SHARED)
    hub = await say(served, "s-2", "We deploy on Mondays.", user_id="ada")
    own = await say(served, "s-3", "I am tired.", user_id="ada", visibility=TO_USER)
    assert (hub.session.visibility, own.session.visibility) == (SHARED, TO_USER)
    assert await texts(served, BOB) == {"We deploy on Mondays."}
    await decide(served, TO_USER)
    ownerless = say(served, "s-4", "Nobody says this.")
    assert await code_of(ownerless) is grpc.StatusCode.INVALID_ARGUMENT
    await decide(served, event_pb2.VISIBILITY_UNSPECIFIED)
    free = await say(served, "s-4", "Nobody says this.")
    wide = await say(served, "s-5", "Tell them all.", user_id="ada", visibility=SHARED)
    assert {free.session.visibility, wide.session.visibility} == {SHARED}


async def test_a_session_of_several_is_theirs_together(served: Served) -> None:
    told = await say(served, "trip", "We meet in Porto.", "Noted.", participants=["bob", "ada"])
    assert told.session.visibility == TO_USER
    assert (told.session.user_id, list(told.session.participants)) == ("", ["ada", "bob"])
    await say(served, "trip", "I bring the tent.", user_id="bob")
    await say(served, "own", "Bob snores.", user_id="ada")
    ours = {"We meet in Porto.", "Noted.", "I bring the tent."}
    assert await texts(served, ADA) == ours | {"Bob snores."}
    assert await texts(served, BOB) == ours
    for other in (Caller(user_id="cy"), Caller(user_id="ad"), Caller(agent_id="ada"), NOBODY):
        assert await texts(served, other) == set()
    listed = pb.ListMemoriesRequest(namespace=SPACE, caller=BOB)
    memories = (await served.memory.ListMemories(listed)).memories
    assert [one.episode.name for one in memories] == ["", "", "bob"]
    assert {(one.user_id, *one.participants) for one in memories} == {("", "ada", "bob")}
    of_bob = ledger_pb.ListSessionsRequest(namespace=SPACE, caller=ADA, user_id="bob")
    sessions = (await served.ledger.ListSessions(of_bob)).sessions
    assert [one.session_id for one in sessions] == ["trip"]
    wings = palace_pb.ListWingsRequest(namespace=SPACE, caller=BOB)
    assert [one.name for one in (await served.palace.ListWings(wings)).wings] == ["ada, bob"]


async def test_each_of_several_owns_their_session_and_nobody_else(served: Served) -> None:
    await say(served, "trip", "We meet in Porto.", user_id="ada", participants=["bob"])
    for user_id in ("cy", ""):
        intruding = say(served, "trip", "Me too.", user_id=user_id)
        assert await code_of(intruding) is grpc.StatusCode.PERMISSION_DENIED
        erasing = ledger_pb.DeleteSessionRequest(
            namespace=SPACE, session_id="trip", caller=Caller(user_id=user_id)
        )
        assert await code_of(served.ledger.DeleteSession(erasing)) is grpc.StatusCode.NOT_FOUND
    both = made(pb.NewMemory, kind=memory_pb2.MEMORY_KIND_LEARNING, content="x", user_id="␟a␟b␟")
    forged = served.memory.CreateMemory(pb.CreateMemoryRequest(namespace=SPACE, memory=both))
    assert await code_of(forged) is grpc.StatusCode.INVALID_ARGUMENT
    erasing = ledger_pb.DeleteSessionRequest(namespace=SPACE, session_id="trip", caller=BOB)
    assert (await served.ledger.DeleteSession(erasing)).receipt.records["memories"] == 1
    assert await texts(served, NOBODY, everything=True) == set()


async def test_nothing_keeps_the_name_of_who_is_erased(served: Served) -> None:
    await say(served, "trip", "We meet in Porto.", user_id="adalina", participants=["bob"])
    await say(served, "gone", "Porto it is.", user_id="adalina")
    await say(served, "own", "I keep bees.", user_id="bob")
    first = ledger_pb.DeleteSessionRequest(
        namespace=SPACE, session_id="gone", caller=Caller(user_id="adalina")
    )
    await served.ledger.DeleteSession(first)
    erasing = admin_pb.DeleteSubjectRequest(namespace=SPACE, user_id="adalina")
    receipt = (await served.admin.DeleteSubject(erasing)).receipt
    assert (receipt.records["sessions"], receipt.records["memories"]) == (1, 1)
    assert await texts(served, NOBODY, everything=True) == {"I keep bees."}
    looking = admin_pb.VerifyErasureRequest(namespace=SPACE, canaries=["adalina", "Porto"])
    assert not (await served.admin.VerifyErasure(looking)).places


async def test_what_was_shared_by_several_becomes_theirs(served: Served) -> None:
    await say(served, "own", "I knit.", user_id="ada")
    await decide(served, SHARED)
    await say(served, "trip", "We meet in Porto.", user_id="ada", participants=["bob"])
    await say(served, "bobs", "I keep bees.", user_id="bob")
    listed = pb.ListMemoriesRequest(namespace=SPACE, caller=NOBODY)
    ids = [one.memory_id for one in (await served.memory.ListMemories(listed)).memories]
    await learned(served, "Bees like Porto.", *ids)
    request = admin_pb.MakePrivateRequest(namespace=SPACE)
    assert [one async for one in served.admin.MakePrivate(request)][-1].done.sessions == 2
    assert await texts(served, ADA) == {"I knit.", "We meet in Porto."}
    assert await texts(served, BOB) == {"We meet in Porto.", "I keep bees.", "Bees like Porto."}
    assert await texts(served, Caller(user_id="cy")) == set()


async def test_others_neither_overwrite_nor_end_nor_erase_a_session(served: Served) -> None:
    await say(served, "hub", "Monday it is.", user_id="ada", visibility=SHARED)
    changed = event_pb2.Event(
        role=event_pb2.ROLE_USER, content="Friday it is.", index=0, event_time=Timestamp(seconds=9)
    )
    for user_id in ("bob", ""):
        common = {"namespace": SPACE, "session_id": "hub", "user_id": user_id}
        tries = (
            served.ledger.AppendEvents(
                made(ledger_pb.AppendEventsRequest, events=[changed], **common)
            ),
            served.ledger.AppendEvents(
                made(ledger_pb.AppendEventsRequest, end_session=True, **common)
            ),
            served.ledger.DeleteSession(
                ledger_pb.DeleteSessionRequest(
                    namespace=SPACE, session_id="hub", caller=Caller(user_id=user_id)
                )
            ),
        )
        for one in tries:
            assert await code_of(one) is grpc.StatusCode.PERMISSION_DENIED
    await say(served, "hub", "Tuesday, I'd say.", user_id="bob")
    request = pb.ListMemoriesRequest(namespace=SPACE, caller=NOBODY)
    listed = (await served.memory.ListMemories(request)).memories
    assert [one.user_id for one in listed] == ["ada", "bob"]
    assert await texts(served, NOBODY) == {"Monday it is.", "Tuesday, I'd say."}
    session = ledger_pb.GetSessionRequest(namespace=SPACE, session_id="hub", caller=ADA)
    assert (await served.ledger.GetSession(session)).session.user_id == "ada"


async def test_erasing_a_session_leaves_what_others_only_named_after_it(served: Served) -> None:
    await say(served, "s-1", "The gate is green.", user_id="ada", visibility=SHARED)
    await lesson(served, "Bob's own remark.", user_id="bob", session_id="s-1")
    mine = await lesson(served, "Ada's own remark.", user_id="ada", session_id="s-1")
    done = await served.ledger.DeleteSession(
        ledger_pb.DeleteSessionRequest(namespace=SPACE, session_id="s-1", caller=ADA)
    )
    assert mine.memory_id
    assert done.receipt.records["memories"] == 2
    assert done.receipt.derived_memories == done.receipt.kept_for_review == 0
    assert await texts(served, NOBODY, everything=True) == {"Bob's own remark."}


async def shared_namespace(served: Served) -> dict[str, str]:
    """A hub of two people, as it was when everybody saw everything; ids by text."""
    await say(served, "s-0", "The office closes at six.")
    await decide(served, SHARED)
    await say(served, "s-ada", ILL, NOTED, user_id="ada")
    await say(served, "s-bob", "I keep bees.", user_id="bob")
    await lesson(served, "Nobody's lesson.")
    listed = pb.ListMemoriesRequest(namespace=SPACE, caller=NOBODY)
    return {
        one.summary: one.memory_id for one in (await served.memory.ListMemories(listed)).memories
    }


async def learned(served: Served, text: str, *sources: str, **fields: object) -> None:
    part = memory_pb2.Lesson(evidence_memory_ids=sources)
    await lesson(served, text, lesson=part, **fields)


async def test_a_shared_namespace_becomes_each_users_own_in_steps(served: Served) -> None:
    ids = await shared_namespace(served)
    await learned(served, "She is ill.", ids[ILL])
    await learned(served, "Bees help against it.", ids[ILL], ids["I keep bees."])
    request = admin_pb.MakePrivateRequest(namespace=SPACE)
    broken_off = served.admin.MakePrivate(request)
    async for _ in broken_off:
        break
    broken_off.cancel()
    told = [one async for one in served.admin.MakePrivate(request)]
    assert told[-1].HasField("done")
    stages = [one.progress.stage for one in told[:-1]]
    assert stages[0] == "sessions"
    assert stages[-1] == "memories"
    shared = {"The office closes at six.", "Nobody's lesson."}
    assert await texts(served, NOBODY) == shared
    assert await texts(served, ADA) == shared | {ILL, NOTED, "She is ill."}
    assert await texts(served, BOB) == shared | {"I keep bees."}
    everything = await texts(served, NOBODY, everything=True)
    assert "Bees help against it." in everything
    again = [one async for one in served.admin.MakePrivate(request)][-1].done
    assert (again.sessions, again.memories) == (0, 0)
    late = await say(served, "s-ada", "And valproate.", user_id="ada")
    assert late.session.visibility == TO_USER
