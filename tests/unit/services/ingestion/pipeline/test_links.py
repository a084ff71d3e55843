"""What a session's calls show is drawn while it is learned from, once, and goes with its ends."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import knowledge_pb2 as graph
from anamnesis.memory.v1.knowledge_service_pb2 import TraverseRequest
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.pipeline.analyzers import Analyzers
from tests.support.analyzers import SteeredAnalyzers
from tests.support.pipeline_bench import SPACE, Bench

pytestmark = pytest.mark.slow

CAUSE, AFTER = graph.EDGE_TYPE_CAUSED_BY, graph.EDGE_TYPE_FOLLOWED_BY
REFUSED = "fatal: the branch quince has no upstream branch"
PUSHED = "branch quince is set up to track it"
PUBLISH = (
    "user: Task one, publish the quince branch",
    f"call: bash {json.dumps({'command': 'git push'})}",
    f"tool: {REFUSED}",
    f"call: bash {json.dumps({'command': 'git push --set-upstream origin quince'})}",
    f"tool: {PUSHED}",
    "assistant: That worked, the branch is published.",
)
LIST = (
    "user: Task two, list the leaves",
    f"call: bash {json.dumps({'command': 'make leaves'})}",
    "tool: oak, ash, elm",
    "assistant: There are three.",
)
TALK = ("user: Task one, I keep bees in Lisbon", "assistant: noted", "user: Task two, fix the date")
Ends = tuple[str, int, str]


class ByRules(SteeredAnalyzers):
    """Tasks as they are marked; what they teach is found by rules."""

    async def of(self, namespace: str) -> Analyzers:
        """The steered ones, but for the extractor."""
        return replace(await super().of(namespace), extractor=LocalExtractor())


@pytest.fixture
def by_rules(at: Bench) -> Bench:
    """The bench with the extractor that needs no model."""
    at.analyzers = ByRules()
    return at


async def shown(at: Bench, user: str = "ada") -> set[Ends]:
    """The edges that were drawn, each end by its text, as a user sees them."""
    told = [event for event in await at.peer.events(SPACE, "s") if event.memory_id]
    texts = {event.memory_id: event.content for event in told}
    texts |= {one.memory_id: f"lesson {one.lesson.title}" for one in await at.learned()}
    return {
        (texts[one.source_id], one.type, texts[one.target_id])
        for one in await walked(at, user, [*texts])
    }


async def walked(at: Bench, user: str, ids: Sequence[str]) -> list[graph.MemoryEdge]:
    """The edges around each of some memories."""
    found: dict[tuple[str, str, int], graph.MemoryEdge] = {}
    for memory_id in ids:
        request = TraverseRequest(
            namespace=SPACE,
            caller=Caller(user_id=user),
            start_ids=[memory_id],
            types=[CAUSE, AFTER],
            hops_max=1,
        )
        for node in (await at.served.knowledge.Traverse(request)).nodes:
            (edge,) = node.path
            assert edge.event_indices
            found[edge.source_id, edge.target_id, edge.type] = edge
    return list(found.values())


EVERYTHING = {
    (f"lesson {REFUSED}", CAUSE, REFUSED),
    (PUSHED, CAUSE, REFUSED),
    (PUBLISH[0][6:], AFTER, LIST[0][6:]),
}


async def test_a_session_shows_what_led_to_what(by_rules: Bench) -> None:
    await by_rules.tell(*PUBLISH, *LIST)
    await by_rules.run()
    assert await shown(by_rules) == EVERYTHING
    assert await shown(by_rules, "bob") == set()


async def test_a_session_that_goes_on_is_linked_once(by_rules: Bench) -> None:
    await by_rules.tell(*PUBLISH)
    await by_rules.run()
    assert await shown(by_rules) == {one for one in EVERYTHING if one[1] == CAUSE}
    await by_rules.tell(*LIST, first=len(PUBLISH))
    await by_rules.run()
    assert await shown(by_rules) == EVERYTHING
    again = await by_rules.tell(*LIST, first=len(PUBLISH))
    assert (again.appended, again.replaced) == (0, 0)
    assert await by_rules.run() == []
    assert await shown(by_rules) == EVERYTHING


async def test_talk_without_tools_is_not_linked(by_rules: Bench) -> None:
    await by_rules.tell(*TALK)
    await by_rules.run()
    assert await shown(by_rules) == set()
