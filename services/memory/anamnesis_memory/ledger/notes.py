"""Notes: a text that goes into a drawer of its own, in the room that it is for.

A note is an event like any: appended, redacted, mined. Without a session it goes into its owners'
notes, a session whose id follows from who they are and who may see it, so that a private note
never stands in a room that others walk through.
"""

import hashlib
from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView

NOTES_LABEL = "notes"
_ID_DIGITS = 32


@dataclass(frozen=True, slots=True)
class WriteNote:
    """The write behind `PalaceService.SaveNote`: one event and where it goes."""

    append: AppendEvents

    def __post_init__(self) -> None:
        """A note is one event that says something.

        Raises:
            InvalidArgument: the note is blank.
        """
        if not all(event.has_drawer for event in self.append.events):
            raise invalid_field("content", "must not be blank")

    def wanted(self) -> ReadSet:
        """The read set of the append behind the note."""
        return self.append.wanted()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Append the note; the result is its drawer.

        Raises:
            PermissionDenied: the session is private to others.
            InvalidArgument: the session is somebody else's, or nobody could see the note.
        """
        decision = self.append.decide(seen, stamp)
        self._check_owners(seen.sessions.get(self.append.session_id))
        (drawer,) = decision.edits.memories
        return Decision(drawer, decision.edits)

    def _check_owners(self, known: Session | None) -> None:
        """Refuse a note whose user, project or agent is not the session's."""
        if known is None:
            return
        if self.append.user_id not in ("", known.user_id):
            raise invalid_field("session_id", "is not a session of this user_id")
        if not self.append.user_id and self.append.project not in ("", known.project):
            raise invalid_field("session_id", "is not a session of this project")
        if known.agent_id and self.append.agent_id not in ("", known.agent_id):
            raise invalid_field("session_id", "is a session of another agent_id")


def in_notes(append: AppendEvents) -> AppendEvents:
    """The append into its owners' notes, where it names no session."""
    if append.session_id:
        return append
    return replace(append, session_id=notes_session_id(append), label=NOTES_LABEL)


def notes_session_id(append: AppendEvents) -> str:
    """SHA-256 over the owners and who may see it, first 32 hex digits, behind "notes-"."""
    owners = (append.user_id, append.project, append.agent_id, append.visibility.value)
    return f"notes-{hashlib.sha256(chr(0).join(owners).encode()).hexdigest()[:_ID_DIGITS]}"
