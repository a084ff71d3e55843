"""Tests of ranking/rank.py: which terms count, and that a score is their sum."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_retrieval.model import (
    Candidate,
    CandidateSet,
    ConversationKind,
    Mode,
    ScopeShape,
    Weights,
)
from anamnesis_retrieval.ranking.rank import candidate_weights, rank

PEOPLE = ScopeShape(
    size=9, kind=ConversationKind.PEOPLE, names=("Caroline", "Melanie"), window_radius=2
)
ROLES = ScopeShape(size=9, kind=ConversationKind.ROLES, window_radius=1)
PLAIN = ScopeShape(size=9)
SCOPES = (PEOPLE, ROLES, PLAIN)
QUESTIONS = ("What did Caroline paint?", "What did Caroline give Melanie?", "她畫了什麼")

figures = st.floats(-50, 50, allow_nan=False)
candidates = st.builds(
    Candidate,
    memory_id=st.text("abc", min_size=1, max_size=4),
    text=figures,
    text_window=figures,
    dense=figures,
    dense_window=figures,
    length=figures,
    is_question=st.booleans(),
    answered_score=st.floats(0, 50),
    role=st.sampled_from(["", "user", "assistant"]),
    name=st.sampled_from(["", "Caroline", "Melanie"]),
    cosine=st.floats(-1, 1),
    matched_terms=st.frozensets(st.integers(0, 4)),
    create_time_us=st.integers(0, 5),
)
found = st.lists(candidates, max_size=8, unique_by=lambda one: one.memory_id)


def factors(question: str, scope: ScopeShape, candidate: Candidate, mode: Mode) -> dict[str, float]:
    (ranked,) = rank(question, CandidateSet([candidate], scope), mode)
    return {factor.name: factor.contribution for factor in ranked.factors}


@given(
    some=found,
    scope=st.sampled_from(SCOPES),
    question=st.sampled_from(QUESTIONS),
    mode=st.sampled_from(Mode),
)
def test_a_score_is_the_sum_of_its_contributions(
    some: list[Candidate], scope: ScopeShape, question: str, mode: Mode
) -> None:
    ranked = rank(question, CandidateSet(some, scope), mode)
    assert all(one.score == sum(part.contribution for part in one.factors) for one in ranked)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


@given(some=found, scope=st.sampled_from(SCOPES), data=st.data())
def test_the_order_of_candidates_does_not_matter(
    some: list[Candidate], scope: ScopeShape, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(some))
    there = rank(QUESTIONS[0], CandidateSet(some, scope), Mode.AUTO)
    assert there == rank(QUESTIONS[0], CandidateSet(shuffled, scope), Mode.AUTO)


@pytest.mark.parametrize(
    ("scope", "terms"),
    [
        (
            PEOPLE,
            {
                "text": 1,
                "text_window": 4,
                "dense": 6,
                "dense_window": 8,
                "speaker_named": 3,
                "length": 1.5,
                "is_question": -2,
                "answers_a_match": 2.5,
            },
        ),
        (
            replace(ROLES, names=("Caroline",)),
            {
                "text": 1,
                "text_window": 2,
                "dense": 6,
                "dense_window": 8,
                "from_user": 1,
                "speaker_named": 5,
            },
        ),
        (PLAIN, {"text": 1, "text_window": 2, "dense": 6, "dense_window": 8}),
    ],
)
def test_each_kind_of_scope_has_its_terms(scope: ScopeShape, terms: dict[str, float]) -> None:
    candidate = Candidate(
        "m", 1, 2, 3, 4, 1, is_question=True, answered_score=5.0, role="user", name="Caroline"
    )
    assert factors(QUESTIONS[0], scope, candidate, Mode.AUTO) == terms


def test_two_names_in_a_question_boost_nobody() -> None:
    candidate = Candidate("m", name="Caroline")
    assert factors(QUESTIONS[1], PEOPLE, candidate, Mode.AUTO)["speaker_named"] == 0


def test_a_cjk_question_trusts_vectors_less() -> None:
    candidate = Candidate("m", dense=2.0, dense_window=2.0)
    told = factors(QUESTIONS[2], PLAIN, candidate, Mode.HYBRID)
    assert (told["dense"], told["dense_window"]) == (1.0, 1.0)


def test_a_cjk_question_trusts_the_vectors_of_a_model_that_reads_it() -> None:
    candidate = Candidate("m", dense=2.0, dense_window=2.0)
    told = factors(QUESTIONS[2], replace(PLAIN, reads_cjk=True), candidate, Mode.HYBRID)
    assert (told["dense"], told["dense_window"]) == (4.0, 4.0)


@pytest.mark.parametrize("scope", SCOPES)
def test_semantic_mode_counts_vectors_only(scope: ScopeShape) -> None:
    candidate = Candidate(
        "m", 9, 9, 1, 2, 9, is_question=True, answered_score=9, role="user", name="Caroline"
    )
    assert factors(QUESTIONS[0], scope, candidate, Mode.SEMANTIC) == {
        "dense": 2.0,
        "dense_window": 4.0,
    }


@pytest.mark.parametrize(
    ("question", "mode", "weights"),
    [
        ("What?", Mode.AUTO, Weights(1, 1, 2, 2)),
        ("What?", Mode.HYBRID, Weights(1, 1, 2, 2)),
        ("What?", Mode.SEMANTIC, Weights(0, 0, 2, 2)),
        ("她畫了什麼", Mode.AUTO, Weights(1, 1, 0.5, 0.5)),
        ("她畫了什麼", Mode.SEMANTIC, Weights(0, 0, 2, 2)),
    ],
)
def test_candidates_are_chosen_by(question: str, mode: Mode, weights: Weights) -> None:
    assert candidate_weights(question, mode) == weights


@pytest.mark.parametrize(
    ("candidate", "routes"),
    [
        (Candidate("m", matched_terms=frozenset({0})), ("text",)),
        (Candidate("m", dense=0.1), ("dense",)),
        (Candidate("m", dense=-0.1, text_window=1), ("window",)),
        (Candidate("m", dense_window=1, dense=1), ("dense", "window")),
        (Candidate("m", text=1, dense=-1), ()),
    ],
)
def test_routes_say_what_found_it(candidate: Candidate, routes: tuple[str, ...]) -> None:
    (ranked,) = rank("What?", CandidateSet([candidate], PLAIN), Mode.AUTO)
    assert ranked.routes == routes


def test_equal_scores_go_by_age_then_id() -> None:
    some = [
        Candidate("b", create_time_us=2),
        Candidate("c", create_time_us=1),
        Candidate("a", create_time_us=2),
    ]
    ranked = rank("What?", CandidateSet(some, PLAIN), Mode.AUTO)
    assert [one.candidate.memory_id for one in ranked] == ["c", "a", "b"]
