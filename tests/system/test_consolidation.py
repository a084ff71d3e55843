"""Lessons that say the same become one afterwards: with a chat model, and without one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from anamnesis.cluster.v1.cluster_service_pb2 import ConsolidateRequest, ConsolidationDecision
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2, duplicate_pb2, event_pb2, memory_pb2, sleep_pb2
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.support.chat_suite import chat_suite
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import openai_server, status
from tests.support.processes import Process, start

MERGE, CHECK = "merge_lessons", "merge_check"
MERGED = duplicate_pb2.DUPLICATE_OUTCOME_MERGED
KEPT_APART = duplicate_pb2.DUPLICATE_OUTCOME_KEPT_APART
CONTRADICTS = duplicate_pb2.DUPLICATE_OUTCOME_CONTRADICTS
REFUSED = duplicate_pb2.DUPLICATE_OUTCOME_REFUSED
WAITING = duplicate_pb2.DUPLICATE_OUTCOME_WAITING

WARM = "Keep the cache of the order page warm."
DEPLOY = "Warm the cache of the order page before the deploy."
BOTH = "Keep the cache of the order page warm, and warm it before the deploy."
RETRY = "Retry the payment call with exponential backoff when the server answers 503."
REWORDED = "Please retry the payment call with exponential backoff when the server answers 503."
NEVER = "Retry the payment call with exponential backoff when the server answers 503, never on 400."
SETTINGS = {"ANAMNESIS_SLEEP__ENABLED": "false", "ANAMNESIS_MODELS__CHAT_TIMEOUT_S": "30"}


@dataclass(frozen=True, slots=True)
class Space:
    """One namespace, and the words of a test about it."""

    clients: Clients
    name: str

    async def lesson(self, content: str, user_id: str = "") -> memory_pb2.Memory:
        """Store one; private where a user is named."""
        private = event_pb2.VISIBILITY_PRIVATE_TO_USER if user_id else event_pb2.VISIBILITY_SHARED
        new = pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            content=content,
            category="pattern",
            user_id=user_id,
            visibility=private,
        )
        request = pb.CreateMemoryRequest(namespace=self.name, memory=new)
        return (await self.clients.memory.CreateMemory(request, timeout=60)).memory

    async def run(self, **given: object) -> tuple[Sequence[ConsolidationDecision], sleep_pb2.Run]:
        """Consolidate; the decisions, and the run that they came to."""
        request = ConsolidateRequest(namespace=self.name, **given)  # type: ignore[arg-type]
        told = [one async for one in self.clients.cluster.Consolidate(request, timeout=60)]
        assert told[-1].WhichOneof("told") == "run"
        return [one.decision for one in told if one.HasField("decision")], told[-1].run

    async def texts(self) -> list[str]:
        """The texts of all lessons that are there, sorted."""
        request = pb.ListMemoriesRequest(namespace=self.name, all_visibilities=True)
        found = await self.clients.memory.ListMemories(request, timeout=30)
        ids = [one.memory_id for one in found.memories]
        if not ids:
            return []
        asked = pb.BatchGetMemoriesRequest(
            namespace=self.name, memory_ids=ids, all_visibilities=True
        )
        read = await self.clients.memory.BatchGetMemories(asked, timeout=30)
        return sorted(one.content for one in read.memories)

    async def embedded(self, memory_id: str) -> None:
        """Wait until a lesson whose text has changed has its vector."""
        asked = pb.BatchGetMemoriesRequest(
            namespace=self.name, memory_ids=[memory_id], include_embeddings=True
        )
        async with asyncio.timeout(30):
            while True:
                (read,) = (await self.clients.memory.BatchGetMemories(asked)).memories
                if read.embedding.vector:
                    return
                await asyncio.sleep(0.05)

    async def history(self, memory_id: str) -> pb.GetMemoryResponse:
        """A lesson with what was merged into it, and what it was before."""
        request = pb.GetMemoryRequest(
            namespace=self.name, memory_id=memory_id, include_history=True
        )
        return await self.clients.memory.GetMemory(request, timeout=30)

    async def undo(self, memory_id: str, copy_id: str = "") -> pb.UndoMergeResponse:
        """Split a merge."""
        request = pb.UndoMergeRequest(namespace=self.name, memory_id=memory_id, copy_id=copy_id)
        return await self.clients.memory.UndoMerge(request, timeout=30)

    async def listed(self, **given: object) -> lessons_pb.ListDuplicatesResponse:
        """What may be one."""
        request = lessons_pb.ListDuplicatesRequest(namespace=self.name, **given)  # type: ignore[arg-type]
        return await self.clients.lessons.ListDuplicates(request, timeout=30)


def says(verdict: str, text: str = "", reason: str = "so it is") -> Mapping[str, object]:
    """The model's word on two lessons."""
    return {"verdict": verdict, "reason": reason, "text": text}


def borne(by: str = "both", lost: Sequence[str] = ()) -> Callable[[Asked], Given]:
    """The model's word on a text: all its sentences are borne by these."""

    def answer(asked: Asked) -> Given:
        count = int(asked.prompt.split("The text has ")[1].split(" ")[0])
        rows = [{"number": at, "borne_by": by} for at in range(1, count + 1)]
        return {"sentences": rows, "lost": list(lost)}

    return answer


def outcomes(decisions: Sequence[ConsolidationDecision]) -> list[int]:
    """What became of each."""
    return [one.outcome for one in decisions]


async def linked(space: Space, count: int, certain: int = 0) -> None:
    """Wait until lessons have their vectors: so many pairs may be one, of some it is certain."""
    async with asyncio.timeout(30):
        found: Sequence[duplicate_pb2.Duplicate] = ()
        while len(found) < count or sum(one.certain for one in found) < certain:
            await asyncio.sleep(0.05)
            found = (await space.listed(all_visibilities=True)).duplicates


async def test_with_a_model_a_pair_becomes_one_and_two_again(tmp_path: Path) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "d", SETTINGS) as suite:
        server.chat.answer(CHECK, borne())
        space = Space(suite.clients, "pairs")
        known, other = await space.lesson(WARM), await space.lesson(DEPLOY)
        server.chat.answer(MERGE, says("same", BOTH))
        (told,), dry = await space.run(dry_run=True)
        assert (told.outcome, told.content) == (MERGED, BOTH)
        assert (dry.run_id, await space.texts()) == ("", sorted([WARM, DEPLOY]))

        (told,), run = await space.run()
        assert (told.known_id, told.other_id) == (known.memory_id, other.memory_id)
        assert (told.outcome, told.content) == (MERGED, BOTH)
        assert dict(run.counts) == {"merged": 1}
        assert run.model_tokens > 0
        read = await space.history(known.memory_id)
        assert (read.memory.content, read.memory.summary) == (BOTH, BOTH)
        assert read.memory.provenance.origin == memory_pb2.ORIGIN_GENERATED
        kept = {one.memory.content: one.merged for one in read.copies}
        assert kept == {WARM: False, DEPLOY: True}
        listed = await suite.clients.admin.ListRuns(
            admin_service_pb2.ListRunsRequest(namespace="pairs")
        )
        assert [(one.phase, dict(one.counts)) for one in listed.runs] == [
            (sleep_pb2.SLEEP_PHASE_MERGE, {"merged": 1})
        ]

        split = await space.undo(known.memory_id)
        assert (split.memory.content, split.restored.content) == (WARM, DEPLOY)
        assert not split.memory.needs_review
        assert not (await space.history(known.memory_id)).copies
        assert (await space.run())[0] == []


async def test_a_text_that_is_not_theirs_is_refused_thrice_and_left_alone(tmp_path: Path) -> None:
    cases = {
        "made up": (WARM, DEPLOY, f"{BOTH} Page the engineer on call and buy a second rack."),
        "number": (RETRY, NEVER, NEVER.replace("503", "server errors")),
        "negation": (RETRY, NEVER, NEVER.replace("never", "and also")),
        "name": (
            "Reload nginx after the certificate of the gateway changes.",
            "Reload nginx and haproxy after the certificate of the gateway changes.",
            "Reload the proxies after the certificate of the gateway changes.",
        ),
    }
    async with openai_server() as server, chat_suite(server, tmp_path / "d", SETTINGS) as suite:
        server.chat.answer(CHECK, borne())
        for name, (one, other, text) in cases.items():
            space = Space(suite.clients, name.replace(" ", "-"))
            await space.lesson(one)
            await space.lesson(other)
            server.chat.answer(MERGE, says("same", text))
            for tries in range(3):
                (told,), _ = await space.run()
                assert (told.outcome, tries) == (REFUSED, tries), (name, told)
                assert await space.texts() == sorted([one, other])
            assert (await space.run())[0] == [], name
        server.chat.answer(MERGE, says("same", BOTH))
        server.chat.answer(CHECK, borne("none"))
        space = Space(suite.clients, "checked")
        await space.lesson(WARM)
        await space.lesson(DEPLOY)
        (told,), _ = await space.run()
        assert told.outcome == REFUSED
        assert "neither lesson says" in told.reason
        (waiting,) = (await space.listed()).duplicates
        assert (waiting.tries, waiting.reason) == (1, told.reason)


async def test_what_the_model_keeps_apart_stays_apart_until_a_text_changes(tmp_path: Path) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "d", SETTINGS) as suite:
        for verdict, outcome in (("different", KEPT_APART), ("contradicts", CONTRADICTS)):
            space = Space(suite.clients, verdict)
            known = await space.lesson(WARM)
            other = await space.lesson(DEPLOY)
            server.chat.answer(MERGE, says(verdict, reason="one is of deploys"))
            (told,), _ = await space.run()
            assert (told.outcome, told.reason) == (outcome, "one is of deploys")
            assert (await space.run())[0] == []
            (pair,) = (await space.history(known.memory_id)).similar
            assert (pair.other_memory_id, pair.reason) == (other.memory_id, "one is of deploys")
            change = pb.MemoryChange(content=f"{DEPLOY} Always.")
            changed = pb.UpdateMemoryRequest(
                namespace=verdict, memory_id=other.memory_id, change=change
            )
            changed.update_mask.paths.append("content")
            await suite.clients.memory.UpdateMemory(changed, timeout=30)
            await linked(space, 1)
            assert outcomes((await space.run())[0]) == [outcome]


async def test_a_model_that_fails_lets_wait(tmp_path: Path) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "d", SETTINGS) as suite:
        space = Space(suite.clients, "fails")
        await space.lesson(WARM)
        await space.lesson(DEPLOY)
        server.chat.answer(MERGE, says("same", BOTH))
        server.chat.answer(CHECK, borne())
        server.chat.fail(MERGE, status(500), status(500))
        (told,), _ = await space.run()
        assert told.outcome == WAITING
        assert "MODEL_UNAVAILABLE" in told.reason
        assert await space.texts() == sorted([WARM, DEPLOY])
        server.chat.fail(MERGE, status(500))
        (told,), _ = await space.run()
        assert told.outcome == MERGED


async def test_contributions_are_worked_in_and_out_again(tmp_path: Path) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "d", SETTINGS) as suite:
        server.chat.answer(CHECK, borne())
        space = Space(suite.clients, "given")
        known = await space.lesson(RETRY)
        again = await space.lesson(REWORDED)
        assert again.memory_id == known.memory_id
        polite = f"{RETRY[:-1]}, please."
        server.chat.answer(MERGE, says("same", polite))
        (told,), _ = await space.run()
        assert (told.contribution, told.outcome, told.content) == (True, MERGED, polite)
        await space.embedded(known.memory_id)
        other = await space.lesson(f"{RETRY} Thanks.")
        assert other.memory_id == known.memory_id
        server.chat.answer(MERGE, says("same", f"{polite} Thanks."))
        (told,), _ = await space.run()
        assert told.content == f"{polite} Thanks."
        first = next(
            one
            for one in (await space.history(known.memory_id)).copies
            if one.memory.content == REWORDED
        )
        split = await space.undo(known.memory_id, first.copy_id)
        assert (split.memory.content, split.restored.content) == (RETRY, REWORDED)
        assert not split.memory.needs_review
        (left,) = (await space.history(known.memory_id)).copies
        assert (left.memory.content, left.merged) == (f"{RETRY} Thanks.", False)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A suite without a chat model, which stores lessons without comparing them by vectors."""
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_DEDUP__CHECK_TIMEOUT_S": "0.000001",
        **SETTINGS,
    }
    process = start(tmp_path_factory.mktemp("bare") / "data", settings=settings)
    yield process
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(bare: Process) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(bare.address)) as made:
        yield made


async def test_without_a_model_what_is_sure_merges_and_the_rest_waits(clients: Clients) -> None:
    space = Space(clients, "sure")
    known, near = await space.lesson(RETRY), await space.lesson(REWORDED)
    assert near.memory_id != known.memory_id
    for text in (WARM, DEPLOY, RETRY.replace("503", "504")):
        await space.lesson(text)
    await linked(space, 3, certain=1)
    decisions, run = await space.run()
    merged = [(one.known_id, one.other_id) for one in decisions if one.outcome == MERGED]
    assert merged == [(known.memory_id, near.memory_id)]
    waits = {
        (one.known_content, one.other_content): one.reason
        for one in decisions[:]
        if one.outcome == WAITING and not one.contribution
    }
    assert (WARM, DEPLOY) in waits
    assert any("503 / 504" in reason for reason in waits.values())
    assert run.counts["merged"] == 1
    assert run.counts["waiting"] == len(waits)
    read = await space.history(known.memory_id)
    assert [(one.memory.content, one.merged) for one in read.copies] == [(REWORDED, False)]
    assert (await space.undo(known.memory_id)).restored.content == REWORDED
    assert all(one.outcome == WAITING for one in (await space.run())[0])


async def test_what_one_user_learned_never_becomes_one_with_what_another_did(
    clients: Clients,
) -> None:
    space = Space(clients, "scopes")
    for user in ("", "mara", "lin"):
        for text in (WARM, DEPLOY):
            await space.lesson(text, user)
    await linked(space, 3)
    decisions, _ = await space.run()
    assert len(decisions) == 3
    seen = await space.listed(caller=Caller(user_id="mara"))
    assert {one.known.user_id for one in seen.duplicates} == {"", "mara"}


async def test_no_more_merges_than_asked_for(clients: Clients) -> None:
    space = Space(clients, "bound")
    for at in ("payment", "refund", "invoice"):
        for text in (RETRY, REWORDED):
            await space.lesson(text.replace("payment", at))
    await linked(space, 3, certain=3)
    decisions, run = await space.run(merges_max=2)
    assert outcomes(decisions).count(MERGED) == 2
    assert run.counts["left"] >= 1
    decisions, _ = await space.run()
    assert outcomes(decisions).count(MERGED) == 1


async def test_who_goes_away_lets_go_of_the_run(clients: Clients) -> None:
    space = Space(clients, "away")
    for at in ("payment", "refund", "invoice"):
        for text in (RETRY, REWORDED):
            await space.lesson(text.replace("payment", at))
    await linked(space, 3, certain=3)
    call = clients.cluster.Consolidate(ConsolidateRequest(namespace="away"), timeout=60)
    async for told in call:
        if told.HasField("decision"):
            break
    call.cancel()
    run = sleep_pb2.Run(state=sleep_pb2.RUN_STATE_HELD_ELSEWHERE)
    async with asyncio.timeout(30):
        while run.state == sleep_pb2.RUN_STATE_HELD_ELSEWHERE:
            _, run = await space.run()
    assert run.state == sleep_pb2.RUN_STATE_DONE
    assert len(await space.texts()) == 3
    asked = admin_service_pb2.ListRunsRequest(namespace="away")
    states = {one.state for one in (await clients.admin.ListRuns(asked)).runs}
    assert sleep_pb2.RUN_STATE_RUNNING not in states
    checked = admin_service_pb2.VerifyConsistencyRequest(namespace="away")
    told_all = [one async for one in clients.admin.VerifyConsistency(checked, timeout=60)]
    assert not [one for one in told_all if one.HasField("finding")]
