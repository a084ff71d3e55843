"""The write that counts: hits, reviews, and links that grow."""

from dataclasses import replace

import pytest

from anamnesis_memory.maintenance.usage.count import CountUses, in_parts
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.ports import CommitStamp, ReadView
from tests.support.records import lesson

STAMP = CommitStamp(9, 1_000)


def test_what_is_still_there_is_counted_and_reviewed() -> None:
    memory = replace(lesson("one"), hit_count=3)
    write = CountUses({memory.memory_id: 2, "gone": 2})
    decision = write.decide(ReadView(memories={memory.memory_id: memory}), STAMP)
    (vitals,) = decision.edits.vitals
    assert decision.result == 1
    assert (vitals.hit_count, vitals.last_hit_us, vitals.review_us) == (5, 1_000, 1_000)
    assert vitals.stability_days == pytest.approx(3.5)


def test_a_link_grows_with_each_meeting_and_is_as_old_as_it_was() -> None:
    known = Edge("a", "b", EdgeType.CO_RECALLED, 0.5, 7, 8)
    other = Edge("a", "b", EdgeType.SIMILAR_TO, 0.9, 1, 1)
    write = CountUses({"a": 2, "b": 2, "c": 2}, {("a", "b"): 2, ("b", "c"): 1})
    assert write.wanted().edges_of == ("a", "b", "c")
    grown, new = write.decide(ReadView(edges=(known, other)), STAMP).edits.edges
    assert (grown.key, grown.create_time_us, grown.update_time_us) == (known.key, 7, 1_000)
    assert grown.weight == pytest.approx(0.7)
    assert (new.source_id, new.target_id) == ("b", "c")
    assert new.weight == pytest.approx(0.1)


def test_hits_come_in_parts_and_none_is_lost() -> None:
    parts = list(in_parts({"a": 1, "b": 2, "c": 3}, 2))
    assert parts == [{"a": 1, "b": 2}, {"c": 3}]
