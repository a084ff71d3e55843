"""Share of the names in messages that the local rules find: `tests/data/mentions`, by language.

A name is right where it is labelled; its kind is counted apart, among the names that are right.
Case does not count, spelling does.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anamnesis_ingestion.learning.knowledge import ExtractionInput, LearnedMention
from anamnesis_ingestion.learning.local.naming.finder import mentions_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from benchmarks.extraction.matching import Score

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "mentions"


@dataclass(frozen=True, slots=True)
class Message:
    """A text, whom and what it names, what may be found besides, and other names it gives."""

    id: str
    language: str
    text: str
    names: Mapping[str, str]
    optional: Sequence[str]
    aliases: Mapping[str, Sequence[str]]


@dataclass(slots=True)
class Tally:
    """Names, kinds of those that are right, and other names."""

    names: Score
    aliases: Score
    kinds_right: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(
            self.names + other.names,
            self.aliases + other.aliases,
            self.kinds_right + other.kinds_right,
        )


def report_mentions(half: str, *, show: bool) -> None:
    """Print the figures of `dev` or `held`, and if wanted what is wrong and missed."""
    messages = list(read(FOLDER / f"{half}.jsonl"))
    mentions_of(_lecture("Ada 王芳"))  # loads the lexicons
    print(f"\nmentions/{half}.jsonl   names    P    R   F1   kind   aliases    P    R")
    for language in ("en", "zh"):
        chosen = [message for message in messages if message.language == language]
        started = time.perf_counter()
        found = [mentions_of(_lecture(message.text)) for message in chosen]
        spent_ms = 1000 * (time.perf_counter() - started) / len(chosen)
        total = Tally(Score(), Score())
        for message, mentions in zip(chosen, found, strict=True):
            total += judge(message, mentions)
            if show:
                _show(message, mentions)
        _print(language, total, spent_ms)


def read(path: Path) -> Iterator[Message]:
    """The messages of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield Message(**json.loads(line))


def judge(message: Message, mentions: Sequence[LearnedMention]) -> Tally:
    """The tally of the mentions that were found in a message, against its labels."""
    ours = {mention.name.casefold(): mention.kind.value for mention in mentions}
    theirs = {name.casefold(): kind for name, kind in message.names.items()}
    spare = {name.casefold() for name in message.optional}
    both = ours.keys() & theirs.keys()
    kinds = sum(ours[name] == theirs[name] for name in both)
    names = Score(len(both), len(ours.keys() - theirs.keys() - spare), len(theirs.keys() - both))
    told = {(one.name.casefold(), each.casefold()) for one in mentions for each in one.aliases}
    wanted = {
        (name.casefold(), each.casefold())
        for name, aliases in message.aliases.items()
        for each in aliases
    }
    aliases = Score(len(told & wanted), len(told - wanted), len(wanted - told))
    return Tally(names, aliases, kinds)


def _lecture(text: str) -> ExtractionInput:
    return ExtractionInput(events=[LedgerEvent(role=Role.USER, content=text, index=0)])


def _print(language: str, total: Tally, spent_ms: float) -> None:
    names, aliases = total.names, total.aliases
    print(
        f"{language:22}{names.right + names.missed:>7} {names.precision:4.2f} {names.recall:4.2f}"
        f" {names.f1:4.2f}   {total.kinds_right / max(names.right, 1):4.2f}"
        f"   {aliases.right + aliases.missed:>7} {aliases.precision:4.2f} {aliases.recall:4.2f}"
        f"   {spent_ms:.2f} ms a message"
    )


def _show(message: Message, mentions: Sequence[LearnedMention]) -> None:
    tally = judge(message, mentions)
    right = tally.names.right == tally.kinds_right and not tally.aliases.missed
    if tally.names.wrong or tally.names.missed or tally.aliases.wrong or not right:
        found = {one.name: (one.kind.value, *one.aliases) for one in mentions}
        print(f"{message.id} {message.text}\n   found {found}\n   want  {dict(message.names)}")
