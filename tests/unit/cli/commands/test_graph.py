"""`anamnesis graph` against a scripted server."""

import builtins
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from anamnesis.memory.v1.entity_pb2 import ENTITY_KIND_PERSON
from anamnesis.memory.v1.knowledge_service_pb2 import (
    GetEntityRequest,
    GetEntityResponse,
    TraverseRequest,
    TraverseResponse,
)
from anamnesis_libs.errors.not_found import EntityNameNotFound
from tests.support.neighbours import CENTRE, MARA, NODES
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run


@pytest.fixture(autouse=True)
def told(script: Script) -> None:
    script.answer("GetEntity", GetEntityResponse(entity=CENTRE))
    script.answer("Traverse", TraverseResponse(nodes=NODES, truncated="nodes"))


def test_prints_a_tree_of_what_is_known(run: Run, script: Script) -> None:
    answer = run("graph", "--around", "mara", "--user", "ada")
    assert answer.exit_code == 0
    lines = [line.strip("│├└─ ") for line in answer.stdout.splitlines()]
    assert "lives in → Lisbon (place)  since 2023-04" in lines
    assert "lives in → Porto (place)  2021-01 until 2023-04-01  over" in lines
    assert "Tom (person) lives in → Lisbon (place)  since 2023-04  contradicted" in lines
    assert "Juno (agent)" in lines
    assert "2 drawers" in lines
    assert "ended by its bound on nodes" in answer.stderr
    (asked,), (walked,) = script.asked(GetEntityRequest), script.asked(TraverseRequest)
    assert (asked.name, asked.entity_id, asked.caller.user_id) == ("mara", "", "ada")
    assert (list(walked.start_ids), walked.hops_max) == ([MARA], 2)
    assert walked.caller.user_id == "ada"


def test_an_id_is_no_name_and_a_kind_narrows_a_name(run: Run, script: Script) -> None:
    run("graph", "--around", MARA, "--hops", "4")
    run("graph", "--around", "Mara", "--kind", "person")
    by_id, by_name = script.asked(GetEntityRequest)
    assert (by_id.entity_id, by_id.name) == (MARA, "")
    assert (by_name.name, by_name.kind) == ("Mara", ENTITY_KIND_PERSON)
    assert [one.hops_max for one in script.asked(TraverseRequest)] == [4, 2]


def test_json_is_what_the_server_said(run: Run) -> None:
    document = json.loads(run("graph", "--around", "Mara", "--json").stdout)
    assert document["entity"]["name"] == "Mara Lindqvist"
    assert len(document["around"]["nodes"]) == len(NODES)


@pytest.mark.slow
def test_draws_a_picture(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mara.png"
    answer = run("graph", "--around", "Mara", "--png", str(file))
    assert answer.exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert str(file) in answer.stderr.replace("\n", "")


def test_without_matplotlib_the_remedy_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
        return real(name, globals_, locals_, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", without)
    answer = run("graph", "--around", "Mara", "--png", str(tmp_path / "mara.png"))
    assert answer.exit_code == 1
    assert "matplotlib, which is not installed" in answer.stderr
    assert "pip install 'anamnesis-suite[pictures]'" in answer.stderr


def test_a_file_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    answer = run("graph", "--around", "Mara", "--png", str(tmp_path / "nowhere" / "mara.png"))
    assert answer.exit_code == 1
    assert "cannot be written" in answer.stderr


def test_nobody_of_that_name(run: Run, script: Script) -> None:
    script.answer("GetEntity", EntityNameNotFound("Nemo"))
    answer = run("graph", "--around", "Nemo")
    assert answer.exit_code == 1
    assert "no entity is named 'Nemo'" in answer.stderr
