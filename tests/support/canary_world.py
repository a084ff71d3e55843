"""A namespace into which a word came by every path there is.

One person says the word everywhere; another says other things, some of them derived from both.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import (
    admin_service_pb2,
    document_pb2,
    entity_pb2,
    event_pb2,
    memory_pb2,
    policy_pb2,
    topic_service_pb2,
)
from anamnesis.memory.v1 import document_service_pb2 as documents_pb
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_service
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from anamnesis.memory.v1 import working_memory_service_pb2 as working_pb
from tests.support.clients import Clients
from tests.support.messages import made

SPACE = "canaries"
WORD = "quokkaflute"
IN_A_FILE = "wombatharp"
"""In the first line of a file, and nowhere else."""
ADA = "zanzibarella"
BOB = "bob"
PLAIN = "The harbour lights in Ghent are switched on at seven."
EVENT_TIME = Timestamp(seconds=1_772_000_000)
_SAID = (
    f"I work as a {WORD} tuner in Ghent and I am allergic to {WORD} resin.",
    f"My brother Tomas sells {WORD} reeds.",
)
_ERROR = (
    ("user", f"The {WORD} tests fail, please fix them."),
    ("call", json.dumps({"command": f"pytest {WORD}"})),
    ("tool", f"ModuleNotFoundError: No module named '{WORD}'\nexit code 1"),
    ("call", json.dumps({"command": f"pip install {WORD}"})),
    ("tool", f"Successfully installed {WORD}"),
    ("call", json.dumps({"command": f"pytest {WORD}"})),
    ("tool", "12 passed in 0.3s"),
    ("assistant", f"The tests pass now: {WORD} was missing and I installed it."),
    ("user", "Great, thanks!"),
)


class CanaryWorld:
    """Fills a namespace."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self.kept: dict[str, str] = {}
        """What has to stay, by id."""
        self.both = ""
        """A fact of Bob's that rests on what both said."""
        self.alone = ""
        """A fact of Bob's that rests on what Ada said alone."""

    async def fill(self) -> None:
        """Let the word in by every path, and other things beside it, where all see everything."""
        policy = policy_pb2.Policy(visibility_default=event_pb2.VISIBILITY_SHARED)
        await self._clients.admin.CreateNamespace(
            admin_service_pb2.CreateNamespaceRequest(namespace=SPACE, policy=policy)
        )
        await self._other()
        drawer = await self._conversation()
        await self._pipeline_material()
        await self._stated(drawer)
        await self._known()
        async for _ in self._clients.ingestion.RunPipeline(
            ingestion_pb.RunPipelineRequest(namespace=SPACE)
        ):
            pass
        await self._clustered()

    async def _clustered(self) -> None:
        """Wait until a topic is named after the word; clusters tell of themselves when asked."""
        request = topic_service_pb2.ListTopicsRequest(namespace=SPACE, for_assignment=True)
        async with asyncio.timeout(30):
            while WORD not in str(await self._clients.topics.ListTopics(request)).lower():
                continue

    async def _other(self) -> None:
        """Bob's session, and what he states."""
        await self._append("s-bob", BOB, [_event(PLAIN), _event("I live in Porto.")])
        drawers = await self._drawers("s-bob")
        self.kept = dict(zip(drawers, (PLAIN, "I live in Porto."), strict=True))
        lesson = await self._create("Restart the dredger before noon.", BOB)
        self.kept[lesson] = "Restart the dredger before noon."

    async def _conversation(self) -> str:
        """Events with text, names, tool calls, reasoning; sent twice under a request id."""
        events = [_event(text, name=f"{WORD} Ada") for text in _SAID]
        events += [
            event_pb2.Event(
                role=event_pb2.ROLE_ASSISTANT,
                reasoning=f"she wants a {WORD}",
                tool_calls=[
                    event_pb2.ToolCall(call_id="c", name=WORD, arguments=json.dumps({"q": WORD}))
                ],
                event_time=EVENT_TIME,
            )
        ]
        await self._append("s-ada", ADA, events, label=f"{WORD} talk")
        private = [_event(f"My {WORD} is private.")]
        await self._append(
            "s-private", ADA, private, visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT
        )
        await self._append("s-error", ADA, [*map(_line, *zip(*_ERROR, strict=True))])
        return (await self._drawers("s-ada"))[0]

    async def _pipeline_material(self) -> None:
        """Texts, files and what is observed."""
        await self._clients.ingestion.IngestText(
            ingestion_pb.IngestTextRequest(
                namespace=SPACE,
                agent_id="helper",
                user_id=ADA,
                text=f"Notes: a {WORD} must be oiled.\n\nThe {WORD} hangs in the hall.",
                label=f"{WORD} notes",
                event_time=EVENT_TIME,
            )
        )
        await self._clients.ingestion.IngestFile(_file())
        observed = await self._clients.ingestion.Observe(
            ingestion_pb.ObserveRequest(
                namespace=SPACE,
                session_id="s-seen",
                agent_id="helper",
                user_id=ADA,
                source=f"{WORD}-sensor",
                content=f"ERROR: the {WORD} must be repaired, critical failure decided today",
                event_time=EVENT_TIME,
                request_id="observed",
            )
        )
        assert observed.stored

    async def _stated(self, drawer: str) -> None:
        """Memories of every kind, labels and derived ones; of Ada's, and of Bob's from hers."""
        hers = await self._create(
            f"Oil the {WORD} before playing.", ADA, tags=[f"{WORD}-tag"], entities=[f"{WORD} Ltd"]
        )
        await self._corrected(hers)
        await self._kept(ADA)
        await self._at_hand(ADA, f"her {WORD}", "")
        await self._at_hand(BOB, f"recalled: {WORD}", hers)
        procedure = memory_pb2.Procedure(
            name=f"tune a {WORD}",
            goal=WORD,
            steps=[memory_pb2.ProcedureStep(action="turn", spec=f"the {WORD} peg")],
            trigger_tags=[WORD],
        )
        new = memory_service.NewMemory(
            kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
            content=f"How to tune a {WORD}.",
            procedure=procedure,
            user_id=ADA,
        )
        await self._clients.memory.CreateMemory(
            memory_service.CreateMemoryRequest(namespace=SPACE, memory=new, request_id="procedure")
        )
        bobs = next(iter(self.kept))
        self.alone = await self._fact(f"Someone plays the {WORD}.", [drawer])
        self.both = await self._fact("Someone plays by the harbour.", [drawer, bobs])
        self.kept[self.both] = "Someone plays by the harbour."

    async def _known(self) -> None:
        """Facts that one told alone, that both told, and that closed the other's; and a note."""
        await self._assert("Tomas", "lives_in", "Ghent", BOB, 0)
        await self._assert("Tomas", "lives_in", f"{WORD} mews", ADA, 1, f"{WORD} Lane")
        await self._assert("Tomas", "likes", "the sea", ADA, 0, f"{WORD} Tom")
        await self._assert("Tomas", "likes", "the sea", BOB, 0)
        await self._assert("Tomas", "plays", "chess", BOB, 0)
        await self._assert("Tomas", "plays", "chess", ADA, 0, f"{WORD} club")
        note = palace_pb.SaveNoteRequest(
            namespace=SPACE,
            content=f"The {WORD} stands in the hall.",
            user_id=ADA,
            request_id="note",
        )
        await self._clients.palace.SaveNote(note)

    async def _assert(  # what a fact is made of
        self, subject: str, predicate: str, object_: str, user_id: str, at: int, alias: str = ""
    ) -> None:
        request = knowledge_pb.AssertFactRequest(
            namespace=SPACE,
            subject=subject,
            predicate=predicate,
            object=object_,
            valid_from=Timestamp(seconds=EVENT_TIME.seconds + at),
            source=f"{user_id} says",
            user_id=user_id,
            entities=[entity_pb2.NamedEntity(name=subject, aliases=[alias] if alias else [])],
            request_id=f"{subject}-{predicate}-{object_}-{user_id}",
        )
        await self._clients.knowledge.AssertFact(request)

    async def _corrected(self, memory_id: str) -> None:
        """A text that was corrected, and is kept as a version."""
        change = memory_service.MemoryChange(content=f"Oil the {WORD} after playing.")
        await self._clients.memory.UpdateMemory(
            memory_service.UpdateMemoryRequest(
                namespace=SPACE,
                caller=Caller(user_id=ADA),
                memory_id=memory_id,
                change=change,
                update_mask=FieldMask(paths=["content"]),
                request_id="corrected",
            )
        )

    async def _kept(self, user_id: str) -> None:
        """A document, and one that takes its place, which says it too."""
        name = document_pb2.DocumentName(path=["instruments"], key="own")
        for when in ("before", "now"):
            value = json.dumps({"plays": f"the {WORD} of {when}"})
            await self._clients.documents.BatchPutDocuments(
                documents_pb.BatchPutDocumentsRequest(
                    namespace=SPACE,
                    caller=Caller(user_id=user_id),
                    changes=[document_pb2.DocumentChange(name=name, value=value)],
                    request_id=f"document-{when}",
                )
            )

    async def _at_hand(self, user_id: str, text: str, memory_id: str) -> None:
        """An item of somebody's working memory."""
        key = working_pb.WorkingMemoryKey(namespace=SPACE, agent_id="helper", user_id=user_id)
        item = working_pb.WorkingItem(
            zone=working_pb.ZONE_ACTIVE, content=text, memory_id=memory_id, importance=0.5
        )
        await self._clients.working.PutItem(working_pb.PutItemRequest(key=key, item=item))

    async def _fact(self, text: str, sources: Sequence[str]) -> str:
        fact = memory_pb2.Fact(
            subject="someone", predicate="plays", object=text, source_memory_ids=sources
        )
        new = memory_service.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=text, fact=fact, user_id=BOB
        )
        request = memory_service.CreateMemoryRequest(namespace=SPACE, memory=new)
        return (await self._clients.memory.CreateMemory(request)).memory.memory_id

    async def _create(self, text: str, user_id: str, **labels: Sequence[str]) -> str:
        new = made(
            memory_service.NewMemory,
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            content=text,
            user_id=user_id,
            **labels,
        )
        request = memory_service.CreateMemoryRequest(
            namespace=SPACE, memory=new, request_id=f"lesson-{user_id}"
        )
        return (await self._clients.memory.CreateMemory(request)).memory.memory_id

    async def _append(
        self, session_id: str, user_id: str, events: Sequence[event_pb2.Event], **fields: object
    ) -> ingestion_pb.AppendEventsResponse:
        request = made(
            ingestion_pb.AppendEventsRequest,
            namespace=SPACE,
            session_id=session_id,
            agent_id="helper",
            user_id=user_id,
            events=events,
            end_session=True,
            request_id=f"append-{session_id}",
            **fields,
        )
        return await self._clients.ingestion.AppendEvents(request)

    async def _drawers(self, session_id: str) -> list[str]:
        request = ledger_pb.ListEventsRequest(
            namespace=SPACE, session_id=session_id, all_visibilities=True
        )
        return [one.memory_id for one in (await self._clients.ledger.ListEvents(request)).events]

    async def in_the_file(self) -> str:
        """The drawer of the file's first line."""
        request = memory_service.ListMemoriesRequest(
            namespace=SPACE, all_visibilities=True, page_size=500
        )
        listed = await self._clients.memory.ListMemories(request)
        return next(
            one.memory_id
            for one in listed.memories
            if one.kind == memory_pb2.MEMORY_KIND_EPISODIC and IN_A_FILE in one.content
        )


def _event(content: str, name: str = "") -> event_pb2.Event:
    return event_pb2.Event(
        role=event_pb2.ROLE_USER, content=content, name=name, event_time=EVENT_TIME
    )


def _line(role: str, content: str) -> event_pb2.Event:
    """An event of a told session; a "call" is an assistant's call of bash."""
    if role == "call":
        call = event_pb2.ToolCall(call_id="c", name="bash", arguments=content)
        return event_pb2.Event(
            role=event_pb2.ROLE_ASSISTANT, tool_calls=[call], event_time=EVENT_TIME
        )
    role_number = event_pb2.Role.Value(f"ROLE_{role.upper()}")
    return event_pb2.Event(
        role=role_number,
        content=content,
        tool_call_id="c" if role == "tool" else "",
        event_time=EVENT_TIME,
    )


async def _file() -> AsyncIterator[ingestion_pb.IngestFileRequest]:
    header = ingestion_pb.IngestFileHeader(
        namespace=SPACE,
        agent_id="helper",
        user_id=ADA,
        label=f"/tmp/{WORD}.jsonl",
        default_event_time=EVENT_TIME,
        end_session=True,
    )
    yield ingestion_pb.IngestFileRequest(header=header)
    texts = (f"The {IN_A_FILE} {WORD} came first, I like {IN_A_FILE} music.", f"Then a {WORD}.")
    lines = [{"role": "user", "content": text} for text in texts]
    yield ingestion_pb.IngestFileRequest(chunk="\n".join(map(json.dumps, lines)).encode())
