"""Baselines that anybody can build in an afternoon: nearest vectors, BM25, and both combined.

Each turn is one document, "Name: content", as a plain vector store or a plain text index would
take it. A text longer than the embedder's window is cut there, as such stores have it cut; that
is also the stronger baseline on long messages (any@10 on BEAM 79 against 72 for the mean of a
message's pieces).
"""

import re
from collections.abc import Mapping, Sequence

import bm25s
import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.models.ports import Matrix
from benchmarks.recall.conversations import Turn
from benchmarks.recall.metrics import RANKING_MAX, Ranking

DENSE, BM25, RRF = "plain dense", "plain BM25", "plain RRF"
NAMES = (DENSE, BM25, RRF)

BM25_K1 = 1.2
BM25_B = 0.75
RRF_K = 60
# The stop words of Lucene's English analyser.
_LUCENE = """a an and are as at be but by for if in into is it no not of on or such that the their
then there these they this to was will with"""
STOP_WORDS = frozenset(_LUCENE.split())
_WORD = re.compile(r"\w+")

Values = NDArray[np.float32]


class Baselines:
    """The three baselines over one conversation.

    Args:
        turns: the documents.
        rows: their vectors of unit length, shape (turns, dimension).
    """

    def __init__(self, turns: Sequence[Turn], rows: Matrix) -> None:
        self._ids = [turn.turn_id for turn in turns]
        self._rows = rows
        self._bm25 = bm25s.BM25(method="lucene", k1=BM25_K1, b=BM25_B)
        self._bm25.index([words(turn.text) for turn in turns], show_progress=False)

    def rank(self, question: str, vector: Matrix) -> Mapping[str, Ranking]:
        """The ranking of each baseline; `vector` is the question's, shape (dimension,)."""
        dense = np.asarray(self._rows @ vector, np.float32)
        text = self._text_scores(question)
        scores = {DENSE: dense, BM25: text, RRF: reciprocal_ranks(dense, text)}
        return {name: self._ranked(values) for name, values in scores.items()}

    def _text_scores(self, question: str) -> Values:
        """BM25 of each turn, each word of the question counted once; 0 where none is shared."""
        asked = list(dict.fromkeys(words(question)))
        if not asked:
            return np.zeros(len(self._ids), np.float32)
        return np.asarray(self._bm25.get_scores(asked), np.float32)

    def _ranked(self, values: Values) -> Ranking:
        """Best first; equals in the order of the conversation."""
        order = np.argsort(-values, kind="stable")[:RANKING_MAX]
        return [self._ids[position] for position in order]


def words(text: str) -> list[str]:
    """Words in lower case without stop words; a run of CJK characters is one word."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def reciprocal_ranks(dense: Values, text: Values) -> Values:
    """Sum 1 / (60 + rank) over both rankings; a turn that shares no word is in the dense alone.

    Reciprocal rank fusion as Cormack, Clarke and Buettcher have it (SIGIR 2009), ranks from 1.
    """
    by_text = np.where(text > 0, 1 / (RRF_K + _ranks(text)), 0)
    return np.asarray(1 / (RRF_K + _ranks(dense)) + by_text, np.float32)


def _ranks(values: Values) -> NDArray[np.intp]:
    """The rank of each turn, from 1; equals in order."""
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values), np.intp)
    ranks[order] = np.arange(1, len(values) + 1)
    return ranks
