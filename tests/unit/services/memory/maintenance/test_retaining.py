"""The retention loop over a memory service, its clock in the test's hands."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.ledger.work import ClaimWork
from anamnesis_memory.maintenance.ledger_retention import SESSIONS_IN_A_STEP, Retainer
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.work import Claimable
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.claiming import Claimer
from tests.support.kept import LEASE_US, RETAIN_DAYS, RETAIN_US, run_pipeline
from tests.support.memory_service import Served, serving
from tests.support.pipeline_calls import COMPRESS, claim, lease, listed, refused, talk

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Retained:
    """A memory service and its retention."""

    served: Served
    retainer: Retainer

    async def finished(self, session_id: str = "s", namespace: str = "n") -> None:
        """A session whose pipeline is done but for its last stage, which is done by an rpc."""
        await talk(self.served, session_id, namespace)
        async with self.served.calls.reading(namespace) as opened:
            await run_pipeline(opened.store, self.served.clock, (), session_id, last=False)
        (item,) = (await claim(self.served, COMPRESS, namespace=namespace)).items
        request = pb.PromoteEpisodesRequest(namespace=namespace, lease=lease(item))
        await self.served.ledger.PromoteEpisodes(request)

    async def session(self, session_id: str = "s", namespace: str = "n") -> event_pb2.Session:
        """A session as it is told."""
        request = pb.GetSessionRequest(namespace=namespace, session_id=session_id)
        return (await self.served.ledger.GetSession(request)).session

    async def expired(self, session_id: str = "s", namespace: str = "n") -> bool:
        """Whether its ledger is gone."""
        session = await self.session(session_id, namespace)
        request = pb.ListEventsRequest(namespace=namespace, session_id=session_id)
        events = (await self.served.ledger.ListEvents(request)).events
        assert (session.expired_before_index == 2) is not bool(events)
        return not events


@pytest.fixture
async def retained(tmp_path: Path) -> AsyncIterator[Retained]:
    """A memory service that keeps ledgers for two weeks."""
    async with serving(tmp_path) as served:
        claimer = Claimer(served.calls, served.behind.stores.catalogue)
        yield Retained(served, Retainer(served.calls, claimer, RETAIN_US))


async def test_a_ledger_goes_two_weeks_after_the_last_stage(retained: Retained) -> None:
    await retained.finished()
    (item,) = (await listed(retained.served, kinds=[work.WORK_KIND_RETAIN])).items
    due_s = int(retained.served.clock.monotonic_s()) + RETAIN_DAYS * 86_400
    assert item.due_time.ToSeconds() == due_s
    retained.served.clock.move(days=RETAIN_DAYS, seconds=-1)
    assert not await retained.retainer.step()
    assert not await retained.expired()
    retained.served.clock.move(seconds=1)
    assert not await retained.retainer.step()
    assert await retained.expired()
    before = await retained.session()
    assert not await retained.retainer.step()
    assert await retained.session() == before


async def test_only_namespaces_where_it_is_due_are_looked_at(retained: Retained) -> None:
    await retained.finished("s", "old")
    await talk(retained.served, "s", "young")
    retained.served.clock.move(days=RETAIN_DAYS)
    catalogue = retained.served.behind.stores.catalogue
    now_us = retained.served.calls.now_us()
    assert [due.name for due in await catalogue.due([Work.RETAIN], now_us, 9)] == ["old"]
    await retained.retainer.step()
    assert await retained.expired("s", "old")
    assert not await retained.expired("s", "young")


async def test_many_are_done_in_small_batches(retained: Retained) -> None:
    names = [f"s-{number}" for number in range(SESSIONS_IN_A_STEP + 1)]
    for name in names:
        await retained.finished(name)
    retained.served.clock.move(days=RETAIN_DAYS)
    assert await retained.retainer.step()
    done = [await retained.expired(name) for name in names]
    assert sum(done) == SESSIONS_IN_A_STEP
    await retained.retainer.step()
    assert all([await retained.expired(name) for name in names])


async def test_a_session_that_grew_waits_for_its_pipeline(retained: Retained) -> None:
    await retained.finished()
    retained.served.clock.move(days=RETAIN_DAYS)
    await talk(retained.served)
    await retained.retainer.step()
    assert (await retained.session()).event_count == 4


async def test_what_another_worker_holds_is_left_to_it(retained: Retained) -> None:
    await retained.finished()
    retained.served.clock.move(days=RETAIN_DAYS)
    async with retained.served.calls.reading("n") as opened:
        await _claimed(opened.store, retained.served.calls.now_us())
        await retained.retainer.step()
        assert not await retained.expired()
    retained.served.clock.move(hours=1)
    await retained.retainer.step()
    assert await retained.expired()


async def test_nobody_else_may_claim_it_or_call_it_done(retained: Retained) -> None:
    await retained.finished()
    retained.served.clock.move(days=RETAIN_DAYS)
    error = await refused(claim(retained.served, work.WORK_KIND_RETAIN))
    assert isinstance(error, InvalidArgument)
    assert [violation.field for violation in error.violations] == ["kinds"]
    held = work.Lease(kind=work.WORK_KIND_RETAIN, session_id="s", token=1)
    request = pb.CompleteWorkRequest(namespace="n", lease=held)
    assert (await refused(retained.served.ledger.CompleteWork(request))).reason == "FIELD_INVALID"


async def test_the_log_counts_events_and_names_no_session(retained: Retained) -> None:
    await retained.finished("from-ada")
    retained.served.clock.move(days=RETAIN_DAYS)
    with capture_logs() as logs:
        await retained.retainer.step()
    (entry,) = [one for one in logs if one["event"] == "retention.expired"]
    assert (entry["namespace"], entry["events"]) == ("n", 2)
    assert "from-ada" not in repr(logs)


async def _claimed(store: NamespaceStore, now_us: int) -> None:
    await store.commit(ClaimWork(Claimable(Work.RETAIN, now_us, 9), "other", LEASE_US))
