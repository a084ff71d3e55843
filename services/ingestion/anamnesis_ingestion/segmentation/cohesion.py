"""The cohesion of an exchange with those just before it: shared terms and shared meaning.

Cosines mean different things to different models, and to one model in different scripts: texts
that have nothing in common but their script have a cosine near 0 with one, and over one half with
another. So the cosine of unrelated texts is measured once for each embedder and script, over a
few sentences that are about nothing in common, and counts as 0.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from anamnesis_ingestion.segmentation.exchanges import Exchange
from anamnesis_libs.index import analysis
from anamnesis_libs.models.ports import Matrix

Embed = Callable[[Sequence[str]], Awaitable[Matrix]]

BEFORE_MAX = 3
"""Number of earlier exchanges that a turn is compared with."""
_UNRELATED_MAX = 0.95
"""An embedder to which everything is alike says nothing, and must not divide by 0."""

_UNRELATED = (
    "How long should I boil an egg?",
    "The deployment failed because the certificate expired.",
    "Our daughter starts school in September.",
    "Translate this contract into Spanish, please.",
    "Which tyres fit a mountain bike?",
    "Interest rates rose again last quarter.",
)
_UNRELATED_CJK = (
    "鸡蛋要煮多长时间？",
    "证书过期了，所以部署失败。",
    "女儿九月份开始上学。",
    "请把这份合同翻译成西班牙文。",
    "山地车适合用什么轮胎？",
    "上个季度利率又涨了。",
)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The mean cosine of unrelated texts, without and with CJK characters."""

    other: float
    cjk: float

    def of(self, text: str) -> float:
        """The one for a text's script."""
        return self.cjk if analysis.has_cjk(text) else self.other


async def measure_baseline(embed: Embed) -> Baseline:
    """Ask the embedder about sentences that have nothing to do with each other."""
    rows = await embed([*_UNRELATED, *_UNRELATED_CJK])
    return Baseline(_mean_cosine(rows[: len(_UNRELATED)]), _mean_cosine(rows[len(_UNRELATED) :]))


def shared_meaning(found: Sequence[Exchange], vectors: Matrix, baseline: Baseline) -> list[float]:
    """The nearness of each exchange to the nearest just before it, 0 to 1; 0 for the first."""
    nearest = np.full(len(found), -1.0)
    for back in range(1, min(BEFORE_MAX + 1, len(found))):
        cosines = np.einsum("ij,ij->i", vectors[back:], vectors[:-back])
        nearest[back:] = np.maximum(nearest[back:], cosines)
    return [
        _above(float(cosine), baseline.of(exchange.text))
        for cosine, exchange in zip(nearest, found, strict=True)
    ]


def shared_terms(request: str, before: Sequence[Counter[str]], rarity: dict[str, float]) -> float:
    """Return the share of the request's terms, by rarity, that occurred just before."""
    own = set(analysis.tokens(request))
    known = set().union(*before)
    total = sum(rarity.get(term, 1.0) for term in own)
    return sum(rarity.get(term, 1.0) for term in own & known) / total if total else 0.0


def rarities(terms: Sequence[Counter[str]]) -> dict[str, float]:
    """Return the inverse frequency of each term over the window's exchanges."""
    occurs = Counter(term for each in terms for term in each)
    return {term: math.log(1 + len(terms) / count) for term, count in occurs.items()}


def _above(cosine: float, unrelated: float) -> float:
    return min(1.0, max(0.0, (cosine - unrelated) / (1 - unrelated)))


def _mean_cosine(rows: Matrix) -> float:
    pairs = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    return min(_UNRELATED_MAX, max(0.0, float(pairs.mean())))
