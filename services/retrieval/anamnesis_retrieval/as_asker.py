"""Who asks: a prompt that names them is put in the first person, and they may be one who speaks.

See `ranking/first_person.py`.
"""

from dataclasses import replace

from anamnesis_libs.talk.asking import is_about_caller
from anamnesis_retrieval.model import CandidateSet, ConversationKind
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.first_person import in_first_person, may_name_asker
from anamnesis_retrieval.ranking.speakers import named_speaker, speakers_in


async def as_asker(memories: Memories, query: str, found: CandidateSet) -> str:
    """The prompt in the first person, where it names its asker; else as it is.

    `found` is what it found: who has a name on lines in scope is found by that name.
    """
    if not may_name_asker(query) or named_speaker(query, found.scope.names):
        return query
    return in_first_person(query, await memories.own_names(found.revision))


async def with_asker(memories: Memories, query: str, found: CandidateSet) -> CandidateSet:
    """The candidates with the speaker who asks, where several speak and a prompt is about "I"."""
    scope = found.scope
    about_asker = is_about_caller(query) and not speakers_in(query, scope.names)
    if scope.kind is not ConversationKind.PEOPLE or not about_asker:
        return found
    own = await memories.own_names(found.revision)
    return replace(found, asker=next((name for name in own if name in scope.names), ""))
