"""The words that a block of text must hold before an answer can be read in it.

Words are runs of letters and digits in lower case, stemmed by Snowball's English rules, less
`STOP_WORDS`; a run of CJK characters gives its pairs of neighbours. They are this measure's own:
no rule of the suite decides here what the suite has found.

Where a set has answers, a passage is the words of the answer that also stand in the turns which
are its evidence. Where it has none, each evidence turn of the user gives one passage: the
sentence that shares most with the question, rare words first, less the question's own words.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import Stemmer

from benchmarks.recall.conversations import Conversation, Question, Turn

# Words that tell nothing, and what an apostrophe leaves of others.
_STOP_TEXT = """a an the of and or to in on at by for from with as is are was were be been it its
that this s t d m ll re ve"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
# A sentence of more words is cut at its commas into pieces of at most so many.
SENTENCE_WORDS_MAX = 40

_CJK = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_RUN = re.compile(rf"([{_CJK}]+)|((?:(?![{_CJK}])[^\W_])+)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+|(?<=[，；：])")
_STEMMER = Stemmer.Stemmer("english")

Words = frozenset[str]


def words(text: str) -> Words:
    """The words of a text, each once."""
    runs = _RUN.findall(text.lower())
    plain = [word for _, word in runs if word and word not in STOP_WORDS]
    pairs = [pair for run, _ in runs if run for pair in _pairs(run)]
    return frozenset([*_STEMMER.stemWords(plain), *pairs])


def share_read(passages: Sequence[Words], text: str) -> float:
    """The share of the passages of which every word stands in the text."""
    held = words(text)
    return sum(passage <= held for passage in passages) / len(passages)


class Passages:
    """The passages that answer the questions to one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._turns = {turn.turn_id: turn for turn in conversation.turns}
        told = Counter(word for turn in conversation.turns for word in words(turn.text))
        self._weights = {word: math.log((1 + len(self._turns)) / told[word]) for word in told}

    def of(self, question: Question) -> list[Words]:
        """Words that must be read to answer; empty if the evidence shares none with the answer."""
        evidence = [self._turns[turn_id] for turn_id in question.evidence]
        if question.answer:
            said = words(" ".join(turn.text for turn in evidence))
            passages = [words(question.answer) & said]
        else:
            asked = words(question.text)
            passages = [self._telling(turn, asked) - asked for turn in _of_the_user(evidence)]
        return [passage for passage in passages if passage]

    def _telling(self, turn: Turn, asked: Words) -> Words:
        """The words of the sentence that shares most with the question; the first of equals."""
        sentences = [words(sentence) for sentence in sentences_of(turn.content)]
        shared = [self._weight(sentence & asked) for sentence in sentences]
        return sentences[shared.index(max(shared))] if sentences else frozenset()

    def _weight(self, shared: Words) -> float:
        return sum(self._weights[word] for word in sorted(shared))


def sentences_of(text: str) -> list[str]:
    """Sentences and lines, the long ones cut at commas into pieces that are short enough."""
    sentences = [part.strip() for part in _SENTENCE_END.split(text)]
    return [piece for sentence in sentences if sentence for piece in _pieces(sentence)]


def _pieces(sentence: str) -> Iterable[str]:
    piece: list[str] = []
    length = 0
    for clause in _CLAUSE_END.split(sentence):
        count = len(clause.split())
        if piece and length + count > SENTENCE_WORDS_MAX:
            yield " ".join(piece)
            piece, length = [], 0
        piece.append(clause)
        length += count
    yield " ".join(piece)


def _of_the_user(turns: Sequence[Turn]) -> Sequence[Turn]:
    """The user's, since an assistant's long answer has no one sentence that tells; else all."""
    return [turn for turn in turns if turn.role == "user"] or turns


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
