"""The check of a label that a model worded: short, one line, and of words that the lessons say.

Each word is one that at least two of the lessons say, in any form of grammar, or a plain word that
tells nothing about anybody (`setup`, `问题`); at least one is the lessons' own. Names in one piece
and figures are taken only as they are written. So what a single lesson says is in no label, whoever
words it. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import rjieba

from anamnesis_libs.index.analysis import STOP_WORDS, has_cjk
from anamnesis_libs.topic_labels import LABEL_CHARS_MAX

WORDS_MAX = 8
CJK_CHARS_MAX = 24
SAID_BY_MIN = 2

_TOKEN = re.compile(r"[^\W_]+(?:[-./_:@+#][^\W_]+)*")
_PARTED = re.compile(r"[-/]")
_POSSESSIVE = re.compile(r"['’]s\b")
_ENDINGS = (
    *("ations", "ation", "ions", "ion", "ings", "ing", "ments", "ment", "ers", "er", "ors", "or"),
    *("edly", "ied", "ies", "ed", "es", "s", "ure", "al", "ly", "y", "e"),
)
_STEM_CHARS_MIN = 4
_PLAIN_TEXT = (
    "avoiding basics best check checking checks choice choosing cleanup common configuration "
    "configuring debugging error errors failed failing failure failures fix fixes fixing general "
    "guide guidelines habit habits handling how-to issue issues keeping management managing "
    "mistakes order pitfalls practice practices preference preferences preventing problem "
    "problems procedure process recovery resolving rule rules running safe safely setting "
    "settings setup step steps style tip tips trouble troubleshooting usage use using work "
    "workflow working "
    "问题 错误 失败 故障 异常 配置 设置 处理 管理 使用 用法 排查 排障 修复 解决 避免 预防 检查 "
    "方法 规则 规范 习惯 流程 步骤 经验 技巧 建议 常见 注意 事项 注意事项 安全 操作 运行 偏好 相关 "
    "时 后 前 与 和 及 的 中 在 对 用 由 被 为 从 到 或 等"
)
_PLAIN = STOP_WORDS | frozenset(_PLAIN_TEXT.split())


def fault_of(label: str, lessons: Sequence[str]) -> str:
    """The rule that a label breaks, told without a word of it; empty where it may be kept."""
    if not label or "\n" in label or not label.isprintable():
        return "it is not one line"
    words = _TOKEN.findall(_POSSESSIVE.sub("", label))
    cjk_chars = sum(map(has_cjk, label))
    if len(label) > LABEL_CHARS_MAX or len(words) > WORDS_MAX or cjk_chars > CJK_CHARS_MAX:
        return "it is too long"
    texts = [*map(_Said, lessons)]
    own = [
        word
        for word in map(str.lower, chain.from_iterable(map(_cut, words)))
        if not _is_plain(word)
    ]
    if not own:
        return "it names nothing"
    if any(sum(text.has(word) for text in texts) < SAID_BY_MIN for word in own):
        return "two of the lessons do not say a word of it"
    return ""


class _Said:
    """The words of a text, to be looked up."""

    def __init__(self, text: str) -> None:
        self._text = text.lower()
        tokens = [token.lower() for token in _TOKEN.findall(text)]
        parts = [part for token in tokens for part in _PARTED.split(token)]
        self._tokens = frozenset(tokens) | frozenset(parts)
        self._stems = frozenset(chain.from_iterable(map(_stems, self._tokens)))

    def has(self, word: str) -> bool:
        """True if the text says the word: as it is, or where it is one of grammar in any form."""
        if has_cjk(word):
            return word in self._text
        return word in self._tokens or not self._stems.isdisjoint(_stems(word))


def _cut(word: str) -> Iterator[str]:
    """The words in a word: Chinese is cut, and what a hyphen joins is told apart."""
    if has_cjk(word):
        yield from (part for part in rjieba.cut(word) if part.strip())
    elif any(map(str.isdigit, word)):
        yield word
    else:
        yield from filter(None, _PARTED.split(word))


def _is_plain(word: str) -> bool:
    return word in _PLAIN


def _stems(word: str) -> frozenset[str]:
    """The stems that the word may be a form of; empty for names in one piece and for figures."""
    if not word.isalpha() or has_cjk(word):
        return frozenset()
    shorter = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return frozenset((word, *(stem for stem in shorter if len(stem) >= _STEM_CHARS_MIN)))
