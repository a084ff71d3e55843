"""Whatever happens to a palace, a pointer that was given finds its drawer or says that it is gone.

Random writes, replacements, notes, mining, retention, deletions and erasures on each store, which
is opened again now and then. Pointers that were ever given are followed all the while.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from anamnesis_libs.errors.not_found import PointerNotFound
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_subject import SubjectErasure
from anamnesis_memory.knowledge.palace.pointers import Pointer, read_pointer
from anamnesis_memory.knowledge.palace.resolving import PointerState, resolve
from anamnesis_memory.ledger.append import AppendEvents, NewEvent
from anamnesis_memory.ledger.notes import WriteNote, in_notes
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.model.memory import Caller, Memory, Namespace, Visibility, Work
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.life import ErasureSubject
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.pipeline import claims, complete, cut, label, learn, lease_of, taught
from tests.support.records import new_event

STEPS = 30
FOLLOWED_MAX = 12
USERS = ("", "mara", "tom")
PROJECTS = ("", "apollo")
AGENTS = ("", "scribe")

Step = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Walker:
    """Does things to a palace, and remembers each pointer with the drawer that it was given to."""

    store: NamespaceStore
    clock: SetClock
    rng: random.Random
    given: dict[Pointer, Memory] = field(default_factory=dict)
    texts: int = 0

    async def step(self) -> None:
        """Do one thing; what adds is done more often than what takes away."""
        steps: list[tuple[Step, int]] = [
            (self.grow, 8),
            (self.change, 4),
            (self.note, 3),
            (self.mine, 4),
            (self.mine_again, 3),
            (self.expire, 1),
            (self.delete, 2),
            (self.erase_session, 2),
            (self.erase_owner, 1),
        ]
        (chosen,) = self.rng.choices([one for one, _ in steps], [weight for _, weight in steps])
        await chosen()
        self.clock.move(minutes=self.rng.choice((0, 1, 60)))

    async def grow(self) -> None:
        """More events, in a session that is there or a new one."""
        number = self.rng.randint(1, 6)
        events = tuple(new_event(self._text()) for _ in range(self.rng.randint(1, 4)))
        await self._append(self._write(number, *events))

    async def change(self) -> None:
        """Another text where an event stands."""
        number = self.rng.randint(1, 6)
        session = await self.store.session(f"s-{number}")
        if session is None or session.expired_before_index >= session.next_index:
            return
        index = self.rng.randrange(session.expired_before_index, session.next_index)
        event = new_event(self._text(), index)
        await self._append(self._write(number, event))

    async def note(self) -> None:
        """A note into the room of its owners' notes."""
        stated = self._write(self.rng.randint(1, 6), new_event(self._text()))
        done = await self.store.commit(WriteNote(in_notes(replace(stated, session_id=""))))
        assert done.result is not None
        self._remember(done.result)

    async def mine(self) -> None:
        """Cut what there is to cut, measure it, and learn from it."""
        for item in await self._claimed(Work.SEGMENT):
            session = await self.store.session(item.session_id)
            assert session is not None
            first, last = session.expired_before_index, session.next_index - 1
            middle = self.rng.randint(first, last)
            pieces = [(first, middle, self._text())]
            pieces += [(middle + 1, last, self._text())] if middle < last else []
            await cut(self.store, item, *pieces)
        await self._learn()

    async def mine_again(self) -> None:
        """Learn once more what was learned from what is there."""
        number = self.rng.randint(1, 6)
        session = await self.store.session(f"s-{number}")
        if session is not None and session.expired_before_index < session.next_index:
            index = session.next_index - 1
            event = new_event(self._text(), index)
            await self._append(replace(self._write(number, event), end_session=True))
        await self.mine()

    async def expire(self) -> None:
        """Ledgers of sessions are past their time; the drawers stay."""
        await self.mine()
        for item in await self._claimed(Work.COMPRESS):
            await complete(self.store, item)
        for item in await self._claimed(Work.RETAIN):
            await self.store.commit(ExpireSession(lease_of(item), retain_us=0))

    async def delete(self) -> None:
        """Some drawers for good."""
        count = min(len(self.given), self.rng.randint(1, 3))
        chosen = self.rng.sample(sorted(self.given.values(), key=lambda one: one.pointer), count)
        await Erasing(self.store).memories([one.memory_id for one in chosen])

    async def erase_session(self) -> None:
        """A session with all that was said in it."""
        session_id = f"s-{self.rng.randint(1, 6)}"
        await SubjectErasure(self.store, ErasureSubject(session_id=session_id)).run()

    async def erase_owner(self) -> None:
        """A person or an agent."""
        subjects = (
            ErasureSubject(user_id="mara"),
            ErasureSubject(user_id="tom"),
            ErasureSubject(agent_id="scribe"),
        )
        await SubjectErasure(self.store, self.rng.choice(subjects)).run()

    async def follow(self, pointers: list[Pointer]) -> None:
        """Each finds its own drawer, or says that it is gone; whoever asks."""
        drawers = [self.given[one] for one in pointers]
        there = await self.store.memories([one.memory_id for one in drawers], None)
        known = {one.memory_id: one for one in there}
        for pointer, drawer in zip(pointers, drawers, strict=True):
            found = await resolve(self.store, pointer, Caller(drawer.agent_id, drawer.user_id))
            assert found.pointer == pointer
            assert found.memory == known.get(drawer.memory_id)
            assert (found.state is PointerState.FOUND) == (drawer.memory_id in known)
            if found.memory is not None and found.memory.visibility is not Visibility.SHARED:
                with pytest.raises(PointerNotFound):
                    await resolve(self.store, pointer, Caller(user_id="stranger"))

    async def follow_beyond(self) -> None:
        """What comes next has not been given."""
        wings = {one.wing for one in self.given}
        rooms = {wing: max(one.room for one in self.given if one.wing == wing) for wing in wings}
        beyond = [Pointer(max(wings, default=0) + 1)]
        beyond += [Pointer(wing, room + 1) for wing, room in rooms.items()]
        for number in range(1, 7):
            if (session := await self.store.session(f"s-{number}")) is not None:
                beyond.append(Pointer(session.wing, session.room, session.next_drawer))
        for pointer in beyond:
            with pytest.raises(PointerNotFound):
                await resolve(self.store, pointer, Caller("scribe", "mara"))

    def some(self) -> list[Pointer]:
        """A few of those that were given."""
        known = sorted(self.given, key=str)
        return self.rng.sample(known, min(len(known), FOLLOWED_MAX))

    async def _append(self, write: AppendEvents) -> None:
        done = await self.store.commit(write)
        assert done.result is not None
        ids = [memory_id for _, memory_id, _ in done.result.results]
        for memory in await self.store.memories(ids, None):
            self._remember(memory)

    def _remember(self, drawer: Memory) -> None:
        pointer = read_pointer(drawer.pointer)
        assert str(pointer) == drawer.pointer
        assert pointer not in self.given, "given twice"
        self.given[pointer] = drawer

    async def _learn(self) -> None:
        for item in await self._claimed(Work.LABEL):
            for closet in await self.store.closets_of(item.session_id, -1, 50):
                await label(self.store, item, closet.segment.segment_id, 0.9)
            await complete(self.store, item)
        for item in await self._claimed(Work.EXTRACT):
            for closet in await self.store.closets_of(item.session_id, -1, 50):
                await learn(self.store, item, closet.segment.segment_id, taught(self._text()))
            await complete(self.store, item)

    async def _claimed(self, kind: Work) -> list[WorkItem]:
        """All that is to be done of a kind, due or not."""
        found = await claims(self.store, self.clock, kind, limit=20, even_if_early=True)
        return [item for item, _ in found.items]

    def _write(self, number: int, *events: NewEvent) -> AppendEvents:
        """A session has the same owners each time; one in three is private to its person."""
        user = USERS[number % 3]
        private = user and number % 2
        return AppendEvents(
            session_id=f"s-{number}",
            events=events,
            user_id=user,
            project=PROJECTS[number % 2],
            agent_id=AGENTS[number // 2 % 2],
            visibility=Visibility.PRIVATE_TO_USER if private else Visibility.SHARED,
        )

    def _text(self) -> str:
        self.texts += 1
        return f"text {self.texts}"


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
async def test_every_pointer_finds_its_drawer_or_says_that_it_is_gone(
    open_stores: Open, namespace: Namespace, clock: SetClock, seed: int
) -> None:
    rng = random.Random(seed)
    given: dict[Pointer, Memory] = {}
    texts = 0
    for _ in range(3):
        stores = await open_stores()
        walker = Walker(await stores.open(namespace), clock, rng, given, texts)
        await walker.follow(sorted(given, key=str))
        for _ in range(STEPS // 3):
            await walker.step()
            await walker.follow(walker.some())
        await walker.follow(sorted(given, key=str))
        await walker.follow_beyond()
        texts = walker.texts
        await walker.store.close()
        await stores.close()
    assert len(given) > STEPS // 2
