"""Looking for texts in all that a store keeps, on every backend."""

import json
import zlib
from dataclasses import replace

import pytest

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.session import ToolCall
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.preparation.archive import PutUpload
from tests.support.kept import upload
from tests.support.life import Put, answered, copy, created, document, edge, everything, put, stated
from tests.support.records import append, lesson, new_event

NOBODY = Caller()
WORD = "Xylophon-4711"


async def found(store: NamespaceStore, *needles: str) -> list[int]:
    """How often each text was found."""
    occurrences, _ = await store.occurrences(needles)
    assert all(one.place and one.count > 0 for one in occurrences)
    return [sum(one.count for one in occurrences if one.needle == at) for at in range(len(needles))]


async def test_a_text_is_found_whatever_its_case(store: NamespaceStore) -> None:
    await created(store, lesson(f"the word is {WORD} twice: {WORD.upper()}"), lesson("Straße"))
    counts = await found(store, "nowhere-0815", WORD, WORD.lower(), "STRASSE")
    assert counts[0] == 0
    assert min(counts[1:3]) >= 2
    assert counts[3] >= 1


async def test_how_much_was_looked_through_is_told(store: NamespaceStore) -> None:
    _, few = await store.occurrences([WORD])
    await created(store, *(lesson(f"lesson {number}") for number in range(5)))
    occurrences, more = await store.occurrences([WORD])
    assert not occurrences
    assert more >= few + 5
    assert (await store.occurrences([]))[0] == []


@pytest.mark.parametrize(
    "edits",
    [
        WriteSet(memories=(replace(lesson("one"), summary=WORD),)),
        WriteSet(memories=(replace(lesson("one"), overview=WORD),)),
        WriteSet(memories=(lesson("one", tags=(WORD,)),)),
        WriteSet(memories=(replace(lesson("one"), entities=(WORD,)),)),
        WriteSet(memories=(lesson("one", agent_id=WORD),)),
        WriteSet(memories=(lesson("one", user_id=WORD),)),
        WriteSet(memories=(stated(WORD),)),
        WriteSet(memories=(replace(stated("one"), part=Fact("Ada", "is", f'"{WORD}"\n')),)),
        WriteSet(documents=(document(WORD),)),
        WriteSet(documents=(document("a", json.dumps({"deep": json.dumps([WORD])})),)),
        WriteSet(documents=(document("a", user_id=WORD),)),
    ],
)
async def test_a_text_is_found_wherever_it_is_put(store: NamespaceStore, edits: WriteSet) -> None:
    await put(store, edits)
    assert (await found(store, WORD))[0] >= 1


async def test_a_text_is_found_in_what_hangs_on_memories(store: NamespaceStore) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    hanging = replace(edge(one.memory_id, two.memory_id), detail="differs: 815")
    was = copy("c-1", one.memory_id, replace(lesson("was"), overview=WORD))
    await put(store, WriteSet(edges=(hanging,), copies=(was,)))
    assert min(await found(store, WORD, "differs: 815")) >= 1


async def test_a_text_is_found_in_the_ledger_and_the_archive(store: NamespaceStore) -> None:
    await store.commit(append("one", session_id="s-1"))
    call = ToolCall("c", "tool", json.dumps({"argument": f"ü {WORD}"}))
    event = replace(new_event("", 1), tool_calls=(call,), reasoning="because-4712")
    await store.commit(replace(append(session_id="s-1"), events=(event,)))
    packed = zlib.compress(f"a line of zebra-0815 {'x' * 5000}".encode())
    await store.commit(PutUpload(upload("came", "s-1", packed)))
    assert min(await found(store, WORD, "because-4712", "zebra-0815")) >= 1
    assert (await found(store, f"ü {WORD}"))[0] >= 1, "JSON in JSON, its letters escaped"


async def test_a_text_is_found_in_stored_answers(store: NamespaceStore) -> None:
    await store.commit(Put(WriteSet(memories=(lesson("one"),))), answered(WORD))
    before = (await found(store, WORD))[0]
    (one,) = await everything(store)
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    await store.scrub()
    assert before >= 1
    assert await found(store, WORD) == [0]


async def test_what_was_deleted_and_scrubbed_is_found_nowhere(store: NamespaceStore) -> None:
    one, two = await created(store, lesson(f"about {WORD}", tags=(WORD,)), stated("other"))
    was = copy("c-1", one.memory_id, lesson(f"was {WORD}"))
    hanging = replace(edge(one.memory_id, two.memory_id), detail=WORD)
    await put(store, WriteSet(copies=(was,), edges=(hanging,)))
    assert (await found(store, WORD))[0] >= 3
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    assert await store.scrub() >= 0
    assert await found(store, WORD) == [0]
    assert [memory.memory_id for memory in await everything(store)] == [two.memory_id]
    await created(store, lesson("life goes on"))
    assert len(await everything(store)) == 2
