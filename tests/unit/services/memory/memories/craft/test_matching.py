"""Which procedures and lessons fit a task, and which of them first."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_memory.memories.craft.matching import match_lessons, match_procedures
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, Kind, Memory, Namespace, Visibility
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStatus
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.life import put
from tests.support.records import DIMENSION, lesson

NOBODY = Caller()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[NamespaceStore]:
    """A namespace on disk."""
    with ThreadPoolExecutor(2) as executor:
        stores = await SqliteStores.open_directory(tmp_path, executor, SetClock())
        space = Namespace("space", new_incarnation(1), 1, "model", DIMENSION)
        await stores.catalogue.create(space)
        opened = await stores.open(space)
        yield opened
        await opened.close()
        await stores.close()


def procedure(content: str, part: Procedure, **fields: str) -> Memory:
    """A procedure."""
    return replace(lesson(content), kind=Kind.PROCEDURAL, part=part, **fields)  # type: ignore[arg-type]


async def test_triggers_and_tags_bring_procedures_and_proof_orders_them(
    store: NamespaceStore,
) -> None:
    active = ProcedureStatus.ACTIVE
    lucky = procedure("lucky", Procedure("l", trigger_tags=("Deploy",), status=active, runs=1))
    lucky = replace(lucky, part=replace(lucky.part, success_rate=1.0))  # type: ignore[type-var]
    proven = replace(
        procedure("proven", Procedure("p", status=active, runs=10, success_rate=0.8)),
        tags=("deploy",),
    )
    both = procedure("both", Procedure("b", trigger_tags=("deploy", "night")))
    gone = procedure("gone", Procedure("g", ("x"), trigger_tags=("deploy",)))
    gone = replace(gone, part=replace(gone.part, status=ProcedureStatus.DEPRECATED))  # type: ignore[type-var]
    await put(store, WriteSet(memories=(lucky, proven, both, gone)))
    found = await match_procedures(store, ["DEPLOY", "night"], NOBODY, 0)
    assert [one.memory.content for one in found] == ["both", "proven", "lucky"]
    assert [one.overlap for one in found] == [1.0, 0.5, 0.5]
    assert len(await match_procedures(store, ["deploy"], NOBODY, 1)) == 1


async def test_lessons_are_sure_enough_and_for_those_who_may_see_them(
    store: NamespaceStore,
) -> None:
    sure = replace(lesson("sure", tags=("deploy",)), part=Lesson(impact=0.5))
    unsure = replace(sure, memory_id="unsure", content="unsure", confidence=0.29)
    private = replace(
        sure,
        memory_id="private",
        content="private",
        visibility=Visibility.PRIVATE_TO_USER,
        user_id="ada",
    )
    await put(store, WriteSet(memories=(sure, unsure, private)))
    found = await match_lessons(store, ["deploy"], NOBODY, 0)
    assert [(one.memory.content, round(one.score, 3)) for one in found] == [("sure", 0.4)]
    assert len(await match_lessons(store, ["deploy"], Caller(user_id="ada"), 0)) == 2
