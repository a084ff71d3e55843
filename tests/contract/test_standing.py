"""Standing things, and what a candidate says beside its scores, over gRPC on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2, candidate_pb2, event_pb2, filter_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving
from tests.support.messages import made

SPACE, COPY = "n", "copy"
USER, ASSISTANT = event_pb2.ROLE_USER, event_pb2.ROLE_ASSISTANT
TALK = [
    (USER, "The garden gate is green."),
    (USER, "Never push to main."),
    (ASSISTANT, "I'll never push to main."),
    (USER, "By the way, I'm allergic to walnuts."),
]
SECRET = [(USER, "The garden key hangs in the shed."), (USER, "Always lock the garden gate.")]
PRIVATE = event_pb2.VISIBILITY_PRIVATE_TO_USER
ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard a talk, and one of Ada's that nobody else may see."""
    async with serving(tmp_path, clock, open_stores) as running:
        await say(running, "shared", TALK, visibility=event_pb2.VISIBILITY_SHARED)
        await say(running, "own", SECRET, visibility=PRIVATE)
        async with running.behind.namespaces.reading(SPACE) as opened:
            await running.behind.settle(opened)
        yield running


async def say(
    served: Served,
    session_id: str,
    lines: list[tuple[event_pb2.Role.ValueType, str]],
    **fields: object,
) -> None:
    events = [
        event_pb2.Event(role=role, content=text, event_time=Timestamp(seconds=number))
        for number, (role, text) in enumerate(lines)
    ]
    request = made(
        ledger_pb.AppendEventsRequest,
        namespace=SPACE,
        session_id=session_id,
        user_id="ada",
        events=events,
        **fields,
    )
    await served.ledger.AppendEvents(request)


async def categories(served: Served, namespace: str, *only: str) -> dict[str, str]:
    """The category of each text that Ada may see, of some categories."""
    request = pb.ListMemoriesRequest(
        namespace=namespace, caller=ADA, filter=filter_pb2.MemoryFilter(categories=only)
    )
    listed = (await served.memory.ListMemories(request)).memories
    got = [
        await served.memory.GetMemory(
            pb.GetMemoryRequest(namespace=namespace, memory_id=one.memory_id, caller=ADA)
        )
        for one in listed
    ]
    assert [one.memory.category for one in got] == [one.category for one in listed]
    return {one.memory.content: one.memory.category for one in got}


async def found(
    served: Served, caller: Caller, query: str = "garden", **fields: object
) -> pb.FindCandidatesResponse:
    request = made(
        pb.FindCandidatesRequest,
        namespace=SPACE,
        caller=caller,
        query=query,
        **fields,
    )
    return await served.memory.FindCandidates(request)


async def texts(served: Served, ids: list[str], caller: Caller = ADA) -> list[str]:
    request = pb.BatchGetMemoriesRequest(namespace=SPACE, memory_ids=ids, caller=caller)
    return [one.content for one in (await served.memory.BatchGetMemories(request)).memories]


STANDING = {
    "Never push to main.": "rule",
    "By the way, I'm allergic to walnuts.": "constraint",
    "Always lock the garden gate.": "rule",
}


async def test_what_a_person_lays_down_is_marked_and_can_be_asked_for(served: Served) -> None:
    everything = await categories(served, SPACE)
    assert {text: kind for text, kind in everything.items() if kind} == STANDING
    assert len(everything) == len(TALK) + len(SECRET)
    rules = {text: kind for text, kind in STANDING.items() if kind == "rule"}
    assert await categories(served, SPACE, "rule") == rules
    assert await categories(served, SPACE, "rule", "constraint") == STANDING


async def test_an_export_keeps_the_marks(served: Served) -> None:
    request = admin_service_pb2.ExportNamespaceRequest(namespace=SPACE)
    chunks = [part.chunk async for part in served.admin.ExportNamespace(request)]

    async def parts() -> AsyncIterator[admin_service_pb2.ImportNamespaceRequest]:
        header = admin_service_pb2.ImportNamespaceHeader(namespace=COPY)
        yield admin_service_pb2.ImportNamespaceRequest(header=header)
        for chunk in chunks:
            yield admin_service_pb2.ImportNamespaceRequest(chunk=chunk)

    await served.admin.ImportNamespace(parts())
    assert await categories(served, COPY, "rule", "constraint") == STANDING


async def test_what_stands_comes_behind_the_others_for_who_may_see_it(served: Served) -> None:
    own = await found(served, ADA, "key", limit=1, standing_max=2)
    assert len(own.candidates) == 3
    assert [one.category for one in own.candidates[1:]].count("") == 0
    for caller, told in ((ADA, 3), (BOB, 2), (Caller(), 2)):
        answer = await found(served, caller, "key", limit=1, standing_max=200)
        behind = [one.memory_id for one in answer.candidates[1:] if one.category]
        standing = [one.memory_id for one in answer.candidates if one.category]
        assert len(standing) == told
        assert set(behind) <= set(standing)
        assert len(await texts(served, standing, caller)) == told
    none = await found(served, ADA, "key", limit=1)
    assert len(none.candidates) == 1


async def test_what_came_right_before_is_of_the_session_and_the_callers(served: Served) -> None:
    before = {
        one.memory_id: one.previous_memory_id for one in (await found(served, ADA)).candidates
    }
    pairs = {
        ((await texts(served, [own]))[0], (await texts(served, [last]))[0])
        for own, last in before.items()
        if last
    }
    lines = [text for _, text in TALK]
    private = [text for _, text in SECRET]
    assert pairs == {*zip(lines[1:], lines, strict=False), tuple(reversed(private))}
    for caller in (BOB, Caller()):
        seen = (await found(served, caller, standing_max=200)).candidates
        ids = {one.memory_id for one in seen}
        assert len(ids) == len(TALK)
        assert {one.previous_memory_id for one in seen} <= {"", *ids}


async def test_related_words_help_and_are_no_words_of_the_query(served: Served) -> None:
    words = candidate_pb2.CandidateWeights(text=1)
    plain = await found(served, BOB, "zeppelin colour", weights=words)
    answer = await found(served, BOB, "zeppelin colour", weights=words, related_words="green gate")
    assert (await texts(served, [answer.candidates[0].memory_id])) == ["The garden gate is green."]
    assert not any(one.matched_terms for one in answer.candidates)
    assert list(answer.scope.absent) == ["zeppelin", "colour"]
    assert answer.scope.absent_terms == 2
    assert plain.scope == answer.scope
    assert all(one.nearest_piece == 0 for one in answer.candidates)


async def test_likings_are_candidates_whatever_their_score(served: Served) -> None:
    lines = [(USER, "I tend to avoid cruises."), (USER, "I can't stand horror films.")]
    await say(served, "likings", lines, visibility=event_pb2.VISIBILITY_SHARED)
    async with served.behind.namespaces.reading(SPACE) as opened:
        await served.behind.settle(opened)
    assert set((await categories(served, SPACE, "liking")).values()) == {"liking"}
    for count in (0, 1, 2):
        seen = (await found(served, BOB, "gate", limit=1, likings_max=count)).candidates
        assert [one.category for one in seen[1:]] == ["liking"] * count


async def test_the_vector_of_the_meaning_is_compared(served: Served) -> None:
    dense = candidate_pb2.CandidateWeights(dense=1)
    asked = "zeppelin on 8 May 2023"
    plain = await found(served, BOB, asked, weights=dense)
    meant = await found(served, BOB, asked, weights=dense, meaning="The garden gate is green.")
    same = await found(served, BOB, "The garden gate is green.", weights=dense)
    cosines = {one.memory_id: one.cosine for one in same.candidates}
    assert {one.memory_id: one.cosine for one in meant.candidates} == cosines
    assert {one.memory_id: one.cosine for one in plain.candidates} != cosines
    assert meant.query == asked
    assert "zeppelin" in meant.scope.absent
