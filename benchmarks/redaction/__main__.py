"""Print how well redaction does: `python -m benchmarks.redaction [--held]`."""

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.redaction.scoring import Find, Score, score_lines, score_presidio
from libs.redaction.policy import RedactionLevel, RedactionPolicy
from libs.redaction.redactor import PolicyRedactor
from tests.support.planted import planted

PRESIDIO = Path(__file__).parents[3] / "shared" / "data" / "presidio" / "sentences-500.json"
LEVELS = ("DEFAULT", "STRICT")
KB = 1024
CHAT = (
    "user: the build is red again since Tuesday, can you look? I changed the timeout to 30 s.\n"
    "assistant: The test of the importer fails: it returned a 404 error for 12 of 3,400 pages. "
    "I would raise the limit in config.py, line 88, and run `make test` once more.\n"
    "user: 好的，先这样改。明天下午三点我们再看一遍结果，会议室还是 138 号。\n"
)
ROUNDS = 15


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="also the half for final figures")
    parser.add_argument("--show", action="store_true", help="list what is wrong and missed")
    parser.add_argument("--presidio", type=Path, default=PRESIDIO, help="file of its sentences")
    options = parser.parse_args()
    started = time.perf_counter()
    redactor = PolicyRedactor()
    print(f"loaded in {time.perf_counter() - started:.2f} s")
    for level in LEVELS:
        find = finder(redactor, level)
        for half in ("dev", "held") if options.held else ("dev",):
            score = score_lines(planted(half), find, level)
            report(f"{half}.jsonl, {level}", score, show=options.show and half == "dev")
        if options.presidio.is_file():
            score = score_presidio(options.presidio, find, level)
            report(f"{options.presidio.name}, {level}", score, show=options.show)
        else:
            print(f"\nno sentences of Presidio: {options.presidio} is not there")
        report_cost(level, find)


def finder(redactor: PolicyRedactor, level: str) -> Find:
    """What a policy of this level replaces."""
    policy = RedactionPolicy(RedactionLevel[level], pseudonym_key=b"benchmark")
    return lambda text: redactor.redact(text, policy).spans


def report(title: str, score: Score, *, show: bool) -> None:
    """Recall by kind, then false positives."""
    planted_all, gone_all = score.planted.total(), score.gone.total()
    print(f"\n{title}\n{'kind':22}{'planted':>8}{'gone':>6}{'recall':>8}")
    for kind, count in sorted(score.planted.items()):
        print(f"{kind:22}{count:8}{score.gone[kind]:6}{score.gone[kind] / count:8.2f}")
    print(f"{'all':22}{planted_all:8}{gone_all:6}{gone_all / planted_all:8.2f}")
    print(f"false positives: {score.wrong.total()} {dict(sorted(score.wrong.items()))}")
    for line in score.shown if show else ():
        print(line)


def report_cost(level: str, find: Find) -> None:
    """Milliseconds for a kilobyte: over the texts of `dev`, and for chat with nothing to redact."""
    texts = [line.text for line in planted("dev")]
    chat = (CHAT * (KB // len(CHAT.encode()) + 1)).encode()[:KB].decode(errors="ignore")
    print(
        f"\n{level}: {ms_a_kb(texts, find):.2f} ms a KB over dev.jsonl, "
        f"{ms_a_kb([chat], find):.2f} ms for 1 KB of chat"
    )


def ms_a_kb(texts: Sequence[str], find: Find) -> float:
    """The median of several rounds over the texts."""
    kilobytes = sum(len(text.encode()) for text in texts) / KB
    return 1000 * statistics.median(seconds(texts, find) for _ in range(ROUNDS)) / kilobytes


def seconds(texts: Sequence[str], find: Find) -> float:
    """How long one round takes."""
    started = time.perf_counter()
    for text in texts:
        find(text)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
