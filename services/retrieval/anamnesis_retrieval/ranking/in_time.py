"""The order of hits of one matter by time, which holds whatever the hits were ordered by."""

from collections.abc import Sequence

from anamnesis_retrieval.model import Mode, Ranked, Ranking, ScopeShape
from anamnesis_retrieval.ranking.amended import amendments_first
from anamnesis_retrieval.ranking.newest import newest_first


def in_time(
    query: str, ranked: Sequence[Ranked], scope: ScopeShape, mode: Mode, ranking: Ranking
) -> list[Ranked]:
    """The hits with versions newest first and amendments before what they amend.

    Where vectors alone decide, or recency counts by itself, the order stays what it is.
    """
    if mode is Mode.SEMANTIC or ranking is not Ranking.RELEVANCE:
        return list(ranked)
    return amendments_first(query, newest_first(query, ranked, scope))
