"""Observing: one thing an agent saw is scored, and stored if it matters enough.

The four sources that are also roles (user, assistant, tool, system) give the event its role. Any
other, "environment" among them, is a tool event: nobody said it. Its word is kept as the event's
name, since it is what speaks; the modality says what kind of data it is, which is text.
"""

from dataclasses import dataclass
from datetime import datetime

from libs.errors import invalid_field
from services.ingestion.importance import STORED_FROM, score_importance
from services.ingestion.ledger import Append, LedgerEvent
from services.ingestion.model import Role
from services.ingestion.ports import Ledger

_ROLES = {role.value: role for role in (Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing an agent saw; without a time, `server_time` says that it was just now."""

    namespace: str
    session_id: str
    content: str
    source: str = ""
    agent_id: str = ""
    user_id: str = ""
    event_time: datetime | None = None
    server_time: bool = False
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of it; `index` is None where it was let go."""

    importance: float
    index: int | None = None
    memory_id: str = ""
    revision: str = ""


async def observe(seen: Observation, ledger: Ledger) -> Observed:
    """Score an observation, and store it as the next event of its session if it matters.

    Raises:
        InvalidArgument: it says neither when it was seen nor that it was just now.
    """
    if seen.event_time is None and not seen.server_time:
        raise invalid_field("event_time", "is required; or set use_server_time if it is now")
    source = seen.source.strip().lower()
    importance = score_importance(seen.content, source)
    if importance < STORED_FROM:
        return Observed(importance)
    done = await ledger.append(_write(seen, source, importance))
    (stored,) = done.stored
    return Observed(importance, stored.index, stored.memory_id, done.revision)


def _write(seen: Observation, source: str, importance: float) -> Append:
    event = LedgerEvent(
        role=_ROLES.get(source, Role.TOOL),
        content=seen.content,
        name="" if source in _ROLES else seen.source.strip(),
        event_time=seen.event_time,
    )
    return Append(
        namespace=seen.namespace,
        session_id=seen.session_id,
        agent_id=seen.agent_id,
        user_id=seen.user_id,
        events=(event,),
        importances=(importance,),
        server_time=seen.server_time,
        request_id=seen.request_id,
    )
