"""Views over a running suite: what holds at the call, of whom the caller may see, and no more."""

import random
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1 import projection_pb2
from anamnesis.cluster.v1 import projection_service_pb2 as pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import (
    admin_service_pb2,
    event_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
)
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis_libs.revisions import reaches
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.messages import made
from tests.support.processes import start

ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")
STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
SERVER = (pytest.mark.server, pytest.mark.long)
FACTS = 120
SINGLE = ("lives_in", "works_at")
MANY = ("likes", "uses", "plays")
SHARED = event_pb2.VISIBILITY_SHARED
PRIVATE = event_pb2.VISIBILITY_PRIVATE_TO_USER
_DAY_S = 86_400


@pytest.fixture(scope="module", params=["sqlite", pytest.param("neo4j", marks=SERVER)])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Where a suite of its own is, on each store."""
    data_dir: Path = tmp_path_factory.mktemp("views") / "data"
    settings = dict(STATIC)
    if request.param == "neo4j":
        settings |= {
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": request.getfixturevalue("neo4j_address").uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"views-{uuid.uuid4().hex}",
        }
    process = start(data_dir, settings=settings)
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(address: str) -> AsyncIterator[Clients]:
    """Stubs of the suite."""
    async with clients_of(everywhere(address)) as made:
        yield made


@pytest.fixture
def space() -> str:
    """A namespace of the test's own."""
    return f"n-{uuid.uuid4().hex[:12]}"


async def stated(
    clients: Clients,
    space: str,
    predicate: str,
    thing: str,
    *,
    since_day: int = 0,
    visibility: event_pb2.Visibility.ValueType = PRIVATE,
    kind: memory_pb2.FactKind.ValueType = memory_pb2.FACT_KIND_OTHER,
) -> str:
    """State a fact of Ada; the id of its memory."""
    request = knowledge_pb.AssertFactRequest(
        namespace=space,
        subject="ada",
        predicate=predicate,
        object=thing,
        valid_from=Timestamp(seconds=since_day * _DAY_S) if since_day else None,
        fact_kind=kind,
        visibility=visibility,
        user_id="ada",
    )
    return (await clients.knowledge.AssertFact(request)).fact.memory.memory_id


async def profile(
    clients: Clients, space: str, caller: Caller, subject: str = ""
) -> pb.GetUserProfileResponse:
    request = pb.GetUserProfileRequest(
        namespace=space, caller=caller, subject=subject, token_budget=20_000
    )
    return await clients.projections.GetUserProfile(request)


def told(answer: pb.GetUserProfileResponse) -> set[tuple[str, str]]:
    """What a profile says, as predicates and objects."""
    return {
        (line.predicate, line.object)
        for section in answer.profile.sections
        for line in section.lines
    }


async def test_a_profile_is_what_holds_after_many_changes_and_erasures(
    clients: Clients, space: str
) -> None:
    dice = random.Random(11)
    holding: dict[str, tuple[str, str]] = {}
    for at in range(1, FACTS + 1):
        predicate = dice.choice((*SINGLE, *MANY))
        memory_id = await stated(clients, space, predicate, f"thing{at:03}", since_day=at)
        holding[memory_id] = (predicate, f"thing{at:03}")
        if dice.random() < 0.3:
            gone = dice.choice([*holding])
            await _take_back(clients, space, gone, erased=dice.random() < 0.5)
            del holding[gone]
    last = {predicate: thing for predicate, thing in holding.values() if predicate in SINGLE}
    expected = {each for each in holding.values() if each[0] in MANY} | set(last.items())
    first = await profile(clients, space, ADA)
    assert told(first) == expected
    assert await profile(clients, space, ADA) == first
    assert all(thing in first.profile.text for _, thing in expected)


async def _take_back(clients: Clients, space: str, memory_id: str, *, erased: bool) -> None:
    asked = {"namespace": space, "caller": ADA, "memory_id": memory_id}
    if erased:
        await clients.memory.DeleteMemory(memory_service_pb2.DeleteMemoryRequest(**asked))  # type: ignore[arg-type]  # fields by name
    else:
        await clients.knowledge.RetractFact(knowledge_pb.RetractFactRequest(**asked))  # type: ignore[arg-type]  # as above


async def test_a_profile_by_id_is_that_of_the_one_name_of_the_lines(
    clients: Clients, space: str
) -> None:
    """Who has an opaque id and a name on their lines is learned of by name."""
    request = knowledge_pb.AssertFactRequest(
        namespace=space, subject="Mara", predicate="lives_in", object="Delft", user_id="u-7"
    )
    request.visibility = PRIVATE
    await clients.knowledge.AssertFact(request)
    caller = Caller(user_id="u-7")
    assert not told(await profile(clients, space, caller))
    await _says(clients, space, "a", "Mara")
    found = await profile(clients, space, caller)
    assert (found.profile.subject, told(found)) == ("Mara", {("lives_in", "Delft")})
    await _says(clients, space, "b", "Omar")
    assert not told(await profile(clients, space, caller)), "several speak: nobody knows who asks"


async def test_in_a_talk_of_several_a_profile_is_of_whom_the_id_spells(
    clients: Clients, space: str
) -> None:
    """One who only listened is nobody of those who spoke."""
    for subject, town in (("Mara Lind", "Delft"), ("Omar", "Gent")):
        request = knowledge_pb.AssertFactRequest(
            namespace=space, subject=subject, predicate="lives_in", object=town
        )
        await clients.knowledge.AssertFact(request)
    await _says(clients, space, "a", "Mara Lind", user_id="mara", participants=["u-7", "omar"])
    assert not told(await profile(clients, space, Caller(user_id="u-7")))
    await _says(clients, space, "a", "Omar", user_id="omar")
    for user_id, town in (("mara", "Delft"), ("omar", "Gent")):
        found = await profile(clients, space, Caller(user_id=user_id))
        assert told(found) == {("lives_in", town)}
    assert not told(await profile(clients, space, Caller(user_id="u-7")))
    request = knowledge_pb.AssertFactRequest(
        namespace=space, subject="mara", predicate="likes", object="tea", user_id="mara"
    )
    await clients.knowledge.AssertFact(request)
    found = await profile(clients, space, Caller(user_id="mara"))
    assert told(found) == {("lives_in", "Delft"), ("likes", "tea")}, "by name and by id"


async def _says(
    clients: Clients, space: str, session_id: str, name: str, user_id: str = "u-7", **fields: object
) -> None:
    line = event_pb2.Event(
        role=event_pb2.ROLE_USER, name=name, content="hello", event_time=Timestamp(seconds=1)
    )
    request = made(
        ledger_service_pb2.AppendEventsRequest,
        namespace=space,
        session_id=session_id,
        user_id=user_id,
        events=[line],
        **fields,
    )
    revision = (await clients.ledger.AppendEvents(request)).revision
    await clients.memory.FindCandidates(
        memory_service_pb2.FindCandidatesRequest(namespace=space, at_least_revision=revision)
    )


async def test_what_becomes_private_leaves_the_views_of_others_at_once(
    clients: Clients, space: str
) -> None:
    kept = await stated(clients, space, "likes", "tea", visibility=SHARED)
    for thing in ("gin", "rum"):
        await stated(clients, space, "uses", thing, visibility=SHARED)
    await stated(clients, space, "plays", "chess")
    assert told(await profile(clients, space, BOB, "ada")) == {
        ("likes", "tea"),
        ("uses", "gin"),
        ("uses", "rum"),
    }
    narrowed = await clients.memory.UpdateMemory(
        memory_service_pb2.UpdateMemoryRequest(
            namespace=space,
            caller=ADA,
            memory_id=kept,
            change=memory_service_pb2.MemoryChange(visibility=PRIVATE),
            update_mask=FieldMask(paths=["visibility"]),
        )
    )
    after = await profile(clients, space, BOB, "ada")
    assert told(after) == {("uses", "gin"), ("uses", "rum")}
    assert reaches(after.revision, narrowed.revision)
    making = clients.admin.MakePrivate(admin_service_pb2.MakePrivateRequest(namespace=space))
    assert [step async for step in making]
    assert not told(await profile(clients, space, BOB, "ada"))
    assert len(told(await profile(clients, space, ADA))) == 4


async def test_lines_carry_the_visibility_of_their_own_memories(
    clients: Clients, space: str
) -> None:
    shared = await stated(clients, space, "likes", "tea", visibility=SHARED)
    private = await stated(clients, space, "likes", "tea")
    other = await stated(clients, space, "likes", "gin")
    answer = await profile(clients, space, ADA)
    lines = [line for section in answer.profile.sections for line in section.lines]
    assert {line.object: (line.visibility, list(line.memory_ids)) for line in lines} == {
        "tea": (SHARED, [shared]),
        "gin": (PRIVATE, [other]),
    }
    assert private not in str(answer)


async def test_episodes_come_in_pages_by_time(clients: Clients, space: str) -> None:
    for at in (3, 1, 2, 5, 4):
        kind = memory_pb2.FACT_KIND_EVENT
        await stated(clients, space, "met", f"guest{at}", since_day=at * 10, kind=kind)
    await stated(clients, space, "likes", "tea")
    request = pb.ListEpisodesRequest(namespace=space, caller=ADA, page_size=2)
    pages: list[list[str]] = []
    while True:
        page = await clients.projections.ListEpisodes(request)
        pages.append([episode.object for episode in page.episodes])
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert pages == [["guest1", "guest2"], ["guest3", "guest4"], ["guest5"]]
    request = pb.ListEpisodesRequest(namespace=space, caller=ADA)
    request.time_range.start_time.FromSeconds(20 * _DAY_S)
    request.time_range.end_time.FromSeconds(40 * _DAY_S)
    within = await clients.projections.ListEpisodes(request)
    assert [episode.object for episode in within.episodes] == ["guest2", "guest3"]
    assert not (await clients.projections.ListEpisodes(_of(request, BOB))).episodes


def _of(request: pb.ListEpisodesRequest, caller: Caller) -> pb.ListEpisodesRequest:
    other = pb.ListEpisodesRequest()
    other.CopyFrom(request)
    other.caller.CopyFrom(caller)
    other.subject = "ada"
    return other


async def test_a_page_shows_what_holds_and_what_was_before(clients: Clients, space: str) -> None:
    await stated(clients, space, "lives_in", "Rome", since_day=10)
    await stated(clients, space, "lives_in", "Oslo", since_day=20)
    request = pb.GetKnowledgePageRequest(namespace=space, caller=ADA, name="Ada")
    page = (await clients.projections.GetKnowledgePage(request)).page
    under = {section.title: [line.object for line in section.lines] for section in page.sections}
    assert under == {"Home": ["Oslo"], "Before": ["Rome"]}
    assert page.markdown.startswith("# ada\n")


async def test_the_list_of_views_says_how_large_they_are(clients: Clients, space: str) -> None:
    await stated(clients, space, "lives_in", "Oslo")
    await stated(clients, space, "met", "Bob", kind=memory_pb2.FACT_KIND_EVENT)
    request = pb.ListProjectionsRequest(namespace=space, caller=ADA)
    listed = (await clients.projections.ListProjections(request)).projections
    sizes = {(view.type, view.title): view.size for view in listed}
    assert sizes[projection_pb2.PROJECTION_TYPE_USER_PROFILE, "Profile of ada"] == 1
    assert sizes[projection_pb2.PROJECTION_TYPE_EPISODIC_TIMELINE, "Episodes of ada"] == 1
    assert sizes[projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE, "ada"] == 2
    titles = {view.title for view in listed}
    assert titles == {"Profile of ada", "Episodes of ada", "ada", "Oslo", "Bob"}
