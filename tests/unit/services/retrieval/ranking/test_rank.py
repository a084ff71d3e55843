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
    token_match=st.none() | st.floats(0, 1),
    score=figures,
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
                "text": 0.3,
                "text_window": 3.5,
                "dense": 5.55,
                "dense_window": 6.2,
                "speaker_named": 3.4,
                "length": 1.7,
                "is_question": -1.9,
                "answers_a_match": 2.0,
                "text_and_dense": -0.55,
                "coverage": 0,
                "session": 0,
                "named_time": 0,
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
                "token_match": 0,
                "named_time": 0,
            },
        ),
        (PLAIN, {"text": 1, "text_window": 2, "dense": 6, "dense_window": 8, "named_time": 0}),
    ],
)
def test_each_kind_of_scope_has_its_terms(scope: ScopeShape, terms: dict[str, float]) -> None:
    candidate = Candidate(
        "m", 1, 2, 3, 4, 1, is_question=True, answered_score=5.0, role="user", name="Caroline"
    )
    assert factors(QUESTIONS[0], scope, candidate, Mode.AUTO) == pytest.approx(terms)


def test_among_people_other_weights_count_where_the_model_tells_tokens() -> None:
    candidate = Candidate("m", 1, 2, 3, 4, 1, answered_score=5.0, name="Caroline", token_match=0.5)
    assert factors(QUESTIONS[0], PEOPLE, candidate, Mode.AUTO) == pytest.approx(
        {
            "text_window": 3.16,
            "dense": 4.56,
            "dense_window": 5.12,
            "speaker_named": 3.7,
            "length": 1.3,
            "is_question": 0,
            "answers_a_match": 2.1,
            "text_and_dense": -1.0,
            "coverage": 0,
            "session": 0,
            "token_match": 0,
            "named_time": 0,
        }
    )


def test_the_share_of_a_question_counts_among_people() -> None:
    scope = replace(PEOPLE, term_weights=(3.0, 1.0))
    half = factors("paint boat", scope, Candidate("m", matched_terms=frozenset({0})), Mode.AUTO)
    assert half["coverage"] == pytest.approx(0.52 * 7.5)


def test_a_turn_gains_by_the_best_of_its_session_and_a_fact_by_itself() -> None:
    some = [
        Candidate("best", score=9.0, session_id="s"),
        Candidate("beside", score=1.0, session_id="s"),
        Candidate("other", score=4.0, session_id="t"),
        Candidate("fact", score=2.0),
    ]
    ranked = rank(QUESTIONS[0], CandidateSet(some, PEOPLE), Mode.AUTO)
    below = {
        one.candidate.memory_id: factor.value
        for one in ranked
        for factor in one.factors
        if factor.name == "session"
    }
    assert below == {"best": 0, "beside": 0, "other": -5, "fact": -7}


def test_the_words_that_are_met_count_beside_those_of_the_others() -> None:
    met = (0.2, 0.4, 0.6, None)
    some = [Candidate(str(match), token_match=match) for match in met]
    ranked = rank(QUESTIONS[0], CandidateSet(some, PEOPLE), Mode.AUTO)
    values = {
        one.candidate.token_match: factor.value
        for one in ranked
        for factor in one.factors
        if factor.name == "token_match"
    }
    deviation = (2 * 0.04 / 3) ** 0.5
    assert values == pytest.approx({0.2: -0.2 / deviation, 0.4: 0, 0.6: 0.2 / deviation, None: 0})


def test_with_an_agent_a_long_text_meets_words_by_luck() -> None:
    some = [
        Candidate("short", token_match=0.4, length=-1.0),
        Candidate("long", token_match=0.5, length=1.0),
        Candidate("untold", length=3.0),
    ]
    ranked = rank(QUESTIONS[0], CandidateSet(some, ROLES), Mode.AUTO)
    values = {
        one.candidate.memory_id: factor.value
        for one in ranked
        for factor in one.factors
        if factor.name == "token_match"
    }
    assert values == pytest.approx({"short": 1, "long": -1, "untold": 0})


def test_what_word_and_vector_both_say_counts_less_where_vectors_do() -> None:
    candidate = Candidate("m", text=3.0, dense=2.0)
    english, chinese = (factors(QUESTIONS[at], PEOPLE, candidate, Mode.AUTO) for at in (0, 2))
    assert chinese["text_and_dense"] == english["text_and_dense"] / 4 == pytest.approx(-0.275)


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
