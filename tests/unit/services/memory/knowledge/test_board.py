"""Tests of knowledge/workspace.py: an edge ends at memories, or there is none."""

from dataclasses import replace

from anamnesis_memory.domain.facts.transitions import LineEdits
from anamnesis_memory.domain.facts.versions import FactLine
from anamnesis_memory.knowledge.workspace import FactWorkspace
from anamnesis_memory.ports import CommitStamp, ReadView
from tests.support.knowing import telling, version
from tests.support.records import BASE_US


def test_what_closed_a_fact_need_not_be_held_by_a_memory() -> None:
    told = telling("t-1")
    current = version(told)
    closed = replace(current, state=replace(current.state, closed_by=("nobody",)))
    line_id = told.statement.line_id
    before = FactLine((told,), (closed,))
    board = FactWorkspace(ReadView(lines={line_id: before}), CommitStamp(2, BASE_US))
    board.settle(line_id, LineEdits(FactLine(), (), ()))
    assert board.holders(["nobody"]) == ()
    edits = board.edits()
    assert (edits.edges, edits.removed_edges) == ((), ())
