"""Observing: one thing an agent saw is scored, and stored if it matters enough.

The four sources that are also roles (user, assistant, tool, system) give the event its role. Any
other, "environment" among them, is a tool event: nobody said it. Its word is kept as the event's
name, since it is what speaks; the modality says what kind of data it is, which is text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis_ingestion.intake.importance import STORED_FROM, score_importance
from anamnesis_ingestion.ledger import Append, LedgerEvent, Session, Visibility
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import invalid_field

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
    project: str = ""
    visibility: Visibility | None = None
    participants: tuple[str, ...] = ()
    expire_time: datetime | None = None
    utc_offset_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """The result of one observation; an unimportant one has no index and no session."""

    importance: float
    index: int | None = None
    memory_id: str = ""
    revision: str = ""
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """An observation with its source as a word, and how much it matters."""

    seen: Observation
    source: str
    importance: float

    @property
    def matters(self) -> bool:
        """True if the observation is important enough to be stored."""
        return self.importance >= STORED_FROM

    @property
    def event(self) -> LedgerEvent:
        """The event that is stored for the observation."""
        return LedgerEvent(
            role=_ROLES.get(self.source, Role.TOOL),
            content=self.seen.content,
            name="" if self.source in _ROLES else self.seen.source.strip(),
            event_time=self.seen.event_time,
            utc_offset_minutes=self.seen.utc_offset_minutes,
        )


def scored(seen: Observation) -> Scored:
    """Score an observation.

    Raises:
        InvalidArgument: it says neither when it was seen nor that it was just now.
    """
    if seen.event_time is None and not seen.server_time:
        raise invalid_field("event_time", "is required; or set use_server_time if it is now")
    source = seen.source.strip().lower()
    return Scored(seen, source, score_importance(seen.content, source))


def write_of(batch: Sequence[Scored]) -> Append:
    """One write of observations of the same session, agent, person and project, in order."""
    seen = batch[0].seen
    return Append(
        namespace=seen.namespace,
        session_id=seen.session_id,
        agent_id=seen.agent_id,
        user_id=seen.user_id,
        events=[one.event for one in batch],
        importances=[one.importance for one in batch],
        server_time=seen.server_time,
        request_id=seen.request_id,
        project=seen.project,
        visibility=seen.visibility,
        participants=seen.participants,
        expire_time=seen.expire_time,
    )


async def observe(seen: Observation, ledger: Ledger) -> Observed:
    """Score an observation, and store it as the next event of its session if it matters.

    Raises:
        InvalidArgument: it says neither when it was seen nor that it was just now.
    """
    one = scored(seen)
    if not one.matters:
        return Observed(one.importance)
    done = await ledger.append(write_of([one]))
    (stored,) = done.stored
    return Observed(one.importance, stored.index, stored.memory_id, done.revision, done.session)
