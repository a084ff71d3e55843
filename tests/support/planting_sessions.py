"""The ways by which sessions take in text: events, files, documents, observations."""

import json
from collections.abc import AsyncIterator, Iterable

from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion
from anamnesis.memory.v1 import event_pb2
from tests.support.soil import NOW, Soil, append, event


async def events(soil: Soil) -> None:
    """What is said, thought, called and answered, and by whom, in one session."""
    said = [event(event_pb2.ROLE_USER, hello, name=name) for name, hello in soil.greetings]
    said += [event(event_pb2.ROLE_USER, text) for text in soil.texts]
    for text in soil.texts:
        call = event_pb2.ToolCall(
            call_id="c", name=text[:256], arguments=json.dumps({"note": text, "n": [text]})
        )
        bare = event_pb2.ToolCall(call_id="d", name="note", arguments=text)
        said.append(event(event_pb2.ROLE_ASSISTANT, "", tool_calls=[call, bare], reasoning=text))
        said.append(event(event_pb2.ROLE_TOOL, text, tool_call_id="c"))
    said += [event(event_pb2.ROLE_USER, "hm", name=text) for text in soil.fitting(256)]
    await append(soil, "s", said)


async def labels(soil: Soil) -> None:
    """Where sessions come from."""
    for place, text in enumerate(soil.texts):
        await append(soil, f"s-{place}", [event(event_pb2.ROLE_USER, "hello")], label=text)


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
