"""Tests of budgets: what models cost by hour and purpose, and what is left."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.errors.not_found import NamespaceNotFound
from tests.support.memory_service import BUDGET, Served, serving
from tests.support.pipeline_calls import CLUSTER, claim, learn, refused, talk


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


def used(purpose: str, calls: int = 1, tokens: int = 100) -> pb.Usage:
    return pb.Usage(purpose=purpose, calls=calls, input_tokens=tokens, output_tokens=tokens)


async def report(served: Served, *usages: pb.Usage, request_id: str = "") -> pb.ReportUsageResponse:
    return await served.admin.ReportUsage(
        pb.ReportUsageRequest(namespace="n", usages=usages, request_id=request_id)
    )


async def test_what_is_reported_is_added_and_taken_off_the_budget(served: Served) -> None:
    await talk(served)
    first = await report(served, used("extract"), used("segment", calls=2))
    assert (first.calls_left, first.tokens_left) == (BUDGET.calls_max - 3, BUDGET.tokens_max - 400)
    await report(served, used("extract"))
    answer = await served.admin.GetUsage(pb.GetUsageRequest(namespace="n"))
    (hour,) = answer.hours
    assert [(one.purpose, one.calls, one.input_tokens) for one in hour.usages] == [
        ("extract", 2, 200),
        ("segment", 2, 100),
    ]
    assert (answer.calls_left, answer.tokens_left) == (6, 400)
    assert answer.reset_time.ToSeconds() == hour.hour.ToSeconds() + 3600


async def test_a_request_that_is_sent_again_adds_nothing(served: Served) -> None:
    await talk(served)
    first = await report(served, used("extract"), request_id="r")
    assert await report(served, used("extract"), request_id="r") == first
    error = await refused(
        served.admin.ReportUsage(
            pb.ReportUsageRequest(namespace="n", usages=[used("label")], request_id="r")
        )
    )
    assert error.reason == "REQUEST_ID_REUSED"


async def test_hours_turn_and_come_newest_first(served: Served) -> None:
    await talk(served)
    await report(served, used("extract", calls=20))
    served.clock.move(hours=1)
    after = await report(served, used("label"))
    assert after.calls_left == BUDGET.calls_max - 1
    answer = await served.admin.GetUsage(pb.GetUsageRequest(namespace="n"))
    assert [one.usages[0].purpose for one in answer.hours] == ["label", "extract"]
    now = await served.admin.GetUsage(pb.GetUsageRequest(namespace="n", hours=1))
    assert [one.usages[0].purpose for one in now.hours] == ["label"]


async def test_there_is_never_less_than_nothing_left(served: Served) -> None:
    await talk(served)
    answer = await report(served, used("extract", calls=99, tokens=9999))
    assert (answer.calls_left, answer.tokens_left) == (0, 0)


async def test_bad_reports_are_refused(served: Served) -> None:
    error = await refused(report(served, used("extract")))
    assert isinstance(error, NamespaceNotFound)
    await talk(served)
    for usages, field in (
        ([], "usages"),
        ([used("No purpose")], "usages[0].purpose"),
        ([used("extract", calls=-1)], "usages[0].calls"),
    ):
        error = await refused(report(served, *usages))
        assert isinstance(error, InvalidArgument)
        assert error.violations[0].field == field
    assert not (await served.admin.GetUsage(pb.GetUsageRequest(namespace="n"))).hours


async def test_namespaces_that_are_due_are_listed_while_nobody_is_at_them(served: Served) -> None:
    for name in ("a", "b", "c"):
        await learn(served, name)
    await talk(served, namespace="d")
    asked = pb.ListNamespacesRequest(due=pb.WORK_CLUSTER, page_size=2)
    page = await served.admin.ListNamespaces(asked)
    assert [one.namespace for one in page.namespaces] == ["a", "b"]
    asked.page_token = page.next_page_token
    page = await served.admin.ListNamespaces(asked)
    assert ([one.namespace for one in page.namespaces], page.next_page_token) == (["c"], "")
    await claim(served, CLUSTER, limit=2)
    page = await served.admin.ListNamespaces(pb.ListNamespacesRequest(due=pb.WORK_CLUSTER))
    assert [one.namespace for one in page.namespaces] == ["c"]
