"""Reading and writing pointers: one way to write, several to read, and all else refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.knowledge.palace.pointers import Pointer, read_pointer

NUMBER = st.integers(1, 999_999_999)
POINTERS = st.one_of(
    st.builds(Pointer, NUMBER),
    st.builds(Pointer, NUMBER, NUMBER),
    st.builds(Pointer, NUMBER, NUMBER, NUMBER),
)


def test_it_is_written_with_its_sign_and_leading_zeros() -> None:
    assert str(Pointer(42, 11, 7)) == "§ W-042/R-11/D-007"
    assert str(Pointer(1, 2)) == "§ W-001/R-02"
    assert str(Pointer(1)) == "§ W-001"
    assert str(Pointer(1234, 567, 8901)) == "§ W-1234/R-567/D-8901"


@given(POINTERS)
def test_what_is_written_is_read_as_the_same(pointer: Pointer) -> None:
    assert read_pointer(str(pointer)) == read_pointer(pointer.path) == pointer


@given(POINTERS, st.booleans(), st.integers(0, 5), st.sampled_from(["", " ", "\u00a0", "  "]))
def test_sign_spaces_case_and_zeros_are_free(
    pointer: Pointer, signed: bool, zeros: int, space: str
) -> None:
    numbers = [("W", pointer.wing), ("R", pointer.room), ("D", pointer.drawer)]
    parts = [f"{letter}-{'0' * zeros}{number}" for letter, number in numbers if number]
    text = f"{space}{'§' if signed else ''}{space}{f'{space}/{space}'.join(parts)}{space}"
    assert read_pointer(text) == read_pointer(text.lower()) == pointer


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "§", "W", "W-", "W-0", "W-000", "W--1", "W-1/", "W-1/R-0", "W-1/R-2/D-0"),
        *("W-1/D-2", "R-1", "D-1", "W-1/R-2/D-3/E-4", "W-1 R-2", "W-1\\R-2", "§§ W-1", "W-1.5"),
        *("W-1e3", "W-+1", "W-1/R--2", "W-１", "W-١", "W-1_0", "W-1 0", "W-1/R-2/D-3; DROP"),
        *("W-1\x00", "W-1/R-2/D-3\x1b[2J", "W-1/../W-2", "§ W-042/R-11/D-007 and more"),
        *("W-1234567890", "W-" + "9" * 120, "W-" + "0" * 60 + "/" * 60, "§" * 128, "ｗ-1"),
    ],
)
def test_what_is_no_pointer_is_refused_by_its_field(text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_pointer(text, "wing_id")
    assert [violation.field for violation in refused.value.violations] == ["wing_id"]


@given(st.text(max_size=128))
def test_any_text_is_a_pointer_or_refused(text: str) -> None:
    try:
        pointer = read_pointer(text)
    except InvalidArgument:
        return
    assert read_pointer(str(pointer)) == pointer


def test_it_names_what_it_stands_in() -> None:
    assert Pointer(42, 11, 7).of_wing == Pointer(42)
