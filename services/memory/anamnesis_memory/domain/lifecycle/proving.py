"""Records of procedures and lessons that prove themselves, and the ranks of those that apply.

A procedure starts as DRAFT and is ACTIVE after its first run that succeeded. With 5 runs or more
and fewer than 30 % of them successful it is DEPRECATED, and stays so until a caller says otherwise:
nobody is shown it, so nothing can prove it again.
"""

from collections.abc import Iterable

from anamnesis_memory.model.memory_details import ProcedureStatus

PROVEN_RUNS = 10
DEPRECATION_RUNS_MIN = 5
DEPRECATION_RATE = 0.3
CONFIDENCE_GAIN = 0.10
CONFIDENCE_LOSS = 0.15
LESSON_CONFIDENCE_MIN = 0.3
_DIGITS = 9
"""Kept of a confidence, so that steps of hundredths add up to hundredths."""


def recorded(runs: int, success_rate: float, success: bool) -> tuple[int, float]:
    """Runs and success rate, a running mean in [0, 1], after one more run.

    The mean is taken over whole successes, so that 3 of 10 are 0.3 whatever their order.
    """
    successes = round(success_rate * runs) + success
    return runs + 1, successes / (runs + 1)


def status_after(status: ProcedureStatus, runs: int, success_rate: float) -> ProcedureStatus:
    """The status of a procedure that stood at `status` before its last run was recorded."""
    if runs >= DEPRECATION_RUNS_MIN and success_rate < DEPRECATION_RATE:
        return ProcedureStatus.DEPRECATED
    if status is ProcedureStatus.DRAFT and success_rate > 0:
        return ProcedureStatus.ACTIVE
    return status


def procedure_rank(runs: int, success_rate: float) -> float:
    """success * min(runs / 10, 1): a few lucky runs do not beat many good ones."""
    return success_rate * min(runs / PROVEN_RUNS, 1.0)


def validated(confidence: float, was_validated: bool, success: bool) -> tuple[float, bool]:
    """Confidence, in [0, 1], of a lesson that was applied, and whether it ever succeeded."""
    if success:
        return round(min(1.0, confidence + CONFIDENCE_GAIN), _DIGITS), True
    return round(max(0.0, confidence - CONFIDENCE_LOSS), _DIGITS), was_validated


def lesson_rank(confidence: float, impact: float) -> float:
    """confidence * impact, in [0, 1]; ranks the lessons that are `matchable`."""
    return confidence * impact


def matchable(confidence: float) -> bool:
    """True if a lesson is trusted enough to be shown at all, however great its impact."""
    return confidence >= LESSON_CONFIDENCE_MIN


def tag_share(asked: Iterable[str], has: Iterable[str]) -> float:
    """The share of the tags asked for that something has, case ignored; 0 if none are asked for."""
    wanted = {tag.casefold() for tag in asked}
    if not wanted:
        return 0.0
    return len(wanted & {tag.casefold() for tag in has}) / len(wanted)
