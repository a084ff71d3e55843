"""The manifests of deploy/k8s as a cluster would get them: built by kubectl, parsed."""

import functools
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
BUILDS = ("base", "overlays/embedded", "overlays/server")
OVERLAYS = BUILDS[1:]

Tree: TypeAlias = dict[str, "Node"]
Node: TypeAlias = str | int | bool | list["Node"] | Tree | None


def built(directory: str) -> str:
    """What `kubectl kustomize` makes of a directory of deploy/k8s.

    Without kubectl the test is skipped, or fails where `ANAMNESIS_REQUIRE_KUBECTL` is 1.
    """
    if shutil.which("kubectl") is None:
        if os.environ.get("ANAMNESIS_REQUIRE_KUBECTL") == "1":
            pytest.fail("kubectl is required here, but is not on the PATH")
        pytest.skip("kubectl is not on the PATH")
    return _built(directory)


@functools.cache
def _built(directory: str) -> str:
    command = ["kubectl", "kustomize", str(ROOT / "deploy" / "k8s" / directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def at(tree: Node, *path: str | int) -> Node:
    """What stands at a path; None where there is nothing."""
    for step in path:
        if isinstance(step, int):
            tree = tree[step] if isinstance(tree, list) and len(tree) > step else None
        else:
            tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


def trees(node: Node) -> list[Tree]:
    """The objects of a list; none where there is no list."""
    return [each for each in node if isinstance(each, dict)] if isinstance(node, list) else []


def text(node: Node) -> str:
    """A string that must be there."""
    assert isinstance(node, str), node
    return node


@dataclass(frozen=True, slots=True)
class Workload:
    """A Deployment or StatefulSet."""

    tree: Tree

    @property
    def name(self) -> str:
        """Its own name."""
        return text(at(self.tree, "metadata", "name"))

    @property
    def labels(self) -> Mapping[str, Node]:
        """Labels of its pods."""
        labels = at(self.pod, "metadata", "labels")
        assert isinstance(labels, dict)
        return labels

    @property
    def pod(self) -> Node:
        """The template of its pods."""
        return at(self.tree, "spec", "template")

    @property
    def containers(self) -> Sequence[Tree]:
        """Every container, those that prepare included."""
        spec = at(self.pod, "spec")
        return [*trees(at(spec, "initContainers")), *trees(at(spec, "containers"))]

    @property
    def suite(self) -> Tree | None:
        """The container that runs the suite, if this is one of ours."""
        return next((each for each in self.containers if each["name"] == "anamnesis"), None)

    def volume(self, name: Node) -> Tree:
        """A volume of its pods; one of a claim has its name only."""
        for each in trees(at(self.pod, "spec", "volumes")):
            if each["name"] == name:
                return each
        claims = trees(at(self.tree, "spec", "volumeClaimTemplates"))
        assert any(at(claim, "metadata", "name") == name for claim in claims), name
        return {"name": name}


@dataclass(frozen=True, slots=True)
class Manifests:
    """All objects of one build."""

    objects: Sequence[Tree]

    @classmethod
    def of(cls, directory: str) -> "Manifests":
        """Those of a directory of deploy/k8s."""
        return cls(list(yaml.safe_load_all(built(directory))))

    def kind(self, *kinds: str) -> Iterator[Tree]:
        """Objects of some kinds."""
        return (each for each in self.objects if each["kind"] in kinds)

    @property
    def workloads(self) -> Sequence[Workload]:
        """Everything that runs."""
        return [Workload(each) for each in self.kind("Deployment", "StatefulSet")]

    @property
    def ours(self) -> Sequence[tuple[Workload, Tree]]:
        """What runs the suite, with its container."""
        return [(each, suite) for each in self.workloads if (suite := each.suite) is not None]

    def config_map(self, name: Node) -> Mapping[str, str]:
        """The files of a ConfigMap."""
        (found,) = (each for each in self.kind("ConfigMap") if at(each, "metadata", "name") == name)
        data = at(found, "data")
        assert isinstance(data, dict)
        return {key: text(value) for key, value in data.items()}

    def behind(self, service: str) -> Sequence[Workload]:
        """Workloads whose pods a Service selects."""
        (found,) = (e for e in self.kind("Service") if at(e, "metadata", "name") == service)
        wanted = at(found, "spec", "selector")
        assert isinstance(wanted, dict)
        return [each for each in self.workloads if wanted.items() <= each.labels.items()]
