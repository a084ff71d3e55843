"""A prompt that names its asker is asked as they would: see `ranking/first_person.py`."""

from anamnesis_retrieval.model import CandidateSet
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.first_person import in_first_person, may_name_asker
from anamnesis_retrieval.ranking.speakers import named_speaker


async def as_asker(memories: Memories, query: str, found: CandidateSet) -> str:
    """The prompt in the first person, where it names its asker; else as it is.

    `found` is what it found: who has a name on lines in scope is found by that name.
    """
    if not may_name_asker(query) or named_speaker(query, found.scope.names):
        return query
    return in_first_person(query, await memories.own_names(found.revision))
