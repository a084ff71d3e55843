"""Topic membership and centroids in SQLite.

A centroid is the mean of its members' vectors, moved as members join and leave (see `centroids`).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import apsw
import numpy as np

from anamnesis_memory.model.memory import Topic, Vectors
from anamnesis_memory.ports import CommitStamp, TopicLabel, TopicMember
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.centroids import joined, left, mean_of
from anamnesis_memory.storage.topic_labels import left_behind, relabelled

Queries = Mapping[str, str]


def assign_members(
    connection: apsw.Connection, q: Queries, members: Sequence[TopicMember], stamp: CommitStamp
) -> None:
    """Put memories into topics; those gone, without a vector or there already are passed over.

    So are those of another scope than the topic's, and those held elsewhere, if no person moves
    them. All join before any topic is found empty: members that change places found nothing anew.
    """
    gone: defaultdict[str, list[Vectors]] = defaultdict(list)
    for member in members:
        found = connection.execute(q["get_memory_no"], {"memory_id": member.memory_id}).fetchone()
        if found is None:
            continue
        number = rows.number(found[0])
        means = _mean_vectors(connection, q, "embedding_of_memory", {"memory_no": number})
        before, held = _place_of(connection, q, number)
        topic = _topic(connection, q, member.topic_id)
        mixes = topic is not None and topic.scope != member.scope
        if not means or mixes or (held and member.held is None):
            continue
        put_member(connection, q, number, member.topic_id, held=bool(member.held))
        if before == member.topic_id:
            continue
        _join(connection, q, member, means[0], stamp)
        if before is not None:
            gone[before].append(means[0])
    for topic_id, vectors in gone.items():
        _shrink(connection, q, topic_id, vectors, stamp)


def leave_topic(connection: apsw.Connection, q: Queries, number: int, stamp: CommitStamp) -> bool:
    """Take a memory out of its topic, if it is in one; the last member takes the topic along."""
    topic_id, _ = _place_of(connection, q, number)
    if topic_id is None:
        return False
    means = _mean_vectors(connection, q, "embedding_of_memory", {"memory_no": number})
    connection.execute(q["delete_topic_member"], {"memory_no": number})
    _shrink(connection, q, topic_id, means, stamp)
    return True


def name_topics(
    connection: apsw.Connection, q: Queries, labels: Mapping[str, TopicLabel], stamp: CommitStamp
) -> None:
    """Give topics other labels; those gone are passed over."""
    for topic_id, label in labels.items():
        topic = _topic(connection, q, topic_id)
        if topic is not None:
            named = relabelled(topic, label)
            put_topic(connection, q, _changed(named, topic.member_count, topic.centroid, stamp))


def _shrink(
    connection: apsw.Connection,
    q: Queries,
    topic_id: str,
    gone: Sequence[Vectors],
    stamp: CommitStamp,
) -> None:
    """A topic without members that have left; one without members is gone."""
    topic = _topic(connection, q, topic_id)
    assert topic is not None, "a member's topic exists"
    centroid = left(topic.centroid, topic.member_count, gone) if gone else None
    if centroid is None:
        _renew(connection, q, topic_id, stamp)
    else:
        count = topic.member_count - len(gone)
        put_topic(connection, q, _changed(left_behind(topic), count, centroid, stamp))


def _renew(connection: apsw.Connection, q: Queries, topic_id: str, stamp: CommitStamp) -> None:
    """Compute a topic that lost members from those it has; one without members is gone."""
    means = _mean_vectors(connection, q, "topic_vectors", {"topic_id": topic_id})
    if not means:
        connection.execute(q["delete_topic"], {"topic_id": topic_id})
        return
    topic = _topic(connection, q, topic_id)
    assert topic is not None, "a member's topic exists"
    put_topic(connection, q, _changed(left_behind(topic), len(means), mean_of(means), stamp))


def put_member(
    connection: apsw.Connection, q: Queries, number: int, topic_id: str, *, held: bool
) -> None:
    """Put a memory into a topic, and nothing else."""
    key: rows.Bindings = {"memory_no": number, "topic_id": topic_id, "held": held}
    connection.execute(q["put_topic_member"], key)


def _place_of(connection: apsw.Connection, q: Queries, number: int) -> tuple[str | None, bool]:
    """The topic that a memory is in, if any, and whether it is held there."""
    found = connection.execute(q["get_topic_of_memory"], {"memory_no": number}).fetchone()
    return (None, False) if found is None else (rows.text(found[0]), bool(found[1]))


def _join(
    connection: apsw.Connection,
    q: Queries,
    member: TopicMember,
    vector: Vectors,
    stamp: CommitStamp,
) -> None:
    topic = _topic(connection, q, member.topic_id) or Topic(
        topic_id=member.topic_id,
        label=member.label,
        scope=member.scope,
        member_count=0,
        centroid=np.zeros_like(vector),
        create_time_us=stamp.now_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )
    centroid = joined(topic.centroid, topic.member_count, vector)
    put_topic(connection, q, _changed(topic, topic.member_count + 1, centroid, stamp))


def _topic(connection: apsw.Connection, q: Queries, topic_id: str) -> Topic | None:
    found = rows.records(connection.execute(q["get_topic"], {"topic_id": topic_id}))
    return rows.topic_of(found[0]) if found else None


def _changed(topic: Topic, count: int, centroid: Vectors, stamp: CommitStamp) -> Topic:
    return replace(
        topic,
        member_count=count,
        centroid=centroid,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def put_topic(connection: apsw.Connection, q: Queries, topic: Topic) -> None:
    """Put a topic."""
    packed = np.ascontiguousarray(topic.centroid, dtype=np.float32).tobytes()
    connection.execute(q["put_topic"], {**rows.topic_row(topic), "centroid": packed})


def recompute_topic(
    connection: apsw.Connection,
    q: Queries,
    topic_id: str,
    member_count: int,
    revision: int,
    dimension: int | None,
) -> None:
    """Count and centroid anew from the members; one without members goes.

    Where no member has a vector the centroid stays, or is zero if a new `dimension` is given.
    """
    topic = _topic(connection, q, topic_id)
    if topic is None or not member_count:
        connection.execute(q["delete_topic"], {"topic_id": topic_id})
        return
    means = _mean_vectors(connection, q, "topic_vectors", {"topic_id": topic_id})
    centroid: Vectors = topic.centroid
    if means:
        centroid = mean_of(means)
    elif dimension is not None:
        centroid = np.zeros(dimension, np.float32)
    made = replace(topic, member_count=member_count, centroid=centroid, revision=revision)
    put_topic(connection, q, made)


def _mean_vectors(
    connection: apsw.Connection, q: Queries, query: str, key: rows.Bindings
) -> list[Vectors]:
    """The mean over the pieces of each memory."""
    return [
        rows.vectors_of(pieces, packed).mean(axis=0)
        for pieces, packed in connection.execute(q[query], key)
    ]
