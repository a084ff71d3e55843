"""Reads: they wait for one's own writes, go through pages, and find nothing where nothing is."""

import pytest

from anamnesis.cluster.v1.projection_pb2 import ProjectionLine, ProjectionSection, UserProfile
from anamnesis.cluster.v1.projection_service_pb2 import (
    GetUserProfileRequest,
    GetUserProfileResponse,
)
from anamnesis.memory.v1.event_pb2 import Event, Role, Visibility
from anamnesis.memory.v1.knowledge_pb2 import FactFlag, KnownFact
from anamnesis.memory.v1.knowledge_service_pb2 import (
    GetTimelineResponse,
    ListFactsRequest,
    ListFactsResponse,
)
from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest, ListEventsResponse
from anamnesis.memory.v1.memory_pb2 import Fact as StoredFact
from anamnesis.memory.v1.memory_pb2 import Memory, MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import (
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
    ReadPurpose,
)
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerResponse
from anamnesis.retrieval.v1.retrieval_pb2 import Citation, CitationReason, SearchResult
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextRequest,
    BuildContextResponse,
    EmptyReason,
    SearchRequest,
    SearchResponse,
)
from anamnesis_client.errors import FailedPrecondition, NotFound, OutOfRange
from anamnesis_client.revisions import Revisions
from tests.unit.client.flows import driven, operations

NO_NAMESPACE = NotFound("there is no namespace 'app'", reason="NAMESPACE_NOT_FOUND")


def result(memory_id: str, line: str) -> SearchResult:
    return SearchResult(
        memory=Memory(memory_id=memory_id, summary=line), score=2.5, routes=["text"]
    )


def test_hits_have_their_whole_texts() -> None:
    search = SearchResponse(results=[result("m-1", "The ke…"), result("m-2", "It has…")])
    whole = BatchGetMemoriesResponse(
        memories=[
            Memory(memory_id="m-1", summary="The ke…", content="The key is under the mat"),
            Memory(memory_id="m-2", summary="It has…", content="It has three teeth"),
        ]
    )
    found, (_, read), _ = driven(operations().search("where is the key?"), [search, whole])
    assert [str(hit) for hit in found] == ["The key is under the mat", "It has three teeth"]
    assert (found[0].score, found[0].routes) == (2.5, ("text",))
    assert isinstance(read.request, BatchGetMemoriesRequest)
    assert read.request.purpose == ReadPurpose.READ_PURPOSE_SEARCH


def test_a_hit_that_is_deleted_meanwhile_is_left_out() -> None:
    search = SearchResponse(results=[result("m-1", "The ke…"), result("m-2", "It has…")])
    whole = BatchGetMemoriesResponse(memories=[Memory(memory_id="m-2", content="It has teeth")])
    found, _, _ = driven(operations().search("key"), [search, whole])
    assert [hit.id for hit in found] == ["m-2"]


def test_a_search_is_narrowed() -> None:
    flow = operations().search(
        "key", limit=3, full=False, kinds=["semantic"], tags=["home"], after="2026-01-01"
    )
    found, (call,), _ = driven(flow, [SearchResponse(results=[result("m-1", "The key")])])
    assert isinstance(call.request, SearchRequest)
    assert [*call.request.filter.kinds] == [MemoryKind.MEMORY_KIND_SEMANTIC]
    assert [*call.request.filter.tags] == ["home"]
    assert call.request.filter.time_range.start_time.ToJsonString() == "2026-01-01T00:00:00Z"
    assert not call.request.filter.time_range.HasField("end_time")
    assert (call.request.caller.user_id, call.request.caller.agent_id) == ("mara", "juno")
    assert found[0].text == "The key"


def test_a_context_is_a_text_with_its_sources() -> None:
    answer = BuildContextResponse(
        text="<memory_context>...",
        token_count=9,
        token_budget=300,
        left_out=2,
        citations=[
            Citation(memory_id="m-1", line=3, reason=CitationReason.CITATION_REASON_STANDING)
        ],
    )
    context, (call,), _ = driven(operations().context("key", budget=300), [answer])
    assert isinstance(call.request, BuildContextRequest)
    assert call.request.token_budget == 300
    assert str(context) == context.text == "<memory_context>..."
    assert context
    assert (context.left_out, context.empty_reason) == (2, "")
    assert [(each.memory_id, each.reason) for each in context.citations] == [("m-1", "standing")]


def test_an_empty_context_is_false_and_says_why() -> None:
    nothing = BuildContextResponse(empty_reason=EmptyReason.EMPTY_REASON_NOTHING_RELEVANT)
    context, _, _ = driven(operations().context("key"), [nothing])
    assert not context
    assert (str(context), context.empty_reason) == ("", "nothing_relevant")


def test_a_namespace_that_is_not_there_is_empty() -> None:
    client = operations()
    assert driven(client.search("key"), [NO_NAMESPACE])[0].hits == ()
    assert driven(client.context("key"), [NO_NAMESPACE])[0].empty_reason == "nothing_visible"
    assert driven(client.facts(), [NO_NAMESPACE])[0] == ()
    assert driven(client.timeline("Mara"), [NO_NAMESPACE])[0] == ()
    assert driven(client.events(), [NO_NAMESPACE])[0] == ()
    assert driven(client.get("m-1"), [NO_NAMESPACE])[0] == ()


def test_nobody_of_a_name_has_no_timeline_and_what_is_hidden_is_still_an_error() -> None:
    nobody = NotFound("there is nobody called 'Ada'", reason="ENTITY_NOT_FOUND")
    assert driven(operations().timeline("Ada"), [nobody])[0] == ()
    with pytest.raises(NotFound):
        driven(operations().timeline("Ada"), [NotFound("gone", reason="WING_NOT_FOUND")])


def test_reads_wait_for_what_this_client_wrote() -> None:
    revisions = Revisions()
    revisions.wrote("app", "a-2")
    _, (call,), _ = driven(operations(revisions=revisions).context("key"), [BuildContextResponse()])
    assert isinstance(call.request, BuildContextRequest)
    assert call.request.at_least_revision == "a-2"


@pytest.mark.parametrize(
    "another_past",
    [
        FailedPrecondition("made anew", reason="REVISION_OF_ANOTHER_INCARNATION"),
        OutOfRange("restored", reason="REVISION_IN_FUTURE"),
    ],
    ids=lambda error: error.reason,
)
def test_a_namespace_with_another_past_is_read_as_it_is(
    another_past: FailedPrecondition | OutOfRange,
) -> None:
    revisions = Revisions()
    revisions.wrote("app", "a-2")
    context, calls, _ = driven(
        operations(revisions=revisions).context("key"),
        [another_past, BuildContextResponse(text="new")],
    )
    assert context.text == "new"
    assert revisions.of("app") == ""
    assert isinstance(calls[1].request, BuildContextRequest)
    assert calls[1].request.at_least_revision == ""


def test_facts_come_page_by_page_until_there_are_enough() -> None:
    lives = KnownFact(
        memory=Memory(
            memory_id="m-1",
            content="Mara lives in Delft",
            fact=StoredFact(subject="Mara", predicate="lives_in", object="Delft"),
        ),
        flags=[FactFlag.FACT_FLAG_SUPERSEDED],
        sources=["s-1"],
    )
    pages = [ListFactsResponse(facts=[lives, lives], next_page_token="p2")]
    pages.append(ListFactsResponse(facts=[lives], next_page_token="p3"))
    facts, calls, _ = driven(operations().facts("Mara", as_of="2019-07-01", limit=3), pages)
    first, second = (call.request for call in calls)
    assert isinstance(first, ListFactsRequest)
    assert isinstance(second, ListFactsRequest)
    assert (first.page_size, second.page_size, second.page_token) == (3, 1, "p2")
    assert first.as_of.ToJsonString() == "2019-07-01T00:00:00Z"
    assert len(facts) == 3
    assert (facts[0].subject, facts[0].object, facts[0].valid_to) == ("Mara", "Delft", None)
    assert (facts[0].flags, facts[0].said_by) == (frozenset({"superseded"}), ("s-1",))
    assert (
        driven(operations().timeline("Mara"), [GetTimelineResponse(facts=[lives])])[0] == facts[:1]
    )


def test_all_events_of_a_session_are_read() -> None:
    said = [Event(index=place, role=Role.ROLE_USER, content=str(place)) for place in range(3)]
    pages = [ListEventsResponse(events=said[:2], next_page_token="p2")]
    pages.append(ListEventsResponse(events=said[2:]))
    events, calls, _ = driven(operations().events(), pages)
    assert isinstance(calls[0].request, ListEventsRequest)
    assert calls[0].request.session_id == "s-1"
    assert [(event.index, event.role, event.content) for event in events] == [
        (0, "user", "0"),
        (1, "user", "1"),
        (2, "user", "2"),
    ]


def test_memories_are_read_by_id_and_by_pointer_in_the_order_asked_for() -> None:
    by_id = BatchGetMemoriesResponse(memories=[Memory(memory_id="m-1", content="one")])
    at = ResolvePointerResponse(memory=Memory(memory_id="m-7", pointer="§ W-001/R-01/D-001"))
    flow = operations().get(["w-1/R-1/D-1", "m-1", "m-0"])
    memories, _, _ = driven(flow, [by_id, at])
    assert [memory.id for memory in memories] == ["m-7", "m-1"]


def test_a_pointer_that_leads_nowhere_is_left_out() -> None:
    nowhere = NotFound("leads nowhere", reason="POINTER_NOT_FOUND")
    memories, _, _ = driven(operations().get("§ W-9/R-9/D-9"), [nowhere])
    assert memories == ()


def test_a_profile_is_a_text_with_its_lines() -> None:
    line = ProjectionLine(
        text="Mara lives in Oslo",
        memory_ids=["m-1", "m-2"],
        subject="Mara",
        predicate="lives_in",
        object="Oslo",
        confidence=0.9,
        visibility=Visibility.VISIBILITY_SHARED,
        source_memory_ids=["d-1"],
    )
    profile = UserProfile(
        subject="Mara",
        text="What is known of Mara:\nHome\n- Mara lives in Oslo",
        sections=[ProjectionSection(title="Home", lines=[line], left_out=1)],
        token_count=15,
        left_out=1,
    )
    answer = GetUserProfileResponse(profile=profile, revision="r-1")
    found, (call,), _ = driven(operations().profile("Mara", budget=200), [answer])
    assert found
    assert str(found) == profile.text
    (section,) = found.sections
    assert (section.title, section.left_out) == ("Home", 1)
    (told,) = section.lines
    assert (str(told), told.memory_ids, told.sources) == (line.text, ("m-1", "m-2"), ("d-1",))
    assert (told.visibility, told.valid_from, told.flags) == ("shared", None, frozenset())
    assert isinstance(call.request, GetUserProfileRequest)
    assert (call.request.subject, call.request.token_budget) == ("Mara", 200)


def test_of_nobody_there_is_no_profile() -> None:
    found, _, _ = driven(operations().profile(), [NO_NAMESPACE])
    assert not found
    assert found.sections == ()
