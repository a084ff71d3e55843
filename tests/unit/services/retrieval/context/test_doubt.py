"""Tests of context/doubt.py: what a large scope of people's talk is doubted to answer, and why."""

from dataclasses import replace

import pytest

from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.doubt import (
    FEATURES,
    WITH_TOKENS,
    WITHOUT_TOKENS,
    Figures,
    confidence,
    is_doubted,
    values,
)
from anamnesis_retrieval.model import Candidate, ConversationKind, Ranked, ScopeShape

QUESTION = "What did Ann buy at the market?"
TALK = ScopeShape(
    size=400, kind=ConversationKind.PEOPLE, names=("Ann", "Bea"), term_weights=(0.7, 4.0, 5.0)
)
NEAR = Ranked(Candidate("m1", name="Ann", cosine=0.7, matched_terms=frozenset({1, 2})), score=30)
FAR = Ranked(Candidate("m2", name="Bea", cosine=0.45), score=8)


def doubted(question: str, *hits: Ranked, scope: ScopeShape = TALK) -> bool:
    return is_doubted(read_prompt(question, scope), scope, hits)


def test_a_near_line_is_told_and_one_that_shares_little_is_doubted() -> None:
    assert not doubted(QUESTION, NEAR, FAR)
    assert doubted(QUESTION, FAR)


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        (QUESTION, replace(TALK, size=90)),
        (QUESTION, replace(TALK, kind=ConversationKind.ROLES)),
        (QUESTION, replace(TALK, kind=ConversationKind.PLAIN)),
        ("What did I buy at the market?", TALK),
        ("Write Ann a letter about the market", TALK),
        ("安在市场买了什么？", TALK),
    ],
)
def test_what_nothing_was_learned_of_is_not_doubted(question: str, scope: ScopeShape) -> None:
    assert not doubted(question, FAR, scope=scope)


def test_nothing_is_doubted_without_vectors() -> None:
    assert not doubted(QUESTION, FAR._replace(candidate=FAR.candidate._replace(cosine=0.0)))


@pytest.mark.parametrize("figures", [WITH_TOKENS, WITHOUT_TOKENS])
def test_a_policy_that_speaks_less_readily_doubts_more(figures: Figures) -> None:
    asked = read_prompt(QUESTION, TALK)
    strict, usual = (
        confidence(values(asked, scope, [NEAR]), figures)
        for scope in (replace(TALK, stricter=0.1), TALK)
    )
    assert strict < usual


def test_figures_are_those_fitted_with_a_model_that_tells_tokens_or_with_another() -> None:
    found, place = values(read_prompt(QUESTION, TALK), TALK, [NEAR]), FEATURES.index("score")
    least = [
        NEAR.score - confidence(found, figures) / figures.features[place].weight
        for figures in (WITH_TOKENS, WITHOUT_TOKENS)
    ]
    between = NEAR._replace(score=sum(least) / 2)
    told = between._replace(candidate=NEAR.candidate._replace(token_match=0.5))
    assert (doubted(QUESTION, told), doubted(QUESTION, between)) == (True, False)


@pytest.mark.parametrize(
    ("feature", "question", "hit", "scope"),
    [
        ("strength", QUESTION, FAR, TALK),
        ("unseen", QUESTION, NEAR, replace(TALK, absent=("buy",), term_weights=(0.7, 4.0))),
        ("score", QUESTION, NEAR._replace(score=9.0), TALK),
        ("first_by_named", QUESTION, NEAR._replace(candidate=FAR.candidate), TALK),
        ("said_then", f"{QUESTION[:-1]} on 8 May 2023?", NEAR, TALK),
    ],
)
def test_each_feature_tells_against_an_answer(
    feature: str, question: str, hit: Ranked, scope: ScopeShape
) -> None:
    place = FEATURES.index(feature)
    usual = values(read_prompt(QUESTION, TALK), TALK, [NEAR])[place]
    found = values(read_prompt(question, scope), scope, [hit])[place]
    assert all(
        figures.features[place].weight * (found - usual) < 0
        for figures in (WITH_TOKENS, WITHOUT_TOKENS)
    )


def test_a_question_of_what_is_concluded_shares_fewer_words_with_its_answer() -> None:
    place = FEATURES.index("is_open")
    asked = "Would Ann be considered thrifty?"
    assert values(read_prompt(asked, TALK), TALK, [NEAR])[place] == 1.0
    assert values(read_prompt(QUESTION, TALK), TALK, [NEAR])[place] == 0.0
