"""Print how well the local extractor does: `python -m benchmarks.extraction [--held]`."""

import argparse
import asyncio
import time
from collections import Counter
from pathlib import Path

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import Extractor
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_libs.settings import WriteGate
from benchmarks.extraction.baseline import SentenceExtractor
from benchmarks.extraction.dataset import FOLDER, Exchange, read_exchanges
from benchmarks.extraction.matching import Outcome, Score, judge
from benchmarks.extraction.mempalace import report_mempalace
from benchmarks.extraction.mentions import report_mentions

SHARED = Path(__file__).parents[3] / "shared" / "data" / "extraction"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="the half kept for final figures")
    parser.add_argument("--practice", choices=["all", "odd", "even"], help="the practice records")
    parser.add_argument("--show", action="store_true", help="list what is wrong and missed")
    parser.add_argument("--mempalace", type=Path, default=SHARED, help="folder of that data")
    options = parser.parse_args()
    half = "held" if options.held else "practice" if options.practice else "dev"
    exchanges = part(read_exchanges(FOLDER / f"{half}.jsonl"), options.practice or "all")
    extractor = LocalExtractor()
    started = time.perf_counter()
    outcomes = asyncio.run(measure(extractor, exchanges))
    spent_s = time.perf_counter() - started
    print(f"{half}.jsonl: {len(exchanges)} exchanges")
    print_table(extractor.name, exchanges, outcomes)
    baseline = SentenceExtractor()
    print_table(baseline.name, exchanges, asyncio.run(measure(baseline, exchanges, gated=False)))
    events = sum(len(each.events) for each in exchanges)
    print(f"\n{1000 * spent_s / events:.2f} ms an event")
    if options.show and not options.held:
        for outcome in outcomes:
            for line in outcome.wrong:
                print("WRONG ", line)
            for line in outcome.missed:
                print("MISSED", line)
    if half != "practice":
        report_mentions(half, show=options.show and not options.held)
    if options.mempalace.is_dir():
        asyncio.run(report_mempalace(extractor, options.mempalace))


def part(exchanges: list[Exchange], name: str) -> list[Exchange]:
    """All exchanges, or those in odd or even places, counted from one."""
    return exchanges[
        {"all": slice(None), "odd": slice(0, None, 2), "even": slice(1, None, 2)}[name]
    ]


async def measure(
    extractor: Extractor, exchanges: list[Exchange], *, gated: bool = True
) -> list[Outcome]:
    """One outcome an exchange, of what the write gate lets through."""
    outcomes = []
    for each in exchanges:
        lecture = each.lecture()
        learned = await extractor.learn(lecture)
        kept = passed(learned, lecture, WriteGate()) if gated else learned
        outcomes.append(judge(each, kept))
    return outcomes


def summed(exchanges: list[Exchange], outcomes: list[Outcome], language: str) -> dict[str, Score]:
    """Scores by what was looked for, in one language or ("") in all."""
    total: dict[str, Score] = {}
    for exchange, outcome in zip(exchanges, outcomes, strict=True):
        if language in ("", exchange.language):
            for key, score in outcome.scores.items():
                for each in (key, "all " + key.split()[0] + "s", "everything"):
                    total[each] = total.get(each, Score()) + score
    return total


def print_table(name: str, exchanges: list[Exchange], outcomes: list[Outcome]) -> None:
    """Precision, recall and F1 by what was looked for and by language."""
    tables = [summed(exchanges, outcomes, language) for language in ("", "en", "zh")]
    print(f"\n{name:22}" + "".join(f"{head:>8}   P    R    F1 " for head in ("all", "en", "zh")))
    for key in sorted(tables[0]):
        print(f"{key:22}" + " ".join(_cells(table.get(key, Score())) for table in tables))
    dates: Counter[str] = sum((each.dates for each in outcomes), Counter())
    print(f"dates of matched facts: {dict(dates)}")


def _cells(score: Score) -> str:
    labels = score.right + score.missed
    return f"{labels:>8} {score.precision:4.2f} {score.recall:4.2f} {score.f1:4.2f}"


if __name__ == "__main__":
    main()
