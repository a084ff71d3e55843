"""Every way into the suite that text can take, each planted with texts of the caller's choice.

Ids are left alone: they are their callers' to choose, and are kept as they are.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, memory_pb2, work_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1 import working_memory_service_pb2 as working
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval
from tests.support.clients import Clients

NOW = Timestamp(seconds=1_780_000_000)
Texts = Sequence[str]


@dataclass(frozen=True, slots=True)
class Soil:
    """A namespace of a running suite, and what is planted in it."""

    clients: Clients
    space: str
    texts: Texts
    speakers: tuple[str, ...] = ()
    """Who says it, and whom it is said to by name; empty: nobody is named."""

    @property
    def greetings(self) -> list[tuple[str, str]]:
        """Each speaker, and how that one greets the next."""
        turned = (*self.speakers[1:], *self.speakers[:1])
        return [(one, f"hm, {other}?") for one, other in zip(self.speakers, turned, strict=True)]

    def fitting(self, chars_max: int) -> Texts:
        """The texts that are short enough for a field."""
        return [text for text in self.texts if len(text) <= chars_max]


Path = Callable[[Soil], Awaitable[object]]


async def events(soil: Soil) -> None:
    """What is said, thought, called and answered, and by whom, in one session."""
    said = [_event(event_pb2.ROLE_USER, hello, name=name) for name, hello in soil.greetings]
    said += [_event(event_pb2.ROLE_USER, text) for text in soil.texts]
    for text in soil.texts:
        call = event_pb2.ToolCall(
            call_id="c", name=text[:256], arguments=json.dumps({"note": text, "n": [text]})
        )
        bare = event_pb2.ToolCall(call_id="d", name="note", arguments=text)
        said.append(_event(event_pb2.ROLE_ASSISTANT, "", tool_calls=[call, bare], reasoning=text))
        said.append(_event(event_pb2.ROLE_TOOL, text, tool_call_id="c"))
    said += [_event(event_pb2.ROLE_USER, "hm", name=text) for text in soil.fitting(256)]
    await _append(soil, "s", said)


async def labels(soil: Soil) -> None:
    """Where sessions come from."""
    for place, text in enumerate(soil.texts):
        await _append(soil, f"s-{place}", [_event(event_pb2.ROLE_USER, "hello")], label=text)


async def openai_lines(soil: Soil) -> None:
    """A file of one message a line."""
    rows = [{"role": "user", "name": name, "content": said} for name, said in soil.greetings]
    rows += [{"role": "user", "content": text} for text in soil.texts]
    await _ingest(soil, rows)


async def anthropic_lines(soil: Soil) -> None:
    """A file of messages made of blocks."""
    rows: list[object] = []
    for text in soil.texts:
        call = {"type": "tool_use", "id": "t", "name": "note", "input": {"note": text}}
        result = {"type": "tool_result", "tool_use_id": "t", "content": text}
        rows.append(
            {"role": "assistant", "content": [{"type": "thinking", "thinking": text}, call]}
        )
        rows.append({"role": "user", "content": [result, {"type": "text", "text": text}]})
    await _ingest(soil, rows, shape=ingestion.FILE_SHAPE_ANTHROPIC)


async def claude_code_lines(soil: Soil) -> None:
    """A file of Claude Code's, whose envelopes say more than is read of them."""
    rows = [
        {
            "type": "user",
            "uuid": f"line-{place}",
            "sessionId": "claude",
            "cwd": text,
            "message": {"role": "user", "content": text},
        }
        for place, text in enumerate(soil.texts)
    ]
    await _ingest(soil, rows)


async def document(soil: Soil) -> None:
    """A text of many paragraphs, named after a file."""
    request = ingestion.IngestTextRequest(
        namespace=soil.space,
        text="\n\n".join(soil.texts),
        event_time=NOW,
        label="/home/deshawn.p/notes.txt",
    )
    await soil.clients.ingestion.IngestText(request)


async def observed(soil: Soil) -> None:
    """What an agent sees, one by one and as a stream; the source is free text too."""
    for text in soil.texts:
        await soil.clients.ingestion.Observe(_observation(soil, text))

    async def stream() -> AsyncIterator[ingestion.ObserveStreamRequest]:
        for text in soil.texts:
            yield ingestion.ObserveStreamRequest(observation=_observation(soil, f"seen: {text}"))

    async for _ in soil.clients.ingestion.ObserveStream(stream()):
        pass


async def stated(soil: Soil) -> None:
    """Memories with every part that has text, alone and in a batch."""
    for new in [make(text) for text in soil.texts for make in (_fact, _lesson, _procedure)]:
        request = memory.CreateMemoryRequest(namespace=soil.space, memory=new)
        await soil.clients.memory.CreateMemory(request)
    batch = [_told_of(name) for name in soil.speakers]
    batch += [
        memory.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=f"batch {text}")
        for text in soil.texts
    ]
    await soil.clients.memory.BatchCreateMemories(
        memory.BatchCreateMemoriesRequest(namespace=soil.space, memories=batch)
    )


async def crafted(soil: Soil) -> None:
    """Lessons and procedures by their own rpcs, whose text is made of their parts."""
    from anamnesis.memory.v1 import lesson_service_pb2, procedure_service_pb2

    for text in soil.texts:
        lesson = lesson_service_pb2.NewLesson(lesson=_lesson(text).lesson, tags=_short([text]))
        await soil.clients.lessons.CreateLesson(
            lesson_service_pb2.CreateLessonRequest(namespace=soil.space, lesson=lesson)
        )
        procedure = procedure_service_pb2.NewProcedure(procedure=_procedure(text).procedure)
        await soil.clients.procedures.CreateProcedure(
            procedure_service_pb2.CreateProcedureRequest(namespace=soil.space, procedure=procedure)
        )


async def corrected(soil: Soil) -> None:
    """Memories whose text and tags change."""
    for text in soil.texts:
        new = memory.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content="It is blue.")
        made = await soil.clients.memory.CreateMemory(
            memory.CreateMemoryRequest(namespace=soil.space, memory=new)
        )
        await soil.clients.memory.UpdateMemory(
            memory.UpdateMemoryRequest(
                namespace=soil.space,
                memory_id=made.memory.memory_id,
                change=memory.MemoryChange(content=text, tags=_short([text])),
                update_mask=FieldMask(paths=["content", "tags"]),
            )
        )


async def in_mind(soil: Soil) -> None:
    """Items of working memories, each of an agent of its own."""
    for place, text in enumerate(soil.texts):
        key = working.WorkingMemoryKey(namespace=soil.space, agent_id=f"a-{place}")
        item = working.WorkingItem(zone=working.ZONE_SYSTEM, content=text)
        await soil.clients.working.PutItem(working.PutItemRequest(key=key, item=item))


async def asked(soil: Soil) -> None:
    """Questions, which go to the embedding model."""
    await _append(soil, "s", [_event(event_pb2.ROLE_USER, "hello")])
    key = working.WorkingMemoryKey(namespace=soil.space, agent_id="a")
    for place, text in enumerate(soil.texts):
        match place % 4:
            case 0:
                search = retrieval.SearchRequest(namespace=soil.space, query=text, explain=True)
                await soil.clients.retrieval.Search(search)
            case 1:
                build = retrieval.BuildContextRequest(namespace=soil.space, query=text)
                await soil.clients.retrieval.BuildContext(build)
            case 2:
                render = working.RenderContextRequest(key=key, query=text)
                await soil.clients.working.RenderContext(render)
            case _:
                embed = memory.EmbedRequest(namespace=soil.space, texts=[text])
                await soil.clients.memory.Embed(embed)


async def failed(soil: Soil) -> None:
    """Why work failed, in a worker's words."""
    for place, text in enumerate(soil.texts):
        session = f"s-{place}"
        await _append(soil, session, [_event(event_pb2.ROLE_USER, "hello")], end_session=True)
        claimed = await soil.clients.ledger.ClaimWork(
            ledger_service_pb2.ClaimWorkRequest(
                namespace=soil.space,
                kinds=[work_pb2.WORK_KIND_SEGMENT],
                holder="w",
                session_id=session,
            )
        )
        (item,) = claimed.items
        lease = work_pb2.Lease(kind=item.kind, session_id=item.session_id, token=item.token)
        await soil.clients.ledger.FailWork(
            ledger_service_pb2.FailWorkRequest(
                namespace=soil.space, lease=lease, reason=f"it says: {text}"
            )
        )


PATHS: Mapping[str, Path] = {
    path.__name__.replace("_", "-"): path
    for path in (
        *(events, labels, openai_lines, anthropic_lines, claude_code_lines, document, observed),
        *(stated, crafted, corrected, in_mind, asked, failed),
    )
}


def _event(role: "event_pb2.Role.ValueType", content: str, **fields: object) -> event_pb2.Event:
    made = event_pb2.Event(role=role, content=content, event_time=NOW)
    made.MergeFrom(event_pb2.Event(**fields))  # type: ignore[arg-type]
    return made


async def _append(
    soil: Soil,
    session_id: str,
    said: Sequence[event_pb2.Event],
    label: str = "",
    *,
    end_session: bool = False,
) -> None:
    for start in range(0, len(said), 500):
        request = ingestion.AppendEventsRequest(
            namespace=soil.space,
            session_id=session_id,
            agent_id="a",
            events=said[start : start + 500],
            label=label,
            end_session=end_session,
        )
        await soil.clients.ingestion.AppendEvents(request)


async def _ingest(
    soil: Soil,
    rows: Iterable[object],
    shape: "ingestion.FileShape.ValueType" = ingestion.FILE_SHAPE_UNSPECIFIED,
) -> None:
    header = ingestion.IngestFileHeader(
        namespace=soil.space,
        session_id="file",
        label="/home/deshawn.p/chat.jsonl",
        shape=shape,
        default_event_time=NOW,
    )
    content = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()

    async def parts() -> AsyncIterator[ingestion.IngestFileRequest]:
        yield ingestion.IngestFileRequest(header=header)
        for start in range(0, len(content), 1 << 20):
            yield ingestion.IngestFileRequest(chunk=content[start : start + (1 << 20)])

    answer = await soil.clients.ingestion.IngestFile(parts())
    assert answer.upload_id, answer.not_archived


def _observation(soil: Soil, text: str) -> ingestion.ObserveRequest:
    return ingestion.ObserveRequest(
        namespace=soil.space,
        session_id="seen",
        source=text if len(text) <= 64 else "user",
        content=text,
        event_time=NOW,
    )


def _short(texts: Texts, chars_max: int = 128) -> list[str]:
    return [text for text in texts if len(text) <= chars_max]


def _fact(text: str) -> memory.NewMemory:
    part = memory_pb2.Fact(
        subject=text,
        predicate=text,
        object=text,
        persons=_short([text], 256),
        location=text,
        topic=text[:256],
    )
    return memory.NewMemory(
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=text,
        tags=_short([text]),
        entities=_short([text], 256),
        fact=part,
    )


def _told_of(person: str) -> memory.NewMemory:
    """A fact about somebody, who is named as a person."""
    part = memory_pb2.Fact(subject=person, predicate="is", object=f"{person} too", persons=[person])
    content = f"{person} said: hm"
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=content, fact=part)


def _lesson(text: str) -> memory.NewMemory:
    part = memory_pb2.Lesson(title=text, context=text, resolution=text)
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, lesson=part)


def _procedure(text: str) -> memory.NewMemory:
    step = memory_pb2.ProcedureStep(
        action=text[:256], spec=text, success_criteria=text, on_failure=text
    )
    part = memory_pb2.Procedure(
        name=text[:256], goal=text, steps=[step], avoid=[text], trigger_tags=_short([text])
    )
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_PROCEDURAL, content=text, procedure=part)
