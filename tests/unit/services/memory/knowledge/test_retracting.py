"""Facts that are taken back: archived, readable as of before, and what they closed opens again."""

import pytest

from anamnesis_libs.errors import Conflict, InvalidArgument
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.knowledge.retracting import RetractFact
from anamnesis_memory.memories.editing.update import MemoryEdit, UpdateMemory
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Caller, Status
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere, LineWanted
from tests.support.clock import SetClock
from tests.support.facts_told import SINGLE, fact, listed, shown, take_back, tell
from tests.support.pipeline import now_us
from tests.support.records import lesson


async def test_what_it_had_closed_opens_again(store: NamespaceStore) -> None:
    old = fact("Nadia", "lives_in", "Rotterdam", "2018")
    wrong = fact("Nadia", "lives_in", "Utrecht", "2021-03")
    await tell(store, old, wrong)
    done = await take_back(store, wrong.memory_id)
    assert done.reopened == (old.memory_id,)
    part = done.memory.part
    assert isinstance(part, Fact)
    assert (done.memory.status, part.retracted) == (Status.ARCHIVED, True)
    assert [shown(one) for one in await listed(store)] == [("Rotterdam", "2018-01-01", "")]
    assert await store.edges_of([old.memory_id], [EdgeType.SUPERSEDES], 9) == []


@pytest.mark.parametrize("over", [True, False])
async def test_what_was_archived_while_it_was_over_comes_back(
    store: NamespaceStore, clock: SetClock, *, over: bool
) -> None:
    old = fact("Nadia", "lives_in", "Rotterdam", "2018")
    await tell(store, old)
    wrong = fact("Nadia", "lives_in", "Utrecht", "2021-03")
    if over:
        await tell(store, wrong)
    clock.move(days=1)
    change = MemoryEdit(status=Status.ARCHIVED)
    await store.commit(UpdateMemory(old.memory_id, Caller(), "", change, "v-1", "t-1"))
    if not over:
        clock.move(days=1)
        await tell(store, wrong)
    await take_back(store, wrong.memory_id)
    (kept,) = await store.memories([old.memory_id], None)
    assert kept.status is (Status.ACTIVE if over else Status.ARCHIVED)


async def test_it_stays_readable_as_of_when_it_was_known(
    store: NamespaceStore, clock: SetClock
) -> None:
    wrong = fact("Nadia", "lives_in", "Utrecht", "2021-03")
    await tell(store, fact("Nadia", "lives_in", "Rotterdam", "2018"), wrong)
    then_us = now_us(clock)
    clock.move(days=1)
    await take_back(store, wrong.memory_id)
    before, after = (FactWhere(known_at_us=at) for at in (then_us, now_us(clock)))
    known = await listed(store, before)
    assert [shown(one) for one in known] == [
        ("Rotterdam", "2018-01-01", "2021-03-01"),
        ("Utrecht", "2021-03-01", ""),
    ]
    assert [(one.superseded, one.retracted) for one in known] == [(True, False), (False, True)]
    assert [one.known_to_us for one in known] == [now_us(clock)] * 2
    assert [shown(one) for one in await listed(store, after)] == [("Rotterdam", "2018-01-01", "")]


async def test_a_contradiction_is_gone_with_one_side(store: NamespaceStore) -> None:
    one, other = (fact("Nadia", "lives_in", city, "2018") for city in ("Delft", "Gouda"))
    await tell(store, one, other)
    done = await take_back(store, other.memory_id)
    assert done.reopened == ()
    (known,) = await listed(store)
    assert (known.memory.memory_id, known.contradicted) == (one.memory_id, False)
    assert await store.edges_of([one.memory_id], [EdgeType.CONTRADICTS], 9) == []


async def test_taking_back_twice_changes_nothing(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea")
    await tell(store, told)
    first = await take_back(store, told.memory_id)
    revision = store.revision
    assert await take_back(store, told.memory_id) == first
    assert store.revision == revision


async def test_all_sources_are_taken_back(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea", source="chat")
    await tell(store, told, fact("Nadia", "likes", "tea", source="mail"))
    await take_back(store, told.memory_id)
    assert await listed(store) == []


async def test_nobody_takes_back_what_they_may_not_see(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea", user_id="nadia")
    await tell(store, told)
    for stranger in (Caller(), Caller(user_id="piet"), Caller(agent_id="nadia")):
        with pytest.raises(MemoryNotFound):
            await take_back(store, told.memory_id, stranger)
    await take_back(store, told.memory_id, Caller(user_id="nadia"))
    assert await listed(store, scopes=("user:nadia",)) == []


async def test_it_must_be_as_it_was_read(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea")
    (made,) = await tell(store, told)
    await tell(store, fact("Nadia", "likes", "tea", source="mail"))
    with pytest.raises(Conflict):
        await take_back(store, told.memory_id, etag=made.memory.etag)
    (known,) = await listed(store)
    await take_back(store, told.memory_id, etag=known.memory.etag)


async def test_a_line_that_is_not_its_own_is_a_conflict(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea")
    await tell(store, told)
    line = LineWanted("0" * 32, (), (), whole=False)
    with pytest.raises(Conflict):
        await store.commit(RetractFact(told.memory_id, Caller(), "", line, SINGLE))


async def test_what_is_no_fact_is_refused(store: NamespaceStore) -> None:
    note = lesson("Drink more tea")
    await tell(store, note)
    line = LineWanted("0" * 32, (), (), whole=False)
    with pytest.raises(InvalidArgument) as refused:
        await store.commit(RetractFact(note.memory_id, Caller(), "", line, SINGLE))
    assert [one.field for one in refused.value.violations] == ["memory_id"]
