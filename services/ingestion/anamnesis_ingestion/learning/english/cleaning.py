"""Text as the parser can read it: straight quotes, no markup, no long runs without a blank.

The parser's tokenizer takes quadratic time on a run of signs without a blank, so that such runs go
first. A sentence that is longer than anybody speaks is cut.
"""

import re

from anamnesis_ingestion.learning.english.left_out import with_speaker
from anamnesis_ingestion.learning.english.plainer import made_plain
from anamnesis_ingestion.learning.english.splices import unspliced

RUN_CHARS_MAX = 80
SENTENCE_CHARS_MAX = 600
_TOLD_WORDS_MIN = 4

_RUN = re.compile(rf"\S{{{RUN_CHARS_MAX + 1},}}")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_MARKUP = re.compile(r"\*+|__+|~~+|^#+\s*|^\s*(?:[-•>]|\d{1,2}[.)])\s+")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
_TAG = re.compile(r"</?[a-z][^<>]{0,80}>")
_DASHES = re.compile(r"(?<=\w)-{1,3}(?=\s)|\s-{1,3}\s|(?<=[a-z])---?(?=[a-z])")
_EX = re.compile(r"\b(?:(a)n )?ex-(?=[a-z]{4})", re.IGNORECASE)
_SLANG = {
    "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "cant": "can't",
    "didnt": "didn't", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "'cause": "because", "cuz": "because",
    "ya": "you", "y'know": "", "ya know": "", "tbh": "", "btw": "", "lol": "", "omg": "",
    "u": "you",
    "bc": "because", "rn": "right now",
    "ur": "your", "i": "I",
    "fucking": "", "damn": "", "bloody": "", "freaking": "",
}  # fmt: skip
_NO_SLANG = frozenset({"BC", "RN"})
_SLANG_WORD = re.compile(rf"(?<![\w'/-])(?:{'|'.join(_SLANG)})(?![\w'/-])", re.IGNORECASE)
_ASKED_AFTER = re.compile(r"\s-\s(?=[^-]{1,120}\?[\"')]*$)")
_TOLD_ON = re.compile(
    r"\s-\s(?=(?:can't|cannot|don't|won't|love|hate|never)\s"
    r"(?![^-]*\b(?:his|her|him|its?|their|them|you|your)\b)[^-]{1,200}$)",
    re.IGNORECASE,
)
"""A dash before what the same speaker goes on to say of themselves: "I prefer maps - hate apps"."""
_TITLE = re.compile(r"\b(Prof|Dr|Mr|Mrs|Ms|St|Jr|Sr)\.(?=\s+[A-Z])")
"""A title whose full stop the parser takes for the end of a sentence."""
_PAUSE = re.compile(r"(?<=\w)(?:,? (?:uh|uhm|umm?|ah)\b)+(?=[ ,])", re.IGNORECASE)
"""A pause within a sentence: "I'm uh, a nurse"."""
_LETTERS = re.compile(r"\b(?:([A-Za-z])-)+(?=\1[a-z])", re.IGNORECASE)
"""The letters at which a word is begun again: "R-R-Richard"."""
_GOT_TO = re.compile(r"\b(I|you|we|they)'ve (?:gotta|got to)\b", re.IGNORECASE)
_LEARNING = re.compile(
    r"\b(?:(machine|deep|reinforcement)[ -](?=learning\b)|(lactose)[ -](?=intolerant\b))",
    re.IGNORECASE,
)
"""What the parser takes for a deed (a machine that learns an algorithm), or for two words."""
_EMPHASIS = re.compile(
    r"\b(I|we) (?:really|truly|absolutely|genuinely) (?=(?:like|love|enjoy|hate|dislike)\b)",
    re.IGNORECASE,
)
"""What makes the parser take "like" for an interjection."""
_HANDED = re.compile(r"\b(left|right)-(?=handed\b)", re.IGNORECASE)
_JOINED = re.compile(r"\b(left|right)(?=handed\b)", re.IGNORECASE)
"""What it tears apart: who is left-handed has left nothing."""
_IN_LAW = re.compile(r"\b((?:mother|father|sister|brother|son|daughter)s?)-in-law\b", re.IGNORECASE)
_INLAW = re.compile(r"\b(mother|father|sister|brother|son|daughter)inlaw\b", re.IGNORECASE)
"""Kin that the parser tears apart at its hyphens."""
_FREE = re.compile(r"\b(gluten|dairy|nut|sugar)[ -](?=free\b)", re.IGNORECASE)
_JOINED_FREE = re.compile(r"\b(gluten|dairy|nut|sugar)(?=free\b)", re.IGNORECASE)
"""What one does without, in which the parser sees a verb: "my daughter is gluten-free"."""
_STUTTER = re.compile(
    r"\b((?:I|you|we|he|she|it|they|that|there)(?:'(?:m|s|re|ve|ll|d))?|my|your|his|her|our|the|a"
    r"|and|but|is|was|did|don't|got|to|in)(?:-\1\b)+",
    re.IGNORECASE,
)
"""A word begun again: "my-my boss"."""
_TITLE_WORD = r"(?:[A-Z0-9][\w'&:-]*|of|the|and|an?|in|to|for|with|on|at|from|by)"
_QUOTED_TITLE = re.compile(
    rf"(?<!called )(?<!named )(?<!titled )\"({_TITLE_WORD}(?: {_TITLE_WORD}){{1,9}})\""
)
"""The title of a work, whose words the parser would read as a clause: "Little Women".

It is one word to the parser, and needs no quotes any more.
"""
TITLE_JOINT = "\uff3f"
"""Stands for a blank in a title."""
_TRAILED = re.compile(r"…(?=\w)")
"""Dots between two words, which were left in one: "that one time…she and I"."""
_BLANKS = re.compile(r"\s+")


def cleaned(sentence: str) -> str:
    """The sentence as the parser is given it; at most SENTENCE_CHARS_MAX characters."""
    text = _TRAILED.sub(", ", sentence.translate(_STRAIGHT)).replace("…", ".")
    text = _RUN.sub(" ", _TAG.sub(" ", _ADDRESS.sub(" ", text)))
    text = _DASHES.sub(" - ", _MARKUP.sub("", text))
    text = _IN_LAW.sub(lambda found: f"{found[1].removesuffix('s')}inlaw", text)
    text = _FREE.sub(r"\1", _HANDED.sub(r"\1", _LEARNING.sub(r"\1\2-", text)))
    text = _STUTTER.sub(r"\1", _LETTERS.sub("", _PAUSE.sub("", text)))
    text = _GOT_TO.sub(r"\1 have to", _EMPHASIS.sub(r"\1 ", text))
    text = _QUOTED_TITLE.sub(lambda found: TITLE_JOINT.join(found[1].split()), text)
    text = _SLANG_WORD.sub(_spelled, _TITLE.sub(r"\1", text))
    text = _EX.sub(lambda found: "a former " if found[1] else "former ", text)
    return made_plain(with_speaker(_BLANKS.sub(" ", text).strip()))[:SENTENCE_CHARS_MAX]


def as_written(text: str) -> str:
    """A text out of a cleaned sentence without what was joined for the parser."""
    text = _JOINED_FREE.sub(r"\1-", _INLAW.sub(r"\1-in-law", text))
    text = _JOINED.sub(r"\1-", _LEARNING.sub(r"\1\2 ", text))
    return text.replace(TITLE_JOINT, " ")


def _spelled(word: re.Match[str]) -> str:
    said = word.group()
    return said if said in _NO_SLANG else _SLANG[said.casefold()]


def apart(sentence: str) -> list[str]:
    """A cleaned sentence and what is said behind its dash or comma, where that is one, too.

    A question is ("I finished it - want to see?"), and a taste ("I prefer maps - hate apps").
    """
    told, *asked = _ASKED_AFTER.split(sentence, maxsplit=1)
    if not asked:
        told, *more = _TOLD_ON.split(sentence, maxsplit=1)
        asked = [f"I {each[:1].lower()}{each[1:]}" for each in more]
    parts = [told, *asked] if len(told.split()) >= _TOLD_WORDS_MIN else [sentence]
    return [sentence for part in parts for sentence in unspliced(part)]
