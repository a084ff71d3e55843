"""Which spellings of a name are one, and which are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.entities.folding import fold

SAME = [
    ("MIRA Ostrander", "mira ostrander"),
    ("Straße", "STRASSE"),
    ("Inês", "Ines"),
    ("Łódź", "Lodz"),
    ("Søren Æbelø", "Soren Aebelo"),
    ("Đà Nẵng", "da nang"),
    ("Ｒｏｏｍ　１２", "Room 12"),
    ("TypeScript", "Type Script"),
    ("Jean-Luc", "Jean Luc"),
    ("J. K. Marlow", "JK Marlow"),
    ("Sean O’Dwyer", "Sean O'Dwyer"),
    ("Rock & Roll", "rock and roll"),
    ("iPhone15", "iPhone 15"),
    ("Harbour #2", "harbour 2"),
    ("「灯塔」项目", "“灯塔”项目"),
    ("欧阳 晴", "欧阳晴"),
    ("陳靜怡", "陈静怡"),
    ("後台服務", "后台服务"),
    ("湖光(文化)公司", "湖光（文化）公司"),
    ("ｶﾌｪ", "カフェ"),
    ("Acme™", "acme"),
]
OTHER = [
    ("C", "C++"),
    ("C#", "C"),
    ("C ++", "C"),
    ("1.2", "12"),
    ("Room 3-1", "Room 31"),
    ("worker-7", "worker-17"),
    ("Ann Alee", "Anna Lee"),
    ("राम", "रम"),
    ("か", "が"),
    ("Андрей", "Андреи"),
    ("甲号", "乙号"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_are_one(one: str, other: str) -> None:
    assert fold(one).same(fold(other))
    assert fold(other).same(fold(one))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_counts_is_kept(one: str, other: str) -> None:
    assert not fold(one).same(fold(other))
    assert not fold(other).same(fold(one))


@given(st.text(max_size=20))
def test_case_and_outer_spaces_never_count(name: str) -> None:
    assert fold(f"  {name} ").text == fold(name).text
    assert fold(name.casefold()).text == fold(name).text


@pytest.mark.parametrize("name", ["", "  ", "🎉", "—"])
def test_what_is_no_name_folds_to_nothing(name: str) -> None:
    assert fold(name).tokens == ()
