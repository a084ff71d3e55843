"""Words with their parts of speech, by a tagger that knows the verbs of the frames."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

import rjieba

from anamnesis_ingestion.learning.chinese.vocabulary import verbs, words

_GIVEN = re.compile(r"[\u4e00-\u9fff]{2,3}?(?=[来去在是今昨明也很最都就要会说住从和跟喜的]|$)")
_GRAMMAR = frozenset(
    "换走搬退又再还从回到给把被让对向叫姓属名字我你他她的了是在不也都就很没有去来过着和这那家说住得"
)
_BODILY = frozenset("脑肝肺肾胃腰腿脚骨血病癌炎痛症梗肿瘤疹疼痔疮肠颈脊")
"""Characters of bodies and what ails them: no name has one."""
_TEXTS_MAX = 1024
_FOREIGN_CHARS_MIN = 3
"""A word of fewer characters is taken for what the dictionary says: 西安."""
NAME_CHARS_MAX = 6
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg"})
_PLAIN_TAGS = frozenset({"ns", "a", "d", "f"})
_NOUN_TAGS = frozenset({"n", "ns", "nz", "nt", "v", "vn", "a", "d"})
_PRONOUNS = ("我们", "我", "他", "她", "你")
_GLUED = frozenset(
    ("就是", "也是", "都是", "还是", "正是", "才是", "又是", "只是", "就在", "正在", "还在", "都在")
)
_PREPOSITIONS = frozenset("从在跟和被到叫")


class Word(NamedTuple):
    """A word, its tag, and where it begins."""

    text: str
    tag: str
    start: int

    @property
    def end(self) -> int:
        """The character after its last."""
        return self.start + len(self.text)


@cache
def _tagger() -> rjieba.Jieba:
    """A tagger of its own: words that are added here change no other reader's text."""
    tagger = rjieba.Jieba()
    known = {**dict.fromkeys(verbs(), "v"), **dict.fromkeys(words("kin") | words("jobs"), "n")}
    known |= dict.fromkeys(words("degrees") | words("tools"), "n") | dict.fromkeys(
        words("orgs"), "nt"
    )
    for word, tag in sorted(known.items()):
        if len(word) > 1 and not tagger.has_word(word):
            tagger.add_word(word, None, tag)
    return tagger


@lru_cache(maxsize=_TEXTS_MAX)
def tagged(text: str) -> list[Word]:
    """The words of a clause, in order."""
    found, at = [], 0
    pairs: list[tuple[str, str]] = _tagger().tag(text)
    for word, tag in pairs:
        found.append(Word(word, tag, at))
        at += len(word)
    return found


def is_name(word: Word) -> bool:
    """True if the tagger takes the word for a person's name."""
    return word.tag in _NAME_TAGS and len(word.text) > 1


def splits(text: str, at: int) -> bool:
    """True if a cut at this place parts a word of the dictionary."""
    for word in tagged(text):
        if word.start < at < word.end:
            glued = _is_glued(word, at) or _is_reacted_to(text, word, at)
            return not glued and bool(_tagger().has_word(word.text))
    return False


def _is_glued(word: Word, at: int) -> bool:
    """True for a word that is two in truth: 就是, 从澄海, 山东人, 爱抽烟."""
    if word.text.startswith(_PRONOUNS) or word.text in _GLUED:
        return True
    if word.text[0] == "爱" and at == word.start + 1:
        return True
    led = len(word.text) > 2 and word.text[0] in _PREPOSITIONS and at == word.start + 1
    return led or word.text[at - word.start :] in {"人", "系"}


def _is_reacted_to(text: str, word: Word, at: int) -> bool:
    """True for 对虾 of 对虾过敏: who is allergic to shrimp speaks of no kind of it."""
    led = word.text[0] == "对" and at == word.start + 1
    return led and "过敏" in text[word.end :] and word.text not in words("kin")


def given_name(text: str) -> str:
    """A given name that a text begins with, where a relative stands before it; "" for none."""
    match = _GIVEN.match(text)
    if match is not None and is_unknown(match.group()):
        return match.group()
    run = _foreign(text)
    name = "".join(word.text for word in run)
    plain = len(run) == 1 and len(name) < _FOREIGN_CHARS_MIN and run[0].tag in _PLAIN_TAGS
    if 2 <= len(name) <= NAME_CHARS_MAX and run[0].tag not in "df" and not plain:
        return name
    first = next(iter(tagged(text)), None)
    return first.text if first is not None and _is_doubled(first) else ""


def foreign_at(text: str) -> str:
    """A foreign name that the tagger takes to pieces, where a text begins with it: 乔安娜."""
    run = _foreign(text)
    name = "".join(word.text for word in run)
    noun = any(word.tag in _NOUN_TAGS for word in run)
    fits = _FOREIGN_CHARS_MIN <= len(name) <= NAME_CHARS_MAX
    return name if fits and any(map(is_name, run)) and not noun else ""


def _foreign(text: str) -> list[Word]:
    """The words that a text begins with, as long as foreign names are written so."""
    signs = _foreign_signs()
    end = next((at for at, sign in enumerate(text) if sign not in signs), len(text))
    return [word for word in tagged(text) if word.end <= end]


@cache
def _foreign_signs() -> frozenset[str]:
    return frozenset("".join(words("transliterated")))


def is_no_word(word: Word) -> bool:
    """True for Chinese characters that make no word of the dictionary: a name, it may be."""
    return len(word.text) > 1 and is_unlisted(word.text)


def is_unlisted(text: str) -> bool:
    """True for Chinese characters that no dictionary lists."""
    han = all("\u4e00" <= char <= "\u9fff" for char in text)
    return han and not _tagger().has_word(text)


def _is_doubled(word: Word) -> bool:
    """True for a pet name: 思思."""
    noun = word.tag in {"n", "nr", "nz", "a"} and word.text not in words("relatives")
    plain = word.text[0] in "高好慢乖大小多早胖瘦"
    return noun and not plain and len(word.text) == 2 and word.text[0] == word.text[1]


def is_unknown(text: str) -> bool:
    """True for two or three characters that are no word and hold none of grammar: a given name."""
    if not 2 <= len(text) <= 3 or not (_GRAMMAR | _BODILY).isdisjoint(text):
        return False
    if _tagger().has_word(text) or not all("\u4e00" <= char <= "\u9fff" for char in text):
        return False
    return tagged(text)[0].tag != "d" and not any(map(_is_plain, tagged(text)))


def _is_plain(word: Word) -> bool:
    """True for a word of everyday that is no part of a name: 特别 in 特别好."""
    return len(word.text) > 1 and word.tag not in _NAME_TAGS and _tagger().has_word(word.text)
