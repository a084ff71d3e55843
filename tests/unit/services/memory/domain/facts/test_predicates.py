"""The table of single-valued predicates, and the page that lists it."""

import re
from pathlib import Path

from anamnesis_memory.domain.facts.predicates import DEFAULT, SingleValued

PAGE = Path(__file__).parents[6] / "docs" / "facts.md"


def test_the_page_lists_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text.partition("These are single-valued everywhere")[2].partition("Of all others")[0]
    chinese = table.partition("| in Chinese |")[2].replace("|", "").split()
    assert {*re.findall(r"`(\w+)`", table), *chinese} == DEFAULT


def test_a_namespace_decides_before_the_table_and_the_teller() -> None:
    own = SingleValued(added=frozenset({"Front wheel"}), removed=frozenset({"LIVES IN"}))
    assert own.decide("front-wheel")
    assert own.decide("front_wheel")
    assert not own.decide("lives_in", said=True)
    assert own.decide("works_at")
    assert own.decide("owns", said=True)
    assert not own.decide("owns")
