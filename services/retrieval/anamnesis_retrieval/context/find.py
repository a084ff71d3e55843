"""Questions of a context to memory: the candidates for a prompt, the facts about whom it asks."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from anamnesis_libs.talk.asking import asks_for_last_talk, relatives_asked_for, wants_likings
from anamnesis_retrieval.as_asker import as_asker, with_asker
from anamnesis_retrieval.context.likings import CANDIDATES_MAX, as_near_as_facts
from anamnesis_retrieval.context.then import of_last_talk
from anamnesis_retrieval.context.versions import COMPARED_MAX
from anamnesis_retrieval.model import Behind, CandidateSet, KnownFact, Mode, Part
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.agenda import said_lately, time_ahead
from anamnesis_retrieval.ranking.facts_asked import facts_asked_for, names_of_relatives
from anamnesis_retrieval.ranking.first_person import in_first_person
from anamnesis_retrieval.ranking.named_time import happened
from anamnesis_retrieval.ranking.rank import candidate_weights
from anamnesis_retrieval.ranking.same_relation import words_of_same_relations
from anamnesis_retrieval.ranking.searched import as_searched

STANDING_MAX = 20
"""Standing memories that are candidates whatever their score."""
LAST_TALK_MAX = 400
"""Lines of the last talk, that of this moment before it, that are looked at."""


class Found(NamedTuple):
    """The answer of memory to a prompt, and the prompt as it was asked: in the first person."""

    query: str
    candidates: CandidateSet
    known: Sequence[KnownFact]


async def find(
    memories: Memories,
    query: str,
    mode: Mode,
    at_least_revision: str,
    own_session: str,
    asked_at: datetime | None,
) -> Found:
    """The candidates for a prompt, and the facts about whom it asks, but for those of one session.

    A prompt may speak of who asks as the user, or by a name that no line in scope has as its
    speaker: then it is asked again in the first person.
    """
    query = in_first_person(query)
    if asks_for_last_talk(query):
        newest = await memories.newest(Part.SAID, LAST_TALK_MAX, at_least_revision)
        talk = of_last_talk(newest.candidates, own_session)
        return Found(query, replace(newest, candidates=talk), ())
    found = await _find(memories, query, mode, at_least_revision, asked_at)
    own = await as_asker(memories, query, found.candidates)
    if own != query:
        found = await _find(memories, own, mode, at_least_revision, asked_at)
    candidates = await with_asker(memories, own, found.candidates)
    known = [one for one in found.known if one.memory.session_id != own_session or not own_session]
    return found._replace(candidates=candidates, known=known)


async def _find(
    memories: Memories, query: str, mode: Mode, at_least_revision: str, asked_at: datetime | None
) -> Found:
    """Ask for candidates and facts at once.

    Who asks about "my husband" is asking about Theo, if that was learned: so the facts come first
    where a relative is asked about, and the name is searched, too. What is learned of who has a
    name on their lines is learned of that name, whatever their id. One that they only told may be
    somebody else's.
    """
    facts = facts_asked_for(query, asked_at)
    searched, ahead = as_searched(query, asked_at), time_ahead(query, asked_at)
    reading = memories.known_facts(facts.subjects, facts.predicates, at_least_revision)
    if relatives_asked_for(query):
        told = await reading
        searched = " ".join([searched, *names_of_relatives(told, query)])
        reading = _as_read(told)
    found, known = await asyncio.gather(
        memories.find(
            searched,
            candidate_weights(searched, mode),
            at_least_revision,
            words_of_same_relations(query, asked_at),
            Behind(
                STANDING_MAX,
                CANDIDATES_MAX if wants_likings(query) else 0,
                COMPARED_MAX,
                said_lately(asked_at) if asked_at and ahead else happened(query, asked_at),
            ),
        ),
        reading,
    )
    of_asker = bool(facts.predicates) and "" in facts.subjects
    speakers = {one.name for one in found.candidates if one.name and one.role == "user"}
    if of_asker and speakers:
        names = [one for one in await memories.own_names(found.revision) if one in speakers]
        named = await memories.known_facts(names[:1], facts.predicates, found.revision)
        known = list({one.memory.memory_id: one for one in (*known, *named)}.values())
    return Found(query, as_near_as_facts(found) if wants_likings(query) else found, known)


async def _as_read(facts: Sequence[KnownFact]) -> Sequence[KnownFact]:
    return facts
