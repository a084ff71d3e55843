"""Lessons of one write: what becomes of each beside those that are there, and its siblings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.dedup.check import Check
from anamnesis_memory.dedup.digests import digest_of
from anamnesis_memory.dedup.thresholds import Thresholds
from anamnesis_memory.knowledge.write_outcome import Created, CreateOutcome
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory, Status, Vectors, Visibility
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import CommitStamp, Decision, IndexRecord, ReadView
from tests.support.records import lesson

LIMITS = Thresholds(merge=0.9, candidate=0.6)
STAMP = CommitStamp(7, 1_000)
ASK = Check(LIMITS, fresh_after=0)


def leaning(degrees: float) -> Vectors:
    """A unit row in the plane."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), np.sin(angle)]], np.float32)


def create(
    *incoming: tuple[Memory, Vectors | None], seen: ReadView | None = None, check: Check = ASK
) -> Decision[tuple[Created, ...]]:
    """Decide over lessons that come in together."""
    memories, vectors = [one for one, _ in incoming], [rows for _, rows in incoming]
    return CreateMemories(memories, vectors, check).decide(seen or ReadView(), STAMP)


def told(decision: Decision[tuple[Created, ...]]) -> list[str]:
    """What became of each."""
    return [one.outcome.value for one in decision.result]


def there(memory: Memory, rows: Vectors | None) -> ReadView:
    """What a store shows that has one lesson, which the index may not know."""
    return ReadView(
        memories={memory.memory_id: memory},
        by_digest={digest_of(memory): memory.memory_id},
        fresh=(IndexRecord(memory, rows),),
    )


@pytest.mark.parametrize(
    ("degrees", "expected"), [(5, "merged"), (40, "candidate"), (70, "created")]
)
def test_nearness_decides(degrees: float, expected: str) -> None:
    known = lesson("Keep the cache warm")
    decision = create(
        (lesson("Keep your cache warm"), leaning(degrees)), seen=there(known, leaning(0))
    )
    assert told(decision) == [expected]
    types = [edge.type for edge in decision.edits.edges]
    assert types == ([EdgeType.MAY_DUPLICATE] if expected == "candidate" else [])


def test_a_merge_keeps_what_came_in_whole() -> None:
    part = Lesson(evidence_memory_ids=("x",))
    known = replace(lesson("Keep the cache warm"), tags=("A",), confidence=0.9, part=part)
    incoming = replace(
        lesson("Keep your cache warm"),
        tags=("a", "b", "segment:12345678"),
        importance=0.7,
        part=Lesson(title="kept", evidence_memory_ids=("x", "y")),
    )
    decision = create((incoming, leaning(5)), seen=there(known, leaning(0)))
    (after,) = decision.edits.memories
    assert (after.memory_id, after.content) == (known.memory_id, known.content)
    assert (after.tags, after.confidence, after.importance) == (("A", "b"), 0.9, 0.7)
    assert isinstance(after.part, Lesson)
    assert (after.part.title, after.part.evidence_memory_ids) == ("", ("x", "y"))
    assert (after.revision, after.update_time_us) == (STAMP.revision, STAMP.now_us)
    (copy,) = decision.edits.copies
    assert copy.role is CopyRole.CONTRIBUTION
    assert copy.memory == replace(
        incoming, create_time_us=1_000, update_time_us=1_000, revision=STAMP.revision
    )
    assert (copy.added_tags, copy.added_evidence) == (("b",), ("y",))
    assert copy.vectors is not None
    assert copy.similarity == pytest.approx(np.cos(np.radians(5)))
    (vitals,) = decision.edits.vitals
    assert (vitals.hit_count, vitals.last_hit_us) == (1, STAMP.now_us)
    assert {edge.target_id for edge in decision.edits.edges} == {"x", "y"}


def test_the_guard_keeps_numbers_apart() -> None:
    known = lesson("Retry 3 times")
    decision = create((lesson("Retry 5 times"), leaning(1)), seen=there(known, leaning(0)))
    assert told(decision) == ["kept_apart"]
    (edge,) = decision.edits.edges
    assert edge.type is EdgeType.SIMILAR_TO
    turned = edge.source_id == known.memory_id
    assert edge.detail == ('[["number", "3", "5"]]' if turned else '[["number", "5", "3"]]')


def test_the_nearest_that_may_merge_wins_over_a_nearer_that_may_not() -> None:
    apart, alike = lesson("Retry 3 times"), lesson("Please retry 5 times")
    seen = ReadView(
        memories={apart.memory_id: apart, alike.memory_id: alike},
        fresh=(IndexRecord(apart, leaning(1)), IndexRecord(alike, leaning(8))),
    )
    decision = create((lesson("Retry 5 times"), leaning(0)), seen=seen)
    assert told(decision) == ["merged"]
    assert decision.result[0].memory.memory_id == alike.memory_id


@pytest.mark.parametrize(
    "change",
    [
        {"status": Status.ARCHIVED},
        {"category": "error"},
        {"visibility": Visibility.PRIVATE_TO_AGENT, "agent_id": "a"},
    ],
)
def test_others_are_no_neighbours(change: dict[str, object]) -> None:
    known = replace(lesson("Keep the cache warm"), **change)  # type: ignore[arg-type]
    seen = ReadView(memories={known.memory_id: known}, fresh=(IndexRecord(known, leaning(0)),))
    assert told(create((lesson("Keep your cache warm"), leaning(1)), seen=seen)) == ["created"]


def test_identical_texts_need_no_vectors() -> None:
    known = lesson("Keep the cache warm")
    decision = create(
        (lesson("keep  the CACHE warm"), None), seen=there(known, None), check=Check()
    )
    assert told(decision) == ["merged"]
    assert decision.edits.copies[0].similarity == 1.0


def test_very_long_texts_are_left_to_consolidation() -> None:
    known = lesson("Keep the cache warm. " * 300)
    decision = create(
        (lesson("Keep a cache warm. " * 300), leaning(1)), seen=there(known, leaning(0))
    )
    assert told(decision) == ["candidate"]


TEXTS = ("Retry 3 times", "retry  3 times", "Please retry 3 times", "Retry 5 times", "Rest")
LEANS = {
    "Retry 3 times": 0.0,
    "retry  3 times": 0.0,
    "Please retry 3 times": 4.0,
    "Retry 5 times": 2.0,
    "Rest": 120.0,
}


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=8))
def test_siblings_of_any_order_come_to_the_same_lessons(texts: list[str]) -> None:
    decision = create(*((lesson(text), leaning(LEANS[text])) for text in texts))
    meanings = {"5" if "5" in text else "3" if "3" in text else "rest" for text in texts}
    assert len(decision.edits.memories) == len(meanings)
    assert len(decision.edits.copies) == len(texts) - len(meanings)
    said = [one.content for one in decision.edits.memories]
    kept = [one.memory.content for one in decision.edits.copies]
    assert sorted(said + kept) == sorted(texts)


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=6))
def test_what_is_sent_again_adds_no_lesson(texts: list[str]) -> None:
    first = create(*((lesson(text), leaning(LEANS[text])) for text in texts))
    held = {one.memory_id: one for one in first.edits.memories}
    seen = ReadView(
        memories=held,
        by_digest={digest: key for key, digest in first.edits.digests.items()},
        fresh=tuple(IndexRecord(one, first.edits.embeddings[key]) for key, one in held.items()),
    )
    again = create(*((lesson(text), leaning(LEANS[text])) for text in texts), seen=seen)
    assert {one.outcome for one in again.result} == {CreateOutcome.MERGED}
    assert {one.memory_id for one in again.edits.memories} <= held.keys()
    assert len(again.edits.copies) == len(texts)
