"""What the fake store exports of what is known of the world, and puts as it was."""

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.ports.upkeep import Known, Record
from anamnesis_memory.storage.knowledge_rows import fact_id_of
from tests.support.fake_knowledge_records import KnowledgeRecords
from tests.support.fake_records import Records


def known_in(held: KnowledgeRecords) -> list[Record]:
    """All of it, in the order of an export."""
    return [
        *(held.entities[key] for key in sorted(held.entities)),
        *(held.mentions[key] for key in sorted(held.mentions)),
        *(held.tellings[key] for key in sorted(held.tellings)),
        *(held.versions[key] for key in sorted(held.versions)),
        *sorted(held.reasons, key=_reason_key),
    ]


def put_known(held: Records, record: Known) -> None:
    """Put a record as it is; what lacks the memory or entity that it speaks of is passed over."""
    facts = {fact_id_of(memory) for memory in held.memories.values()}
    match record:
        case KnownEntity():
            held.knowledge.put_entity(record)
        case Mention():
            held.knowledge.put_mention(record, held.memories)
        case Telling():
            held.knowledge.put_telling(record, facts)
        case FactVersion():
            held.knowledge.put_version(record, facts)
        case ReviewReason():
            held.knowledge.put_reason(record, held.memories)


def _reason_key(reason: ReviewReason) -> tuple[str, str, str]:
    ended = "" if reason.ended_us is None else str(reason.ended_us)
    return reason.memory_id, reason.ground_id, ended
