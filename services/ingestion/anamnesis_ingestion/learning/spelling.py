"""Names against the text that is said to hold them: a name is what an event spells.

A name is spelled by what an event says, whatever its case and spacing, as words of its own; and
who speaks is named by their event. What redaction put in the place of a secret is no name; a
person's pseudonym is one, the same wherever that person is told of.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import LearnedMention, Refused
from anamnesis_ingestion.learning.local.english_words import words_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.redaction.policy import PSEUDONYM_HEX, TAG

PSEUDONYM = re.compile(f"<PERSON_[0-9a-f]{{{PSEUDONYM_HEX}}}>")
_LATIN = r"A-Za-z0-9_\u00c0-\u024f"
_LETTER = re.compile(r"[^\W\d_]")
_NOBODY = words_of(
    "i me my mine you your he she it we they us him her them user users the assistant system tool"
    " human somebody someone people 我 你 您 他 她 它 我们 你们 他们 她们 用户 使用者 助手"
)


def is_placeholder(text: str) -> bool:
    """True if a text is or holds a placeholder of redaction; a whole pseudonym is none."""
    return TAG.search(text) is not None and PSEUDONYM.fullmatch(text) is None


def is_name(text: str) -> bool:
    """True if a text may be a name: it has letters and is neither a pronoun nor a placeholder."""
    named = _LETTER.search(text) is not None and text.casefold() not in _NOBODY
    return named and not is_placeholder(text)


def spells(event: LedgerEvent, name: str) -> bool:
    """True if an event says a name, or its speaker bears the name."""
    if event.speaker and _folded(event.speaker) == _folded(name):
        return True
    return stands_in(learnable_text(event), name)


def as_spelled(mention: LearnedMention, cited: Sequence[LedgerEvent]) -> LearnedMention:
    """The mention with those of its sources and aliases that the events cited spell.

    `cited` are the events of its sources, in their order. One that nothing spells stays as it is.
    """
    pairs = zip(mention.sources, cited, strict=False)
    sources = tuple(source for source, event in pairs if spells(event, mention.name))
    aliases = tuple(
        alias
        for alias in dict.fromkeys(mention.aliases)
        if alias != mention.name and is_name(alias) and any(spells(event, alias) for event in cited)
    )
    return replace(mention, sources=sources or mention.sources, aliases=aliases)


def refused(mention: LearnedMention, cited: Sequence[LedgerEvent]) -> Refused | None:
    """The reason why a name is refused; None if it is accepted."""
    if all(event.role is Role.SYSTEM for event in cited):
        return Refused.SYSTEM_PROMPT
    if not any(spells(event, mention.name) for event in cited):
        injected = any(stands_in(event.content, mention.name) for event in cited)
        return Refused.INJECTED if injected else Refused.UNSUPPORTED
    return None if is_name(mention.name) else Refused.GENERALITY


def stands_in(text: str, name: str) -> bool:
    """True if a text holds a name as words of its own, whatever its case and spacing."""
    pattern = rf"(?<![{_LATIN}]){re.escape(_folded(name))}(?![{_LATIN}])"
    if not re.match(rf"[{_LATIN}]", name):
        pattern = re.escape(_folded(name))
    return re.search(pattern, _folded(text)) is not None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
