"""Lines of the relation of life that a caller asks about: "moved in" where they live.

They share no word with the question and often little meaning, as people type in haste. Memory
searches words of the same relation beside the question's own, and weighs them less.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from anamnesis_libs.talk.asking import is_about_caller
from anamnesis_libs.talk.topics import related_words, relations_asked
from anamnesis_retrieval.model import Ranked
from anamnesis_retrieval.ranking.turns import time_of_changes


@lru_cache(maxsize=64)
def words_of_same_relations(query: str, asked_at: datetime | None) -> str:
    """Words of the same relations, where callers ask about themselves, and not about all of it."""
    if time_of_changes(query, asked_at) or not is_about_caller(query):
        return ""
    return related_words(relations_asked(query))


def of_same_relations(
    query: str, hits: Sequence[Ranked], asked_at: datetime | None
) -> Iterator[Ranked]:
    """The hits with a word of the question's, or of its relations; without any, text is least."""
    if not words_of_same_relations(query, asked_at):
        return
    least = min((one.candidate.text for one in hits), default=0.0)
    yield from (one for one in hits if one.candidate.text > least)
