"""What people tell over months, taken in and learned: facts close and open as they say."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.ledger import Append, LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.analyzers import Analyzers
from anamnesis_ingestion.pipeline.stages import Stages
from anamnesis_libs.settings import WriteGate
from tests.support.pipeline_bench import RULES, SPACE, Bench, counter

pytestmark = pytest.mark.slow

UUID = "1f0c7a52-9b7e-5f0e-8a55-3d6b3e0f8d11"


class LocalLearning:
    """The bench's analyzers, with the extractor that works by rules."""

    def __init__(self, at: Bench) -> None:
        self._at = at

    async def of(self, namespace: str) -> Analyzers:
        """The analyzers of a namespace."""
        others = await self._at.analyzers.of(namespace)
        return Analyzers(
            segmenter=others.segmenter,
            labeller=others.labeller,
            extractor=LocalExtractor(),
            summarizer=others.summarizer,
        )


async def told(at: Bench, user: str, *said: tuple[int, str]) -> None:
    """Take in what a user said in the months of a year, a session each, and learn from it."""
    for month, text in said:
        moment = datetime(2026, month, 10, tzinfo=UTC)
        event = LedgerEvent(role=Role.USER, content=text, index=0, event_time=moment)
        await at.ledger.append(
            Append(
                namespace=SPACE,
                session_id=f"{user}-{month}",
                agent_id="coder",
                user_id=user,
                events=[event],
                end_session=True,
            )
        )
    stages = Stages(at.peer, LocalLearning(at), WriteGate(), RULES, counter())
    await at.run(runner=at.runner(stages.work))


async def facts(at: Bench, user: str, months: Sequence[int]) -> dict[str, Memory]:
    """The facts of these months by their objects."""
    found = [one for month in months for one in await at.learned(f"{user}-{month}")]
    return {one.fact.object: one for one in found}


def _month(memory: Memory) -> tuple[int, int]:
    """The months in which a fact begins and ends; 0 for none."""
    fact = memory.fact
    begins = fact.valid_from.ToDatetime().month if fact.HasField("valid_from") else 0
    ends = fact.valid_to.ToDatetime().month if fact.HasField("valid_to") else 0
    return begins, ends


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
@pytest.mark.parametrize("user", ["mara", UUID, "u7", "Dr. Lee", "mara@example.com"])
async def test_a_new_home_closes_the_old_one_in_any_order(
    at: Bench, user: str, order: tuple[int, int]
) -> None:
    lives = {1: "I live in Paris.", 2: "I live in Rome."}
    for month in order:
        await told(at, user, (month, lives[month]))
    found = await facts(at, user, order)
    assert {held: _month(one) for held, one in found.items()} == {"Paris": (1, 2), "Rome": (2, 0)}
    assert {one.fact.subject for one in found.values()} == {user}
    assert not any(one.fact.contradicted for one in found.values())


@pytest.mark.parametrize("order", [(1, 5), (5, 1)])
async def test_an_end_closes_what_was_open(at: Bench, order: tuple[int, int]) -> None:
    said = {1: "I work at Feedzai.", 5: "I quit my job at Feedzai."}
    for month in order:
        await told(at, UUID, (month, said[month]))
    for month in order:
        (one,) = await at.learned(f"{UUID}-{month}")
        assert (one.fact.object, _month(one)) == ("Feedzai", (1, 5))


@pytest.mark.parametrize(
    ("said", "over"),
    [
        ({1: "I work at Feedzai.", 5: "I'm unemployed."}, "Feedzai"),
        ({1: "I hate horror films.", 5: "I love horror movies now."}, "horror films"),
        ({1: "I drink decaf coffee.", 5: "I gave up coffee."}, "decaf coffee"),
        ({1: "I smoke.", 5: "I quit smoking."}, "smoke"),
        ({1: "我买了一辆大众。", 5: "我换了一辆比亚迪。"}, "大众"),
    ],
)
@pytest.mark.parametrize("order", [(1, 5), (5, 1)])
async def test_what_is_excluded_ends_in_any_order(
    at: Bench, said: dict[int, str], over: str, order: tuple[int, int]
) -> None:
    for month in order:
        await told(at, UUID, (month, said[month]))
    found = await facts(at, UUID, (1,))
    assert _month(found[over])[1] == 5


async def test_a_new_car_is_not_the_old_one(at: Bench) -> None:
    await told(at, UUID, (1, "我买了一辆大众。"), (5, "我换了一辆比亚迪。"))
    found = await facts(at, UUID, (1, 5))
    assert _month(found["比亚迪"]) == (5, 0)


async def test_an_opaque_id_is_no_word_of_a_statement(at: Bench) -> None:
    await told(at, UUID, (1, "I'm allergic to penicillin."))
    (one,) = await at.learned(f"{UUID}-1")
    assert one.content == "The user is allergic to penicillin"
    assert one.fact.subject == UUID
