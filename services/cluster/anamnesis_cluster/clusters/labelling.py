"""Labels by a chat model, behind the path that assigns: topics that changed enough are worded anew.

A topic is asked about with three members, when their number has doubled since, and when one has
left. What was asked is noted with the topic whatever came of it, so that nobody asks again about
the same members; only where the model did not answer the topic stays due. A label that is not taken
leaves the terms' label.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from anamnesis_cluster.clusters.label_writer import LabelWriter
from anamnesis_cluster.clusters.naming import name, term_labels, unworded
from anamnesis_cluster.model import Label, Labelled, Lesson, Topic
from anamnesis_cluster.ports import Memory
from anamnesis_libs.errors import BudgetExhausted, Conflict, Unavailable
from anamnesis_libs.logs import Logger, failure_fields

MEMBERS_MIN = 3
GROWTH = 2
SHOWN_MAX = 32
"""Lessons of a topic that the model is shown, from the oldest to the newest."""
ASKS_MAX = 50
"""Topics that are asked about in one run."""
_MEMBERS_MAX = 500
_TRIES_MAX = 4


class Labeller:
    """Words the labels of topics."""

    def __init__(
        self,
        memory: Memory,
        writer_of: Callable[[str], Awaitable[LabelWriter | None]],
        logger: Logger,
    ) -> None:
        """`writer_of` gives who words labels in a namespace, None where nobody does."""
        self._memory = memory
        self._writer_of = writer_of
        self._logger = logger

    async def run(self, namespace: str) -> Labelled:
        """Word the labels that are due in one namespace, those of the largest topics first."""
        told = Labelled()
        topics = (await self._memory.topics(namespace)).topics
        await name(self._memory, namespace, unworded(topics))
        writer = await self._writer_of(namespace)
        if writer is None:
            return told
        try:
            await self._word(namespace, writer, told)
        finally:
            told.tokens = writer.tokens
        return told

    async def _word(self, namespace: str, writer: LabelWriter, told: Labelled) -> None:
        known = await self._memory.topics(namespace)
        due = sorted(
            filter(is_due, known.topics), key=lambda one: (-one.member_count, one.topic_id)
        )
        told.left = len(due[ASKS_MAX:])
        terms = await self._terms(namespace, due[:ASKS_MAX], known.topics)
        revision = known.revision
        for topic in due[:ASKS_MAX]:
            try:
                label = await self._asked(namespace, writer, topic, terms)
            except (Unavailable, BudgetExhausted) as error:
                told.failed += 1
                fields = failure_fields(error, with_text=False)
                self._logger.warning("cluster.label", namespace=namespace, **fields)
                return
            written = await self._written(namespace, topic, label, revision)
            revision = written or revision
            if not written:
                told.left += 1
            elif label.model:
                told.worded += 1
            else:
                told.refused += 1

    async def _terms(
        self, namespace: str, due: Sequence[Topic], topics: Sequence[Topic]
    ) -> dict[str, str]:
        """The terms' label of each topic that is due, beside the others of its scope."""
        scopes: defaultdict[str, list[Topic]] = defaultdict(list)
        for topic in topics:
            scopes[topic.scope].append(topic)
        found: dict[str, str] = {}
        for scope, beside in scopes.items():
            asked = [topic for topic in due if topic.scope == scope]
            found |= await term_labels(self._memory, namespace, asked, beside) if asked else {}
        return found

    async def _asked(
        self, namespace: str, writer: LabelWriter, topic: Topic, terms: dict[str, str]
    ) -> Label:
        """The model's label, or where it is not taken the terms' one."""
        own = terms.get(topic.topic_id, "") or topic.label
        lessons = await self._shown(namespace, topic)
        label = await writer.label(lessons, own)
        asked_of = topic.member_count
        return Label(label, writer.name, asked_of) if label else Label(own, asked_of=asked_of)

    async def _shown(self, namespace: str, topic: Topic) -> Sequence[Lesson]:
        """Lessons from all of a topic's time."""
        ids = await self._memory.members(namespace, topic.topic_id, _MEMBERS_MAX)
        every = -(-len(ids) // SHOWN_MAX) or 1
        return await self._memory.lessons(namespace, ids[::every])

    async def _written(self, namespace: str, topic: Topic, label: Label, revision: str) -> str:
        """Write a label if the topic has the members that it was read with.

        Returns:
            The revision at which topics changed with it; empty where it was not written.
        """
        for _ in range(_TRIES_MAX):
            try:
                return await self._memory.move(namespace, (), {topic.topic_id: label}, revision)
            except Conflict:
                known = await self._memory.topics(namespace)
            revision = known.revision
            if not any(_same_members(topic, one) for one in known.topics):
                break
        return ""


def _same_members(one: Topic, other: Topic) -> bool:
    """True if a topic read twice has the same members: the mean of their vectors is the same."""
    same = (one.topic_id, one.member_count) == (other.topic_id, other.member_count)
    return same and np.array_equal(one.centroid, other.centroid)


def is_due(topic: Topic) -> bool:
    """True if a model is to be asked for a label."""
    asked_of = topic.label_asked_of
    return topic.member_count >= MEMBERS_MIN and topic.member_count >= GROWTH * asked_of
