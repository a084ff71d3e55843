"""The world of the year: topics that come and go, talks and lessons, and questions.

All of it follows from a seed. A topic is asked about the more, the nearer the day is to its season.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.event_pb2 import ROLE_ASSISTANT, ROLE_USER, Event
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_LEARNING,
    MEMORY_KIND_PROCEDURAL,
    MEMORY_KIND_SEMANTIC,
    Fact,
    Procedure,
)
from anamnesis.memory.v1.memory_service_pb2 import NewMemory

DAYS = 365
WORD = re.compile(r"Zeph\d+quil")
EVENTS_A_SESSION = 8
FACTS_A_SESSION = 3
LESSONS_A_SESSION = 2
PROCEDURE_EVERY = 3
QUESTIONS_A_DAY = 10
HOLDS_SHARE = 0.5
SEASON_DAYS = 20.0
_PLACES = ("the garden", "the kitchen", "the workshop", "the harbour", "the office", "the attic")
_THINGS = (
    *("bees", "bread", "boats", "lamps", "roses", "clocks", "invoices", "servers", "stamps"),
    *("guitars", "tomatoes", "bicycles", "parsers", "curtains", "letters", "wells"),
)
_VERBS = ("mended", "ordered", "counted", "painted", "moved", "compared", "sold", "cleaned")


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that is spoken of; `season` is the day on which it matters most."""

    name: str
    thing: str
    season: float
    weight: float


@dataclass(frozen=True, slots=True)
class Talk:
    """A session, and the memories that it teaches."""

    session_id: str
    events: Sequence[Event]
    learned: Sequence[NewMemory]


class World:
    """Draws talks and questions, day by day."""

    def __init__(self, memories: int, seed: int = 7) -> None:
        self._random = random.Random(seed)
        a_session = EVENTS_A_SESSION + FACTS_A_SESSION + LESSONS_A_SESSION + 1 / PROCEDURE_EVERY
        self._sessions = round(memories / a_session)
        self._made = 0
        self._number = 0
        self._topics = [
            Topic(
                f"the {thing} in {place}",
                thing,
                self._random.uniform(0, DAYS),
                1 / (1 + self._random.expovariate(0.3)),
            )
            for thing in _THINGS
            for place in _PLACES
        ]

    def talks(self, day: int, now_s: int) -> list[Talk]:
        """The talks of a day."""
        due = self._sessions * (day + 1) // DAYS
        talks = [self._talk(number, day, now_s) for number in range(self._made, due)]
        self._made = due
        return talks

    def questions(self, day: int) -> list[str]:
        """The questions of a day."""
        return [f"what about {self._topic(day).name}?" for _ in range(QUESTIONS_A_DAY)]

    def _talk(self, number: int, day: int, now_s: int) -> Talk:
        topic = self._topic(day)
        events = [
            Event(
                index=index,
                role=(ROLE_USER, ROLE_ASSISTANT)[index % 2],
                content=f"We {self._verb()} {topic.name} with {self._word()}.",
                event_time=Timestamp(seconds=now_s + index),
            )
            for index in range(EVENTS_A_SESSION)
        ]
        facts = [self._fact(topic, now_s) for _ in range(FACTS_A_SESSION)]
        lessons = [self._lesson(topic) for _ in range(LESSONS_A_SESSION)]
        procedures = [] if number % PROCEDURE_EVERY else [self._procedure(topic)]
        return Talk(f"s-{number:05}", events, [*facts, *lessons, *procedures])

    def _fact(self, topic: Topic, now_s: int) -> NewMemory:
        """One that holds, or one that ends within three weeks."""
        word = self._word()
        fact = Fact(subject=topic.name, predicate="belongs to", object=word, topic=topic.thing)
        fact.valid_from.FromSeconds(now_s)
        if self._random.random() > HOLDS_SHARE:
            fact.valid_to.FromSeconds(now_s + self._random.randint(1, 20) * 86_400)
        return NewMemory(
            kind=MEMORY_KIND_SEMANTIC,
            content=f"{topic.name} belong to {word}",
            entities=[topic.thing, word],
            confidence=self._random.uniform(0.6, 0.95),
            fact=fact,
        )

    def _lesson(self, topic: Topic) -> NewMemory:
        return NewMemory(
            kind=MEMORY_KIND_LEARNING,
            content=f"{self._verb()} {topic.name} only after {self._word()} was asked",
            entities=[topic.thing],
        )

    def _procedure(self, topic: Topic) -> NewMemory:
        name = f"{self._verb()} {topic.name} with {self._word()}"
        return NewMemory(kind=MEMORY_KIND_PROCEDURAL, content=name, procedure=Procedure(name=name))

    def _topic(self, day: int) -> Topic:
        weights = [
            topic.weight * (0.02 + math.exp(-(((day - topic.season) / SEASON_DAYS) ** 2)))
            for topic in self._topics
        ]
        return self._random.choices(self._topics, weights)[0]

    def _verb(self) -> str:
        return self._random.choice(_VERBS)

    def _word(self) -> str:
        """A name that occurs once, so that it can be looked for everywhere afterwards."""
        self._number += 1
        return f"Zeph{self._number:05}quil"
