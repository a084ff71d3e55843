"""Plans of what workers of the pipeline do, for tests that make up sequences.

`Step` does on some piece of work what comes next, so that runs get as far as lessons; the others
come at any time, and are mostly refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.ledger.cut import ReplaceSegments, SegmentPiece, UpdateSegment
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import ClaimWork, CompleteWork, FailWork, RenewWork, RetryWork
from anamnesis_memory.memories.learn import PromoteEpisodes, RecordLearned
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.memory import Caller, Kind, Origin, Provenance, Work
from anamnesis_memory.model.memory_details import Episode
from anamnesis_memory.model.segments import SegmentState
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import Claimable, Lease, WorkItem, WorkState
from tests.support.records import BASE_US, lesson, new_event, rows
from tests.support.store_model import StoreModel
from tests.support.store_plans import HOUR_US, PICKS, PLANS, START, Delete, NewId, Plan
from tests.support.store_writes import AnyWrite

LEASE_US = 60_000_000
TEXTS = ("Tea is good", "tea  is GOOD", "Ada drinks")
KINDS = (Kind.SEMANTIC, Kind.LEARNING, Kind.PROCEDURAL)


def _lease(item: WorkItem, *, stale: bool = False) -> Lease:
    return Lease(item.kind, item.session_id, item.token - stale)


def _some(model: StoreModel, pick: int, *states: WorkState) -> WorkItem:
    """Some work in one of these states, else any, else none that is there."""
    items = model.pipeline.work.in_order()
    found = [one for one in items if one.state in states] or items
    nobodys = WorkItem(Work.SEGMENT, "nobody", WorkState.PENDING, 0, 0)
    return found[pick % len(found)] if found else nobodys


@dataclass(frozen=True)
class Step:
    """The next step of some work; `vary` is what differs, 7 is wrong somewhere."""

    pick: int
    vary: int
    stale: bool

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        unfinished = [state for state in WorkState if state is not WorkState.DONE]
        item = _some(model, self.pick, *unfinished)
        if item.state is not WorkState.CLAIMED:
            if item.state is WorkState.DEAD:
                return RetryWork([item.key])
            asked = Claimable(item.kind, model.now_us, 2, item.session_id, even_if_early=True)
            return ClaimWork(asked, "stepper", LEASE_US)
        lease = _lease(item, stale=self.stale)
        of_kind: dict[Work, Callable[[StoreModel, Lease, NewId], AnyWrite]] = {
            Work.SEGMENT: self._cut,
            Work.LABEL: self._measure,
            Work.EXTRACT: self._learn,
            Work.COMPRESS: self._promote,
            Work.RETAIN: self._expire,
        }
        make = of_kind.get(item.kind)
        return make(model, lease, new_id) if make else CompleteWork(lease)

    def _cut(self, model: StoreModel, lease: Lease, new_id: NewId) -> AnyWrite:
        """Pieces of one size, told apart by what is said in them."""
        session = model.ledger.session(lease.session_id)
        texts = {event.index: event.content for event in model.ledger.events_of(lease.session_id)}
        size = 1 + self.vary % 3
        start = session.expired_before_index if session else 0
        end = (session.next_index if session else 0) + (self.vary == 7)
        pieces = []
        for first in range(start, end, size):
            places = range(first, min(first + size, end))
            said = "|".join(texts.get(place, "") for place in places)
            pieces.append(SegmentPiece(places[0], places[-1], said, f"on {said}"))
        etag = session.etag if session and self.vary != 6 else "old"
        return ReplaceSegments(lease, etag, pieces, "local")

    def _measure(self, model: StoreModel, lease: Lease, new_id: NewId) -> AnyWrite:
        held = model.pipeline.segments_of(lease.session_id)
        new = [one for one in held if one.state is SegmentState.NEW]
        if self.vary == 7 or not new:
            return CompleteWork(lease)
        named = "nobody" if self.vary == 6 else new[0].segment_id
        task_type = "coding" if self.vary % 2 else "cooking"
        return UpdateSegment(lease, named, task_type, self.vary / 8, "{}", "local")

    def _learn(self, model: StoreModel, lease: Lease, new_id: NewId) -> AnyWrite:
        held = model.pipeline.segments_of(lease.session_id)
        left = [one for one in held if one.state is not SegmentState.EXTRACTED]
        if not held or not (left or self.vary == 7):
            return CompleteWork(lease)
        session = model.ledger.session(lease.session_id)
        assert session is not None, "there is work on it"
        memories = [
            replace(
                lesson(TEXTS[(self.vary + place) % len(TEXTS)]),
                memory_id=new_id(),
                visibility=session.visibility,
                agent_id=session.agent_id,
                user_id=session.user_id,
                kind=KINDS[(self.vary + place) % len(KINDS)],
                tags=("Work",),
                entities=("Ada",),
                provenance=Provenance(Origin.GENERATED),
            )
            for place in range(self.vary % 3)
        ]
        vectors = {one.memory_id: rows(1.0) for one in memories[: self.vary % 2]}
        segment = (left or held)[0]
        refusals = {"unsupported": self.vary} if self.vary else {}
        return RecordLearned(lease, segment.segment_id, memories, vectors, refusals, "local")

    def _promote(self, model: StoreModel, lease: Lease, new_id: NewId) -> AnyWrite:
        drawers = [one for one in model.memories if isinstance(one.part, Episode)]
        return PromoteEpisodes(
            lease, {one.memory_id: f"short {self.vary}" for one in drawers[: self.vary]}
        )

    def _expire(self, model: StoreModel, lease: Lease, new_id: NewId) -> AnyWrite:
        return ExpireSession(lease, HOUR_US if self.vary > 5 else 0)


@dataclass(frozen=True)
class Claim:
    """Claims what is ready of a kind."""

    kind: Work
    limit: int
    early: bool

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        asked = Claimable(self.kind, model.now_us, self.limit, "", self.early)
        return ClaimWork(asked, "claimer", LEASE_US)


@dataclass(frozen=True)
class Hold:
    """Renews some leases, fails one, or completes it at the wrong time."""

    picks: tuple[int, ...]
    what: str
    stale: bool

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        held = [_some(model, pick, WorkState.CLAIMED) for pick in self.picks]
        leases = [_lease(item, stale=self.stale) for item in dict.fromkeys(held)]
        if self.what == "renew":
            return RenewWork(leases, LEASE_US)
        if self.what == "complete":
            return CompleteWork(leases[0])
        return FailWork(leases[0], self.what, HOUR_US if self.what == "away" else 0)


@dataclass(frozen=True)
class Retry:
    """Retries some work, whatever its state."""

    picks: tuple[int, ...]

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        wanted = [_some(model, pick, WorkState.FAILED, WorkState.DEAD) for pick in self.picks]
        return RetryWork([item.key for item in dict.fromkeys(wanted)])


@dataclass(frozen=True)
class Report:
    """Reports usage."""

    calls: tuple[tuple[int, str], ...]

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        return ReportUsage(
            [HourUsage(BASE_US + at * HOUR_US, name, 1, 10 * at, 1) for at, name in self.calls]
        )


@dataclass(frozen=True)
class Resend:
    """Sends a session again whose ledger has expired, or an event of another one in its place."""

    pick: int
    same: bool
    end_session: bool

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        gone = model.ledger.expired
        first = gone[self.pick % len(gone)] if gone else None
        name = first.session_id if first else "s-1"
        events = [
            replace(
                new_event(one.content, one.index, role=one.role),
                memory_id=new_id(),
                digest=one.digest if self.same or one is not first else b"another",
            )
            for one in gone
            if one.session_id == name
        ]
        return AppendEvents(name, events, end_session=self.end_session)


AnyPlan = Plan | Step | Claim | Hold | Retry | Report | Resend

STEPS = st.builds(Step, PICKS, st.integers(0, 7), st.sampled_from([False] * 7 + [True]))
OTHERS = st.one_of(
    st.builds(Claim, st.sampled_from(Work), st.integers(1, 3), st.booleans()),
    st.builds(
        Hold,
        st.lists(PICKS, min_size=1, max_size=3).map(tuple),
        st.sampled_from(["renew", "complete", "failed", "failed", "away"]),
        st.booleans(),
    ),
    st.builds(Resend, PICKS, st.booleans(), st.booleans()),
    st.builds(Retry, st.lists(PICKS, max_size=3).map(tuple)),
    st.builds(
        Report,
        st.lists(
            st.tuples(st.integers(0, 2), st.sampled_from(["extract", "label"])), max_size=3
        ).map(tuple),
    ),
)
ALL_PLANS = st.one_of(PLANS, STEPS, STEPS, OTHERS)

WORKED: tuple[AnyPlan, ...] = (
    *START,
    *(Step(1, vary, stale=False) for vary in (0, 0, 0, 1, 2, 3, 0, 0, 4, 5)),
    Delete(0, Caller("robot", "ada"), "no"),
    *(Step(0, 0, stale=False) for _ in range(8)),
    Step(1, 1, stale=False),
)
"""What `START` leaves, its first session cut, measured and learned from, and another expired."""
