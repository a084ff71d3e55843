"""The texts stored and asked: turns and questions of LoCoMo, told again for larger sizes."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.recall import datasets


@dataclass(frozen=True, slots=True)
class Talk:
    """Turns as (speaker, text), and questions about them, none twice."""

    turns: list[tuple[str, str]]
    questions: list[str]

    def turn(self, number: int) -> tuple[str, str]:
        """The turn of a number; beyond the last they come again, each with its round's number."""
        speaker, text = self.turns[number % len(self.turns)]
        again = number // len(self.turns)
        return speaker, f"{text} ({again})" if again else text


def read_talk(directory: Path) -> Talk:
    """The talk of LoCoMo.

    Raises:
        DataMissing: its file is not there.
    """
    conversations = datasets.load("locomo", directory).conversations
    turns = [
        (turn.name, turn.text)
        for each in conversations
        for session in each.sessions
        for turn in session.turns
    ]
    questions = dict.fromkeys(one.text for each in conversations for one in each.questions)
    return Talk(turns, list(questions))
