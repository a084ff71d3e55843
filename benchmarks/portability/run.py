"""The journey: filled in files, moved into a graph, and back, asked the same everywhere."""

import asyncio
import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.portability.suite import Answers, Suite, records_of


@dataclass(slots=True)
class Journey:
    """The result of a run: the steps with their times, and the differences that were found."""

    steps: list[tuple[str, float, str]] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[list[str]]:
        """Time a step; what is put into the list is shown beside it."""
        told: list[str] = []
        begun_s = time.perf_counter()
        yield told
        self.steps.append((name, time.perf_counter() - begun_s, ", ".join(told)))

    def same(self, what: str, one: object, other: object) -> None:
        """Note where two things differ that must not."""
        if one != other:
            self.differences.append(what)


async def travel(files: Suite, graph: Suite, folder: Path, memories: int, lessons: int) -> Journey:
    """Fill, move there, ask, move back, ask."""
    journey = Journey()
    with journey.step("fill SQLite") as told:
        await files.fill("origin", memories - lessons, lessons)
        told.append(f"{memories:,} memories, {lessons:,} of them lessons in topics")
    before = await _asked(journey, files, "origin", "SQLite")
    there = await _exported(journey, files, "origin", "SQLite", folder / "origin.jsonl")
    await _imported(journey, graph, "moved", "Neo4j", folder / "origin.jsonl")
    _compare(journey, "Neo4j", before, await _asked(journey, graph, "moved", "Neo4j"))
    back = await _exported(journey, graph, "moved", "Neo4j", folder / "moved.jsonl")
    journey.same("the records of the export from Neo4j", there, back)
    await _imported(journey, files, "back", "SQLite again", folder / "moved.jsonl")
    after = await _asked(journey, files, "back", "SQLite again")
    _compare(journey, "SQLite again", before, after)
    return journey


async def _asked(journey: Journey, suite: Suite, namespace: str, where: str) -> Answers:
    await suite.settled(namespace)
    with journey.step(f"ask {where}") as told:
        answers = await suite.ask(namespace)
        found = sum(map(len, answers.hits))
        told.append(f"{len(answers.hits)} questions, {found:,} results")
        told.append(f"median {answers.median_ms:.0f} ms")
    return answers


async def _exported(journey: Journey, suite: Suite, namespace: str, where: str, file: Path) -> str:
    """Export to a file; answers a checksum of its records."""
    with journey.step(f"export from {where}") as told:
        done = await asyncio.to_thread(suite.run, "export", "-n", namespace, str(file))
        told.append(f"{done.records_of_all_types:,} records, {done.bytes / 1e6:.0f} MB")
    digest = hashlib.sha256()
    for line in records_of(file):
        digest.update(line)
    return digest.hexdigest()


async def _imported(journey: Journey, suite: Suite, namespace: str, where: str, file: Path) -> None:
    with journey.step(f"import into {where}") as told:
        done = await asyncio.to_thread(suite.run, "import", str(file), "-n", namespace)
        told.append(f"{done.records_of_all_types:,} records")
    with journey.step(f"index of {where}"):
        await suite.settled(namespace)
    with journey.step(f"verify {where}") as told:
        done = await asyncio.to_thread(suite.run, "verify", "-n", namespace)
        told.append(f"{len(done.findings)} findings")
        journey.same(f"findings in {where}", list(done.findings), [])


def _compare(journey: Journey, where: str, before: Answers, after: Answers) -> None:
    for number, (one, other) in enumerate(zip(before.hits, after.hits, strict=True), start=1):
        journey.same(f"question {number} in {where}", one, other)
