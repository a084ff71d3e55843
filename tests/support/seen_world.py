"""A world of agents and users with something private each, and who may see what of it.

Every session and every stated memory holds a word that nothing else holds: where the word turns
up, so has the record. What is derived is found by its id, which an operator looks up.
"""

import json
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import (
    document_pb2,
    event_pb2,
    filter_pb2,
    memory_pb2,
    segment_pb2,
    topic_pb2,
)
from anamnesis.memory.v1 import document_service_pb2 as documents_pb
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import topic_service_pb2 as topics_pb
from anamnesis_libs.participants import only_user, participants, several, together
from tests.support.clients import Clients

NAMESPACES = ("harbour", "orchard")
AGENTS = tuple(f"agent-{number}" for number in range(1, 6))
USERS = tuple(f"user-{number}" for number in range(1, 4))
SHARED = event_pb2.VISIBILITY_SHARED
TO_AGENT = event_pb2.VISIBILITY_PRIVATE_TO_AGENT
TO_USER = event_pb2.VISIBILITY_PRIVATE_TO_USER
VISIBILITIES = (SHARED, TO_AGENT, TO_USER)
TOGETHER_SHARE = 0.3
"""How many of the talks are of several people, where users have what they have unsaid."""
DOCUMENTS = 6
"""Documents in a namespace, all of one name, so that each is told from the others by its scope."""
DOCUMENT = document_pb2.DocumentName(path=["kept"], key="one")
KEEPER = "the keeper"
"""Somebody of whom every scope knows something."""
TOLD_AT = Timestamp(seconds=1_700_000_000)
CALLERS = tuple(
    Caller(agent_id=agent, user_id=user) for agent in ("", *AGENTS) for user in ("", *USERS)
)
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprtv" for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Owned:
    """Whose something is; `user` may be several together."""

    namespace: str
    visibility: "event_pb2.Visibility.ValueType"
    agent: str
    user: str
    at_hand: bool = False
    """In the working memory of this agent for this user: nobody else sees it."""

    def seen_by(self, namespace: str, caller: Caller) -> bool:
        """Whether a caller of a namespace may see it."""
        if namespace != self.namespace:
            return False
        if self.at_hand:
            return (self.agent, self.user) == (caller.agent_id, caller.user_id)
        if self.visibility == TO_USER:
            return caller.user_id in participants(self.user)
        return self.visibility == SHARED or (bool(self.agent) and self.agent == caller.agent_id)


@dataclass(slots=True)
class World:
    """What there is, by the names that must not get about."""

    clients: Clients
    rng: random.Random
    users: Sequence[str] = USERS
    unsaid: bool = False
    """What is a user's alone is written without a word of who may see it."""
    words: dict[str, Owned] = field(default_factory=dict)
    sessions: dict[str, Owned] = field(default_factory=dict)
    memories: dict[str, Owned] = field(default_factory=dict)
    segments: dict[str, Owned] = field(default_factory=dict)
    uploads: dict[str, Owned] = field(default_factory=dict)
    topics: dict[str, Owned] = field(default_factory=dict)
    items: dict[str, Owned] = field(default_factory=dict)
    narrowed: set[str] = field(default_factory=set)
    pointers: dict[str, Owned] = field(default_factory=dict)
    """Both namespaces give the same ones, so they are asked after and are no secrets."""
    named: dict[str, Owned] = field(default_factory=dict)
    """Words that are names of entities."""
    entities: set[str] = field(default_factory=set)
    """Ids of entities; who sees them is who sees one of their names."""

    def secrets(self, namespace: str, caller: Caller) -> list[str]:
        """Every word and id that the caller may not see."""
        kinds = (self.words, self.sessions, self.memories, self.segments, self.uploads)
        return [
            name
            for kind in (*kinds, self.topics, self.items)
            for name, owned in kind.items()
            if not owned.seen_by(namespace, caller)
        ]

    def seen(self, kind: dict[str, Owned], namespace: str, caller: Caller) -> set[str]:
        """What of a kind the caller may see."""
        return {name for name, owned in kind.items() if owned.seen_by(namespace, caller)}

    def owner(self, namespace: str) -> Owned:
        """Somebody with something."""
        agent, user = self.rng.choice(AGENTS), self.rng.choice(self.users)
        visibility = TO_USER if self.unsaid else self.rng.choice(VISIBILITIES)
        return Owned(namespace, visibility, agent, user)

    def stated(self, owned: Owned) -> "event_pb2.Visibility.ValueType":
        """What a write says of who may see it."""
        left_out = self.unsaid and owned.visibility == TO_USER
        return event_pb2.VISIBILITY_UNSPECIFIED if left_out else owned.visibility

    def word(self, owned: Owned) -> str:
        """A word that nothing has yet."""
        while (word := "".join(self.rng.sample(_SYLLABLES, 4))) in self.words:
            pass
        self.words[word] = owned
        return word


async def settle(clients: Clients, seed: int, sessions: int, stated: int) -> World:
    """Fill both namespaces with so many of each, learn from them, and look up what came of it."""
    return await fill(World(clients, random.Random(seed)), sessions, stated)


async def fill(world: World, sessions: int, stated: int) -> World:
    """The same for a world whose people are known."""
    clients = world.clients
    for namespace in NAMESPACES:
        for number in range(sessions):
            await (_tell if number % 2 else _read_out)(world, world.owner(namespace))
        for number in range(stated):
            revision = await _state(world, world.owner(namespace), lesson=bool(number % 2))
        request = ingestion_pb.RunPipelineRequest(namespace=namespace)
        async for step in clients.ingestion.RunPipeline(request):
            assert not step.failure, step
        await look_up(world, namespace, revision)
    return world


def _lines(word: str) -> Iterator[tuple["event_pb2.Role.ValueType", str]]:
    """A task that goes wrong and right again: it teaches facts, a lesson and a procedure."""
    yield event_pb2.ROLE_USER, f"I live in {word.title()}. The {word} tests fail, please fix them."
    yield event_pb2.ROLE_ASSISTANT, 'bash {"command":"pytest"}'
    yield event_pb2.ROLE_TOOL, f"ModuleNotFoundError: No module named '{word}'\nexit code 1"
    yield event_pb2.ROLE_ASSISTANT, f'bash {{"command":"pip install {word}"}}'
    yield event_pb2.ROLE_TOOL, f"Successfully installed {word}"
    yield event_pb2.ROLE_ASSISTANT, 'bash {"command":"pytest"}'
    yield event_pb2.ROLE_TOOL, "12 passed in 0.3s"
    yield event_pb2.ROLE_ASSISTANT, f"The tests pass now: {word} was missing and I installed it."
    yield event_pb2.ROLE_USER, "Great, thanks!"


def _events(word: str) -> Iterator[event_pb2.Event]:
    for index, (role, content) in enumerate(_lines(word)):
        event = event_pb2.Event(index=index, role=role, content=content, event_time=TOLD_AT)
        tool, brace, arguments = content.partition(" {")
        if role == event_pb2.ROLE_ASSISTANT and brace:
            event.content = ""
            event.tool_calls.add(call_id=f"c{index}", name=tool, arguments="{" + arguments)
        elif role == event_pb2.ROLE_TOOL:
            event.tool_call_id = f"c{index - 1}"
        yield event


async def _tell(world: World, owned: Owned) -> None:
    if world.unsaid and world.rng.random() < TOGETHER_SHARE:
        owned = replace(owned, user=together(world.rng.sample(world.users, 3)))
    word = world.word(owned)
    request = ingestion_pb.AppendEventsRequest(
        namespace=owned.namespace,
        session_id=f"talk-{word}",
        agent_id=owned.agent,
        user_id=only_user(owned.user),
        participants=several(owned.user),
        events=_events(word),
        end_session=True,
        label=f"chats/{word}.jsonl",
        visibility=world.stated(owned),
    )
    answer = await world.clients.ingestion.AppendEvents(request)
    world.sessions[answer.session.session_id] = owned


async def _read_out(world: World, owned: Owned) -> None:
    word = world.word(owned)
    request = ingestion_pb.IngestTextRequest(
        namespace=owned.namespace,
        agent_id=owned.agent,
        user_id=owned.user,
        text=f"I live in {word.title()}.\n\nMy sister works at the {word} bakery.",
        event_time=TOLD_AT,
        label=f"notes/{word}.md",
        visibility=world.stated(owned),
    )
    answer = await world.clients.ingestion.IngestText(request)
    world.sessions[answer.session_id] = owned
    world.uploads[answer.upload_id] = owned


async def keep_documents(world: World) -> None:
    """Put documents into both namespaces, and look up which memories they are."""
    for namespace in NAMESPACES:
        for _ in range(DOCUMENTS):
            revision = await _keep(world, world.owner(namespace))
        await look_up(world, namespace, revision)


async def _keep(world: World, owned: Owned) -> str:
    """Put a document with a word of its own into its owner's scope, or into what all share."""
    value = json.dumps({"word": world.word(owned)})
    answer = await world.clients.documents.BatchPutDocuments(
        documents_pb.BatchPutDocumentsRequest(
            namespace=owned.namespace,
            caller=Caller(agent_id=owned.agent, user_id=owned.user),
            visibility=world.stated(owned),
            changes=[document_pb2.DocumentChange(name=DOCUMENT, value=value)],
        )
    )
    return answer.revision


async def _state(world: World, owned: Owned, *, lesson: bool) -> str:
    word = world.word(owned)
    kind = memory_pb2.MEMORY_KIND_LEARNING if lesson else memory_pb2.MEMORY_KIND_SEMANTIC
    new = memory_pb.NewMemory(
        kind=kind,
        content=f"Restart the gateway {word} before each deploy of the gateway.",
        tags=[word],
        entities=[word.title()],
        visibility=world.stated(owned),
        agent_id=owned.agent,
        user_id=owned.user,
    )
    request = memory_pb.CreateMemoryRequest(namespace=owned.namespace, memory=new)
    world.named[word] = owned
    return (await world.clients.memory.CreateMemory(request)).revision


async def memories(world: World, namespace: str) -> list[memory_pb2.Memory]:
    """Every memory, as an operator sees them."""
    request = memory_pb.ListMemoriesRequest(
        namespace=namespace,
        filter=filter_pb2.MemoryFilter(include_archived=True),
        page_size=500,
        all_visibilities=True,
    )
    return [one async for page in _pages(world, request) for one in page.memories]


async def _pages(
    world: World, request: memory_pb.ListMemoriesRequest
) -> AsyncIterator[memory_pb.ListMemoriesResponse]:
    while True:
        page = await world.clients.memory.ListMemories(request)
        yield page
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return


async def _entities(world: World, namespace: str, caller: Caller) -> AsyncIterator[str]:
    request = knowledge_pb.ListEntitiesRequest(namespace=namespace, caller=caller, page_size=500)
    for entity in (await world.clients.knowledge.ListEntities(request)).entities:
        yield entity.entity_id
        for part in entity.merged:
            yield part.entity_id


async def topics(world: World, namespace: str) -> Sequence[topic_pb2.Topic]:
    """Every topic, as the cluster service sees them."""
    request = topics_pb.ListTopicsRequest(namespace=namespace, page_size=500, for_assignment=True)
    return (await world.clients.topics.ListTopics(request)).topics


async def segments(world: World, namespace: str) -> Sequence[segment_pb2.Segment]:
    """Every segment, as the pipeline sees them."""
    request = ledger_pb.ListSegmentsRequest(
        namespace=namespace, page_size=500, all_visibilities=True
    )
    return (await world.clients.ledger.ListSegments(request)).segments


async def look_up(world: World, namespace: str, revision: str) -> None:
    """Ids of what was stored and derived up to a revision, each with whose it must be."""
    asked = cluster_pb.ListClustersRequest(namespace=namespace, at_least_revision=revision)
    await world.clients.cluster.ListClusters(asked, timeout=30)
    for memory in await memories(world, namespace):
        world.memories[memory.memory_id] = Owned(
            namespace,
            memory.visibility,
            memory.agent_id,
            memory.user_id or together(memory.participants),
        )
        if memory.pointer:
            world.pointers[memory.pointer] = world.memories[memory.memory_id]
    for caller in (*CALLERS, *(Caller(user_id=user) for user in world.users)):
        world.entities |= {one async for one in _entities(world, namespace, caller)}
    for segment in await segments(world, namespace):
        world.segments[segment.segment_id] = world.sessions[segment.session_id]
    for topic in await topics(world, namespace):
        if topic.topic_id not in world.topics:
            await _declined(world, namespace, topic)
        world.topics[topic.topic_id] = owned_scope(namespace, topic.scope)


async def _declined(world: World, namespace: str, topic: topic_pb2.Topic) -> None:
    """Record that a topic made no skill."""
    attempt = topic_pb2.Crystallization(
        attempt=1,
        outcome=topic_pb2.CRYSTALLIZATION_OUTCOME_DECLINED,
        member_count=topic.member_count,
        model="local",
    )
    request = topics_pb.RecordCrystallizationRequest(
        namespace=namespace, topic_id=topic.topic_id, crystallization=attempt
    )
    await world.clients.topics.RecordCrystallization(request)


def owned_scope(namespace: str, scope: str) -> Owned:
    """Whose a topic of this scope is."""
    kind, _, name = scope.partition(":")
    visibility = {"shared": SHARED, "agent": TO_AGENT, "user": TO_USER}[kind]
    return Owned(namespace, visibility, name, name)
