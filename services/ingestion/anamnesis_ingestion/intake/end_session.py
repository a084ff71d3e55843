"""Ending a session that is there."""

from anamnesis_ingestion.ledger import Append, Appended, Caller
from anamnesis_ingestion.ports import Ledger


async def end_session(
    namespace: str, session_id: str, caller: Caller, request_id: str, ledger: Ledger
) -> Appended:
    """Say that no more events will come; to end a session again changes nothing.

    Raises:
        NotFound: there is no such session that the caller may see. An append would make one.
    """
    await ledger.session(namespace, session_id, caller)
    write = Append(
        namespace=namespace,
        session_id=session_id,
        end_session=True,
        request_id=request_id,
        caller=caller,
    )
    return await ledger.append(write)
