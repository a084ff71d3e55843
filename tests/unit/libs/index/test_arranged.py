"""What queries over a scope share: made ready before somebody asks, and room made for it."""

from collections.abc import Callable

import pytest

from anamnesis_libs.index.arrangement import Arranger
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import SearchScope
from tests.unit.libs.index.makers import embedded, filled, found_ids


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the arrangements that are made, in order."""
    names: list[str] = []
    for name in ("arrange", "rearrange"):
        monkeypatch.setattr(Arranger, name, _noted(names, name, getattr(Arranger, name)))
    return names


def _noted(names: list[str], name: str, call: Callable[..., object]) -> Callable[..., object]:
    def noted(*given: object) -> object:
        names.append(name)
        return call(*given)

    return noted


def said(number: int) -> MemoryIndex:
    return filled(*(embedded(f"m{one}", f"cats {one}", one) for one in range(number)))


def test_who_writes_and_asks_in_turn_finds_the_scope_ready(made: list[str]) -> None:
    index = said(5)
    for turn in range(3):
        assert len(found_ids(index, "cats")) == 5 + turn
        index.put([embedded(f"n{turn}", "cats again", turn)])
        assert index.unsettled
        index.settle()
    made.clear()
    assert len(found_ids(index, "cats")) == 8
    assert not made


def test_writes_that_nobody_asks_between_are_arranged_once(made: list[str]) -> None:
    index = said(5)
    found_ids(index, "cats")
    for number in range(10):
        index.put([embedded(f"n{number}", "cats again", number)])
        index.settle()
        if not number:
            made.clear()
    assert not made
    assert not index.unsettled
    assert len(found_ids(index, "cats")) == 15
    assert made


def test_a_scope_that_lost_something_is_made_ready_too(made: list[str]) -> None:
    index = said(5)
    found_ids(index, "cats")
    index.remove(["m1"])
    index.settle()
    made.clear()
    assert "m1" not in found_ids(index, "cats")
    assert not made


def test_room_is_made_by_the_scope_that_was_asked_for_longest_ago() -> None:
    index = said(10)
    index.put([embedded("one", "cats alone", 1, session_id="s", position=0)])
    scopes = [SearchScope(session_ids=("s", f"t{number}")) for number in range(9)]
    for scope in scopes:
        assert found_ids(index, "cats", scope) == ["one"]
    index.put([embedded("two", "cats as well", 2, session_id="s", position=1)])
    for scope in scopes:
        assert len(found_ids(index, "cats", scope)) == 2
