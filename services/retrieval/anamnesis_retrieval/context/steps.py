"""One procedure, whole, where a task is to be done again or its way is asked for.

Each time that an agent does a task it learns a procedure: five deployments give five lists of
nearly the same steps, behind five requests that say nothing else. One list, whole, tells more than
the openings of all: that which has most in common with the others of its kind, a skill in use
before drafts. The others, and the requests that they answered, are left out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from anamnesis_libs.talk.asking import asks_steps
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.model import Ranked, Remembered

ALIKE_MIN = 0.5
"""Two procedures with this share of their steps in common (Jaccard) are of one kind."""


def steps_first(
    hits: Sequence[Ranked],
    memory_of: Callable[[Ranked], Remembered],
    asked: PromptReading,
    strong: Collection[str],
) -> list[Ranked]:
    """The hits with one procedure of the best kind before all else, without the others of its kind.

    Only a procedure among the `strong`, which answer the prompt by themselves, makes a kind the
    best. Where nothing is to be done, or no procedure is strong, the hits stay as they are.
    """
    if not asks_steps(asked.query):
        return list(hits)
    procedures = [hit for hit in hits if _steps(memory_of(hit))]
    best = next((one for one in procedures if one.candidate.memory_id in strong), None)
    if best is None:
        return list(hits)
    kind = [one for one in procedures if _is_alike(memory_of(one), memory_of(best))]
    common = Counter(step for one in kind for step in _steps(memory_of(one)))
    chosen = max(kind, key=lambda one: _standing(memory_of(one), common))
    requests = {learned.context for one in kind if (learned := memory_of(one).learned)}
    gone = {one.candidate.memory_id for one in kind}
    rest = [
        hit
        for hit in hits
        if hit.candidate.memory_id not in gone and memory_of(hit).content not in requests
    ]
    return [chosen, *rest]


def _steps(memory: Remembered) -> frozenset[str]:
    """The steps of a procedure, without their numbers; none of all else."""
    return frozenset(memory.learned.steps if memory.learned else ())


def _is_alike(one: Remembered, other: Remembered) -> bool:
    own, others = _steps(one), _steps(other)
    return len(own & others) >= ALIKE_MIN * len(own | others)


def _standing(memory: Remembered, common: Counter[str]) -> tuple[bool, float]:
    """If nothing speaks against a procedure, and how many of its kind have its steps on average."""
    steps = _steps(memory)
    return not memory.caveats, sum(common[step] for step in steps) / len(steps)
