"""Runs of sleep as they are recorded: documents whose names sort the newest first."""

import json
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.memory import Work

PHASES = (Work.REINFORCE, Work.TIER, Work.FORGET, Work.RETAIN, Work.SHARE)
"""The memory service's own, in the order in which they are run."""
OF_LESSONS = (Work.MERGE, Work.CRYSTALLISE)
"""Phases that lessons make due."""
HANDED_OUT = (*OF_LESSONS, Work.REFINE)
"""Phases that another service does: it claims them here, and says how they ended."""
RUNS_MAX = 1_000
_EVER_US = (1 << 63) - 1


class RunState(StrEnum):
    """The states of a run; RUNNING also where its worker vanished."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    HELD_ELSEWHERE = "held_elsewhere"


@dataclass(frozen=True, slots=True)
class SleepRun:
    """One phase of sleep. `cursor` says where it stands, if it need not begin anew."""

    run_id: str
    phase: Work
    state: RunState
    start_us: int
    end_us: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    cursor: str = ""
    model_tokens: int = 0

    def counted(self, counts: Mapping[str, int]) -> "SleepRun":
        """The run with more done."""
        return replace(self, counts=dict(Counter(self.counts) + Counter(counts)))

    def ended(self, state: RunState, now_us: int, reason: str = "") -> "SleepRun":
        """The run at its end; what is done needs no cursor."""
        cursor = "" if state is RunState.DONE else self.cursor
        return replace(self, state=state, end_us=now_us, reason=reason, cursor=cursor)


def new_run(phase: Work, now_us: int, cursor: str = "") -> SleepRun:
    """A run that begins; ids of later runs sort before those of earlier ones."""
    run_id = f"{_EVER_US - now_us:016x}{secrets.token_hex(4)}"
    return SleepRun(run_id, phase, RunState.RUNNING, now_us, cursor=cursor)


def key_of(run: SleepRun) -> DocumentKey:
    """The key of the record of a run."""
    return DocumentKey(Collection.RUN, run.run_id)


def document_of(run: SleepRun, now_us: int) -> Document:
    """A run as it is kept."""
    body = {
        "phase": run.phase.value,
        "state": run.state.value,
        "start_us": run.start_us,
        "end_us": run.end_us,
        "counts": dict(run.counts),
        "reason": run.reason,
        "cursor": run.cursor,
        "model_tokens": run.model_tokens,
    }
    return Document(Collection.RUN, run.run_id, json.dumps(body), now_us)


def run_of(document: Document) -> SleepRun:
    """A run from what is kept."""
    held = json.loads(document.body)
    return SleepRun(
        document.name,
        Work(held["phase"]),
        RunState(held["state"]),
        held["start_us"],
        held["end_us"],
        held["counts"],
        held["reason"],
        held["cursor"],
        held.get("model_tokens", 0),
    )
