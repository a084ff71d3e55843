"""A user's answers are, to the digit, those of an index that holds what the user sees alone."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from anamnesis_libs.index.arrangement import Arranger
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Alike, Document, Query, ScoredHits, SearchScope
from anamnesis_libs.participants import participants, together
from tests.unit.libs.index.makers import WORDS, document, unit, vectors_of
from tests.unit.libs.index.reference import DIMENSION

SLOW = pytest.mark.slow
USERS = [f"user-{number}" for number in range(40)]


class Life:
    """An index of many users, and what it holds."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.index = MemoryIndex(DIMENSION)
        self.held: dict[str, Document] = {}

    def put(self, count: int) -> None:
        batch = [self._document() for _ in range(count)]
        self.index.put(batch)
        self.held.update({one.memory_id: one for one in batch})

    def remove(self, count: int) -> None:
        gone = self.rng.sample(sorted(self.held), min(count, len(self.held)))
        self.index.remove(gone)
        for memory_id in gone:
            del self.held[memory_id]

    def _document(self) -> Document:
        user = self.rng.choice(USERS)
        if self.rng.random() < 0.2:
            user = together(self.rng.choices(USERS, k=3))
        number = self.rng.randrange(600)
        visibility = self.rng.choice(["private_to_user"] * 8 + ["private_to_agent", "shared"])
        text = " ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 6)))
        return document(
            f"m{number:03d}",
            text,
            session_id=f"s-{user}-{number % 3}",
            position=number,
            create_time_us=number,
            user_id=user,
            agent_id=f"agent-{number % 2}",
            visibility=visibility,
            archived=number % 11 == 0,
            vectors=None if number % 7 == 0 else vectors_of(text, number, user),
        )

    def alone(self, scope: SearchScope) -> MemoryIndex:
        """An index that holds what a caller sees and nothing else."""
        index = MemoryIndex(DIMENSION)
        index.put([one for one in self.held.values() if _sees(scope, one)])
        return index


def _sees(scope: SearchScope, one: Document) -> bool:
    if one.visibility == "private_to_user":
        return scope.caller_user in participants(one.user_id)
    return one.visibility == "shared" or one.agent_id == scope.caller_agent


def _ask(index: MemoryIndex, scope: SearchScope, seed: int) -> ScoredHits:
    text = " ".join(random.Random(seed).choices(WORDS, k=3))
    return index.find(Query(text, unit(seed), scope, limit=20, related_words="garden"))


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=SLOW) for n in range(1, 6))])
def test_others_leave_no_trace_in_answers(seed: int, tmp_path: Path) -> None:
    life = Life(seed)
    for step in range(6):
        life.put(120)
        life.remove(30)
        if step == 3:
            life.index.save(tmp_path / "index")
            life.index.load(tmp_path / "index")
        for user in life.rng.sample(USERS, 4):
            scope = SearchScope(caller_user=user, caller_agent=life.rng.choice(["", "agent-1"]))
            answers = [_ask(one, scope, step) for one in (life.index, life.alone(scope))]
            assert answers[0] == answers[1]


def test_neighbours_for_the_guard_of_duplicates_are_of_one_audience() -> None:
    life = Life(3)
    life.put(400)
    for user in USERS[:8]:
        asked = Alike(unit(5), "episodic", "", "private_to_user", user_id=user, cosine_min=-1)
        alone = MemoryIndex(DIMENSION)
        alone.put(
            [
                one
                for one in life.held.values()
                if one.visibility == "private_to_user" and one.user_id == user
            ]
        )
        assert life.index.nearest(asked) == alone.nearest(asked)


def test_what_others_write_leaves_a_scope_arranged(monkeypatch: pytest.MonkeyPatch) -> None:
    life = Life(4)
    life.put(300)
    made: list[str] = []
    for name in ("arrange", "rearrange"):
        monkeypatch.setattr(Arranger, name, _noted(made, name, getattr(Arranger, name)))
    own = SearchScope(caller_user="user-1")
    before = _ask(life.index, own, 1)
    other = document("m900", "garden", user_id="user-2", visibility="private_to_user")
    life.index.put([other])
    life.index.put_vectors({"m900": vectors_of("garden")})
    life.index.remove(["m900"])
    assert _ask(life.index, own, 1) == before
    assert made == ["arrange"]
    life.index.put([document("m901", "garden", user_id="user-1", visibility="private_to_user")])
    _ask(life.index, own, 1)
    life.index.put([document("m902", "garden")])
    _ask(life.index, own, 1)
    assert made == ["arrange", "rearrange", "rearrange"]


def _noted(made: list[str], name: str, call: Callable[..., object]) -> Callable[..., object]:
    def noted(*given: object) -> object:
        made.append(name)
        return call(*given)

    return noted
