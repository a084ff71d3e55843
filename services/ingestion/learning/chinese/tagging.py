"""Words with their parts of speech, by a tagger that knows the verbs of the frames."""

from functools import cache, lru_cache
from typing import NamedTuple

import rjieba

from services.ingestion.learning.chinese.vocabulary import verbs, words

_TEXTS_MAX = 1024
_PRONOUNS = ("我们", "我", "他", "她", "你")


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


def splits(text: str, at: int) -> bool:
    """True if a cut at this place parts a word of the dictionary."""
    for word in tagged(text):
        if word.start < at < word.end:
            glued = word.text.startswith(_PRONOUNS) or word.text[at - word.start :] == "人"
            return not glued and bool(_tagger().has_word(word.text))
    return False
