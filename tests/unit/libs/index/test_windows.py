"""Who is whose neighbour: seen through the window score of a term that one turn has."""

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Query, SearchScope
from tests.unit.libs.index.makers import document, filled


def turn(
    session: str, position: int | None, text: str = "filler words", **fields: object
) -> Document:
    place = {
        "session_id": session,
        "position": position,
        "name": ["Ann", "Bo"][(position or 0) % 2],
    }
    return document(f"{session}{position}", text, **(place | fields))


def near(index: MemoryIndex, term: str = "zebra", scope: SearchScope | None = None) -> set[str]:
    """Ids whose window has the term: those that score above the lowest."""
    found = index.find(Query(term, None, scope or SearchScope()))
    assert found.scope.window_radius == 2
    lowest = min(hit.text_window for hit in found.hits)
    return {hit.memory_id for hit in found.hits if hit.text_window > lowest}


def talk(*positions: int, session: str = "s", zebra: int = 3) -> list[Document]:
    return [turn(session, p, "a zebra" if p == zebra else "filler words") for p in positions]


def test_two_turns_on_each_side() -> None:
    assert near(filled(*talk(0, 1, 2, 3, 4, 5, 6))) == {"s1", "s2", "s3", "s4", "s5"}


def test_the_order_of_arrival_does_not_matter() -> None:
    late = filled(*talk(5, 0, 4, 1, 6))
    late.put(talk(3))
    late.put(talk(2))
    assert near(late) == {"s1", "s2", "s3", "s4", "s5"}


def test_sessions_do_not_mix_however_interleaved() -> None:
    both = zip(talk(0, 1, 2, 3), talk(0, 1, 2, 3, session="t", zebra=-1), strict=True)
    assert near(filled(*[each for pair in both for each in pair])) == {"s1", "s2", "s3"}


def test_a_turn_taken_out_lets_those_around_it_close_up() -> None:
    index = filled(*talk(0, 1, 2, 3, 4, 5, 6))
    assert "s0" not in near(index)
    index.remove(["s2"])
    assert near(index) == {"s0", "s1", "s3", "s4", "s5"}


def test_a_replaced_turn_takes_its_old_words_from_its_neighbours() -> None:
    index = filled(*talk(0, 1, 2, 3, 4, 5))
    index.put([turn("s", 3, "a giraffe"), turn("s", 0, "a zebra")])
    assert near(index) == {"s0", "s1", "s2"}


def test_an_archived_turn_is_a_neighbour_only_where_archived_ones_are_asked_for() -> None:
    index = filled(*talk(0, 1, 3, 4, 5, 6), turn("s", 2, archived=True))
    assert near(index) == {"s0", "s1", "s3", "s4", "s5"}
    assert near(index, scope=SearchScope(include_archived=True)) == {"s1", "s2", "s3", "s4", "s5"}


def test_another_callers_turn_is_no_neighbour() -> None:
    private = turn("s", 3, "a zebra", visibility="private_to_user", user_id="u1")
    index = filled(*talk(0, 1, 2, 4, 5), private, turn("s", 9, "zebra"))
    assert near(index) == {"s4", "s5", "s9"}
    assert near(index, scope=SearchScope(caller_user="u1")) == {"s1", "s2", "s3", "s4", "s5", "s9"}


def test_records_without_a_position_stand_alone() -> None:
    facts = [
        document(f"f{i}", "zebra" if i else "plain", session_id="s", name="Ann") for i in (0, 1)
    ]
    index = filled(*talk(0, 1, 2, 3, 4, 5, 6, zebra=-1), *facts)
    assert near(index) == {"f1"}


def test_turns_of_one_position_stand_by_time_then() -> None:
    place = {"session_id": "s", "name": "Ann"}
    twins = [
        document(f"t{time}", "filler words", position=0, create_time_us=time, **place)
        for time in (2, 0, 1, 3, 4)
    ]
    index = filled(*twins, turn("s", 1, "a zebra"), turn("s", 7))
    assert near(index) == {"t3", "t4", "s1", "s7"}
