"""The chains of `tests/data/cascade`: exactly what was derived from what no longer holds."""

from dataclasses import dataclass, field

import pytest

from anamnesis_memory.domain.facts.interval import Interval, period
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.review import (
    Ground,
    ReviewReason,
    Walk,
    lifted,
    needs_review,
    reopened,
    shaken,
)
from anamnesis_memory.domain.facts.transitions import LineEdits
from anamnesis_memory.domain.facts.versions import Telling
from tests.support.cascade import CHAINS, NAMES, Chain
from tests.support.cascade import Node as Memory
from tests.support.fact_lines import Lines


@dataclass(slots=True)
class Graph:
    """What is there and why it is marked. A fact goes by its first telling's id in the file."""

    lines: Lines = field(default_factory=lambda: Lines(SingleValued()))
    derived: list[tuple[str, str]] = field(default_factory=list)
    name: dict[str, str] = field(default_factory=dict)
    reasons: set[ReviewReason] = field(default_factory=set)
    minute: int = 0

    def add(self, memory: Memory) -> None:
        self.minute += 1
        self.derived += [(memory["id"], ground) for ground in memory["derived_from"]]
        if memory["kind"] == "SEMANTIC":
            telling = _told(memory, self.minute)
            self.name.setdefault(telling.fact_id, telling.telling_id)
            self.follow(self.lines.tell(telling))

    def retract(self, memory_id: str) -> None:
        self.minute += 1
        self.follow(self.lines.retract(memory_id, self.minute))

    def confirm(self, memory_id: str) -> None:
        self.reasons = {each for each in self.reasons if each.memory_id != memory_id}

    def follow(self, outcome: LineEdits) -> None:
        self.reasons -= lifted(self.reasons, [self.named(each) for each in reopened(outcome)])
        for ground in map(self.named, shaken(outcome)):
            walk = Walk.below(ground.ground_id)
            while walk.front:
                walk = walk.further([low for low, high in self.derived if high in walk.front])
            assert not walk.cut
            self.reasons |= walk.reasons(ground)

    def named(self, ground: Ground) -> Ground:
        return Ground(self.name[ground.ground_id], ground.ended_us)

    def marked(self) -> set[str]:
        open_now = {
            self.name[version.state.fact_id]
            for line in self.lines.lines.values()
            for version in line.versions
            if not version.state.closed_by
        }
        ended = set(self.name.values()) - open_now
        return {
            memory_id
            for memory_id, _ in self.derived
            if needs_review(
                [each for each in self.reasons if each.memory_id == memory_id],
                ended=memory_id in ended,
            )
        }


def _told(memory: Memory, minute: int) -> Telling:
    user, begins = memory.get("private_to"), memory.get("valid_from")
    scope = f"user:{user}" if user else "shared"
    return Telling(
        telling_id=memory["id"],
        statement=Statement(scope, memory["subject"], memory["predicate"], memory["object"]),
        told=Interval(period(begins).first_us if begins else None),
        source=memory.get("source", "chat"),
        confidence=0.8,
        known_from_us=minute,
        single_valued=memory.get("single_valued", False),
    )


def _after(chain: Chain) -> Graph:
    graph = Graph()
    for memory in chain["memories"]:
        graph.add(memory)
    for step in chain["steps"]:
        if "assert" in step:
            graph.add(step["assert"])
        elif "retract" in step:
            graph.retract(step["retract"])
        else:
            graph.confirm(step["confirm"])
    return graph


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
def test_a_chain_marks_what_it_says(chain: Chain) -> None:
    assert _after(chain).marked() == set(chain["needs_review"])


def test_there_are_ten_chains() -> None:
    assert len(CHAINS) == 10
