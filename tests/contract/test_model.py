"""Backends against a model: random runs of everything that the port can do.

Each step does something to a store and to a model of it, then reads all that there is and
compares. A run that fails is made as short as can be and printed as a program.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from itertools import count, cycle
from typing import TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from anamnesis_libs.clock import micros
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace
from anamnesis_memory.ports import RequestKey
from anamnesis_memory.ports.catalogue import Stores
from tests.contract.conftest import SERVER, Open
from tests.support.clock import SetClock
from tests.support.life_plans import HANGS, Hang
from tests.support.records import BASE_US, DIMENSION
from tests.support.store_plans import (
    APPENDS,
    ASSIGNS,
    CALLERS,
    CREATES,
    DELETES,
    FILTERS,
    LOOKS,
    PICKS,
    picked,
)
from tests.support.store_twin import Twin
from tests.support.work_plans import ALL_PLANS, OTHERS, STEPS, WORKED, AnyPlan

T = TypeVar("T")

REQUEST_KEYS = st.sampled_from(
    [None] * 5
    + [RequestKey("Write", name, digest) for name in ("r-1", "r-2") for digest in (b"1", b"2")]
)
CALLERS_BY_TURNS = (None, Caller(), Caller("robot"), Caller("", "ada"), Caller("other", "bob"))
LIMITS = st.integers(1, 4)
TWINS = st.sampled_from([0, 0, 0, 1])
"""Most steps are about the first namespace; the second one must not notice."""


class Machine(RuleBasedStateMachine):
    """Two namespaces of one store, and a model of each; ids are the same in both."""

    def __init__(self, open_stores: Open, clock: SetClock) -> None:
        super().__init__()
        self._open_stores = open_stores
        self._clock = clock
        self._loop = asyncio.new_event_loop()
        self._namespaces = [
            Namespace(f"{uuid4()}", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
            for _ in range(2)
        ]
        self._numbers = count(1)
        self._touched = 0
        self._looks = zip(cycle(LOOKS), cycle(CALLERS_BY_TURNS), cycle((1, 2, 3)), strict=False)

    def _run(self, work: Awaitable[T]) -> T:
        return self._loop.run_until_complete(work)

    def _at(self, twin: int) -> Twin:
        self._touched = twin
        return self._twins[twin]

    def _new_id(self) -> str:
        return f"m-{next(self._numbers):03}"

    @initialize(empty=st.sampled_from([False, False, True]))
    def open(self, empty: bool) -> None:
        """Start with nothing stored, or with something of everything."""
        self._stores: Stores = self._run(self._open_stores())
        self._twins = [
            Twin(self._run(self._stores.open(namespace))) for namespace in self._namespaces
        ]
        for plan in () if empty else WORKED:
            self._commit(0, [(plan, None)])

    @rule(twin=TWINS, plan=APPENDS, key=REQUEST_KEYS)
    def append(self, twin: int, plan: AnyPlan, key: RequestKey | None) -> None:
        """Append events, replace some, end a session."""
        self._commit(twin, [(plan, key)])

    @rule(twin=TWINS, plan=CREATES, key=REQUEST_KEYS)
    def create(self, twin: int, plan: AnyPlan, key: RequestKey | None) -> None:
        """Create memories."""
        self._commit(twin, [(plan, key)])

    @rule(twin=TWINS, plans=st.lists(DELETES, min_size=1, max_size=3), key=REQUEST_KEYS)
    def delete(self, twin: int, plans: list[AnyPlan], key: RequestKey | None) -> None:
        """Delete memories, or be refused."""
        self._commit(twin, [(plans[0], key), *((plan, None) for plan in plans[1:])])

    @rule(twin=TWINS, plan=ASSIGNS, key=REQUEST_KEYS)
    def assign(self, twin: int, plan: AnyPlan, key: RequestKey | None) -> None:
        """Put memories into topics, or be refused."""
        self._commit(twin, [(plan, key)])

    @rule(twin=TWINS, plans=st.lists(st.tuples(ALL_PLANS, REQUEST_KEYS), min_size=2, max_size=4))
    def write_at_once(self, twin: int, plans: list[tuple[AnyPlan, RequestKey | None]]) -> None:
        """Send writes together: they share a commit, and each sees those before it."""
        self._commit(twin, plans)

    @rule(twin=TWINS, plans=st.lists(STEPS, min_size=1, max_size=4), key=REQUEST_KEYS)
    def work_on(self, twin: int, plans: list[AnyPlan], key: RequestKey | None) -> None:
        """Do what comes next on some work, step by step."""
        for plan in plans:
            self._commit(twin, [(plan, None)])
        self._commit(twin, [(plans[0], key)])

    @rule(twin=TWINS, plan=OTHERS)
    def disturb(self, twin: int, plan: AnyPlan) -> None:
        """Claim, renew, fail, complete or retry work, or report usage, at any time."""
        self._commit(twin, [(plan, None)])

    @rule(twin=TWINS, plan=HANGS)
    def hang(self, twin: int, plan: Hang) -> None:
        """Put or remove what hangs on memories; takes no revision."""
        self._commit(twin, [(plan, None)])

    def _commit(self, twin: int, plans: Sequence[tuple[AnyPlan | Hang, RequestKey | None]]) -> None:
        there = self._at(twin)
        self._clock.move(seconds=1)
        there.model.now_us = micros(self._clock.now())
        writes = [(plan.write(there.model, self._new_id), key) for plan, key in plans]
        self._run(there.commit(writes, micros(self._clock.now())))

    @rule(twin=TWINS, picks=st.lists(PICKS, max_size=4), lean=st.sampled_from([0.0, 1.0, 5.0]))
    def embed(self, twin: int, picks: list[int], lean: float) -> None:
        """Put vectors, also of what is gone; note failures, also of what was embedded."""
        there = self._at(twin)
        ids = [picked(there.model, pick) for pick in picks]
        self._run(there.embed(ids[1:], lean))
        self._run(there.store.note_embedding_failures(ids, "model is away"))

    @rule(minutes=st.sampled_from([1, 13 * 60, 25 * 60]))
    def wait(self, minutes: int) -> None:
        """Let time pass; after a day answers are forgotten."""
        self._clock.move(minutes=minutes)

    @rule()
    def restart(self) -> None:
        """Close everything, as a process that ends, and open it again."""
        for twin in self._twins:
            self._run(twin.store.close())
        self._run(self._stores.close())
        self._stores = self._run(self._open_stores())
        for twin, namespace in zip(self._twins, self._namespaces, strict=True):
            twin.store = self._run(self._stores.open(namespace))
            self._run(twin.check())

    @rule(
        twin=TWINS, where=FILTERS, caller=CALLERS, picks=st.lists(PICKS, max_size=4), limit=LIMITS
    )
    def read(
        self, twin: int, where: MemoryFilter, caller: Caller, picks: list[int], limit: int
    ) -> None:
        """Read as a caller does: some by id, gone ones too, and every listing page by page."""
        there = self._at(twin)
        self._run(there.check_memories([picked(there.model, pick) for pick in picks], caller))
        self._run(there.check_list(where, None, limit))
        self._run(there.check_list(where, caller, limit))
        self._run(there.check_sessions(caller, where.agent_id, where.user_id, limit))
        self._run(there.check_topics("", caller, limit))
        self._run(there.check_topics("t-1", caller, limit))
        for back in (1, 2, 4, there.model.revision):
            self._run(there.check_log(max(0, there.model.revision - back), limit))

    @invariant()
    def agree(self) -> None:
        """The store holds what the model holds, and tells of it by turns to different callers."""
        there = self._twins[self._touched]
        self._run(there.check())
        where, caller, limit = next(self._looks)
        self._run(there.check_list(where, caller, limit))
        self._run(there.follow(limit))
        self._run(there.read_on(limit))

    def teardown(self) -> None:
        """Look at both namespaces for the last time."""
        try:
            if hasattr(self, "_stores"):
                for twin in self._twins:
                    self._run(twin.check())
                    self._run(twin.store.close())
                self._run(self._stores.close())
        finally:
            self._loop.close()


def _bounds(examples: int, steps: int) -> settings:
    """How many runs, of how many steps; a slow machine is no finding."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[phase for phase in Phase if phase is not Phase.explain],
    )


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("open_stores", "bounds"),
    [
        pytest.param("fake", _bounds(25, 30)),
        pytest.param("sqlite", _bounds(15, 30)),
        pytest.param("neo4j", _bounds(3, 20), marks=SERVER),
    ],
    indirect=["open_stores"],
    ids=["fake", "sqlite", "neo4j"],
)
def test_a_store_does_what_the_model_does(
    open_stores: Open, clock: SetClock, bounds: settings
) -> None:
    class Here(Machine):
        """The machine on the backend of this test."""

        def __init__(self) -> None:
            super().__init__(open_stores, clock)

    run_state_machine_as_test(Here, settings=bounds)
