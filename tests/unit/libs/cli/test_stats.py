"""`anamnesis stats` against a scripted server."""

import json

from anamnesis.memory.v1.admin_service_pb2 import (
    GetNamespaceResponse,
    GetStatsRequest,
    GetStatsResponse,
    ListNamespacesRequest,
    ListNamespacesResponse,
)
from anamnesis.memory.v1.namespace_pb2 import Namespace, NamespaceStats
from tests.support.scripted_suite import Script
from tests.unit.libs.cli.answers import at
from tests.unit.libs.cli.conftest import Run


def _script_one(script: Script) -> None:
    namespace = Namespace(namespace="team-a", revision="r-9", embedding_model="m", incarnation="i")
    counts = NamespaceStats(
        memories=1234, sessions=4, memories_by_kind={"episodic": 1200, "learning": 34}
    )
    script.answer("GetNamespace", GetNamespaceResponse(namespace=namespace))
    script.answer("GetStats", GetStatsResponse(stats=counts))


def _script_list(script: Script) -> None:
    a, b = (Namespace(namespace=name, create_time=at("2026-03-02T09:15:00")) for name in "ab")
    first = ListNamespacesResponse(namespaces=[a], next_page_token="t-2")
    script.answer("ListNamespaces", first, ListNamespacesResponse(namespaces=[b]))


def test_counts_what_a_namespace_holds(run: Run, script: Script) -> None:
    _script_one(script)
    answer = run("stats", "-n", "team-a")
    rows = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert "namespace team-a" in rows
    assert "memories 1,234" in rows
    assert "by kind 1,200 episodic, 34 learning" in rows
    assert script.asked(GetStatsRequest)[0].namespace == "team-a"


def test_json_of_one_namespace(run: Run, script: Script) -> None:
    _script_one(script)
    document = json.loads(run("stats", "-n", "team-a", "--json").stdout)
    assert document["namespace"]["revision"] == "r-9"
    assert document["stats"]["memories"] == "1234"


def test_lists_all_namespaces_when_none_is_named(run: Run, script: Script) -> None:
    _script_list(script)
    answer = run("stats")
    rows = [line.split() for line in answer.stdout.splitlines() if line.strip()]
    assert rows[-2:] == [["a", "2026-03-02", "09:15"], ["b", "2026-03-02", "09:15"]]
    assert [asked.page_token for asked in script.asked(ListNamespacesRequest)] == ["", "t-2"]


def test_json_of_the_list(run: Run, script: Script) -> None:
    _script_list(script)
    document = json.loads(run("--json", "stats").stdout)
    assert [each["namespace"] for each in document["namespaces"]] == ["a", "b"]


def test_says_how_to_make_the_first_namespace(run: Run, script: Script) -> None:
    script.answer("ListNamespaces", ListNamespacesResponse())
    assert "anamnesis ingest PATH" in run("stats").stderr
