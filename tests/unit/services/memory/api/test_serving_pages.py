"""Forged page tokens: a place that no list could have given is refused, and nothing breaks."""

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from anamnesis_libs.paging import SortKey
from anamnesis_memory.runtime.calls import page_of
from benchmarks.hostile.contracts import all_rpcs
from benchmarks.hostile.wire import Answer, Wire
from tests.support.memory_service import Served, serving
from tests.support.pipeline_calls import talk

RPCS = all_rpcs()
IN_N = {"namespace": "n"}
IN_S = {**IN_N, "session_id": "s"}
HOME = {**IN_N, "wing_id": "W-001"}
LISTS: Sequence[tuple[str, Mapping[str, str], Sequence[SortKey]]] = (
    ("MemoryService.ListMemories", IN_N, [("x",), ()]),
    ("MemoryService.ListActivity", IN_N, [(1,), ("x", "s")]),
    ("LedgerService.ListSessions", IN_N, [(), ("s", 1)]),
    ("LedgerService.ListEvents", IN_S, [("x",), (2**63,)]),
    ("LedgerService.ListSegments", IN_S, [("s",), ("s", "x")]),
    ("LedgerService.ListUploads", IN_N, [("s",), (1, 2)]),
    ("LedgerService.ListWork", IN_N, [("segment",), ("nothing", "s")]),
    ("AdminService.ListNamespaces", {}, [(5,), ()]),
    ("AdminService.ListRuns", IN_N, [(5,)]),
    ("LessonService.ListDuplicates", IN_N, [("x",), ()]),
    ("LessonService.ListSeeds", IN_N, [(5,), ()]),
    ("TopicService.ListTopics", IN_N, [(5,)]),
    ("KnowledgeService.ListFacts", IN_N, [(1, 2, "k"), ("x", 2, "k", "f"), (1, 2, 3, 4)]),
    ("KnowledgeService.ListEntities", IN_N, [(5,), ()]),
    ("PalaceService.ListWings", IN_N, [(0,), (0, 1, 2), ("x", 1)]),
    ("PalaceService.ListRooms", HOME, [("x",), (1, "x"), (-(2**63) - 1,)]),
    ("PalaceService.ListClosets", IN_S, [("x",)]),
    ("PalaceService.ListDrawers", IN_S, [(1, "m"), (1, "m", -1), (1, "m", 2**63 - 1)]),
)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service with a session."""
    async with serving(tmp_path) as running:
        await talk(running)
        yield running


async def shown(wire: Wire, label: str, fields: Mapping[str, str], key: SortKey) -> Answer:
    """What a list answers to a token of its own query that names this place."""
    rpc = RPCS[label]
    request = json_format.ParseDict(dict(fields), rpc.request())
    token = page_of(request).next_token(key)
    forged: Message = json_format.ParseDict({**fields, "page_token": token}, rpc.request())
    return await wire.send(rpc, forged.SerializeToString())


@pytest.mark.parametrize(("label", "fields", "keys"), LISTS)
async def test_a_place_that_the_list_never_gave_is_refused(
    served: Served, label: str, fields: Mapping[str, str], keys: Sequence[SortKey]
) -> None:
    wire = Wire(served.address)
    for key in keys:
        answer = await shown(wire, label, fields, key)
        assert answer.code == "INVALID_ARGUMENT", (key, answer.message)
        assert "page_token: was not given by this service" in answer.message
    await wire.close()


async def test_a_wing_that_is_neither_home_nor_entity_is_only_a_place(served: Served) -> None:
    wire = Wire(served.address)
    for key in ((0, "nobody"), (1, 2**63 - 1), (-7, 0)):
        assert (await shown(wire, "PalaceService.ListWings", IN_N, key)).code == "OK"
    await wire.close()
