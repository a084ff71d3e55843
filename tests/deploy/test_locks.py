"""The locks of the image: all that pyproject.toml asks for, by version and hash, from anywhere."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = ("suite", "build")
IMAGE_EXTRAS = ("neo4j", "openai", "tokens")
"""The extras that the image of all services has."""
_PIN = re.compile(r"([a-z0-9-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)")


def lock(name: str) -> Path:
    """The file of a lock."""
    return ROOT / "deploy" / "locks" / f"{name}.lock"


def pins(name: str) -> Mapping[str, str]:
    """The versions of a lock by their packages; each line is one with its hashes, or a comment."""
    text = lock(name).read_text(encoding="utf-8").replace("\\\n", " ")
    said = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in said if line and not line.startswith("#")]
    found = [_PIN.fullmatch(line) for line in lines]
    assert all(found), [line for line, pin in zip(lines, found, strict=True) if pin is None]
    return {pin[1]: pin[2] for pin in found if pin is not None}


def asked(name: str) -> list[Requirement]:
    """What pyproject.toml asks for: to run the suite, or to build it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    said = {
        "suite": [
            *project["project"]["dependencies"],
            *(line for extra in IMAGE_EXTRAS for line in extras[extra]),
        ],
        "build": project["build-system"]["requires"],
    }
    return [Requirement(line) for line in said[name]]


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_asked_for_is_pinned_at_a_version_that_will_do(name: str) -> None:
    pinned = pins(name)
    assert asked(name)
    for requirement in asked(name):
        package = canonicalize_name(requirement.name)
        assert package in pinned, f"{package} is not in {name}.lock: make lock"
        assert requirement.specifier.contains(pinned[package]), f"{requirement}: make lock"


def test_extras_are_pinned_with_what_they_bring() -> None:
    extras = {extra for requirement in asked("suite") for extra in requirement.extras}
    assert extras == {"crypto"}, "name what the new extra brings here"
    assert "cryptography" in pins("suite")


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_place(name: str) -> None:
    """Whoever installs from it says where from."""
    text = lock(name).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index|--find-links|(^|\s)/|file:/", text)


def test_the_image_takes_what_is_locked_and_nothing_else() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    steps = [step for line in lines for step in line.split("&&") if not line.startswith("#")]
    installs = [step for step in steps if re.search(r"\bpip\b.*\b(install|wheel)\b", step)]
    assert len(installs) == 4
    assert all("--require-hashes" in step or "--no-deps" in step for step in installs)
    let_in = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "!deploy/locks" in let_in
    for name in ("${SERVICE}", "build"):
        assert any(
            f"deploy/locks/{name}.lock" in step and "--require-hashes" in step for step in installs
        )
