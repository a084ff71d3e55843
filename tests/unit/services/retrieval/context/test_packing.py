"""Tests of context/packing.py: who gets how much of the room."""

from functools import partial

from anamnesis_libs.talk.sentences import Unit, UnitKind
from anamnesis_retrieval.context.excerpts import Excerpt
from anamnesis_retrieval.context.packing import Prospect, Prospects, pack
from anamnesis_retrieval.context.writing import Style
from tests.support.small_memory import Said, remembered

ROOM = 300


def prospect(
    number: int, sentences: int, *, role: str = "assistant", is_asked_for: bool = False
) -> Prospect:
    """A line of so many sentences of ten tokens."""
    units = [Unit(f"Line {number}, part {part}.", UnitKind.PROSE) for part in range(sentences)]
    said = Said(" ".join(unit.text for unit in units), "2026-01-02", "a", role)
    told = Excerpt(units, [10] * sentences, range(sentences), 1)
    return Prospect(remembered(number, said), told, is_asked_for=is_asked_for)


def _self(one: Prospect) -> Prospect:
    return one


def parts_told(*, is_asked_for: bool) -> int:
    """The sentences told of the best of many lines, which has twelve."""
    best = prospect(0, 12, is_asked_for=is_asked_for)
    others = [prospect(number, 2) for number in range(1, 30)]
    reads = [partial(_self, one) for one in (best, *others)]
    entries, _ = pack(Prospects([], reads), ROOM, None, Style(), lambda text: len(text.split()))
    return entries[0].text.count("part")


def test_what_the_agent_said_is_told_whole_where_that_is_asked_for() -> None:
    assert parts_told(is_asked_for=True) == 12
    assert parts_told(is_asked_for=False) == 8


def test_a_line_that_a_person_said_twice_word_for_word_gives_way_to_what_says_more() -> None:
    said = prospect(1, 2, role="user")
    again = Prospect(remembered(2, Said(said.memory.content, "2026-01-03", "a", "user")), said.told)
    other = prospect(3, 2, role="user")
    reads = [partial(_self, one) for one in (said, again, other)]
    entries, _ = pack(Prospects([], reads), 55, None, Style(), lambda text: len(text.split()))
    assert [one.memory.content for one in entries] == [said.memory.content, other.memory.content]


def test_what_was_asked_or_answered_again_word_for_word_is_told_once() -> None:
    answer = prospect(1, 2)
    again = Prospect(remembered(2, Said(answer.memory.content, "2026-01-03", "a")), answer.told)
    reads = [partial(_self, one) for one in (answer, again)]
    entries, _ = pack(Prospects([], reads), ROOM, None, Style(), lambda text: len(text.split()))
    assert len(entries) == 1
