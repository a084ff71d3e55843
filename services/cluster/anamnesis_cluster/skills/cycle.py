"""A run: topics are named, and each that is ready is made a skill, or its skill a better one.

Nothing is kept between runs: what was tried says so in its attempts. A topic that changes while it
is tried, or that somebody else tries at the same time, is left to the next run.
"""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from anamnesis_cluster.convert.skills import to_attempt
from anamnesis_cluster.model import Labelled
from anamnesis_cluster.peers.runs import RunsPeer
from anamnesis_cluster.peers.skills import SkillPeer
from anamnesis_cluster.readiness import is_ready
from anamnesis_cluster.runs import CUT_OFF, Ended, Run, kept
from anamnesis_cluster.skill_model import Attempt, SkillOutcome, SkillTopic
from anamnesis_cluster.skills.crystallize import Crystallizer
from anamnesis_cluster.skills.finding_writers import FindsWriters
from anamnesis_libs.errors import AnamnesisError, Conflict
from anamnesis_libs.errors.not_found import ClusterNotFound
from anamnesis_libs.logs import Logger, failure_fields
from anamnesis_libs.tokens import TokenCounter

TOPICS_MAX = 20
"""Topics that are tried in one run at most."""
LEFT = "left"


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt at a topic, as it was recorded."""

    topic: SkillTopic
    attempt: Attempt


Told = Tried | Ended


class SkillRuns:
    """Runs in one namespace: on demand, and where one is due."""

    def __init__(
        self,
        runs: RunsPeer,
        memory_of: Callable[[str], SkillPeer],
        writers: FindsWriters,
        label: Callable[[str], Awaitable[Labelled]],
        tokens: TokenCounter,
        lease_s: float,
        again_s: int,
        logger: Logger,
    ) -> None:
        """`memory_of` reads a namespace, `label` has its topics named before they are tried.

        What is left or failed is due again after `again_s`.
        """
        self._runs = runs
        self._memory_of = memory_of
        self._writers = writers
        self._label = label
        self._tokens = tokens
        self._lease_s = lease_s
        self._again_s = again_s
        self._logger = logger

    async def run(self, namespace: str) -> AsyncGenerator[Told, None]:
        """Run in one namespace; `Ended` is the last.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        run = await self._runs.start(namespace)
        if run is None:
            yield Ended(held=True)
            return
        async with aclosing(self._recorded(run)) as steps:
            async for told in steps:
                yield told

    async def step(self) -> bool:
        """Run where it is due; True if another run may be."""
        run = await self._runs.start("")
        if run is None:
            return False
        async for _ in self._recorded(run):
            pass
        return True

    async def _recorded(self, run: Run) -> AsyncGenerator[Told, None]:
        """A run under its claim, recorded however it ends."""
        counts: Counter[str] = Counter()
        tokens = 0
        labelled = Labelled()
        reason = CUT_OFF
        try:
            async with kept(run, self._runs.renew, self._lease_s, self._logger):
                labelled = await self._label(run.namespace)
                async for topic in self._ready(run.namespace):
                    if sum(counts.values()) - counts[LEFT] >= TOPICS_MAX:
                        counts[LEFT] += 1
                    elif (tried := await self._tried(run.namespace, topic)) is not None:
                        counts[tried.attempt.outcome.value] += 1
                        tokens += tried.attempt.tokens
                        yield tried
            reason = ""
        except AnamnesisError as error:
            reason = error.reason
            fields = failure_fields(error, with_text=False)
            self._logger.warning("cluster.crystallise", namespace=run.namespace, **fields)
        finally:
            tried_again = counts[LEFT] or counts[SkillOutcome.FAILED.value]
            again = reason or tried_again or labelled.has_more
            counts.update(labelled.counts)
            tokens += labelled.tokens
            next_s = self._again_s if again else 0
            await self._runs.finish(run, dict(+counts), tokens, reason, next_s)
        yield Ended(run.run_id, dict(+counts), tokens, reason)

    async def _ready(self, namespace: str) -> AsyncIterator[SkillTopic]:
        memory, token = self._memory_of(namespace), ""
        while True:
            topics, token = await memory.topics(token)
            for topic in filter(is_ready, topics):
                yield topic
            if not token:
                return

    async def _tried(self, namespace: str, topic: SkillTopic) -> Tried | None:
        """Try one topic; None where it changed meanwhile."""
        memory = self._memory_of(namespace)
        writer = await self._writers.of(namespace)
        try:
            made = await Crystallizer(memory, writer, self._tokens).crystallize(topic)
            kept = await memory.record(topic, made.attempt, made.skill, made.text)
        except (Conflict, ClusterNotFound):
            return None
        return Tried(topic, to_attempt(kept.crystallization))
