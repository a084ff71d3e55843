"""Erasing a session from Neo4j, with all that names it but for memories."""

from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction

_OF_A_SESSION = (
    *("erase_answers", "erase_events", "erase_stubs", "erase_segments", "erase_activities"),
    *("erase_upload_pieces", "erase_uploads", "erase_work", "erase_copies", "erase_documents"),
    "erase_session",
)


async def erase_session(tx: ScopedTransaction, session_id: str) -> None:
    """Take away a session with its ledger, archive and work, and with what is stored in its name.

    Its drawers are memories, which are deleted before.
    """
    for statement in _OF_A_SESSION:
        await tx.run(
            statement,
            session_id=session_id,
            kinds=[one.value for one in Work],
            roles=[one.value for one in CopyRole],
        )
