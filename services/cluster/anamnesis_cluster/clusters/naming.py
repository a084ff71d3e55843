"""Naming topics that have grown, by what sets them apart from the others of their scope.

A topic is named anew whenever the number of its members has doubled. It is compared with so many
others, and so many lessons of each, that a name costs the same in a namespace of any size.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from anamnesis_cluster.clusters.labels import labels
from anamnesis_cluster.model import Assignment, Lesson, Topic, Topics
from anamnesis_cluster.ports import Memory
from anamnesis_libs.errors import Conflict

MEMBERS_MAX = 64
OTHERS_MAX = 32
OTHERS_MEMBERS_MAX = 8


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


async def name(memory: Memory, namespace: str, topic_ids: frozenset[str]) -> None:
    """Name topics anew; where topics change meanwhile, their names wait for the next time."""
    known = await memory.topics(namespace)
    found: dict[str, str] = {}
    for topic in known.topics:
        if topic.topic_id in topic_ids:
            compared = await _compared(memory, namespace, topic, known)
            label = labels(compared, {topic.topic_id}).get(topic.topic_id, "")
            found |= {topic.topic_id: label} if label not in ("", topic.label) else {}
    if not found:
        return
    try:
        await memory.move(namespace, (), found, known.revision)
    except Conflict:
        return


async def _compared(
    memory: Memory, namespace: str, topic: Topic, known: Topics
) -> dict[str, Sequence[Lesson]]:
    """The lessons of a topic, and of others of its scope."""
    others = [one for one in known.topics if one.scope == topic.scope and one is not topic]
    others.sort(key=lambda one: (-one.member_count, one.topic_id))
    compared: dict[str, Sequence[Lesson]] = {}
    for one in (topic, *others[:OTHERS_MAX]):
        limit = MEMBERS_MAX if one is topic else OTHERS_MEMBERS_MAX
        ids = await memory.members(namespace, one.topic_id, limit)
        lessons = await memory.lessons(namespace, ids) if ids else ()
        if lessons:
            compared[one.topic_id] = lessons
    return compared
