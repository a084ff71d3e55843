"""Naming topics that have grown, by what sets them apart from the others of their scope.

A topic is named anew whenever the number of its members has doubled, and when the lesson that it is
named after is no longer for its readers. It is compared with so many
others, and so many lessons of each, that a name costs the same in a namespace of any size. What a
model named keeps that label, until a member leaves or its members have doubled twice.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress

from anamnesis_cluster.clusters.labels import labels
from anamnesis_cluster.model import Assignment, Label, Lesson, Topic
from anamnesis_cluster.ports import Memory
from anamnesis_libs.errors import Conflict
from anamnesis_libs.topic_labels import topic_label

MEMBERS_MAX = 64
OTHERS_MAX = 32
OTHERS_MEMBERS_MAX = 8
NAMED_MAX = 256
"""Topics that are named in one go; those beyond wait until they double again."""
_STANDS_GROWTH = 4


def doubled(before: Sequence[Topic], decisions: Iterable[Assignment]) -> frozenset[str]:
    """The topics whose members have doubled with these decisions; one member alone is no growth."""
    counts = {topic.topic_id: topic.member_count for topic in before}
    joined = Counter(one.topic_id for one in decisions)
    return frozenset(
        topic_id
        for topic_id, more in joined.items()
        if (had := counts.get(topic_id, 0)) + more > 1
        and (had + more).bit_length() > had.bit_length()
    )


def named_after(topics: Iterable[Topic], lessons: Iterable[Lesson]) -> frozenset[str]:
    """The topics that have the name of a lesson which their members' readers do not see.

    It was in one of them before it became somebody's own.
    """
    scopes: defaultdict[str, set[str]] = defaultdict(set)
    for lesson in lessons:
        scopes[topic_label(lesson.title, lesson.text)].add(lesson.scope)
    return frozenset(
        topic.topic_id for topic in topics if scopes.get(topic.label, set()) - {topic.scope}
    )


def unworded(topics: Iterable[Topic]) -> frozenset[str]:
    """The topics with a label that a model worded of members of whom one has left."""
    return frozenset(one.topic_id for one in topics if one.label_model and not one.label_asked_of)


def stands(topic: Topic) -> bool:
    """True if a model worded the label, of the members that are there and not so few of them."""
    return bool(topic.label_model) and topic.member_count < _STANDS_GROWTH * topic.label_asked_of


async def name(memory: Memory, namespace: str, topic_ids: frozenset[str]) -> None:
    """Name topics anew; where topics change meanwhile, their names wait for the next time."""
    if not topic_ids:
        return
    known = await memory.topics(namespace)
    scopes: defaultdict[str, list[Topic]] = defaultdict(list)
    for topic in known.topics:
        scopes[topic.scope].append(topic)
    found: dict[str, Label] = {}
    for topics in scopes.values():
        grown = [one for one in topics if one.topic_id in topic_ids and not stands(one)]
        named = await term_labels(memory, namespace, grown, topics) if grown else {}
        found |= {
            one.topic_id: Label(label, asked_of=one.label_asked_of)
            for one in grown
            if (label := named.get(one.topic_id)) and (one.label_model or label != one.label)
        }
    with suppress(Conflict):
        if found:
            await memory.move(namespace, (), found, known.revision)


async def term_labels(
    memory: Memory, namespace: str, grown: Sequence[Topic], topics: Sequence[Topic]
) -> dict[str, str]:
    """The labels by terms of topics of one scope, each beside the largest topics of it."""
    largest = sorted(topics, key=lambda topic: (-topic.member_count, topic.topic_id))[:OTHERS_MAX]
    beside = {
        one.topic_id: await _lessons(memory, namespace, one, OTHERS_MEMBERS_MAX) for one in largest
    }
    found = {}
    for topic in grown[:NAMED_MAX]:
        members = await _lessons(memory, namespace, topic, MEMBERS_MAX)
        compared = {**beside, topic.topic_id: members}
        if members:
            found[topic.topic_id] = labels(compared, {topic.topic_id})[topic.topic_id]
    return found


async def _lessons(memory: Memory, namespace: str, topic: Topic, limit: int) -> Sequence[Lesson]:
    """The lessons of a topic that were stored first."""
    ids = await memory.members(namespace, topic.topic_id, limit)
    return await memory.lessons(namespace, ids) if ids else ()
