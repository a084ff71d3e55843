"""Tests of services/memory/knowledge/board.py: an edge ends at memories, or there is none."""

from dataclasses import replace

from services.memory.facts.transitions import Outcome
from services.memory.facts.versions import Line
from services.memory.knowledge.board import Board
from services.memory.ports import Seen, Stamp
from tests.support.knowing import telling, version
from tests.support.records import BASE_US


def test_what_closed_a_fact_need_not_be_held_by_a_memory() -> None:
    told = telling("t-1")
    current = version(told)
    closed = replace(current, state=replace(current.state, closed_by=("nobody",)))
    line_id = told.statement.line_id
    before = Line((told,), (closed,))
    board = Board(Seen(lines={line_id: before}), Stamp(2, BASE_US))
    board.settle(line_id, Outcome(Line(), (), ()))
    assert board.holders(["nobody"]) == ()
    edits = board.edits()
    assert (edits.edges, edits.removed_edges) == ((), ())
