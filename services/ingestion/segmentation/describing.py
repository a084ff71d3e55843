"""Topic and summary of a task without a model: its distinctive terms, and what was asked and said.

A term is distinctive when it occurs often in the task and in few of the window's other events.
English terms are words, told apart by their stems; Chinese ones are runs of two to four characters
that no function word interrupts. The summary quotes: the first sentence of the first request,
and the first sentence of the last answer.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from libs.index import analysis
from services.ingestion.ledger import LedgerEvent
from services.ingestion.model import Role

TOPIC_TERMS_MAX = 4
SENTENCE_CHARS_MAX = 200
_TERM_CHARS_MAX = 40
_LOOKED_AT_CHARS_MAX = 2000
_REQUEST_WEIGHT = 3
_GRAM_CHARS = (4, 3, 2)

_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|https?://\S+|<[^<>\n]{1,80}>", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_+#.-]*[A-Za-z0-9+#]")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION_CHARS = re.compile(
    r"帮我|帮忙|请问|一下|一个|这个|那个|什么|怎么|怎样|为什么|可以|需要|已经|还是|但是|因为|所以|如果|"
    r"我们|你们|他们|现在|然后|没有|不是|就是|时候|知道|觉得|谢谢|好的|"
    r"[的了是在我你他她它们这那有和与就都也不吗呢吧啊把被给让请要想能会么几个很再又还去来说看到用做对从]"
)
_PLAIN_TEXT = (
    "please thanks thank help want need know like get got make made let use using used try sure "
    "yes okay now new one two good great right here well also really think see look time way "
    "thing things work works working next add first last back still even much many"
)
_PLAIN_WORDS = frozenset(_PLAIN_TEXT.split())
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def described(task: Sequence[LedgerEvent], window: Sequence[LedgerEvent]) -> tuple[str, str]:
    """Return topic and summary of a task that stands in a window; "" where nothing is said."""
    return _topic(task, window) or _request(task)[:_TERM_CHARS_MAX], _summary(task)


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


def _topic(task: Sequence[LedgerEvent], window: Sequence[LedgerEvent]) -> str:
    own: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for event in _speaking(task):
        weight = _REQUEST_WEIGHT if event.role is Role.USER else 1
        for key, surface in dict(_terms(prose(event.content))).items():
            own[key] += weight
            shown.setdefault(key, surface)
    others = _elsewhere(task, window)
    score = {key: count * _rarity(others[key]) * _size(key) for key, count in own.items()}
    best = sorted(score, key=lambda key: (-score[key], key))
    chosen = _without_overlaps(best)
    return ("、" if chosen and _HAN.match(chosen[0]) else ", ").join(shown[key] for key in chosen)


def _elsewhere(task: Sequence[LedgerEvent], window: Sequence[LedgerEvent]) -> Counter[str]:
    """In how many of the window's other events each term occurs."""
    own = {event.index for event in task}
    outside = (event for event in _speaking(window) if event.index not in own)
    return Counter(key for event in outside for key in dict(_terms(prose(event.content))))


def _rarity(events_elsewhere: int) -> float:
    return 1.0 / (1.0 + math.log1p(events_elsewhere))


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


def _speaking(events: Sequence[LedgerEvent]) -> Iterator[LedgerEvent]:
    """What people and the model said; what tools print is about its own words."""
    spoken = (Role.USER, Role.ASSISTANT)
    return (event for event in events if event.role in spoken and event.content)


def _summary(task: Sequence[LedgerEvent]) -> str:
    parts = dict.fromkeys(part for part in (_request(task), _outcome(task)) if part)
    return " — ".join(parts)


def _request(task: Sequence[LedgerEvent]) -> str:
    users = (event.content for event in task if event.role is Role.USER)
    return _first_said(users) or _first_said(event.content for event in task)


def _outcome(task: Sequence[LedgerEvent]) -> str:
    return _first_said(e.content for e in reversed(task) if e.role is Role.ASSISTANT)


def _first_said(texts: Iterator[str]) -> str:
    return next((found for text in texts if (found := first_sentence(text))), "")
