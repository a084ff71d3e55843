"""The ways by which memories take in text: stated, corrected, held in mind, asked for."""

from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.memory.v1 import event_pb2, lesson_service_pb2, memory_pb2, procedure_service_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1 import working_memory_service_pb2 as working
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval
from tests.support.soil import Soil, append, event, fact, lesson, procedure, short


async def stated(soil: Soil) -> None:
    """Memories with every part that has text, alone and in a batch."""
    for new in [make(text) for text in soil.texts for make in (fact, lesson, procedure)]:
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
    for text in soil.texts:
        taught = lesson_service_pb2.NewLesson(lesson=lesson(text).lesson, tags=short([text]))
        await soil.clients.lessons.CreateLesson(
            lesson_service_pb2.CreateLessonRequest(namespace=soil.space, lesson=taught)
        )
        shown = procedure_service_pb2.NewProcedure(procedure=procedure(text).procedure)
        await soil.clients.procedures.CreateProcedure(
            procedure_service_pb2.CreateProcedureRequest(namespace=soil.space, procedure=shown)
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
                change=memory.MemoryChange(content=text, tags=short([text])),
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
    await append(soil, "s", [event(event_pb2.ROLE_USER, "hello")])
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


def _told_of(person: str) -> memory.NewMemory:
    """A fact about somebody, who is named as a person."""
    part = memory_pb2.Fact(subject=person, predicate="is", object=f"{person} too", persons=[person])
    content = f"{person} said: hm"
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content=content, fact=part)
