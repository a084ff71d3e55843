"""The shape that every data set is brought into: conversations, their sessions, their questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; `name` is empty where nobody is named."""

    turn_id: str
    content: str
    role: Role
    time: datetime
    name: str = ""

    @property
    def text(self) -> str:
        """The message as it is embedded and matched, led by its speaker's name."""
        return f"{self.name}: {self.content}" if self.name else self.content


@dataclass(frozen=True, slots=True)
class Session:
    """Turns of one sitting, in order."""

    session_id: str
    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True)
class Update:
    """A statement and the one it replaced, by their turns."""

    newer: str
    older: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns that answer it.

    `update` is set where the question asks for what holds now, and something else held before;
    `answer` is empty where the set has none.
    """

    text: str
    evidence: tuple[str, ...]
    category: str
    update: Update | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The content of one namespace, and the questions about it."""

    conversation_id: str
    sessions: Sequence[Session]
    questions: Sequence[Question]

    @property
    def turns(self) -> list[Turn]:
        """All turns, in order."""
        return [turn for session in self.sessions for turn in session.turns]

    @property
    def session_of(self) -> Mapping[str, str]:
        """The session of each turn."""
        return {t.turn_id: session.session_id for session in self.sessions for t in session.turns}


@dataclass(frozen=True, slots=True)
class Dataset:
    """One set; `sha256` is that of its file."""

    name: str
    conversations: Sequence[Conversation]
    sha256: str

    @property
    def turn_count(self) -> int:
        """Turns of all conversations."""
        return sum(len(conversation.turns) for conversation in self.conversations)

    @property
    def question_count(self) -> int:
        """Questions to all conversations."""
        return sum(len(conversation.questions) for conversation in self.conversations)
