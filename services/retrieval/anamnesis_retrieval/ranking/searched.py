"""The words by which memory is searched for a prompt: those of its matter, without its frame.

"Do you remember what my cat is called?" asks what my cat is called. The frame is in no answer, yet
its words are in many a line ("Remember that ..."), and it draws the vector of the whole towards
talk about remembering. Who asks "Who am I?" is looked for by the words in which people say that,
and who asks what lies ahead by those in which they tell it.
"""

import re
from datetime import datetime

from anamnesis_libs.talk.asking import (
    asks_for_portrait,
    particulars_asked_for,
    without_frame,
)
from anamnesis_libs.talk.topics import asks_for_trade
from anamnesis_retrieval.ranking.agenda import time_ahead, words_of
from anamnesis_retrieval.ranking.portrait import introduction
from anamnesis_retrieval.ranking.turns import time_of_changes
from anamnesis_retrieval.ranking.wording import worded

_ASKING = re.compile(
    r"(?:什[么麼]时候|什麼時候|为什么|為什麼|什[么麼]|怎[么麼]样|怎麼樣|怎[么麼]|哪里|哪裡|哪儿|哪天|哪个|哪家"
    r"|多少|几点|几号|是谁|谁)(?=.)"
)
"""Chinese words that ask: pairs of characters of them are in every other question."""


def as_searched(prompt: str, asked_at: datetime | None = None) -> str:
    """The words to search with; the prompt itself where it has no frame."""
    if asks_for_portrait(prompt):
        return introduction(prompt)
    if time_of_changes(prompt, asked_at):
        return worded("changes", prompt)
    if asks_for_trade(prompt):
        return worded("trade", prompt)
    if "name" in particulars_asked_for(prompt):
        return f"{without_frame(prompt)} {worded('name', prompt)}"
    ahead = time_ahead(prompt, asked_at)
    return words_of(prompt, ahead) if ahead else _ASKING.sub(" ", without_frame(prompt)).strip()
