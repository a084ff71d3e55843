"""The data of the English reader: frames, governors and word lists, read once.

A linguist edits `frames.tsv`, `governors.tsv` and `words.toml`; nothing of English stands in the
code but its grammar.
"""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


class Change(StrEnum):
    """The effect of a clause on the fact that it states."""

    STATE = "state"
    BEGIN = "begin"
    END = "end"
    DEED = "deed"


class Effect(StrEnum):
    """The effect of a governing verb on the clause under it."""

    PASS = "pass"  # noqa: S105  # no password
    BEGUN = "begun"
    ENDED = "ended"
    PLAN = "plan"
    WISH = "wish"
    CONSIDER = "consider"
    TOLD = "told"
    LONG = "long"
    DUTY = "duty"
    CAN = "can"
    BELIEF = "belief"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of `frames.tsv`.

    Args:
        needs: the word besides the verb, as in `be+allergic`; "" for none.
        slots: where the object stands, each a dependency or a preposition; with `>`, below it.
    """

    predicate: str
    verb: str
    needs: str
    slots: tuple[str, ...]
    value: str
    change: Change
    kind: str
    worth: float


@cache
def frames() -> dict[str, tuple[Frame, ...]]:
    """The frames by the lemma of their verb."""
    found: dict[str, list[Frame]] = {}
    for predicate, verbs, slots, value, change, kind, worth in _rows("frames.tsv", 7):
        for verb in verbs.split():
            lemma, _, needs = verb.partition("+")
            frame = Frame(
                predicate,
                lemma,
                needs,
                tuple(slots.split()),
                value,
                Change(change),
                kind,
                float(worth),
            )
            found.setdefault(lemma, []).append(frame)
    return {lemma: tuple(group) for lemma, group in found.items()}


@cache
def governors() -> dict[str, tuple[tuple[str, Effect], ...]]:
    """The governors of clauses by lemma: whose clauses a verb governs, and its effect on them."""
    found: dict[str, list[tuple[str, Effect]]] = {}
    for verbs, who, effect in _rows("governors.tsv", 3):
        for verb in verbs.split():
            found.setdefault(verb, []).append((who, Effect(effect)))
    return {lemma: tuple(group) for lemma, group in found.items()}


@cache
def words(name: str) -> frozenset[str]:
    """A word list."""
    lists = tomllib.loads((_HERE / "words.toml").read_text("utf-8"))
    return frozenset(word.replace("_", " ") for word in lists[name].split())


@cache
def pasts() -> dict[str, str]:
    """Irregular past forms that are no present of another verb, with their verbs."""
    pairs = (each.partition("=") for each in words("pasts"))
    return {past: verb for past, _, verb in pairs}


def _rows(name: str, fields: int) -> list[list[str]]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    wrong = [row for row in rows if len(row) != fields]
    assert not wrong, f"{name}: {fields} fields a line, not {wrong[0]}"
    return rows
