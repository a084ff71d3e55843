"""Tokens in the index: those that tell something, kept with their vectors, met by a question's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.index.memory_index import DEAD_PIECES_MIN, MemoryIndex
from anamnesis_libs.index.port import AskedTokens, Document, Query
from anamnesis_libs.index.token_codes import (
    BITS,
    NOT_COMPARED,
    agreement,
    telling_words,
    without_names,
)
from anamnesis_libs.models.ports import TokenCodes, Tokens
from tests.unit.libs.index.makers import document, embedded, filled, long_text, unit
from tests.unit.libs.index.reference import DIMENSION

ALL_SIGNS = (1 << BITS) - 1


def codes(*numbers: int) -> TokenCodes:
    return np.array(numbers, np.uint64).reshape(-1, 1)


def by_word(text: str) -> Tokens:
    """A token for each part of a text between blanks, its code the part's number."""
    parts, spans, start = text.split(" "), [], 0
    for part in parts:
        spans.append((start, start + len(part)))
        start += len(part) + 1
    return Tokens(codes(*range(len(parts))), np.array(spans))


def asked(*numbers: int) -> AskedTokens:
    return AskedTokens(codes(*numbers), tuple(map(str, numbers)))


def talk(*lines: Document) -> MemoryIndex:
    """An index of what two people say to each other: the lines, in turn, and one more of each."""
    others = (embedded("mara", "rain", 7, name="Mara"), embedded("omar", "snow", 8, name="Omar"))
    names = ("Mara", "Omar") * len(lines)
    return filled(
        *(replace(one, name=name) for one, name in zip(lines, names, strict=False)), *others
    )


def matches(index: MemoryIndex, *numbers: int) -> dict[str, float]:
    query = Query("garden", unit(1), tokens=asked(*numbers))
    hits = index.find(query).hits
    return {
        one.memory_id: round(one.token_match, 3)
        for one in hits
        if one.name != one.memory_id.title()
    }


def test_words_that_say_something_are_kept_each_once() -> None:
    told = telling_words(
        "The cat 's food , and the CAT in 7 gardens",
        by_word("The cat 's food , and the CAT in 7 gardens"),
    )
    assert told.words == ("cat", "food", "7", "gardens")
    assert told.codes.ravel().tolist() == [1, 3, 9, 10]


def test_a_token_is_of_the_word_that_it_is_a_part_of() -> None:
    pieces = Tokens(codes(0, 1, 2), np.array([(0, 3), (3, 6), (7, 12)]))
    assert telling_words("Zoheir paint", pieces).words == ("zoheir", "zoheir", "paint")


def test_names_of_those_who_speak_ask_for_nothing_unless_nothing_else_does() -> None:
    question = AskedTokens(codes(1, 2, 3), ("mara", "lund", "paint"))
    assert without_names(question, ["Mara Lund"]).ravel().tolist() == [3]
    named = AskedTokens(codes(1), ("mara",))
    assert without_names(named, ["Mara Lund"]).ravel().tolist() == [1]


def test_agreement_is_one_for_the_same_signs_and_none_where_half_or_more_differ() -> None:
    half = (1 << BITS // 2) - 1
    found = agreement(codes(0), codes(0, half, ALL_SIGNS), np.array([1, 1, 1], np.int32))
    assert found == pytest.approx([1, 0, 0], abs=1e-6)


def test_each_token_asked_for_takes_the_best_of_a_text_and_all_of_them_count() -> None:
    half = (1 << BITS // 2) - 1
    found = agreement(codes(0, half), codes(half, 0, half), np.array([2, 1], np.int32))
    assert found == pytest.approx([1, 0.5], abs=1e-6)


NUMBERS = st.lists(st.integers(0, ALL_SIGNS), min_size=1, max_size=5)


@given(question=NUMBERS, texts=st.lists(NUMBERS, min_size=1, max_size=5))
def test_agreement_is_the_mean_of_the_best_cosines_that_signs_tell(
    question: list[int], texts: list[list[int]]
) -> None:
    counts = np.array([len(text) for text in texts], np.int32)
    told = codes(*(number for text in texts for number in text))
    expected = [
        max(np.mean([max(_cosine(one, other) for other in text) for one in question]), 0)
        for text in texts
    ]
    assert agreement(codes(*question), told, counts) == pytest.approx(expected, abs=1e-5)


def _cosine(one: int, other: int) -> float:
    return float(np.cos(np.pi * (one ^ other).bit_count() / BITS))


def test_what_has_no_tokens_yet_is_told_and_not_compared() -> None:
    index = talk(embedded("a", "garden", 1), embedded("b", "garden", 2), document("c", "garden"))
    index.put_tokens({"mara": [codes()], "omar": [codes()]})
    assert index.unread == 2
    assert index.without_tokens(1) == ["a"]
    index.put_tokens({"a": [codes(5)], "c": [codes(5)], "nobody": [codes(5)]})
    assert index.unread == 1
    assert index.without_tokens(9) == ["b"]
    assert matches(index, 5) == {"a": 1.0, "b": NOT_COMPARED, "c": NOT_COMPARED}
    assert {hit.token_match for hit in index.find(Query("garden", unit(1))).hits} == {NOT_COMPARED}


def test_nothing_is_compared_but_what_people_say_to_each_other() -> None:
    index = filled(embedded("a", "garden", 1), embedded("b", "garden", 2))
    index.put_tokens({"a": [codes(5)], "b": [codes(5)]})
    assert matches(index, 5) == {"a": NOT_COMPARED, "b": NOT_COMPARED}


def test_a_text_of_which_no_token_says_anything_is_read_and_not_compared() -> None:
    index = talk(embedded("a", "garden", 1))
    index.put_tokens({"a": [codes()], "mara": [codes(5)], "omar": [codes(5)]})
    assert index.unread == 0
    assert matches(index, 5) == {"a": NOT_COMPARED}


def test_tokens_of_other_pieces_than_the_text_has_change_nothing() -> None:
    index = filled(embedded("a", "garden", 1))
    with pytest.raises(ValueError, match="pieces"):
        index.put_tokens({"a": [codes(1), codes(2)]})
    with pytest.raises(ValueError, match="pieces"):
        index.put_tokens({"a": [np.zeros((1, 2), np.uint64)]})
    assert index.unread == 1
    with pytest.raises(ValueError, match="dimension"):
        index.find(
            Query("garden", unit(1), tokens=AskedTokens(np.zeros((1, 2), np.uint64), ("x",)))
        )


def test_tokens_stay_with_the_same_vectors_and_go_with_others() -> None:
    held = embedded("a", "garden", 1, name="Mara")
    index = talk(held)
    index.put_tokens({"a": [codes(5)], "mara": [codes()], "omar": [codes()]})
    index.put([replace(held, importance=0.9)])
    assert matches(index, 5) == {"a": 1.0}
    index.put([replace(held, vectors=unit(2)[None])])
    assert index.unread == 1
    index.put([replace(held, vectors=None)])
    assert index.unread == 0
    index.put_vectors({"a": unit(3)[None]})
    assert index.without_tokens(9) == ["a"]


def test_a_long_text_is_compared_by_its_nearest_piece() -> None:
    text = long_text(["garden", "Rome"])
    held = embedded("long", text, 4, name="Mara")
    assert held.vectors is not None
    index = filled(held, embedded("other", text, 5, name="Omar"))
    count = len(held.vectors)
    assert count > 1
    index.put_tokens({"long": [codes(number, number) for number in range(count)]})
    for number in range(count):
        query = Query("garden", held.vectors[number], tokens=asked(number))
        (hit,) = (one for one in index.find(query).hits if one.memory_id == "long")
        assert (hit.nearest_piece, round(hit.token_match, 3)) == (number, 1.0)


def test_files_and_compaction_keep_the_tokens_of_what_is_left(tmp_path: Path) -> None:
    index = talk(*(embedded(f"m{n}", "garden", n) for n in range(DEAD_PIECES_MIN + 3)))
    index.put_tokens({f"m{n}": [codes(n, n)] for n in range(DEAD_PIECES_MIN + 2)})
    index.remove([f"m{n}" for n in range(1, DEAD_PIECES_MIN + 1)])
    index.save(tmp_path / "index")
    loaded = MemoryIndex(DIMENSION)
    loaded.load(tmp_path / "index")
    last = DEAD_PIECES_MIN + 1
    for each in (index, loaded):
        assert matches(each, last)[f"m{last}"] == 1.0
        assert matches(each, 0)["m0"] == 1.0
        assert matches(each, 0)[f"m{last + 1}"] == NOT_COMPARED
        assert each.unread == 3
