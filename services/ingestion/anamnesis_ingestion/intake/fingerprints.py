"""Identities derived from content: the fingerprint of a segment, and a session's id.

A fingerprint is SHA-256 over `role NUL content SOH` for each event. An event without tool calls,
call id or stop reason contributes its bare text, so that plain conversations hash as they always
did; otherwise these follow the text behind a STX. Control characters that serve as separators are
escaped inside the text, so that no message can imitate the border between two.

An event has the same fingerprint as it stands in its file and as the ledger keeps it, but for the
stop reason, which the ledger does not keep: the fingerprints of segments are those of the ledger.
"""

import hashlib
import json
from collections.abc import Iterable

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import SourceEvent

FINGERPRINT_DIGITS = 16
SESSION_ID_DIGITS = 32

_ESCAPES = {code: f"\x10{chr(code ^ 0x40)}" for code in (0x00, 0x01, 0x02, 0x10)}


def fingerprint(events: Iterable[SourceEvent | LedgerEvent]) -> str:
    """Return 16 hex digits that change with any role, text, tool call or stop reason."""
    digest = hashlib.sha256()
    for event in events:
        digest.update(f"{event.role.value}\x00{_canonical_content(event)}\x01".encode())
    return digest.hexdigest()[:FINGERPRINT_DIGITS]


def derive_session_id(agent_id: str, source_path: str, user_id: str = "") -> str:
    """Return the id of a session whose file names none: one for each agent, path and user."""
    owner = f"\x00{user_id}" if user_id else ""
    digest = hashlib.sha256(f"{agent_id}\x00{source_path}{owner}".encode())
    return digest.hexdigest()[:SESSION_ID_DIGITS]


def choose_session_id(
    agent_id: str,
    source_path: str,
    user_id: str = "",
    *,
    given: str = "",
    in_file: str | None = None,
) -> str:
    """Return the caller's id, else the one inside the file, else the one derived from the path."""
    return given or in_file or derive_session_id(agent_id, source_path, user_id)


def _canonical_content(event: SourceEvent | LedgerEvent) -> str:
    text = event.content.translate(_ESCAPES)
    stop_reason = event.stop_reason if isinstance(event, SourceEvent) else ""
    if not (event.tool_calls or event.tool_call_id or stop_reason):
        return text
    calls = [[call.call_id, call.name, call.arguments] for call in event.tool_calls]
    rest = [calls, event.tool_call_id, stop_reason]
    return f"{text}\x02{json.dumps(rest, ensure_ascii=False, separators=(',', ':'))}"
