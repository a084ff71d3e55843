"""Topic and summary of a task without a model: its distinctive terms, and what was asked and said.

A term is distinctive when it occurs in many of the task's events, its requests above all, and in
few of the window's other ones.
English terms are words, told apart by their stems; Chinese ones are runs of two to four characters
that no function word interrupts. The summary quotes: the first sentence of the first request,
and the first sentence of the last answer.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.cues import read_cues
from anamnesis_libs.index import analysis

TOPIC_TERMS_MAX = 4
SENTENCE_CHARS_MAX = 200
_TERM_CHARS_MAX = 40
_LOOKED_AT_CHARS_MAX = 2000
_FIRST_REQUEST_WEIGHT = 6
_REQUEST_WEIGHT = 3
_ANSWER_WEIGHT = 1
_GRAM_CHARS = (4, 3, 2)

_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|https?://\S+|<[^<>\n]{1,80}>", re.DOTALL)
_WORD = re.compile(r"(?<!['’A-Za-zÀ-ɏ])[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9_+#.-]*[A-Za-zÀ-ɏ0-9+#]")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION_CHARS = re.compile(
    r"帮我|帮忙|请问|一下|一个|这个|那个|什么|怎么|怎样|为什么|可以|需要|已经|还是|但是|因为|所以|如果|"
    r"我们|你们|他们|现在|然后|没有|不是|就是|时候|知道|觉得|谢谢|好的|"
    r"[的了是在我你他她它们这那有和与就都也不吗呢吧啊把被给让请要想能会么几个很再又还去来说看到用做对从]"
)
_PLAIN_TEXT = (
    "please thanks thank help want need know like get got make made let use using used try sure "
    "yes okay now new one two good great right here well also really think see look time way "
    "thing things work works working next add first last back still even much many trying tried "
    "expected create creating understand show able actual another someone ensure following "
    "example provide keep going little better after while again takes"
)
_PLAIN_WORDS = frozenset(_PLAIN_TEXT.split())
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


class Describer:
    """Describes tasks of one window, whose terms are counted once."""

    def __init__(self, events: Sequence[LedgerEvent]) -> None:
        self._events = events
        self._terms = [
            dict(_terms(prose(event.content))) if _speaks(event) else {} for event in events
        ]
        self._occurs = Counter(key for terms in self._terms for key in terms)

    def described(self, first: int, end: int) -> tuple[str, str]:
        """Return topic and summary of the events at positions `first` to `end`, exclusive.

        Both are "" where nothing is said.
        """
        task = self._events[first:end]
        return self._topic(first, end) or _request(task)[:_TERM_CHARS_MAX], _summary(task)

    def _topic(self, first: int, end: int) -> str:
        own: Counter[str] = Counter()
        own_requests = 0
        inside: Counter[str] = Counter()
        shown: dict[str, str] = {}
        for event, terms in zip(self._events[first:end], self._terms[first:end], strict=True):
            weight = _ANSWER_WEIGHT
            if event.role is Role.USER:
                weight = _REQUEST_WEIGHT if own_requests else _FIRST_REQUEST_WEIGHT
                own_requests += 1
            for key, surface in terms.items():
                own[key] += weight
                inside[key] += 1
                shown.setdefault(key, surface)
        score = {
            key: count * _rarity(self._occurs[key] - inside[key]) * _size(key)
            for key, count in own.items()
        }
        chosen = _without_overlaps(sorted(score, key=lambda key: (-score[key], key)))
        return ("、" if chosen and _HAN.match(chosen[0]) else ", ").join(shown[k] for k in chosen)


def prose(text: str) -> str:
    """Return the text without code, addresses and tags, and not more of it than counts."""
    return _NOT_PROSE.sub(" ", text[:_LOOKED_AT_CHARS_MAX])


def first_sentence(text: str) -> str:
    """Return the first sentence of the prose of a text, cut where it is very long."""
    plain = (" ".join(part.split()) for part in _SENTENCE_END.split(prose(text)))
    sentence = next((part for part in plain if any(map(str.isalnum, part))), "")
    if len(sentence) <= SENTENCE_CHARS_MAX:
        return sentence
    return sentence[: SENTENCE_CHARS_MAX - 1].rstrip() + "…"


def _rarity(events_elsewhere: int) -> float:
    return 1.0 / math.sqrt(1.0 + math.log1p(events_elsewhere))


def _size(key: str) -> float:
    """Longer Chinese runs say more; words all count alike."""
    return len(key) / 2 if _HAN.match(key) else 1.5


def _without_overlaps(keys: Sequence[str]) -> list[str]:
    """The first few, without Chinese runs that share two characters with one chosen before."""
    chosen: list[str] = []
    for key in keys:
        pairs = {key[at : at + 2] for at in range(len(key) - 1)} if _HAN.match(key) else {key}
        if not any(pair in other for pair in pairs for other in chosen):
            chosen.append(key)
        if len(chosen) == TOPIC_TERMS_MAX:
            break
    return chosen


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of a key and the term as it is shown, the first writing last."""
    for word in reversed(_WORD.findall(text)):
        stems = analysis.tokens(word)
        if stems and len(word) <= _TERM_CHARS_MAX and word.lower() not in _PLAIN_WORDS:
            yield " ".join(stems), word
    for run in _HAN.findall(_FUNCTION_CHARS.sub(" ", text)):
        for size in _GRAM_CHARS:
            grams = (run[at : at + size] for at in range(len(run) - size + 1))
            yield from ((gram, gram) for gram in grams)


def _speaks(event: LedgerEvent) -> bool:
    """True if a person or the model says something; a tool's output has words of its own."""
    return event.role in (Role.USER, Role.ASSISTANT) and bool(event.content)


def _summary(task: Sequence[LedgerEvent]) -> str:
    parts = dict.fromkeys(part for part in (_request(task), _outcome(task)) if part)
    return " — ".join(parts)


def _request(task: Sequence[LedgerEvent]) -> str:
    users = (_asked(event.content) for event in task if event.role is Role.USER)
    return _first_said(users) or _first_said(event.content for event in task)


def _asked(turn: str) -> str:
    """Return a turn without the thanks that close the task before it."""
    cues = read_cues(turn)
    return turn[turn.find(cues.rest) :] if cues.closed else turn


def _outcome(task: Sequence[LedgerEvent]) -> str:
    return _first_said(e.content for e in reversed(task) if e.role is Role.ASSISTANT)


def _first_said(texts: Iterator[str]) -> str:
    return next((found for text in texts if (found := first_sentence(text))), "")
