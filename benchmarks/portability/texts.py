"""Made-up conversations: sentences of a small world, the same ones each time."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from benchmarks.recall.conversations import Role, Session, Turn

TURNS_PER_SESSION = 100
_BEGIN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_PEOPLE = ("Ada", "Bruno", "Chen", "Dilara", "Emeka", "Freya", "Goran", "Hana", "Ivo", "Jun")
_THINGS = (
    *("the harbour crane", "the green bicycle", "a violin", "the night train", "the glass roof"),
    *("a copper kettle", "the weather station", "an old map", "the walnut table", "the ferry"),
    *("a beehive", "the telescope", "the bakery oven", "a stone bridge", "the printing press"),
)
_DEEDS = (
    *("repaired", "sold", "painted", "borrowed", "lost", "found", "measured", "photographed"),
    *("inherited", "cleaned", "insured", "described", "returned", "hid", "designed"),
)
_PLACES = (
    *("in Lisbon", "near the old mill", "behind the school", "at the market", "on the island"),
    *("in the attic", "by the river", "at platform nine", "in Oslo", "under the arcade"),
)
_REASONS = (
    *("because it was raining", "before the holidays", "for the exhibition", "without telling us"),
    *("after a long argument", "as a favour", "to save money", "for the third time"),
)


def sessions(turns: int) -> Iterator[Session]:
    """Turns in sessions of a hundred, a minute apart."""
    chance = random.Random(20_000)  # the same ones each time
    for start in range(0, turns, TURNS_PER_SESSION):
        held = [_turn(chance, number) for number in range(start, min(start + 100, turns))]
        yield Session(f"session-{start // TURNS_PER_SESSION:05}", held)


def lessons(count: int) -> list[str]:
    """So many rules that somebody drew from it."""
    chance = random.Random(300)  # the same ones each time
    return [f"Remember: {_sentence(chance)} (rule {number})" for number in range(count)]


QUESTIONS = (
    *(f"Who {deed} {thing}?" for deed, thing in zip(_DEEDS[:8], _THINGS[:8], strict=True)),
    *(f"What did {person} do {place}?" for person, place in zip(_PEOPLE, _PLACES, strict=True)),
    *("Why was the ferry sold?", "telescope", "a favour for Freya", "exhibition in Oslo"),
    *("stone bridge behind the school", "Which things were lost?", "quantum chromodynamics"),
)


def _turn(chance: random.Random, number: int) -> Turn:
    role: Role = "user" if number % 2 == 0 else "assistant"
    time = _BEGIN + timedelta(minutes=number)
    return Turn(f"turn-{number}", _sentence(chance), role, time, chance.choice(_PEOPLE))


def _sentence(chance: random.Random) -> str:
    words = (chance.choice(part) for part in (_PEOPLE, _DEEDS, _THINGS, _PLACES, _REASONS))
    return f"{' '.join(words)}, for {chance.randint(3, 900)} euros."
