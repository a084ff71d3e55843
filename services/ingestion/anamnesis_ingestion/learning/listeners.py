"""Whom the people of a talk speak to: who is meant by "you" and 你 in each event.

Of two people one speaks to the other. Of more, what is said between two turns of one person is said
to that person, and what is said first to whoever answers. Where an agent takes part nobody knows.
"""

from collections.abc import Sequence
from itertools import groupby


def listeners(speakers: Sequence[str]) -> list[str]:
    """The listener for the speaker of each event; "" if nobody knows.

    `speakers` has "" for an event that no person by name says.
    """
    if not all(speakers):
        return [""] * len(speakers)
    turns = [(name, len([*events])) for name, events in groupby(speakers)]
    names = ["", *(name for name, _ in turns), ""]
    everybody = frozenset(speakers)
    found: list[str] = []
    for place, (name, length) in enumerate(turns, 1):
        before, after = names[place - 1], names[place + 1]
        others = everybody - {name}
        beside = {before, after} - {""}
        listener = min(others) if len(others) == 1 else beside.pop() if len(beside) == 1 else ""
        found += [listener] * length
    return found
