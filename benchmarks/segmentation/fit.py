"""`python -m benchmarks.segmentation.fit`: fits the weights of local segmentation, and prints them.

Logistic regression over the turns of the tuned half of the conversations and of `tuning.txt`,
drawn towards weights chosen by hand, because the turns are few. The figures, rounded, are the
`WEIGHTS` and the `THRESHOLD` of `services/ingestion/anamnesis_ingestion/segmentation/local.py`.
"""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.exchanges import exchanges
from anamnesis_ingestion.segmentation.local import LocalSegmenter, Shift
from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.settings import Models
from benchmarks.segmentation.conversations import read

FILE = Path(__file__).with_name("tuning.txt")
BY_HAND = Shift(
    new_task=4.0,
    after_closing=1.5,
    closed=2.7,
    new_request=1.1,
    continuing=-2.5,
    pointing=-1.1,
    substance=2.1,
    shared_terms=-3.4,
    shared_meaning=-3.0,
    pause=3.0,
    asked=-1.7,
)
THRESHOLD_BY_HAND = 1.0
DRAWN = 1.0
"""The strength with which weights are drawn to those chosen by hand."""
STEPS = 4000
RATE = 0.02

Row = NDArray[np.float64]
Talk = tuple[Sequence[LedgerEvent], Sequence[int]]
"""Events, and the positions at which tasks start."""


def tuning(path: Path = FILE) -> Iterator[Talk]:
    """Read the conversations to fit on."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    for block in blocks[1:]:
        lines = block.strip().splitlines()
        events = [
            LedgerEvent(
                role=Role.ASSISTANT if line[0] == "=" else Role.USER, content=line[2:], index=at
            )
            for at, line in enumerate(lines)
        ]
        yield events, [at for at, line in enumerate(lines) if line[0] == "+"]


def fit(shifts: Row, begins: Row) -> Row:
    """Return the weights, and the threshold with its sign turned as the last of them."""
    drawn_to = np.array([*values(BY_HAND), -THRESHOLD_BY_HAND])
    inputs = np.c_[shifts, np.ones(len(shifts))]
    weights = drawn_to.copy()
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-inputs @ weights))
        weights -= RATE * (inputs.T @ (likely - begins) + DRAWN * (weights - drawn_to))
    return weights


def values(shift: Shift) -> list[float]:
    """Return what speaks for and against, in the order of the fields."""
    return [getattr(shift, name) for name in Shift.__slots__]


async def turns() -> tuple[Row, Row]:
    """Return a row for each turn to fit on, and whether it begins a task."""
    talks: list[Talk] = [(each.events, each.starts) for each in read() if each.tuned_on]
    embedder = await load_embedder(Models(embedder="minilm"))
    segmenter = LocalSegmenter(embedder.embed)
    rows: list[list[float]] = []
    begins: list[bool] = []
    try:
        for events, starts in [*talks, *tuning()]:
            found = exchanges(events)
            rows += map(values, await segmenter.shifts(found))
            begins += [exchange.position in starts for exchange in found[1:]]
    finally:
        await embedder.close()
    return np.array(rows), np.array(begins, np.float64)


def main() -> None:
    """Fit and print."""
    shifts, begins = asyncio.run(turns())
    weights = fit(shifts, begins)
    print(f"{len(begins)} turns, of which {int(begins.sum())} begin a task")
    for name, weight in zip(
        [*Shift.__slots__, "threshold"], [*weights[:-1], -weights[-1]], strict=True
    ):
        print(f"{name:15} {weight:6.2f}")


if __name__ == "__main__":
    main()
