"""The chains of derived memories hold to their own page: `tests/data/cascade/README.md`."""

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

from tests.support import story
from tests.support.naive_facts import BEGINNING, NEVER, SHARED, Entry, Retracted, Told, facts


class Memory(TypedDict):
    """A memory as the file has it."""

    id: str
    kind: str
    derived_from: list[str]
    subject: NotRequired[str]
    predicate: NotRequired[str]
    object: NotRequired[str]
    valid_from: NotRequired[str | None]
    source: NotRequired[str]
    private_to: NotRequired[str]
    single_valued: NotRequired[bool]
    text: NotRequired[str]


# "assert" and "not" are no names in Python, hence the calls.
Step = TypedDict(
    "Step",
    {
        "assert": NotRequired[Memory],
        "retract": NotRequired[str],
        "confirm": NotRequired[str],
    },
)
Chain = TypedDict(
    "Chain",
    {
        "id": str,
        "language": str,
        "what": str,
        "memories": list[Memory],
        "steps": list[Step],
        "needs_review": list[str],
        "not": list[str],
        "why": str,
    },
)

DATA = Path(__file__).parents[1] / "data" / "cascade"
CHAINS: list[Chain] = [
    json.loads(line) for line in (DATA / "chains.jsonl").read_text(encoding="utf-8").splitlines()
]
SINGLE = {"lives_in", "works_at", "has_title", "owned_by", "住在", "任职于"}
START = datetime(2025, 1, 1, tzinfo=UTC)
HOPS_MAX = 4

each_chain = pytest.mark.parametrize("chain", CHAINS, ids=[chain["id"] for chain in CHAINS])


@dataclass(slots=True)
class Graph:
    """What is there, why what is derived is marked, and which closings are in force."""

    memories: dict[str, Memory] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    closings: set[tuple[str, str]] = field(default_factory=set)
    """A fact and what ended it."""
    reasons: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def now(self) -> datetime:
        return START + timedelta(minutes=len(self.entries))

    def add(self, memory: Memory) -> None:
        self.memories[memory["id"]] = memory
        self.reasons[memory["id"]] = set()
        if memory["kind"] == "SEMANTIC":
            self.entries.append(_told(memory, self.now()))

    def retract(self, memory_id: str) -> None:
        self.gone.add(memory_id)
        self.entries.append(Retracted(f"-{memory_id}", self.now(), memory_id))
        self.mark((memory_id, ""))

    def close(self, *, marking: bool = True) -> None:
        """Follows the closings that the last step made or undid."""
        now = {
            (told.id, by)
            for fact in facts(self.entries, self.single(), NEVER)
            for told in fact.told
            for by in fact.closed_by
        }
        for reason in now - self.closings if marking else set():
            self.mark(reason)
        for undone in self.closings - now:
            for reasons in self.reasons.values():
                reasons.discard(undone)
        self.closings = now

    def mark(self, reason: tuple[str, str]) -> None:
        for memory_id in self.below(reason[0]):
            self.reasons[memory_id].add(reason)

    def below(self, memory_id: str) -> set[str]:
        found: set[str] = set()
        front = {memory_id}
        while front:
            front = {m["id"] for m in self.memories.values() if front & {*m["derived_from"]}}
            front -= found
            found |= front
        return found

    def single(self) -> set[str]:
        told = {m["predicate"] for m in self.memories.values() if m.get("single_valued")}
        return SINGLE | told

    def marked(self) -> set[str]:
        ended = self.gone | {memory_id for memory_id, _ in self.closings}
        return {memory_id for memory_id, why in self.reasons.items() if why} - ended


def _told(memory: Memory, recorded: datetime) -> Told:
    written = memory["valid_from"]
    return Told(
        id=memory["id"],
        recorded=recorded,
        subject=memory["subject"],
        predicate=memory["predicate"],
        object=memory["object"],
        start=story.first_instant(written) if written else BEGINNING,
        source=memory.get("source", "chat"),
        scope=memory.get("private_to", SHARED),
    )


def _after(chain: Chain) -> Graph:
    graph = Graph()
    for memory in chain["memories"]:
        graph.add(memory)
    graph.close(marking=False)
    for step in chain["steps"]:
        if "assert" in step:
            graph.add(step["assert"])
        elif "retract" in step:
            graph.retract(step["retract"])
        else:
            graph.reasons[step["confirm"]].clear()
        graph.close()
    return graph


@each_chain
def test_a_naive_model_marks_the_same(chain: Chain) -> None:
    assert _after(chain).marked() == set(chain["needs_review"])


@each_chain
def test_grounds_come_before_what_is_derived(chain: Chain) -> None:
    told = [*chain["memories"], *(step["assert"] for step in chain["steps"] if "assert" in step)]
    ids = [memory["id"] for memory in told]
    assert len(set(ids)) == len(ids)
    for at, memory in enumerate(told):
        assert set(memory["derived_from"]) <= set(ids[:at])
        assert ("text" in memory) == (memory["kind"] != "SEMANTIC")


@each_chain
def test_every_memory_is_spoken_for(chain: Chain) -> None:
    graph = _after(chain)
    changed = graph.gone | {memory_id for memory_id, _ in graph.closings}
    named = {*chain["needs_review"], *chain["not"]}
    assert not set(chain["needs_review"]) & set(chain["not"])
    assert graph.memories.keys() - changed == named - changed


@each_chain
def test_a_chain_is_short(chain: Chain) -> None:
    depth: dict[str, int] = {}
    for memory in _after(chain).memories.values():
        above = (depth[each] + 1 for each in memory["derived_from"])
        depth[memory["id"]] = max(above, default=0)
    assert max(depth.values()) <= HOPS_MAX


def test_there_are_ten_in_two_languages() -> None:
    assert Counter(chain["language"] for chain in CHAINS) == {"en": 6, "zh": 4}
