"""Print how well redaction does: `python -m benchmarks.redaction [--held] [--presidio]`."""

import argparse
import statistics
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from anamnesis_libs.redaction.policy import RedactionLevel, RedactionPolicy
from anamnesis_libs.redaction.redactor import PolicyRedactor
from benchmarks.redaction.footprint import LOADED, footprint
from benchmarks.redaction.presidio import Presidio
from benchmarks.redaction.scoring import (
    Find,
    Score,
    score_lines,
    score_presidio,
    score_secrets,
)
from tests.support.planted import planted

DATA = Path(__file__).parents[3] / "shared" / "data"
SENTENCES = DATA / "presidio" / "sentences-500.json"
GITLEAKS = DATA / "secrets" / "gitleaks-dev.jsonl"
LEVELS = ("DEFAULT", "STRICT")
OURS, PRESIDIO = "ours", "Presidio"
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
    parser.add_argument("--presidio", action="store_true", help="beside Presidio's recognisers")
    parser.add_argument("--sentences", type=Path, default=SENTENCES, help="file of Presidio's own")
    parser.add_argument("--secrets", type=Path, default=GITLEAKS, help="rule tests of gitleaks")
    options = parser.parse_args()
    if options.presidio and not find_spec("presidio_analyzer"):
        parser.error("Presidio is not installed: pip install -e '.[bench-redaction]'")
    redactor, presidio = PolicyRedactor(), Presidio() if options.presidio else None
    for level in LEVELS:
        finds = {OURS: finder(redactor, level)}
        if presidio and level == "DEFAULT":  # people need its language models
            finds[PRESIDIO] = presidio.find
        for half in ("dev", "held") if options.held else ("dev",):
            lines = planted(half)
            scores = {name: score_lines(lines, find, level) for name, find in finds.items()}
            report(f"{half}.jsonl, {level}", scores, show=options.show and half == "dev")
        if options.sentences.is_file():
            scores = {
                name: score_presidio(options.sentences, find, level) for name, find in finds.items()
            }
            report(f"{options.sentences.name}, {level}", scores, show=options.show)
        else:
            print(f"\nno sentences of Presidio: {options.sentences} is not there")
        if options.secrets.is_file() and level == "DEFAULT":
            scores = {name: score_secrets(options.secrets, find) for name, find in finds.items()}
            report(f"{options.secrets.name}, {level}", scores, show=options.show)
        for name, find in finds.items():
            report_cost(f"{name}, {level}", find)
    report_footprints([name for name in LOADED if options.presidio or name != PRESIDIO])


def finder(redactor: PolicyRedactor, level: str) -> Find:
    """The spans that a policy of this level replaces."""
    policy = RedactionPolicy(RedactionLevel[level], pseudonym_key=b"benchmark")
    return lambda text: redactor.redact(text, policy).spans


def report(title: str, scores: Mapping[str, Score], *, show: bool) -> None:
    """Recall by kind, a column a redactor, then false positives."""
    planted_by_kind = scores[OURS].planted
    print(f"\n{title}\n{'kind':22}{'planted':>8}" + "".join(f"{name:>16}" for name in scores))
    for kind, count in sorted(planted_by_kind.items()):
        print(row(kind, count, [score.gone[kind] for score in scores.values()]))
    gone = [score.gone.total() for score in scores.values()]
    print(row("all", planted_by_kind.total(), gone))
    for name, score in scores.items():
        wrong = dict(sorted(score.wrong.items()))
        print(f"false positives, {name}: {score.wrong.total()} {wrong}")
        for line in score.shown if show else ():
            print(f"{name}: {line}")


def row(kind: str, count: int, gone: Sequence[int]) -> str:
    """One line of a table."""
    return f"{kind:22}{count:8}" + "".join(f"{each:9}{each / count:7.2f}" for each in gone)


def report_cost(name: str, find: Find) -> None:
    """Milliseconds for a kilobyte: over the texts of `dev`, and for chat with nothing to redact."""
    texts = [line.text for line in planted("dev")]
    chat = (CHAT * (KB // len(CHAT.encode()) + 1)).encode()[:KB].decode(errors="ignore")
    print(
        f"{name}: {ms_a_kb(texts, find):.2f} ms a KB over dev.jsonl, "
        f"{ms_a_kb([chat], find):.2f} ms for 1 KB of chat"
    )


def report_footprints(names: Sequence[str]) -> None:
    """Print the cost of each redactor before its first text."""
    print("\nfrom nothing to the first text")
    for name in names:
        cost = footprint(name)
        print(f"{name}: {cost.seconds:.2f} s, {cost.megabytes:.0f} MB")


def ms_a_kb(texts: Sequence[str], find: Find) -> float:
    """The median of several rounds over the texts."""
    kilobytes = sum(len(text.encode()) for text in texts) / KB
    return 1000 * statistics.median(seconds(texts, find) for _ in range(ROUNDS)) / kilobytes


def seconds(texts: Sequence[str], find: Find) -> float:
    """Seconds that one round takes."""
    started = time.perf_counter()
    for text in texts:
        find(text)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
