"""Labels of topics: the words that set a topic's lessons apart from the others of their scope.

A word counts once a lesson. It is distinctive where many members say it and few others do, and it
is in a label only if two members say it at the least: what a single lesson says names no topic, and
is in no label when that lesson becomes somebody's own. Of a long lesson the beginning counts, which
says what it is about. English words are the same with the endings of
grammar, and are shown as they are said most often; Chinese is cut into words. Pure, and the same
for the same lessons in whatever order.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import rjieba

from anamnesis_cluster.model import Lesson
from anamnesis_libs.index.analysis import STOP_WORDS, has_cjk
from anamnesis_libs.topic_labels import LABEL_CHARS_MAX, topic_label

WORDS_MAX = 4
SAID_BY_MIN = 2

_BEGINNING_CHARS = 300
_SHARE_MIN = 0.2
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-.][^\W_]+)*")
_FORM = re.compile(r"\b[A-Za-z][\w.]{0,60}: (?=\w{1,60}=)|\b\w{1,60}=")
"""In a lesson that was learned from calls: the names of tools and of what they are given."""
_FOLDERS = re.compile(
    r"(?<![\w.:/~])(?:~|[A-Za-z]:)?(?:[/\\][^\s/\\'\"`:,;()]{1,80}){1,30}(?=[/\\][^\s/\\])"
)
"""The folders of a whole path: on which machine a file lies says nothing of it, its name does."""
_ENDINGS = ("ings", "ing", "edly", "ied", "ies", "ed", "es", "s")
_STEM_CHARS_MIN = 3
_WORD_CHARS_MIN = 3
_CJK_CHARS_MIN = 2
_EMPTY_TEXT = (
    "after again all always another before both cannot command description during each else "
    "even ever every everything few first get gets give gives goes going gone got here "
    "however instead keep keeps last less let lets like made make makes many more most much "
    "need needs never new next nothing now off old once one ones only otherwise over put puts "
    "same second see seen set sets since still sure take takes tell tells thing things three "
    "through timeout took two under unless until use used uses using want wants way well went "
    "while without wrong yet fixed fix error errors fail fails failed failing fatal exception "
    "warning run runs ran running true false none null "
    "不能 不要 没有 需要 可以 必须 应该 已经 如果 因为 所以 但是 然后 之后 之前 时候 "
    "这个 那个 一个 一次 先把 直接 上次 现在 进行 使用 还是 或者 以及 就是 不是 只有 "
    "只能 怎么 什么 这样 那样 自己 他们 我们 你们 大家 其实 结果 导致 否则 不同 发现 "
    "放在 改成 才能 不了 起来 出来 问题 每次 所有 "
)
_EMPTY = STOP_WORDS | frozenset(_EMPTY_TEXT.split())


def labels(topics: Mapping[str, Sequence[Lesson]], named: Collection[str]) -> dict[str, str]:
    """The labels of the named topics, all of one scope; the others are what they differ from."""
    said = {topic_id: _said(lessons) for topic_id, lessons in topics.items()}
    everywhere = sum(said.values(), Counter[str]())
    total = sum(map(len, topics.values()))
    found = {}
    for topic_id in sorted(topics.keys() & set(named)):
        lessons = topics[topic_id]
        words = _distinctive(said[topic_id], everywhere, len(lessons), total)
        found[topic_id] = _shown(words, lessons) or _after_one(lessons)
    return found


def _said(lessons: Iterable[Lesson]) -> Counter[str]:
    """The number of lessons that say each word, by its stem."""
    return Counter(stem for lesson in lessons for stem in {_stem(word) for word in _words(lesson)})


def _distinctive(
    here: Mapping[str, int], everywhere: Mapping[str, int], count: int, total: int
) -> list[str]:
    """The stems that set a topic apart, the best first."""
    least = max(SAID_BY_MIN, math.ceil(_SHARE_MIN * count))

    def weight(stem: str) -> float:
        outside = (everywhere[stem] - here[stem] + 1) / (total - count + 1)
        return here[stem] / count * math.log(here[stem] / count / outside)

    apart = [stem for stem, said_by in here.items() if said_by >= least and weight(stem) > 0]
    return sorted(apart, key=lambda stem: (-round(weight(stem), 9), stem))[:WORDS_MAX]


def _shown(stems: Sequence[str], lessons: Sequence[Lesson]) -> str:
    """The words as they are said most often; empty where there are none."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for lesson in lessons:
        for word in _words(lesson):
            forms[_stem(word)][word] += 1
    shown = [min(forms[stem], key=lambda form: (-forms[stem][form], form)) for stem in stems]
    return ", ".join(shown)[:LABEL_CHARS_MAX]


def _after_one(lessons: Sequence[Lesson]) -> str:
    """The label of the oldest lesson, as if it were alone."""
    oldest = min(lessons, key=lambda lesson: lesson.memory_id)
    return topic_label(oldest.title, oldest.text)


def _words(lesson: Lesson) -> Iterator[str]:
    """The words that could name a topic, in lower case."""
    told = _FORM.sub(" ", f"{lesson.title}\n{lesson.text[:_BEGINNING_CHARS]}")
    text = _FOLDERS.sub(" ", told).lower()
    yield from (word for word in _plain_words(text) if word not in _EMPTY)


def _plain_words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if not has_cjk(word):
            if len(word) >= _WORD_CHARS_MIN:
                yield word
            continue
        yield from (part for part in rjieba.cut(word) if len(part) >= _CJK_CHARS_MIN)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """The word without an ending of grammar."""
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _STEM_CHARS_MIN and not word.endswith("ss"):
            return stem + "y" if ending in ("ies", "ied") else stem.rstrip("e")
    return word.rstrip("e") if len(word) > _STEM_CHARS_MIN else word
