"""A question about its asker in the third person, put into the first.

Agents ask for what they were told by other people's names: "What is the user's job title?", "Where
does Mara live?" for Mara. Whoever spoke said "I" and "my", so the question says it, too.
"""

import re
from collections.abc import Sequence

from anamnesis_libs.talk.asking import is_about_caller
from anamnesis_retrieval.ranking.language import is_cjk, names_in
from anamnesis_retrieval.ranking.named_time import without_dates

NAME_CHARS_MIN = 2
"""A shorter name is in too many words."""

_SERVED = (
    "customer|client|caller|guest|patient|student|learner|member|traveller|traveler|shopper|player"
)
_USER = rf"(?:(?:the|this)\s+(?:current\s+)?user|this\s+(?:{_SERVED}))"
"""Whom an agent serves: "the customer" may be anybody's, "this customer" is who is spoken to."""
_USER_FIRST = re.compile(
    r"^user(?:['’]s)?(?=\s+(?!(?:is|was|has|had|does|did|will|can|should|(?:like|love|want|prefer|need|live|"
    r"work|hate|own|play|speak|enjoy|dislike|eat|drink|know|use)s?|stor(?:y|ies)|table|input|guide)\b)[a-z])",
    re.IGNORECASE,
)
"""A heap of words that begins with whose they are: "user dietary restrictions"."""
_OF_RECORD = re.compile(
    rf"{_USER}\s+(?:\w+\s+)?(?:ask|want|sa(?:y|id)|t(?:ell|old)|request|complain|object|la(?:y|id)|decid|"
    r"tr(?:y|ied)|r[au]n\b|mean|report|instruct|approv|reject)",
    re.IGNORECASE,
)
"""What was said or done in a log, of which the user is a part: "What did the user ask for?"."""
_USER_CJK = "(?:这位|這位|该|該)(?:客户|客戶|顾客|顧客|患者|病人|学员|學員|用户|用戶)|用户|用戶"
_HELPED = {"is": "am", "was": "was", "does": "do", "has": "have", "are": "am", "were": "was"}
_OBJECT_OF = (
    "about|after|around|as|at|by|for|from|of|on|to|with|tell|give|help|remind|recommend|suggest|"
    "advise|teach|send|show|concern|concerns|suit|suits|bother|bothers|annoy|annoys"
)
_OTHERS_WORDS = {
    "he": "I", "she": "I", "they": "I", "his": "my", "her": "my", "their": "my", "him": "me",
    "them": "me", "himself": "myself", "herself": "myself", "themselves": "myself",
}  # fmt: skip
_OTHERS = re.compile(rf"\b(?:{'|'.join(_OTHERS_WORDS)})\b", re.IGNORECASE)


def may_name_asker(query: str) -> bool:
    """True where somebody is named who may be the one who asks."""
    return not is_about_caller(query) and (is_cjk(query) or any(map(str.isupper, query[1:])))


def in_first_person(query: str, own_names: Sequence[str] = ()) -> str:
    """A question with "I" and "my" where it speaks of "the user", or of its asker by name.

    What asks for what was said in a log ("What did the user want?") stays, and what says "I".
    """
    if is_about_caller(query) or _OF_RECORD.search(query):
        return query
    names = [name for name in own_names if len(name.strip()) >= NAME_CHARS_MIN]
    if is_cjk(query):
        return re.sub("|".join((_USER_CJK, *map(re.escape, names))), "我", query)
    mention = "|".join((_USER, *map(_spoken, names)))
    own = _of_mention(_USER_FIRST.sub("my", query), f"(?:{mention})")
    if own == query or names_in(without_dates(own)):
        return own
    return _OTHERS.sub(lambda found: _OTHERS_WORDS[found[0].lower()], own)


def _spoken(name: str) -> str:
    """The pattern of a name as it is said, with its capitals: whole, or its first word alone.

    A word alone is no name at the head of a question ("Will it rain?"), nor before another name.
    """
    words = [re.escape(word[:1].upper() + word[1:]) for word in name.split()]
    first = rf"(?:(?<=\S\s){words[0]}|{words[0]}(?=['’]s))(?!\s+[A-Z])"
    whole = [r"\s+".join(words)] if len(words) > 1 else []
    return f"(?-i:{'|'.join((*whole, first))})"


def _of_mention(query: str, mention: str) -> str:
    """The question with its mentions of the asker in the first person, by their place."""
    query = re.sub(rf"\b{mention}(?:['’]s|s['’])(?!\w)", "my", query, flags=re.IGNORECASE)
    query = re.sub(
        rf"\b({'|'.join(_HELPED)})\s+{mention}(?!\w)",
        lambda found: f"{_like(found[1], _HELPED[found[1].lower()])} I",
        query,
        flags=re.IGNORECASE,
    )
    query = re.sub(rf"\b({_OBJECT_OF})\s+{mention}(?!\w)", r"\1 me", query, flags=re.IGNORECASE)
    return re.sub(
        rf"\b{mention}(?!\w)(?:\s+(is|was|does|has|are|were)\b)?",
        lambda found: f"I {_HELPED[found[1].lower()]}" if found[1] else "I",
        query,
        flags=re.IGNORECASE,
    )


def _like(written: str, word: str) -> str:
    """The word with a capital where the one that it stands for has one."""
    return word.capitalize() if written[:1].isupper() else word
