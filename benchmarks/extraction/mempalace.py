"""MemPalace's cases: memory kinds and entities, with our output mapped to their types.

Their texts are diaries of an agent, which we read as said by an unnamed speaker. Our decision and
preference are theirs; goal, constraint and what is still to happen are their commitment; every
other kind is their fact; we have nothing for their opinion. A memory is right where its
type is among the labels of its case that are left; for English, where labels and texts are in
one language, a second row wants a third of the label's words in the statement too. An entity is
right by its name alone, in any case; the Chinese texts leave the names in Latin script, so that
their labels are the English ones.
The data is read for measuring and never copied.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import (
    ExtractionInput,
    Extractor,
    FactKind,
    Knowledge,
    LearnedFact,
)
from anamnesis_ingestion.learning.support import shared_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.settings import WriteGate
from benchmarks.extraction.matching import Score

_TYPES = {
    FactKind.DECISION: "decision",
    FactKind.PREFERENCE: "preference",
    FactKind.GOAL: "commitment",
    FactKind.CONSTRAINT: "commitment",
}
_WORDS_SHARED_MIN = 1 / 3
_SAID_AT = datetime(2026, 1, 5, tzinfo=UTC)

Label = Mapping[str, str]


async def report_mempalace(extractor: Extractor, folder: Path) -> None:
    """Print the figures for the cases in a folder."""
    print("\nMemPalace, every second case    labels    P    R   F1")
    for suffix, language in (("", "en"), (".zh", "zh")):
        texts = _rows(folder / f"memory_extraction.dataset{suffix}.jsonl", "text")
        labels = _rows(folder / "memory_extraction.labels.jsonl", "memories")
        facts = {case: await _facts(extractor, str(text)) for case, text in texts.items()}
        _print(f"{language} memory kinds", _by_type(facts, labels, words=False))
        if language == "en":
            _print(f"{language} kinds and words", _by_type(facts, labels, words=True))
        texts = _rows(folder / f"entity_extraction.dataset{suffix}.jsonl", "text")
        labels = _rows(folder / "entity_extraction.labels.jsonl", "entities")
        names = {case: await _names(extractor, str(text)) for case, text in texts.items()}
        _print(f"{language} entities by name", _by_name(names, labels))


def _print(name: str, score: Score) -> None:
    labels = score.right + score.missed
    print(f"{name:32}{labels:>6} {score.precision:4.2f} {score.recall:4.2f} {score.f1:4.2f}")


def _rows(path: Path, key: str) -> dict[str, Sequence[Label] | str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {row["id"]: row[key] for row in map(json.loads, filter(None, lines))}


async def _facts(extractor: Extractor, text: str) -> Sequence[LearnedFact]:
    return (await _learned(extractor, text)).facts


async def _names(extractor: Extractor, text: str) -> set[str]:
    return {mention.name.casefold() for mention in (await _learned(extractor, text)).mentions}


async def _learned(extractor: Extractor, text: str) -> Knowledge:
    event = LedgerEvent(role=Role.USER, content=text, index=0, event_time=_SAID_AT)
    lecture = ExtractionInput(events=[event])
    return passed(await extractor.learn(lecture), lecture, WriteGate())


def _by_type(
    facts: Mapping[str, Sequence[LearnedFact]],
    labels: Mapping[str, Sequence[Label] | str],
    *,
    words: bool,
) -> Score:
    score = Score()
    for case, found in facts.items():
        left = [label for label in labels[case] if isinstance(label, Mapping)]
        for fact in found:
            right = next((each for each in left if _fits(fact, each, words=words)), None)
            if right is not None:
                left.remove(right)
            score += Score(right=int(right is not None), wrong=int(right is None))
        score += Score(missed=len(left))
    return score


def _fits(fact: LearnedFact, label: Label, *, words: bool) -> bool:
    coming = fact.predicate in {"will_happen", "plans"}
    kind = "commitment" if coming else _TYPES.get(fact.kind, "fact")
    shared = not words or shared_words(label["content"], fact.statement) >= _WORDS_SHARED_MIN
    return kind == label["type"] and shared


def _by_name(names: Mapping[str, set[str]], labels: Mapping[str, Sequence[Label] | str]) -> Score:
    score = Score()
    for case, ours in names.items():
        theirs = {each["name"].casefold() for each in labels[case] if isinstance(each, Mapping)}
        score += Score(len(ours & theirs), len(ours - theirs), len(theirs - ours))
    return score
