"""Edges of lessons that become one: what a session shows goes with them, and holds none."""

from dataclasses import replace

from anamnesis_memory.dedup.detail import STATED
from anamnesis_memory.memories.consolidation.links import is_held, moved
from anamnesis_memory.model.edge_evidence import shown_by
from anamnesis_memory.model.edges import EdgeType
from tests.support.life import edge

CAUSE, AFTER = EdgeType.CAUSED_BY, EdgeType.FOLLOWED_BY
EVENTS = shown_by((3, 9))
NOW_US = 7


def test_only_what_somebody_drew_holds_a_lesson() -> None:
    shown = replace(edge("lesson", "drawer", CAUSE), detail=EVENTS)
    assert not is_held("lesson", [shown])
    assert is_held("lesson", [replace(shown, detail=STATED)])


def test_what_a_session_shows_of_a_lesson_moves_to_the_one_that_stays() -> None:
    shown = [
        replace(edge("goes", "drawer", CAUSE), detail=EVENTS),
        replace(edge("earlier", "goes", AFTER), detail=EVENTS),
        replace(edge("goes", "stays", AFTER), detail=EVENTS),
        replace(edge("goes", "known", CAUSE), detail=EVENTS),
        replace(edge("stays", "known", CAUSE), detail=STATED),
    ]
    found = list(moved("goes", "stays", shown, NOW_US))
    taken = [(one.source_id, one.target_id, one.type) for one in found]
    assert taken == [("stays", "drawer", CAUSE), ("earlier", "stays", AFTER)]
    assert {one.detail for one in found} == {EVENTS}
