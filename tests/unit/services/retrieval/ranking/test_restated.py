"""Tests of ranking/restated.py: a statement stands behind its newest telling."""

from dataclasses import replace

import pytest

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.model import Candidate, Ranked, Remembered
from anamnesis_retrieval.ranking.restated import (
    CHARS_MAX,
    newest_restated,
    restates,
    statement_of,
    suspects,
)

CLUB = "Which club does Ann Visser play for?"


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (CLUB, "Ann Visser plays for Ajax.", "Ann Visser plays for PSV Eindhoven."),
        (
            "What is the capital of Utopia?",
            "Amaurot is the capital of Utopia.",
            "Abraxa is the capital of Utopia.",
        ),
        ("Where is the spare key?", "The spare key is under the mat.", "The spare key is at Jo's."),
        ("备用钥匙在哪里？", "备用钥匙在门口的花盆下面。", "备用钥匙在邻居老王家。"),
    ],
)
def test_one_statement_with_another_ending(question: str, one: str, other: str) -> None:
    terms = frozenset(tokens(question))
    said, again = statement_of(one), statement_of(other)
    assert restates(said, again, terms)
    assert restates(again, said, terms)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (CLUB, "Ann Visser plays for Ajax.", "Ann Visser plays for Ajax."),
        (CLUB, "Ann Visser plays for Ajax.", "Bob Visser plays for Ajax."),
        (CLUB, "Ann Visser plays for Ajax.", "We should ask Ann Visser which club it was."),
        ("What do I like?", "I like tea.", "I like coffee."),
        (CLUB, "Ann Visser plays for Ajax.", "Ann Visser plays for " + "x " * CHARS_MAX),
        (CLUB, "Ann Visser plays for Ajax.", "Ann Visser plays for Ajax and more, " * 3),
        (
            "Which trainer does Ajax have?",
            "Ann Visser plays for Ajax.",
            "Ann Visser plays for PSV.",
        ),
    ],
    ids=["the-same", "subject", "another", "short", "long", "rest", "not-asked-for"],
)
def test_anything_else_is_another_statement(question: str, one: str, other: str) -> None:
    assert not restates(statement_of(one), statement_of(other), frozenset(tokens(question)))


def hit(memory_id: str, index: int, terms: frozenset[int] = frozenset({0, 1})) -> Ranked:
    candidate = Candidate(memory_id, matched_terms=terms, event_time_us=1, event_index=index)
    return Ranked(candidate)


def said(memory_id: str, content: str) -> Remembered:
    return Remembered(memory_id, "", "user", "", content, role="user")


HITS = [hit("old", 0), hit("other", 9, frozenset({0})), hit("new", 5), hit("gone", 7)]
TEXTS = {
    "old": said("old", "Ann Visser plays for Ajax."),
    "new": said("new", "Ann Visser plays for PSV."),
    "other": said("other", "Ann Visser has a dog."),
}
TERMS = frozenset(tokens(CLUB))


def order(hits: list[Ranked], texts: dict[str, Remembered]) -> list[str]:
    return [one.candidate.memory_id for one in newest_restated(hits, texts, TERMS)]


def test_the_newest_telling_takes_the_best_place() -> None:
    assert suspects(HITS) == ["old", "new", "gone"]
    assert order(HITS, TEXTS) == ["new", "other", "old", "gone"]


def test_what_two_people_say_is_not_one_statement() -> None:
    texts = TEXTS | {"new": replace(TEXTS["new"], role="assistant")}
    assert order(HITS, texts) == ["old", "other", "new", "gone"]


def test_of_facts_what_holds_is_first_and_several_that_hold_stay() -> None:
    facts = {
        key: replace(one, fact_line="ann\nplays_for", superseded=key == "new")
        for key, one in TEXTS.items()
        if key != "other"
    }
    assert order(HITS, facts) == ["old", "other", "new", "gone"]
    assert order([HITS[2], HITS[1], HITS[0]], facts) == ["old", "other", "new"]
    both = {key: replace(one, superseded=False) for key, one in facts.items()}
    assert order(HITS, both) == ["old", "other", "new", "gone"]
