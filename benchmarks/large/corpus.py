"""A long life in one namespace: the talk of LoCoMo, retold with other people, places and days.

A retold turn puts sentences of one conversation together anew and changes who, where, when and how
many, so that its words are as frequent and its vector lies as near to others as talk's do.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from anamnesis_libs.index.port import Document, Rows
from anamnesis_libs.models.static import StaticModel, load
from benchmarks.recall import datasets

BATCH = 2_000
SESSION_TURNS = 25
_DAY_US = 86_400_000_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NUMBER = re.compile(r"\b\d+\b")
_SWAPS: Sequence[Sequence[str]] = (
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("January", "March", "April", "June", "July", "August", "October", "November"),
    ("dog", "cat", "rabbit", "parrot", "horse", "turtle", "hamster"),
    ("painting", "pottery", "running", "climbing", "violin", "chess", "gardening", "swimming"),
    ("mom", "dad", "sister", "brother", "cousin", "aunt", "grandma", "neighbour"),
    ("book", "song", "movie", "game", "recipe", "poem", "podcast"),
    ("beach", "park", "museum", "lake", "forest", "library", "market", "station"),
    ("job", "school", "project", "course", "office", "shop", "studio"),
)
_GROUP = {word: group for group in _SWAPS for word in group}
_NAMES: Sequence[str] = (
    "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jun", "Kofi",
    "Lena", "Marek", "Noor", "Oskar", "Priya", "Quinn", "Rosa", "Sven", "Tariq", "Uma", "Viktor",
    "Wanda", "Ximena", "Yusuf", "Zoe",
)  # fmt: skip
_PLACES: Sequence[str] = (
    "Lisbon", "Porto", "Ghent", "Turin", "Oslo", "Kyoto", "Austin", "Lyon", "Graz", "Leeds",
    "Tartu", "Quito", "Cusco", "Hanoi", "Perth", "Malmo", "Bergen", "Split", "Bari", "Ulm",
)  # fmt: skip
_TAILS = (
    "",
    "",
    "That was in {place}.",
    "{name} came along.",
    "It was number {number} on my list.",
    "{name} told me about it in {place}.",
    "We did it again on the {number}th.",
)


@dataclass(frozen=True, slots=True)
class Life:
    """Documents in the order in which they came, with vectors; and questions about them."""

    model: StaticModel = field(default_factory=load)
    talks: Sequence[Sequence[tuple[str, str]]] = ()
    questions: Sequence[str] = ()

    def batches(self, count: int, first: int = 0) -> Iterator[list[Document]]:
        """So many documents from a number on, in batches."""
        for start in range(first, first + count, BATCH):
            numbers = range(start, min(start + BATCH, first + count))
            told = [self._turn(number) for number in numbers]
            rows = self.model.encode([f"{name}: {text}" for name, text in told])
            yield [
                _document(number, name, text, rows[at : at + 1])
                for at, (number, (name, text)) in enumerate(zip(numbers, told, strict=True))
            ]

    def _turn(self, number: int) -> tuple[str, str]:
        session, place = divmod(number, SESSION_TURNS)
        talk = self.talks[session % len(self.talks)]
        again = session // len(self.talks) * SESSION_TURNS + place
        name, text = talk[again % len(talk)]
        if again < len(talk):
            return name, text
        return _NAMES[(session * 2 + place % 2) % len(_NAMES)], _retold(text, talk, Random(number))


def life(directory: Path) -> Life:
    """The life told by LoCoMo's conversations.

    Raises:
        DataMissing: its file is not there.
    """
    conversations = datasets.load("locomo", directory).conversations
    talks = [
        [(turn.name, turn.text[:600]) for part in each.sessions for turn in part.turns]
        for each in conversations
    ]
    asked = dict.fromkeys(one.text for each in conversations for one in each.questions)
    return Life(load(), talks, list(asked))


def _retold(text: str, talk: Sequence[tuple[str, str]], drawn: Random) -> str:
    sentences = _SENTENCE.split(text)
    other = _SENTENCE.split(drawn.choice(talk)[1])
    sentences[drawn.randrange(len(sentences))] = drawn.choice(other)
    tail = drawn.choice(_TAILS).format(
        name=drawn.choice(_NAMES), place=drawn.choice(_PLACES), number=drawn.randrange(2, 400)
    )
    words = " ".join([*sentences, tail]).strip().split(" ")
    swapped = (drawn.choice(_GROUP[word]) if word in _GROUP else word for word in words)
    return _NUMBER.sub(lambda _: str(drawn.randrange(2, 400)), " ".join(swapped))


def _document(number: int, name: str, text: str, rows: Rows) -> Document:
    session, place = divmod(number, SESSION_TURNS)
    return Document(
        memory_id=f"m{number:08d}",
        text=text,
        kind="episodic",
        role="user" if place % 2 == 0 else "assistant",
        name=name,
        session_id=f"s{session:06d}",
        position=place,
        event_time_us=session * _DAY_US // 40 + place * 1_000_000,
        create_time_us=number,
        user_id=f"u{session % 7}",
        vectors=rows,
    )
