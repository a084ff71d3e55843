"""`anamnesis route` against a scripted server."""

import json

from anamnesis.memory.v1.filter_pb2 import TimeRange
from anamnesis.retrieval.v1.retrieval_pb2 import SEARCH_MODE_TEMPORAL, Route
from anamnesis.retrieval.v1.retrieval_service_pb2 import RouteQueryRequest, RouteQueryResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

ROUTES = RouteQueryResponse(
    routes=[
        Route(name="text", reason="words", words=["decid", "week"]),
        Route(
            name="temporal",
            reason="only what happened in this time",
            times=[TimeRange(end_time=at("2026-03-02T00:00:00"))],
        ),
    ]
)


def test_tells_each_way_and_why(run: Run, script: Script) -> None:
    script.answer("RouteQuery", ROUTES)
    answer = run(
        "route", "what", "did", "we", "decide", "--mode", "temporal", "--now", "2026-03-09"
    )
    assert answer.exit_code == 0
    lines = {line.split()[0]: line for line in answer.stdout.splitlines() if line.strip()}
    assert lines["text"].split() == ["text", "words", "decid,", "week"]
    assert "only what happened in this time" in lines["temporal"]
    assert "to 2026-03-02 00:00 UTC" in lines["temporal"]
    (asked,) = script.asked(RouteQueryRequest)
    assert (asked.query, asked.mode) == ("what did we decide", SEARCH_MODE_TEMPORAL)
    assert asked.now == at("2026-03-09T00:00:00")


def test_json_has_the_answer_as_it_came(run: Run, script: Script) -> None:
    script.answer("RouteQuery", ROUTES)
    told = json.loads(run("route", "x", "--json").stdout)
    assert [one["name"] for one in told["routes"]] == ["text", "temporal"]
