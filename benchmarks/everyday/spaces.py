"""Namespaces that are filled and then asked: chats of people, pages of a folder, coding logs."""

import asyncio
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis_libs.tokens import load_counter
from benchmarks.everyday.client import EverydayClient
from benchmarks.everyday.least import BySearch, Least, NewestOnTop
from benchmarks.everyday.logs import ingest_log
from benchmarks.everyday.questions import Person, Question
from benchmarks.recall.datasets import DataMissing
from benchmarks.recall.embedding import Vectors
from benchmarks.recall.progress import stage

AGENT = "assistant"
_NAMESPACE_CHARS_MAX = 63
_NOT_IN_NAMESPACES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Space:
    """A namespace with what is asked of it, and the plain blocks beside its contexts.

    `caller` is who asks, `revision` that of the last write.
    """

    name: str
    namespace: str
    revision: str
    questions: Sequence[Question]
    least: Least
    caller: Caller | None = None


@dataclass(frozen=True, slots=True)
class Filling:
    """The means to fill namespaces; `learn` runs their pipelines before anything is asked."""

    client: EverydayClient
    vectors: Vectors
    address: str
    learn: bool

    async def chats(self, people: Sequence[Person]) -> list[Space]:
        """A namespace a person, written as most callers do: roles, an opaque id, no names."""
        return [await self._person(person) for person in people]

    async def pages(self, folder: Path, questions: Sequence[Question]) -> list[Space]:
        """One namespace for all pages of a folder, each page a text under its file's name.

        Raises:
            DataMissing: the folder holds no page.
        """
        files = _pages_in(folder)
        namespace = "everyday-pages"
        with stage("pages taken in", len(files)) as advance:
            for file in files:
                await self.client.take_in(namespace, file.name, file.read_text(encoding="utf-8"))
                advance(1)
        return [await self._searched("pages", namespace, questions, with_role=False)]

    async def logs(self, data_dir: Path, questions: Sequence[Question]) -> list[Space]:
        """A namespace a log, taken in by `anamnesis ingest`, subagents included.

        Raises:
            DataMissing: there is no such log.
            SuiteFailed: a log was not taken in.
        """
        names = list(dict.fromkeys(question.log for question in questions))
        spaces = []
        with stage("logs taken in", len(names)) as advance:
            for name in names:
                namespace = namespace_of(name)
                await asyncio.to_thread(ingest_log, self.address, namespace, data_dir, name)
                asked = [question for question in questions if question.log == name]
                spaces.append(await self._searched(name, namespace, asked, with_role=True))
                advance(1)
        return spaces

    async def _person(self, person: Person) -> Space:
        namespace = namespace_of(person.person_id)
        user_id = str(uuid.uuid5(uuid.NAMESPACE_URL, person.person_id))
        for session in person.sessions:
            await self.client.append(namespace, session, agent_id=AGENT, user_id=user_id)
        revision = await self._settled(namespace)
        turns = [turn for session in person.sessions for turn in session.turns]
        rows = await self.vectors.of([turn.text for turn in turns])
        least = NewestOnTop(self.vectors, turns, rows, load_counter("o200k_base"))
        caller = Caller(agent_id=AGENT, user_id=user_id)
        return Space(person.person_id, namespace, revision, person.questions, least, caller)

    async def _searched(
        self, name: str, namespace: str, questions: Sequence[Question], *, with_role: bool
    ) -> Space:
        revision = await self._settled(namespace)
        tokens = load_counter("o200k_base")
        least = BySearch(self.client, namespace, revision, tokens, with_role=with_role)
        return Space(name, namespace, revision, questions, least)

    async def _settled(self, namespace: str) -> str:
        """The revision after learning, once everything is indexed."""
        if self.learn:
            async for _ in self.client.learn(namespace):
                pass
        return await self.client.indexed_revision(namespace)


def namespace_of(name: str) -> str:
    """A namespace's name for whatever something is called."""
    plain = _NOT_IN_NAMESPACES.sub("-", f"everyday-{name}".lower())
    return plain[:_NAMESPACE_CHARS_MAX].strip("-")


def _pages_in(folder: Path) -> list[Path]:
    if files := sorted(folder.glob("*.md")):
        return files
    raise DataMissing(f"{folder} holds no .md file")
