"""The packages of the suite by themselves: what each needs, and that together they are all."""

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.test_locks import IMAGE_EXTRAS, ROOT, pins
from tools.parts import FOLDERS, SERVICES, needed


def names(lines: set[str]) -> set[str]:
    """The packages that requirements are about."""
    return {canonicalize_name(Requirement(line).name) for line in lines}


def test_the_parts_need_together_what_the_suite_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    optional = {line for extra in IMAGE_EXTRAS for line in extras[extra]}
    assert needed(*SERVICES, "cli[mcp]")[1] == {*project["dependencies"], *optional}


def test_the_parts_are_of_the_version_of_the_suite() -> None:
    versions = {
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "version"
        ]
        for folder in (".", *FOLDERS.values())
    }
    assert len(versions) == 1


def test_retrieval_needs_no_database_no_index_and_no_model() -> None:
    folders, others = needed("retrieval")
    assert folders == ["libs/pb", "libs", "services/retrieval", "cli"]
    assert not names(others) & {"apsw", "faiss-cpu", "neo4j", "numpy", "onnxruntime", "spacy"}


@pytest.mark.parametrize("service", SERVICES)
def test_the_image_of_a_service_installs_what_it_needs_and_what_the_suite_has(service: str) -> None:
    pinned = pins(service)
    assert names(needed(service)[1]) <= pinned.keys(), "make lock"
    assert pinned.items() <= pins("suite").items(), "make lock"


def test_the_wheel_has_each_package_at_its_top() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["sources"]} == {*wheel["only-include"]}
    assert all(folder.rpartition("/")[2] == name for folder, name in wheel["sources"].items())
