"""The told life over gRPC: every question of `tests/data/story`, on every database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from anamnesis.memory.v1 import admin_service_pb2, event_pb2, policy_pb2
from anamnesis.memory.v1.knowledge_pb2 import FACT_FLAG_CONTRADICTED, KnownFact
from anamnesis_memory.domain.facts.key import folded
from tests.contract.conftest import SERVER, SLOW, Open
from tests.support import story
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving
from tests.support.told_life import TIMEOUT_S, ToldLife

MANIFEST = story.manifest()
SPACE = "life"


@pytest.fixture
def clock() -> SetClock:
    """Set to before the first entry."""
    first = story.first_instant(story.rows("assertions")[0]["recorded"])
    return SetClock(first - timedelta(days=1))


@pytest.fixture(
    params=[
        pytest.param("sqlite", marks=SLOW),
        pytest.param("neo4j", marks=(*SERVER, pytest.mark.long)),
    ]
)
def open_stores(request: pytest.FixtureRequest) -> Open:
    """The databases; the fake keeps nothing that they do not."""
    opener: Open = request.getfixturevalue(f"open_{request.param}")
    return opener


@asynccontextmanager
async def _served(
    directory: Path, clock: SetClock, open_stores: Open
) -> AsyncIterator[tuple[Served, ToldLife]]:
    """A server that has been told the whole life."""
    async with serving(directory, clock, open_stores) as served:
        policy = policy_pb2.Policy(single_valued_predicates=MANIFEST["single_valued"])
        request = admin_service_pb2.CreateNamespaceRequest(namespace=SPACE, policy=policy)
        await served.admin.CreateNamespace(request, timeout=TIMEOUT_S)
        life = ToldLife(served.knowledge, clock, SPACE)
        await life.tell_all()
        yield served, life


async def test_every_question_has_its_answer(
    tmp_path: Path, clock: SetClock, open_stores: Open
) -> None:
    async with _served(tmp_path, clock, open_stores) as (_, life):
        assert life.refused == MANIFEST["refused"]
        questions = story.questions()
        wrong = {
            one.id: fault for one in questions if (fault := _fault(one, await life.answer(one)))
        }
        assert not wrong
        assert len(questions) == 180


def _fault(question: story.Question, found: list[KnownFact]) -> str:
    """What is wrong with an answer; empty of a right one."""
    objects = sorted(folded(one.memory.fact.object) for one in found)
    if objects != sorted(map(folded, question.expect)):
        return f"{objects}, not {question.expect}"
    flagged = {
        folded(one.memory.fact.object) for one in found if FACT_FLAG_CONTRADICTED in one.flags
    }
    if flagged != {
        folded(name) for name, flags in question.flags.items() if "contradicts" in flags
    }:
        return f"contradicted: {flagged}"
    for name, confidence in question.confidence.items():
        shared = [
            one.memory.confidence
            for one in found
            if one.memory.visibility == event_pb2.VISIBILITY_SHARED
            and folded(one.memory.fact.object) == folded(name)
        ]
        if shared != [pytest.approx(confidence)]:
            return f"{name}: sure to {shared}, not {confidence}"
    return ""
