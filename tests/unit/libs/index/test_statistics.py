"""What a scope is taken to be, and how far its windows reach."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from anamnesis_libs.index import cohesion
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import ConversationKind, Document, Query, ScopeStatistics
from anamnesis_libs.index.statistics import Speakers, choose_radius
from tests.unit.libs.index.makers import document, filled, unit, unit_rows
from tests.unit.libs.index.reference import DIMENSION

PLAIN, PEOPLE, ROLES = ConversationKind.PLAIN, ConversationKind.PEOPLE, ConversationKind.ROLES


def statistics(index: MemoryIndex) -> ScopeStatistics:
    return index.find(Query("anything", None)).scope


def turns(count: int, *, alike: float = 0.0, **fields: object) -> list[Document]:
    """Two sessions; their vectors the more alike inside a session the higher `alike`."""
    rows = unit_rows(5, count)
    made = []
    for number in range(count):
        session = number % 2
        vector = rows[number] + alike * unit(70 + session)
        vectors = (vector / np.linalg.norm(vector))[None]
        place = {"session_id": f"s{session}", "position": number // 2, "vectors": vectors}
        made.append(document(f"m{number:02d}", f"words {number} here", **(place | fields)))
    return made


@pytest.mark.parametrize(
    ("named", "names", "spread", "roles", "users", "kind"),
    [
        (1.0, 2, 0.5, 0.0, 0.0, PEOPLE),
        (0.9, 3, 0.9, 1.0, 0.5, PEOPLE),
        (0.89, 2, 0.5, 0.0, 0.0, PLAIN),
        (1.0, 1, 0.5, 0.0, 0.0, PLAIN),
        (1.0, 2, 0.91, 0.9, 0.5, ROLES),
        (0.0, 0, 0.5, 0.9, 0.05, ROLES),
        (0.0, 0, 0.5, 0.9, 0.95, ROLES),
        (0.0, 0, 0.5, 1.0, 0.96, PLAIN),
        (0.0, 0, 0.5, 0.89, 0.5, PLAIN),
    ],
)
def test_kind(
    named: float, names: int, spread: float, roles: float, users: float, kind: ConversationKind
) -> None:
    speakers = Speakers(tuple("abcdef"[:names]), named, roles, users, spread)
    assert speakers.kind is kind


@pytest.mark.parametrize(
    ("kind", "in_session", "cohesion", "radius"),
    [
        (PEOPLE, 0.5, 0.3, 2),
        (ROLES, 0.9, 0.3, 1),
        (PLAIN, 0.9, 0.3, 2),
        (PEOPLE, 0.49, 0.9, 0),
        (PEOPLE, 0.9, 0.29, 0),
        (PEOPLE, 0.9, None, 2),
        (ROLES, 0.9, None, 1),
        (PLAIN, 0.9, None, 0),
    ],
)
def test_radius(
    kind: ConversationKind, in_session: float, cohesion: float | None, radius: int
) -> None:
    assert choose_radius(kind, in_session, cohesion) == radius


def test_cohesion_is_neighbours_over_random_pairs() -> None:
    """So few documents that every pair is drawn."""
    made = turns(20, alike=1.0)
    vectors = {d.memory_id: d.vectors[0] for d in made if d.vectors is not None}
    neighbours = [
        vectors[a.memory_id] @ vectors[b.memory_id] for a, b in zip(made, made[2:], strict=False)
    ]
    strangers = [a @ b for a, b in combinations(vectors.values(), 2)]
    wanted = (np.mean(neighbours) - np.mean(strangers)) / np.std(strangers)
    found = statistics(filled(*made))
    assert found.cohesion == pytest.approx(wanted, abs=1e-4)
    assert found.cohesion > 0.3
    assert found.window_radius == 2


def test_what_is_told_of_many_is_told_of_all_of_them() -> None:
    """From a thousand on each is compared with one other: the mean and the deviation are near."""
    made = turns(2200, alike=1.0)
    vectors = np.array([d.vectors[0] for d in made if d.vectors is not None])
    neighbours = np.vecdot(vectors[:-2], vectors[2:])
    strangers = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    wanted = (neighbours.mean() - strangers.mean()) / strangers.std()
    assert statistics(filled(*made)).cohesion == pytest.approx(wanted, abs=0.08)


def test_cohesion_is_the_same_whatever_came_when() -> None:
    made = turns(1200, alike=1.0)
    at_once = statistics(filled(*made)).cohesion
    index = filled(*made[:1100])
    statistics(index)
    for one in made[1100:]:
        index.put([one])
        statistics(index)
    assert statistics(index).cohesion == at_once


def test_records_like_strangers_have_no_windows() -> None:
    made = turns(20)
    shuffled_sessions = statistics(filled(*made))
    assert shuffled_sessions.window_radius == 0


def test_names_come_by_frequency_and_shares_count_everybody() -> None:
    names = ["Bo", "Ann", "Bo", "", "Cy", "Ann", "Bo", "Bo"]
    roles = ["user", "assistant", "system", "user", "", "", "", ""]
    made = [
        document(f"m{i}", "text", name=name, role=role)
        for i, (name, role) in enumerate(zip(names, roles, strict=True))
    ]
    found = statistics(filled(*made))
    assert found.names == ("Bo", "Ann", "Cy")
    assert found.named_share == pytest.approx(7 / 8)
    assert found.role_share == pytest.approx(3 / 8)
    assert found.size == 8


def test_names_of_tools_and_places_in_files_name_nobody() -> None:
    named = {"role": ["file", "tool"], "name": ["facts.md › Two times", "grep"]}
    made = [
        document(f"m{i}", "some words", role=named["role"][i % 2], name=named["name"][i % 2])
        for i in range(6)
    ]
    found = statistics(filled(*made))
    assert (found.names, found.named_share, found.kind) == ((), 0.0, PLAIN)
    talk = [document(f"t{i}", "some words", role="user", name="Ann") for i in range(6)]
    found = statistics(filled(*made, *talk))
    assert (found.names, found.named_share) == (("Ann",), 0.5)


def test_at_most_64_names() -> None:
    made = [document(f"m{i}", "text", name=f"n{i:03d}") for i in range(70)]
    assert len(statistics(filled(*made)).names) == 64


def test_length_spread_is_the_deviation_of_the_logarithm() -> None:
    found = statistics(filled(document("a", "one"), document("b", " ".join(["word"] * 100))))
    assert found.length_spread == pytest.approx(np.std([0, np.log(100)]), abs=1e-6)


def test_people_at_even_length_and_roles_are_told_from_the_records() -> None:
    people = [document(f"m{i}", "some words", name=["Ann", "Bo"][i % 2]) for i in range(6)]
    roles = [document(f"m{i}", "some words", role=["user", "assistant"][i % 2]) for i in range(6)]
    assert statistics(filled(*people)).kind is PEOPLE
    assert statistics(filled(*roles)).kind is ROLES
    assert statistics(filled(*people, document("x", "w"))).kind is PLAIN


def test_no_vectors_no_cohesion() -> None:
    made = turns(10, vectors=None, role="user")
    assert statistics(filled(*made)).cohesion == 0
    assert MemoryIndex(DIMENSION).find(Query("x", None)).scope == ScopeStatistics()


def test_what_was_learned_from_talk_does_not_change_what_it_is() -> None:
    talk = turns(40, alike=1.0, role="user", name="Ana")
    for number, one in enumerate(talk):
        talk[number] = replace(one, name="Ana" if number % 4 < 2 else "Ben")
    learned = [
        document(f"f{number:02d}", "Ana likes the sea and walks there each day", kind="semantic")
        for number in range(80)
    ]
    alone, mixed = statistics(filled(*talk)), statistics(filled(*talk, *learned))
    assert alone.kind is PEOPLE
    assert (mixed.kind, mixed.names, mixed.window_radius) == (PEOPLE, alone.names, 2)
    assert mixed.cohesion == pytest.approx(alone.cohesion)


@pytest.mark.parametrize(("count", "drawn_max"), [(70, 4000), (990, 4000), (1080, 1100)])
def test_a_scope_that_is_kept_up_tells_to_the_bit_what_a_fresh_one_tells(
    count: int, drawn_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns come in anywhere in their sessions, some with vectors, some later, some never."""
    monkeypatch.setattr(cohesion, "DRAWN_MAX", drawn_max)
    made = turns(count + 60, alike=1.0, name="Ann")
    random.Random(count).shuffle(made)
    query = Query("words 7 here", unit(3), limit=50)
    index = filled(*made[:count])
    index.find(query)
    held = made[:count]
    for number, one in enumerate(made[count:]):
        index.put([one if number % 3 else replace(one, vectors=None)])
        if number % 2:
            index.find(query)
        if number % 6 and one.vectors is not None:
            index.put_vectors({one.memory_id: one.vectors})
        held.append(one if number % 6 else replace(one, vectors=None))
        if not number % 7:
            assert index.find(query) == filled(*held).find(query)
    assert index.find(query) == filled(*held).find(query)
