"""Facts told to a store without a server around: as memories, and as they are listed again."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count

from anamnesis_memory.domain.facts.interval import period
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.knowledge.listing import KnownFact, list_known
from anamnesis_memory.knowledge.retracting import Retracted, RetractFact
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.memory import Caller, Kind, Memory, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Fact, TimePrecision
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere
from tests.support.records import BASE_US

ANYBODY = ("shared",)
SINGLE = SingleValued()
_NUMBERS = count()


def us(written: str) -> int:
    """The first instant of a written time."""
    return period(written).first_us


def fact(
    subject: str,
    predicate: str,
    object_: str,
    since: str = "",
    until: str = "",
    *,
    source: str = "chat",
    user_id: str = "",
    said: str = "",
    confidence: float = 0.8,
    single_valued: bool = False,
    sources: tuple[str, ...] = (),
) -> Memory:
    """A fact as a caller states it; ids sort in the order of the calls.

    `until` is exclusive, `user_id` makes it private, `said` is when somebody said so.
    """
    return Memory(
        memory_id=f"{BASE_US // 1000:012x}{next(_NUMBERS):020x}",
        kind=Kind.SEMANTIC,
        content=f"{subject} {predicate} {object_}",
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
        confidence=confidence,
        visibility=Visibility.PRIVATE_TO_USER if user_id else Visibility.SHARED,
        user_id=user_id,
        event_time_us=us(said) if said else None,
        part=Fact(
            subject=subject,
            predicate=predicate,
            object=object_,
            valid_from_us=us(since) if since else None,
            valid_to_us=us(until) if until else None,
            time_precision=TimePrecision.INSTANT if since or until else TimePrecision.NONE,
            source=source,
            single_valued=single_valued,
            source_memory_ids=sources,
        ),
    )


async def tell(
    store: NamespaceStore,
    *facts: Memory,
    predicates: SingleValued = SINGLE,
    learned: bool = False,
) -> tuple[Created, ...]:
    """Tell facts in one write; `learned` says that they come out of talk."""
    knowledge = KnowledgeRules(predicates, learned=learned)
    write = CreateMemories(facts, [None] * len(facts), knowledge=knowledge)
    made = (await store.commit(write)).result
    assert made is not None
    return made


async def take_back(
    store: NamespaceStore,
    memory_id: str,
    caller: Caller | None = None,
    etag: str = "",
    predicates: SingleValued = SINGLE,
) -> Retracted:
    """Retract the fact that a memory holds."""
    (memory,) = await store.memories([memory_id], None)
    (line,) = lines_wanted([memory], predicates)
    write = RetractFact(memory_id, caller or Caller(), etag, line, predicates)
    done = (await store.commit(write)).result
    assert done is not None
    return done


async def listed(
    store: NamespaceStore,
    where: FactWhere | None = None,
    scopes: Sequence[str] = ANYBODY,
    page: int = 2,
) -> list[KnownFact]:
    """All that fits, read in small pages."""
    facts: list[KnownFact] = []
    after: FactPlace | None = None
    while True:
        found = await list_known(store, where or FactWhere(), scopes, after, page)
        facts += found
        if len(found) < page:
            return facts
        after = found[-1].place


def shown(fact: KnownFact) -> tuple[str, str, str]:
    """A fact for a test to read: its object, from when, until when."""
    part = fact.memory.part
    assert isinstance(part, Fact)
    return part.object, _date(part.valid_from_us), _date(part.valid_to_us)


def _date(at_us: int | None) -> str:
    if at_us is None:
        return ""
    return datetime.fromtimestamp(at_us / 1e6, UTC).strftime("%Y-%m-%d")
