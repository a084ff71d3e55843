"""Knowledge in SQLite, inside the transaction of a write: facts, names, reviews.

Knowledge comes after all else that a write does: reasons follow the edges as they are then, and
what hangs on deleted memories goes with those memories.
"""

from collections.abc import Mapping

import apsw

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.ports import CommitStamp, ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.upkeep import Known
from anamnesis_memory.storage.sqlite.entities import (
    apply_entities,
    put_entity,
    put_mention,
    see_entities,
)
from anamnesis_memory.storage.sqlite.facts import apply_facts, put_telling, put_version, see_lines
from anamnesis_memory.storage.sqlite.reviews import apply_reviews, put_reasons

Queries = Mapping[str, str]


def see_knowledge(
    connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView
) -> ReadView:
    """The view, with the lines, entities and mentions that a write wants to see."""
    if wanted.lines:
        seen = see_lines(connection, q, wanted.lines, seen)
    return see_entities(connection, q, wanted, seen)


def apply_knowledge(
    connection: apsw.Connection, q: Queries, edits: WriteSet, stamp: CommitStamp
) -> None:
    """Put and remove what the edits name of facts, entities, mentions and reasons."""
    apply_facts(connection, q, edits)
    apply_entities(connection, q, edits)
    apply_reviews(connection, q, edits, stamp)


def put_known(connection: apsw.Connection, q: Queries, record: Known) -> None:
    """Put a record as it is; what lacks the memory or entity that it speaks of is passed over."""
    match record:
        case KnownEntity():
            put_entity(connection, q, record)
        case Mention():
            put_mention(connection, q, record)
        case Telling():
            put_telling(connection, q, record)
        case FactVersion():
            put_version(connection, q, record)
        case ReviewReason():
            put_reasons(connection, q, [record])
