"""One year under one policy: each day people talk, learn and ask, each night there is sleep."""

import hashlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field

from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import ledger_service_pb2 as ledger
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_SEMANTIC,
    MEMORY_STATUS_ACTIVE,
    Memory,
    MemoryKind,
    Tier,
)
from anamnesis.memory.v1.segment_pb2 import NewSegment
from anamnesis.memory.v1.sleep_pb2 import RUN_STATE_DONE, SleepPhase
from anamnesis.memory.v1.work_pb2 import (
    WORK_KIND_COMPRESS,
    WORK_KIND_EXTRACT,
    WORK_KIND_LABEL,
    WORK_KIND_SEGMENT,
    Lease,
    WorkItem,
    WorkKind,
)
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from benchmarks.life.service import SPACE, Service, running
from benchmarks.life.world import WORD, Talk, World
from tests.support.clock import SetClock

EVERY_DAYS = 7
"""Between two looks at everything."""
PINNED_EVERY = 100
SHOWN = 10
READ = 2
LEASES = 100


@dataclass(frozen=True, slots=True)
class Look:
    """The state on a day; `protected` by reason, as the last cycle counted it.

    `retention` counts the active memories of each kind by tenths of R; `archived` and `removed` are
    of all that were ever stored.
    """

    day: int
    stored: int
    active: int
    archived: int
    removed: int
    tiers: dict[str, int]
    kinds: dict[str, int]
    retention: dict[str, list[int]]
    protected: dict[str, int]


@dataclass(slots=True)
class Year:
    """The result of a year."""

    policy: str
    looks: list[Look] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    cycle_s: list[float] = field(default_factory=list)
    taken_s: float = 0.0
    checks: dict[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The year as a dictionary for JSON."""
        return asdict(self)


class Life:
    """Runs the year on a service."""

    def __init__(self, service: Service, clock: SetClock, world: World, year: Year) -> None:
        self.service = service
        self.clock = clock
        self.world = world
        self.year = year
        self.texts: dict[str, str] = {}
        self.pinned: set[str] = set()
        self.holding: set[str] = set()
        self._teaching: dict[str, Talk] = {}
        self._protected: Counter[str] = Counter()

    async def day(self, number: int) -> None:
        """People talk, the pipeline learns, people ask, and the night comes."""
        now_s = int(self.clock.now().timestamp())
        revision = ""
        for talk in self.world.talks(number, now_s):
            revision = await self._said(talk)
        await self._pipeline()
        for question in self.world.questions(number):
            await self._asked(question, revision)
        await self.service.count_uses()
        await self._slept()
        self.clock.move(days=1)

    async def look(self, day: int) -> None:
        """Note what there is."""
        found = await self.service.memories()
        for one in found:
            if one.memory_id not in self.texts:
                await self._known(one)
        active = [one for one in found if one.status == MEMORY_STATUS_ACTIVE]
        retention: dict[str, list[int]] = {}
        for one in active:
            tenths = retention.setdefault(_word(MemoryKind.Name(one.kind)), [0] * 10)
            tenths[min(int(one.retention * 10), 9)] += 1
        self.year.looks.append(
            Look(
                day=day,
                stored=len(self.texts),
                active=len(active),
                archived=len(found) - len(active),
                removed=len(self.texts) - len(found),
                tiers=dict(Counter(_word(Tier.Name(one.tier)) for one in active)),
                kinds=dict(Counter(_word(MemoryKind.Name(one.kind)) for one in active)),
                retention=retention,
                protected=dict(self._protected),
            )
        )

    def words_of(self, memory_id: str) -> list[str]:
        """The words of a memory that occur in no other."""
        return WORD.findall(self.texts[memory_id])

    async def _known(self, one: Memory) -> None:
        """A memory that is seen for the first time; one of a hundred is pinned."""
        memory_id = one.memory_id
        self.texts[memory_id] = one.content
        if one.kind == MEMORY_KIND_SEMANTIC and not one.fact.HasField("valid_to"):
            self.holding.add(memory_id)
        if len(self.texts) % PINNED_EVERY == 0:
            change = memory.MemoryChange(pinned=True)
            await self.service.memory.UpdateMemory(
                memory.UpdateMemoryRequest(
                    namespace=SPACE,
                    memory_id=memory_id,
                    change=change,
                    update_mask=FieldMask(paths=["pinned"]),
                )
            )
            self.pinned.add(memory_id)

    async def _said(self, talk: Talk) -> str:
        self._teaching[talk.session_id] = talk
        request = ledger.AppendEventsRequest(
            namespace=SPACE, session_id=talk.session_id, events=talk.events, end_session=True
        )
        return (await self.service.ledger.AppendEvents(request)).revision

    async def _pipeline(self) -> None:
        """Take sessions through the stages that are due, as the ingestion service does."""
        calls = self.service.ledger
        for item in await self._claimed(WORK_KIND_SEGMENT):
            last = len(self._teaching[item.session_id].events) - 1
            mark = hashlib.sha256(item.session_id.encode()).hexdigest()[:16]
            piece = NewSegment(first_event_index=0, last_event_index=last, fingerprint=mark)
            await calls.ReplaceSegments(
                ledger.ReplaceSegmentsRequest(
                    namespace=SPACE,
                    lease=_lease(item),
                    session_etag=item.session_etag,
                    segments=[piece],
                    segmenter="benchmark",
                )
            )
        for item in await self._claimed(WORK_KIND_LABEL):
            await self._labelled(item)
        for item in await self._claimed(WORK_KIND_EXTRACT):
            await self._taught(item)
        for item in await self._claimed(WORK_KIND_COMPRESS):
            await calls.PromoteEpisodes(
                ledger.PromoteEpisodesRequest(namespace=SPACE, lease=_lease(item))
            )

    async def _claimed(self, kind: "WorkKind.ValueType") -> Sequence[WorkItem]:
        request = ledger.ClaimWorkRequest(
            namespace=SPACE, kinds=[kind], holder="benchmark", limit=LEASES
        )
        return (await self.service.ledger.ClaimWork(request)).items

    async def _segment(self, item: WorkItem) -> str:
        request = ledger.ListSegmentsRequest(namespace=SPACE, session_id=item.session_id)
        return (await self.service.ledger.ListSegments(request)).segments[0].segment_id

    async def _labelled(self, item: WorkItem) -> None:
        await self.service.ledger.UpdateSegment(
            ledger.UpdateSegmentRequest(
                namespace=SPACE,
                lease=_lease(item),
                segment_id=await self._segment(item),
                task_type="talk",
                score=0.9,
                metrics_json="{}",
                labeller="benchmark",
            )
        )
        await self._completed(item)

    async def _taught(self, item: WorkItem) -> None:
        talk = self._teaching.pop(item.session_id)
        await self.service.ledger.RecordLearned(
            ledger.RecordLearnedRequest(
                namespace=SPACE,
                lease=_lease(item),
                segment_id=await self._segment(item),
                memories=talk.learned,
                extractor="benchmark",
            )
        )
        await self._completed(item)

    async def _completed(self, item: WorkItem) -> None:
        await self.service.ledger.CompleteWork(
            ledger.CompleteWorkRequest(namespace=SPACE, lease=_lease(item))
        )

    async def _asked(self, question: str, revision: str) -> None:
        """Search, show the best ten, read the best two in full."""
        calls, caller = self.service.memory, Caller(user_id="ada")
        found = await calls.FindCandidates(
            memory.FindCandidatesRequest(
                namespace=SPACE,
                query=question,
                limit=SHOWN,
                caller=caller,
                at_least_revision=revision,
            )
        )
        ids = [one.memory_id for one in found.candidates]
        for purpose, some in (
            (memory.READ_PURPOSE_SEARCH, ids),
            (memory.READ_PURPOSE_FETCH, ids[:READ]),
        ):
            if some:
                await calls.BatchGetMemories(
                    memory.BatchGetMemoriesRequest(
                        namespace=SPACE, memory_ids=some, caller=caller, purpose=purpose
                    )
                )

    async def _slept(self) -> None:
        begun_s = time.perf_counter()
        runs = await self.service.sleep()
        self.year.cycle_s.append(time.perf_counter() - begun_s)
        for run in runs:
            assert run.state == RUN_STATE_DONE, run
            phase = _word(SleepPhase.Name(run.phase))
            kept = Counter(self.year.counts.get(phase, {}))
            protected = {name for name in run.counts if name.startswith("protected")}
            kept.update({name: run.counts[name] for name in run.counts.keys() - protected})
            self.year.counts[phase] = dict(kept)
            if phase == "forget":
                self._protected = Counter(
                    {name.removeprefix("protected_"): run.counts[name] for name in protected}
                )


async def lived(
    policy: Forgetting,
    memories: int,
    days: int,
    told: Callable[[str], None],
    check: "Callable[[Life], Awaitable[dict[str, int]]]",
) -> Year:
    """A whole year; `check` looks at what is left when it is over."""
    clock, year = SetClock(), Year(policy.value)
    begun_s = time.perf_counter()
    async with running(clock) as service:
        life = Life(service, clock, World(memories), year)
        await service.decide(policy)
        for day in range(days):
            await life.day(day)
            if day % EVERY_DAYS == 0 or day == days - 1:
                await life.look(day)
                told(f"{policy.value}: day {day}, {year.looks[-1].active} active")
        year.checks = await check(life)
    year.taken_s = time.perf_counter() - begun_s
    return year


def _lease(item: WorkItem) -> Lease:
    return Lease(kind=item.kind, session_id=item.session_id, token=item.token)


def _word(name: str) -> str:
    """The last word of an enum's name, in lower case."""
    return name.rpartition("_")[2].lower()
