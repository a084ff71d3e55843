"""The figures of the local extractor on the records that its rules were made with hold."""

import time

import pytest

from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from benchmarks.extraction.__main__ import measure, part, summed
from benchmarks.extraction.baseline import SentenceExtractor
from benchmarks.extraction.dataset import FOLDER, read_exchanges

pytestmark = pytest.mark.slow

MS_PER_EVENT_MAX = 5.0


async def test_precision_and_recall_do_not_fall() -> None:
    """The labels hold deeds, plans and moods, which are idle and not learned."""
    exchanges = read_exchanges(FOLDER / "dev.jsonl")
    outcomes = await measure(LocalExtractor(), exchanges)
    english = summed(exchanges, outcomes, "en")
    assert english["all facts"].precision >= 0.6
    assert english["all facts"].recall >= 0.3
    scores = summed(exchanges, outcomes, "")
    assert scores["all lessons"].f1 >= 0.9
    assert scores["all procedures"].f1 >= 0.9


@pytest.mark.parametrize("half", ["odd", "even"])
async def test_other_wordings_are_read_as_well(half: str) -> None:
    exchanges = part(read_exchanges(FOLDER / "practice.jsonl"), half)
    outcomes = await measure(LocalExtractor(), exchanges)
    english = summed(exchanges, outcomes, "en")
    assert english["all facts"].precision >= 0.55
    assert english["all facts"].recall >= 0.18


async def test_chinese_facts_are_few_and_mostly_labelled() -> None:
    """The labels hold deeds, plans and decisions, which are not learned from Chinese."""
    exchanges = read_exchanges(FOLDER / "dev.jsonl")
    outcomes = await measure(LocalExtractor(), exchanges)
    chinese = summed(exchanges, outcomes, "zh")
    assert chinese["all facts"].precision >= 0.7
    assert chinese["all facts"].recall >= 0.1


async def test_the_rules_beat_keeping_every_sentence() -> None:
    exchanges = read_exchanges(FOLDER / "dev.jsonl")
    trivial = summed(exchanges, await measure(SentenceExtractor(), exchanges, gated=False), "")
    assert trivial["all facts"].f1 < 0.3


async def test_learning_is_quick() -> None:
    exchanges = read_exchanges(FOLDER / "dev.jsonl")
    await measure(LocalExtractor(), exchanges)
    started = time.process_time()
    await measure(LocalExtractor(), exchanges)
    spent_ms = 1000 * (time.process_time() - started)
    assert spent_ms / sum(len(each.events) for each in exchanges) < MS_PER_EVENT_MAX
