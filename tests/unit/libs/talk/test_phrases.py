"""Tests of talk/phrases.py: the data files load, and their patterns compile."""

import re
import tomllib
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anamnesis_libs.talk.phrases import DATA, LANGUAGES, pattern, says

_FILES = {
    language: tomllib.loads((DATA / f"phrases.{language}.toml").read_text(encoding="utf-8"))
    for language in LANGUAGES
}
_PHRASES = [
    (language, name, phrase)
    for language, held in _FILES.items()
    for name, lists in held.items()
    for phrases in lists.values()
    for phrase in phrases
]
_CHINESE = [one for language, _, one in _PHRASES if language == "zh" and not one.isascii()]
# A star or a plus outside of a class has no bound.
_UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*[+*]|\{\d+,\}")
_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")


def test_every_phrase_compiles_and_matches_no_empty_text() -> None:
    for language, name, phrase in _PHRASES:
        assert not re.compile(phrase).fullmatch(""), f"{language} {name}: {phrase}"


def test_a_list_is_of_words_or_of_whole_expressions() -> None:
    assert {key for held in _FILES.values() for lists in held.values() for key in lists} == {
        "words",
        "anywhere",
    }


def test_no_phrase_is_told_twice() -> None:
    assert len(_PHRASES) == len(set(_PHRASES))


def test_repetitions_are_bounded_but_for_words() -> None:
    """A word of any length is bounded by its text, and can be read in one way only."""
    for language, name, phrase in _PHRASES:
        rest = _CLASS.sub("c", phrase.replace("[a-z]+", "").replace(r"\w+", ""))
        assert not _UNBOUNDED.search(rest), f"{language} {name}: {phrase}"


@pytest.mark.parametrize("name", sorted({name for held in _FILES.values() for name in held}))
def test_the_phrases_of_a_name_make_one_pattern(name: str) -> None:
    assert pattern(name) is pattern(name)
    assert pattern(name).flags & re.IGNORECASE


@settings(max_examples=400)
@given(st.sampled_from(_CHINESE).flatmap(lambda one: st.from_regex(one, fullmatch=True)))
def test_a_chinese_phrase_is_in_no_plain_ascii_unless_it_is_plain_itself(text: str) -> None:
    assert not text.isascii()
    assert not any(phrase.isascii() for lists in _FILES["zh"].values() for phrase in _words(lists))


def _words(lists: Mapping[str, list[str]]) -> list[str]:
    """The words of a name, which are searched as one phrase."""
    return lists.get("words", [])


def test_a_name_without_phrases_is_refused() -> None:
    with pytest.raises(KeyError):
        pattern("weather")
    with pytest.raises(KeyError):
        says("weather", "It rains.")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("past", "where I worked BEFORE", True),
        ("past", "a beforehand", False),
        ("about_caller", "Is it mine?", True),
        ("about_caller", "the mineral", False),
        ("about_caller", "我的猫", True),
    ],
)
def test_words_have_bounds_and_no_case(name: str, text: str, found: bool) -> None:
    assert bool(pattern(name).search(text)) is found


@pytest.mark.parametrize("name", sorted({name for held in _FILES.values() for name in held}))
def test_a_text_says_what_its_pattern_finds_in_either_case(name: str) -> None:
    lines = (
        "Please always answer in short sentences, instead of long ones.",
        "I'm allergic to peanuts! We settled the retry policy, update it.",
        "i wonder if we could; it's going well so far. see you tomorrow?",
        "What did I say before? Remind me of my sister's birthday, I'll wait.",
        "以后回答请简短一点 OK",
        "Don\u2019t push to MAIN: never.",
        "TODO: changed the colour from blue to red, no longer green",
    )
    for line in (form for one in lines for form in (one, one.upper(), one.title())):
        assert says(name, line) is bool(pattern(name).search(line)), line
