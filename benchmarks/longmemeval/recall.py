"""Recall of one question: its sessions and its turns among the first k.

any@k: one with the answer is among the first k; all@k: every one is. Sessions are ranked by the
first of their turns that a search finds, each once. A question without an answer, or without
marked turns, has no such score.
"""

from collections.abc import Sequence

from benchmarks.longmemeval.dataset import Case
from benchmarks.recall.metrics import LEARNED, Ranking, Scores

SESSION, TURN = "session", "turn"


def metrics_of(depths: Sequence[int]) -> list[str]:
    """The names of the scores at these depths."""
    return [
        f"{what} {how}@{k}" for what in (SESSION, TURN) for k in depths for how in ("any", "all")
    ]


def recall(case: Case, ranking: Ranking, depths: Sequence[int]) -> Scores:
    """The scores of a ranking of turns at these depths."""
    session_of = case.conversation.session_of
    sessions = list(dict.fromkeys(session_of[turn] for turn in ranking if turn != LEARNED))
    scores: dict[str, float] = {}
    for what, ranked, wanted in (
        (SESSION, sessions, case.answer_sessions),
        (TURN, ranking, case.answer_turns),
    ):
        for k in depths if wanted else ():
            first = set(ranked[:k])
            scores[f"{what} any@{k}"] = float(not wanted.isdisjoint(first))
            scores[f"{what} all@{k}"] = float(wanted <= first)
    return scores
