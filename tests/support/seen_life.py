"""What becomes of memories in a world: craft, corrections, changed visibility, uses, desks."""

from collections.abc import Sequence
from dataclasses import replace

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import entity_pb2, memory_pb2, policy_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import palace_service_pb2 as palace_pb
from anamnesis.memory.v1 import procedure_service_pb2 as procedures_pb
from anamnesis.memory.v1 import working_memory_service_pb2 as working_pb
from tests.support.seen_world import (
    AGENTS,
    CALLERS,
    KEEPER,
    NAMESPACES,
    SHARED,
    TO_AGENT,
    TO_USER,
    TOLD_AT,
    VISIBILITIES,
    Owned,
    World,
    keep_documents,
    look_up,
    memories,
)

NURSERY = "nursery"
ALIKE = "Drain the queue before the worker of the gateway is stopped."
_TAGS = ("gateway", "deploy")


async def enliven(world: World, each: int) -> None:
    """So many of each in both namespaces; then look up what came of it."""
    await _nursery(world)
    for namespace in NAMESPACES:
        await _seed(world, namespace)
        for _ in range(each):
            await _craft(world, world.owner(namespace))
            await _narrow(world, _of(world.owner(namespace), SHARED))
            await _widen(world, _of(world.owner(namespace), world.rng.choice(VISIBILITIES[1:])))
            await _at_hand(world, world.owner(namespace))
            await _note(world, world.owner(namespace))
            await _lives_in(world, world.owner(namespace))
        await _one_of_two(world, namespace)
        await _alike(world, namespace)
        await _narrow_learned(world, namespace)
        await look_up(world, namespace, await _state(world, _of(world.owner(namespace), SHARED)))
        for caller in world.rng.sample(CALLERS, each):
            await _use(world, namespace, caller)
    await keep_documents(world)


async def _nursery(world: World) -> None:
    """A namespace beside the others that gives what it learned to all of them."""
    policy = policy_pb2.Policy(seeds_to=["*"])
    nursery = admin_pb.CreateNamespaceRequest(namespace=NURSERY, policy=policy)
    await world.clients.admin.CreateNamespace(nursery)
    lesson = lessons_pb.NewLesson(content="Water the seedlings in the morning.")
    await world.clients.lessons.CreateLesson(
        lessons_pb.CreateLessonRequest(namespace=NURSERY, lesson=lesson)
    )


async def _seed(world: World, namespace: str) -> None:
    """What the nursery gives to everybody, and to some agents each."""
    for agent in ("", *world.rng.sample(AGENTS, 3)):
        request = lessons_pb.SeedNamespaceRequest(
            namespace=namespace,
            source_namespace=NURSERY,
            caller=Caller(agent_id=agent),
            private_to_agent=bool(agent),
        )
        assert (await world.clients.lessons.SeedNamespace(request)).memories


def _of(owned: Owned, visibility: int) -> Owned:
    (wanted,) = (one for one in VISIBILITIES if one == visibility)
    return replace(owned, visibility=wanted)


async def _craft(world: World, owned: Owned) -> None:
    """A procedure and a lesson that the tags of many tasks bring up."""
    name, trigger, title = (world.word(owned) for _ in range(3))
    procedure = procedures_pb.NewProcedure(
        procedure=memory_pb2.Procedure(name=f"deploy {name}", trigger_tags=[*_TAGS, trigger]),
        tags=["skill"],
        visibility=world.stated(owned),
        agent_id=owned.agent,
        user_id=owned.user,
    )
    created = await world.clients.procedures.CreateProcedure(
        procedures_pb.CreateProcedureRequest(namespace=owned.namespace, procedure=procedure)
    )
    await world.clients.procedures.RecordRun(
        procedures_pb.RecordRunRequest(
            namespace=owned.namespace,
            caller=_owner(owned),
            memory_id=created.memory.memory_id,
            success=True,
        )
    )
    lesson = lessons_pb.NewLesson(
        lesson=memory_pb2.Lesson(title=f"Restart the gateway {title} before each deploy."),
        tags=_TAGS,
        visibility=world.stated(owned),
        agent_id=owned.agent,
        user_id=owned.user,
    )
    await world.clients.lessons.CreateLesson(
        lessons_pb.CreateLessonRequest(namespace=owned.namespace, lesson=lesson)
    )


def _owner(owned: Owned) -> Caller:
    return Caller(agent_id=owned.agent, user_id=owned.user)


async def _create(
    world: World, owned: Owned, word: str, sources: Sequence[str] = ()
) -> memory_pb2.Memory:
    fact = memory_pb2.Fact(
        subject="gateway",
        predicate="was called",
        object=f"name {world.rng.random()}",
        source_memory_ids=sources,
    )
    new = memory_pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=f"The gateway was called {word} once.",
        fact=fact,
        visibility=world.stated(owned),
        agent_id=owned.agent,
        user_id=owned.user,
    )
    request = memory_pb.CreateMemoryRequest(namespace=owned.namespace, memory=new)
    return (await world.clients.memory.CreateMemory(request)).memory


async def _state(world: World, owned: Owned) -> str:
    return (await _create(world, owned, world.word(owned))).revision


async def _change(
    world: World, owned: Owned, memory_id: str, *paths: str, **change: str | int
) -> memory_pb2.Memory:
    request = memory_pb.UpdateMemoryRequest(
        namespace=owned.namespace,
        caller=_owner(owned),
        memory_id=memory_id,
        change=memory_pb.MemoryChange(**change),  # type: ignore[arg-type]  # one of its fields
        update_mask=FieldMask(paths=paths or tuple(change)),
    )
    return (await world.clients.memory.UpdateMemory(request)).memory


async def _narrow(world: World, owned: Owned) -> None:
    """What was everybody's becomes somebody's: all its versions, and what was derived from it."""
    others = _of(world.owner(owned.namespace), SHARED)
    first, second, told = world.word(owned), world.word(owned), world.word(others)
    memory = await _create(world, owned, first)
    await _create(world, others, told, [memory.memory_id])
    await _change(world, owned, memory.memory_id, content=f"The gateway is called {second} now.")
    private = world.rng.choice([TO_AGENT, TO_USER])
    await _change(world, owned, memory.memory_id, visibility=private)
    world.words.update(dict.fromkeys((first, second, told), _of(owned, private)))


async def _widen(world: World, owned: Owned) -> None:
    """What was somebody's becomes everybody's, but not what it was before."""
    first, second = world.word(owned), world.word(_of(owned, SHARED))
    memory = await _create(world, owned, first)
    content = f"The gateway is called {second} now."
    await _change(world, owned, memory.memory_id, content=content, visibility=SHARED)


async def _narrow_learned(world: World, namespace: str) -> None:
    """One that was learned where all may see it is its owner's alone from now on."""
    learned = [
        one
        for one in await memories(world, namespace)
        if one.provenance.segment_id and one.visibility == SHARED
    ]
    for memory in learned[:2]:
        owned = world.sessions[memory.session_id]
        await _change(world, owned, memory.memory_id, visibility=TO_AGENT)
        world.narrowed.add(memory.memory_id)


async def _alike(world: World, namespace: str) -> None:
    """One lesson, told in every scope to the letter: each scope has its own."""
    kept: dict[str, Owned] = {}
    for visibility in VISIBILITIES:
        for _ in range(2):
            owned = _of(world.owner(namespace), visibility)
            lesson = lessons_pb.NewLesson(
                content=ALIKE,
                tags=_TAGS,
                visibility=world.stated(owned),
                agent_id=owned.agent,
                user_id=owned.user,
            )
            request = lessons_pb.CreateLessonRequest(namespace=namespace, lesson=lesson)
            memory_id = (await world.clients.lessons.CreateLesson(request)).memory.memory_id
            first = kept.setdefault(memory_id, owned)
            assert first.seen_by(namespace, _owner(owned))
            assert owned.seen_by(namespace, _owner(first))


async def _at_hand(world: World, owned: Owned) -> None:
    """A working memory with something in two zones."""
    user = world.rng.choice(["", owned.user])
    owned = replace(owned, user=user, at_hand=True)
    key = working_pb.WorkingMemoryKey(
        namespace=owned.namespace, agent_id=owned.agent, user_id=owned.user
    )
    started = working_pb.StartSessionRequest(key=key, session_id=f"desk-{world.word(owned)}")
    await world.clients.working.StartSession(started)
    for zone in (working_pb.ZONE_SYSTEM, working_pb.ZONE_ACTIVE):
        item_id = f"note-{world.word(owned)}"
        content = f"Mind the {world.word(owned)} gateway."
        item = working_pb.WorkingItem(item_id=item_id, zone=zone, content=content)
        await world.clients.working.PutItem(working_pb.PutItemRequest(key=key, item=item))
        world.items[item_id] = owned


async def _note(world: World, owned: Owned) -> None:
    """A note in somebody's room of its own."""
    word = world.word(owned)
    request = palace_pb.SaveNoteRequest(
        namespace=owned.namespace,
        content=f"Look at the {word} gateway.",
        agent_id=owned.agent,
        user_id=owned.user,
        session_id=f"notes-{word}",
        visibility=world.stated(owned),
    )
    await world.clients.palace.SaveNote(request)
    world.sessions[request.session_id] = owned


async def _lives_in(world: World, owned: Owned) -> None:
    """Where a keeper everybody knows of lives, which each scope knows otherwise."""
    word, other = world.word(owned), world.word(owned)
    for at, city in enumerate((word, other)):
        request = knowledge_pb.AssertFactRequest(
            namespace=owned.namespace,
            subject=KEEPER,
            predicate="lives_in",
            object=city.title(),
            valid_from=Timestamp(seconds=TOLD_AT.seconds + at * world.rng.randrange(1, 10**6)),
            source=f"diary {city}",
            entities=[entity_pb2.NamedEntity(name=city.title(), kind=entity_pb2.ENTITY_KIND_PLACE)],
            visibility=world.stated(owned),
            agent_id=owned.agent,
            user_id=owned.user,
        )
        await world.clients.knowledge.AssertFact(request)
        world.named[city] = owned


async def _one_of_two(world: World, namespace: str) -> None:
    """What all know is said to be what only some know of: others go on seeing the one alone."""
    for caller in CALLERS[-3:]:
        seen = sorted(world.seen(world.named, namespace, caller))
        whole = next(one for one in seen if world.named[one].visibility == SHARED)
        part = next(one for one in seen if world.named[one].visibility != SHARED)
        ids = [await _entity(world, namespace, caller, name) for name in (whole, part)]
        request = knowledge_pb.MergeEntitiesRequest(
            namespace=namespace, entity_id=ids[0], merged_ids=ids[1:], caller=caller
        )
        await world.clients.knowledge.MergeEntities(request)


async def _entity(world: World, namespace: str, caller: Caller, name: str) -> str:
    request = knowledge_pb.GetEntityRequest(namespace=namespace, name=name, caller=caller)
    return (await world.clients.knowledge.GetEntity(request)).entity.entity_id


async def _use(world: World, namespace: str, caller: Caller) -> None:
    """What a caller sees is of use together, so that it is linked across scopes."""
    seen = sorted(world.seen(world.memories, namespace, caller))
    request = memory_pb.ReportUseRequest(
        namespace=namespace,
        caller=caller,
        memory_ids=world.rng.sample(seen, min(10, len(seen))),
        kind=memory_pb.USE_KIND_CITED,
    )
    assert (await world.clients.memory.ReportUse(request)).counted == len(request.memory_ids)
