"""Tastes in English: what is liked, what it replaces, and what strikes somebody so."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from tests.support.english_talk import claims_of


def claims(*texts: str) -> list[Claim]:
    return claims_of([cleaned(text) for text in texts])


def held(text: str, *, ended: bool) -> set[tuple[str, str]]:
    return {(each.predicate, each.object) for each in claims(text) if each.ended is ended}


@pytest.mark.parametrize(
    ("text", "begun", "over"),
    [
        ("I've developed a newfound appreciation for fencing.", "likes", "dislikes"),
        ("I've grown to love fencing.", "likes", "dislikes"),
        ("I've started to appreciate fencing.", "likes", "dislikes"),
        ("I now enjoy fencing.", "likes", "dislikes"),
        ("I never thought I'd enjoy fencing.", "likes", "dislikes"),
        ("I never thought fencing would appeal to me.", "likes", "dislikes"),
        ("My interest in fencing has grown.", "likes", "dislikes"),
        ("I've gone off fencing.", "dislikes", "likes"),
        ("I've lost interest in fencing.", "dislikes", "likes"),
    ],
)
def test_a_taste_that_turns_ends_its_opposite(text: str, begun: str, over: str) -> None:
    assert held(text, ended=False) == {(begun, "fencing")}
    assert held(text, ended=True) == {(over, "fencing")}


def test_a_taste_alone_says_nothing_of_what_was_before() -> None:
    assert held("I enjoy fencing.", ended=True) == set()


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I no longer like opera.", "likes"),
        ("My interest in opera has faded.", "likes"),
        ("I used to favor opera.", "prefers"),
        ("I used to find opera too loud.", "dislikes"),
    ],
)
def test_a_taste_that_is_over_is_told_as_an_end(text: str, over: str) -> None:
    assert (over, "opera") in held(text, ended=True)
    assert held(text, ended=False) == set()


def test_a_taste_that_shifts_ends_one_and_begins_another() -> None:
    text = "My preferences have shifted from road trips to long cruises."
    assert ("prefers", "road trips") in held(text, ended=True)
    assert held(text, ended=False) == {("prefers", "long cruises")}


def test_the_taste_for_a_side_of_a_thing_ends_the_distaste_for_the_thing() -> None:
    text = "I've developed an appreciation for the quiet rhythm of fencing."
    assert ("dislikes", "fencing") in held(text, ended=True)


@pytest.mark.parametrize(
    ("text", "predicate", "what"),
    [
        ("Build tools terrify me.", "dislikes", "build tools"),
        ("Crowded trains make me nervous.", "dislikes", "crowded trains"),
        ("Country music doesn't appeal to me.", "dislikes", "country music"),
        ("Country music is not really my thing.", "dislikes", "country music"),
        ("Country music isn't for me.", "dislikes", "country music"),
        ("Old maps fascinate me.", "likes", "old maps"),
        ("I find cold offices too noisy.", "dislikes", "cold offices"),
        ("I find winter too long.", "dislikes", "winter"),
    ],
)
def test_what_strikes_somebody_is_a_taste(text: str, predicate: str, what: str) -> None:
    assert held(text, ended=False) == {(predicate, what)}


@pytest.mark.parametrize(
    "text",
    [
        "Your mail annoys me.",
        "The noise bored me yesterday.",
        "This makes me nervous.",
        "I love the idea of a night market in Bergen.",
        "I like the sound of that.",
    ],
)
def test_what_strikes_somebody_for_a_moment_is_none(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "predicate", "what"),
    [
        ("I don't like to play darts, because it bores me.", "dislikes", "darts"),
        ("I like to watch old westerns, because they calm me.", "likes", "old westerns"),
        ("I prefer hands-on learning sessions.", "prefers", "hands-on learning sessions"),
        ("I lose patience with long queues.", "dislikes", "long queues"),
        ("I'm afraid of heights.", "fears", "heights"),
        ("Card games are fun, but I avoid violent ones.", "avoids", "violent card games"),
        ("I prefer staying in small hotels.", "prefers", "staying in small hotels"),
    ],
)
def test_the_object_is_the_thing_itself(text: str, predicate: str, what: str) -> None:
    assert (predicate, what) in held(text, ended=False)
    assert len(held(text, ended=False)) == 1


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I can't stand minivans.", "Mara cannot stand minivans"),
        ("I no longer like opera.", "Mara no longer likes opera"),
        ("I prefer films that move or entertain.", "Mara prefers films that move or entertain"),
        ("I enjoy rowing and fixing boats.", "Mara enjoys rowing and fixing boats"),
    ],
)
def test_a_statement_keeps_its_words(text: str, statement: str) -> None:
    assert {each.statement for each in claims(text)} == {statement}


def test_a_taste_that_fades_leaves_the_other_tastes_alone() -> None:
    assert not any(each.single_valued for each in claims("My interest in fencing has faded."))
    assert all(each.single_valued for each in claims("My major is physics."))


def test_what_is_no_longer_avoided_may_be_named_in_the_sentence_before() -> None:
    found = claims("We talked about adding fennel to our soups.", "I used to avoid it.")
    ended = {(each.predicate, each.object) for each in found if each.ended}
    assert ended == {("avoids", "fennel"), ("dislikes", "fennel")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "I prefer old maps over new ones.",
            {("prefers", "old maps"), ("does_not_prefer", "new maps")},
        ),
        (
            "I prefer trains instead of planes.",
            {("prefers", "trains"), ("does_not_prefer", "planes")},
        ),
        (
            "I enjoy old films, especially silent ones.",
            {("likes", "old films"), ("likes", "silent films")},
        ),
    ],
)
def test_what_is_set_beside_a_thing_is_told_in_full(text: str, told: set[tuple[str, str]]) -> None:
    assert held(text, ended=False) == told


@pytest.mark.parametrize(
    ("texts", "liked"),
    [
        (["I've always loved Spanish culture, music, and dances."], ("likes", "Spanish music")),
        (["I like French films and books."], ("likes", "books")),
        (["I avoid any form of rock climbing."], ("avoids", "rock climbing")),
        (
            ["Do you know durable backpacks?", "I prefer fabric ones."],
            ("prefers", "fabric backpacks"),
        ),
        (["I prefer maps over apps - can't stand ads."], ("dislikes", "ads")),
        (["I find antique chairs a bit too old-fashioned."], ("dislikes", "antique chairs")),
    ],
)
def test_a_taste_names_what_is_meant(texts: list[str], liked: tuple[str, str]) -> None:
    parts = [part for each in texts for part in apart(each)]
    assert liked in {(each.predicate, each.object) for each in claims(*parts)}


def test_ones_of_nothing_that_was_named_are_no_taste() -> None:
    assert claims("I went home.", "I prefer fabric ones.") == []
