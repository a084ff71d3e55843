"""Reports of a step that went well, such as "All 43 tests pass", of which one is enough.

An agent gives one at each step of a task. The newest says how things are; the others say that a
step was taken, and would take the room of what was found out there.
"""

from collections.abc import Callable, Sequence

from anamnesis_libs.talk.filler import only_went_well
from anamnesis_retrieval.model import Ranked, Remembered
from anamnesis_retrieval.ranking.newest import moment


def newest_report(
    hits: Sequence[Ranked], memory_of: Callable[[Ranked], Remembered]
) -> list[Ranked]:
    """The hits with the newest report in the place of the best of them, the others last."""
    reports = [
        hit
        for hit in hits
        if hit.candidate.role == "assistant" and only_went_well(memory_of(hit).content)
    ]
    if len(reports) < 2:
        return list(hits)
    newest = max(reports, key=moment)
    behind = {id(hit) for hit in reports}
    kept = [
        newest if hit is reports[0] else hit
        for hit in hits
        if id(hit) not in behind or hit is reports[0]
    ]
    return [*kept, *(hit for hit in reports if hit is not newest)]
