"""Prompts that a person typed while Claude Code's agent was at work.

They wait in a queue, of which the file tells: `enqueue` has the text, `remove` says that the agent
was handed the first of them in the midst of its turn, `popAll` that the person took them back. A
prompt that had to wait for the end of the turn becomes a `user` line; newer versions also write
one that was handed over as an `attachment`. So each is told once, by whichever comes first.
"""

from collections import deque

from anamnesis_ingestion.intake.files.rows import Row, text_field

WAITING_MAX = 256
"""So many prompts are remembered, of all sessions of a file."""
_OF_A_PROGRAM = "<task-notification>"


class QueuedPrompts:
    """The prompts that wait, and those that were told when they were handed over."""

    def __init__(self) -> None:
        self._waiting = deque[tuple[str, str]](maxlen=WAITING_MAX)
        self._told = deque[tuple[str, str]](maxlen=WAITING_MAX)

    def handed_over(self, row: Row) -> str:
        """Read a line of the queue: the prompt that the agent gets with it, mostly none."""
        session_id = text_field(row, "sessionId")
        match row.get("operation"):
            case "enqueue":
                self._enqueue(session_id, text_field(row, "content").strip())
            case "remove":
                return self._first_of(session_id)
            case "popAll":
                while self._take_first(session_id):
                    pass
        return ""

    def was_told(self, session_id: str, text: str) -> bool:
        """Note a prompt that has a line of its own; True if it was told when it was handed over."""
        prompt = (session_id, text.strip())
        if prompt in self._told:
            self._told.remove(prompt)
            return True
        if prompt in self._waiting:
            self._waiting.remove(prompt)
        return False

    def _enqueue(self, session_id: str, text: str) -> None:
        if text and not text.startswith(_OF_A_PROGRAM):
            self._waiting.append((session_id, text))

    def _first_of(self, session_id: str) -> str:
        text = self._take_first(session_id)
        if text:
            self._told.append((session_id, text))
        return text

    def _take_first(self, session_id: str) -> str:
        for prompt in self._waiting:
            if prompt[0] == session_id:
                self._waiting.remove(prompt)
                return prompt[1]
        return ""
