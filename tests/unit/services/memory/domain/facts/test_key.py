"""Identity: what folds together and what is kept apart."""

import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement, digest, folded
from anamnesis_memory.domain.facts.predicates import SingleValued

NADIA = Statement("shared", "Nadia Brandt", "lives_in", "Rotterdam")


def test_the_key_is_the_plain_digest() -> None:
    plain = hashlib.sha256(b"nadia brandt|lives_in|rotterdam").hexdigest()
    assert NADIA.key == plain[:32]


def test_spelling_does_not_matter() -> None:
    other = Statement("shared", " NADIA  Brandt", "Lives_In", "Ｒotterdam")
    assert other.key == NADIA.key
    assert other.line_id == NADIA.line_id
    assert other.fact_id(Interval(1)) == NADIA.fact_id(Interval(1))


def test_scope_and_interval_are_part_of_the_identity() -> None:
    ids = {
        statement.fact_id(interval)
        for statement in (NADIA, Statement("user:nadia", "Nadia Brandt", "lives_in", "Rotterdam"))
        for interval in (Interval(), Interval(0), Interval(None, 1), Interval(0, 1))
    }
    assert len(ids) == 8


def test_a_bar_inside_a_field_does_not_move_its_end() -> None:
    one = Statement("shared", "a|b", "c", "d")
    other = Statement("shared", "a", "b|c", "d")
    assert one.key != other.key
    assert one.line_id != other.line_id


fields = st.lists(st.text(alphabet="a|\\", max_size=4), min_size=1, max_size=4)


@given(fields, fields)
def test_other_fields_have_another_digest(one: list[str], other: list[str]) -> None:
    assume(one != other)
    assert digest(*one) != digest(*other)


@given(st.text())
def test_spaces_around_a_text_do_not_matter(text: str) -> None:
    assert folded(f"  {text} ") == folded(text)


@pytest.mark.parametrize(
    ("rules", "predicate", "said", "single"),
    [
        (SingleValued(), "lives_in", False, True),
        (SingleValued(), "Lives in", False, True),
        (SingleValued(), "住在", False, True),
        (SingleValued(), "likes", False, False),
        (SingleValued(), "likes", True, True),
        (SingleValued(added=frozenset({"has battery"})), "has_battery", False, True),
        (SingleValued(removed=frozenset({"lives_in"})), "lives_in", True, False),
        (SingleValued(frozenset({"x"}), frozenset({"x"})), "x", False, False),
    ],
)
def test_the_namespace_decides_before_the_table_and_the_teller(
    rules: SingleValued, predicate: str, *, said: bool, single: bool
) -> None:
    assert rules.decide(predicate, said) is single
