"""Subjects of facts that name somebody or something, apart from those that only talk explains.

A pronoun or a role ("I", "the user", 我们, 助手) is another in every conversation, and a clause is
said once: as entities they would make one of many, or litter. Written in capitals a word is a name
(US, IT), and names that are told with a kind are never asked here.
"""

import re

from anamnesis_memory.domain.entities.folding import HAN, fold

CHARS_MAX = 60
HAN_IS = 3
"""Characters that a Chinese one counts for."""
WORDS_MAX = 8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRONOUNS = _words(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves one oneself "
    "this that these those here there who whom what which someone somebody something anyone "
    "anybody anything everyone everybody everything nobody nothing none all both others "
    "我 我们 咱 咱们 俺 你 你们 您 您们 他 他们 她 她们 它 它们 自己 大家 人家 别人 他人 有人 某人 "
    "谁 这 那 这个 那个 这些 那些 这里 那里 本人"
)
_ROLES = _words(
    "user users assistant assistants human speaker narrator chatbot "
    "用户 使用者 助手 助理 说话人 说话者 对方 机器人"
)
_HAN = re.compile(rf"[{HAN}]")
_ARTICLE = re.compile(r"(?:the|an?|this|that)\s+", re.IGNORECASE)
_ENDS = re.compile(r"[;?!…]|\.\s+[A-Z]\S*\s+[a-z]|[，。；？！]")
_ASKS = _words("what how why when where whether if that")
"""In small letters at its head they make it a clause."""
_JOINS = _words(
    "that which who whose whom what how why when where whether while because although if "
    "is are was were been has have had does did would could should"
)
"""And these inside it."""


def names_one(subject: str) -> bool:
    """True if a subject names somebody or something that others may name too."""
    return not (is_anybody(subject) or _is_clause(subject.strip()))


def is_anybody(text: str) -> bool:
    """True if the text is a pronoun or a role in the talk."""
    said = text.strip()
    if len(said) > 1 and said.isupper():
        return False
    return fold(said).text in _PRONOUNS or fold(_ARTICLE.sub("", said, count=1)).text in _ROLES


def _is_clause(text: str) -> bool:
    head, *inside = text.split() or [""]
    return (
        len(text) + (HAN_IS - 1) * len(_HAN.findall(text)) > CHARS_MAX
        or len(inside) >= WORDS_MAX
        or bool(_ENDS.search(text))
        or (bool(inside) and head in _ASKS)
        or not _JOINS.isdisjoint(inside)
    )
