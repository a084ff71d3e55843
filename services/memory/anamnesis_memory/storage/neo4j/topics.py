"""Topic membership and centroids in Neo4j.

A centroid is the mean of its members' vectors, moved as members join and leave (see `centroids`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.memory import Topic, Vectors
from anamnesis_memory.ports import CommitStamp, TopicLabel, TopicMember
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.centroids import joined, left, mean_of
from anamnesis_memory.storage.neo4j.rows import node, topic_row, vectors_of
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.topic_labels import left_behind, relabelled


async def assign_members(
    tx: ScopedTransaction, members: Sequence[TopicMember], stamp: CommitStamp
) -> None:
    """Put memories into topics; those gone, without a vector or there already are passed over.

    So are those of another scope than the topic's, and those held elsewhere, if no person moves
    them.
    """
    found = await tx.each("get_members", [member.memory_id for member in members])
    known = {rows.text(node(row)["memory_id"]): row for row in found}
    joining = {
        member.memory_id: member
        for member in members
        if (row := known.get(member.memory_id)) and _moves(row, member)
    }
    topics = await _topics(tx, {member.topic_id for member in joining.values()})
    for memory_id, member in tuple(joining.items()):
        topic = topics.get(member.topic_id) or _founded(member, stamp)
        stays = known[memory_id]["topic_id"] == member.topic_id
        if topic.scope != member.scope:
            del joining[memory_id]
        elif not stays:
            topics[topic.topic_id] = _joined(topic, _mean([known[memory_id]]))
    homes = {one: node(known[one])["topic_id"] for one in joining}
    moved = {one for one, home in homes.items() if home != joining[one].topic_id}
    gone = [(rows.text(home), known[one]) for one, home in homes.items() if home and one in moved]
    await tx.each("leave_topics", list(moved))
    grown = {joining[one].topic_id for one in moved}
    await _put(tx, [topics[topic_id] for topic_id in sorted(grown)], stamp)
    await tx.put(
        "join_topics",
        [
            {"memory_id": one.memory_id, "topic_id": one.topic_id, "held": bool(one.held)}
            for one in joining.values()
        ],
    )
    await shrink_topics(tx, gone, stamp)


def _moves(row: Row, member: TopicMember) -> bool:
    """True if the member goes there, or what holds it there changes."""
    is_held, by_hand = bool(row["held"]), member.held is not None
    changes = row["topic_id"] != member.topic_id or (by_hand and is_held != member.held)
    return changes and (by_hand or not is_held)


async def name_topics(
    tx: ScopedTransaction, labels: Mapping[str, TopicLabel], stamp: CommitStamp
) -> None:
    """Give topics other labels; those gone are passed over."""
    known = await _topics(tx, labels)
    named = [relabelled(topic, labels[topic_id]) for topic_id, topic in known.items()]
    await _put(tx, named, stamp)


async def shrink_topics(
    tx: ScopedTransaction, gone: Sequence[tuple[str, Row]], stamp: CommitStamp
) -> None:
    """Topics without members that have left, each with its embedding; one without members goes."""
    rows_of: defaultdict[str, list[Row]] = defaultdict(list)
    for topic_id, row in gone:
        rows_of[topic_id].append(row)
    unclear: list[str] = []
    for topic_id, topic in (await _topics(tx, rows_of)).items():
        centroid = _less(topic, rows_of[topic_id])
        if centroid is None:
            unclear.append(topic_id)
            continue
        count = topic.member_count - len(rows_of[topic_id])
        less = replace(left_behind(topic), member_count=count, centroid=centroid)
        await _put(tx, [less], stamp)
    await renew_topics(tx, unclear, stamp)


def _less(topic: Topic, gone: Sequence[Row]) -> Vectors | None:
    if any(row["vectors"] is None for row in gone):
        return None
    return left(topic.centroid, topic.member_count, [_mean([row]) for row in gone])


async def renew_topics(tx: ScopedTransaction, topic_ids: Iterable[str], stamp: CommitStamp) -> None:
    """Compute topics that lost a member anew; one without members is gone."""
    known = await _topics(tx, topic_ids)
    for topic_id, topic in known.items():
        members = await tx.run("topic_vectors", topic_id=topic_id)
        if members:
            renewed = replace(
                left_behind(topic), member_count=len(members), centroid=_mean(members)
            )
            await _put(tx, [renewed], stamp)
        else:
            await tx.each("delete_topics", [topic_id])


async def recompute_topics(
    tx: ScopedTransaction,
    topic_ids: Iterable[str],
    revision: int,
    dimension: int | None = None,
) -> None:
    """Count and centroid anew from all members; a topic without members goes.

    Where no member has a vector the centroid stays, or is zero if a new `dimension` is given.
    """
    known = await _topics(tx, topic_ids)
    for topic_id, topic in known.items():
        members = await tx.run("member_vectors", topic_id=topic_id)
        held = [row for row in members if row["vectors"] is not None]
        centroid = topic.centroid if dimension is None else np.zeros(dimension, np.float32)
        if held:
            centroid = _mean(held)
        renewed = replace(topic, member_count=len(members), centroid=centroid, revision=revision)
        await tx.put("put_topics", [topic_row(renewed)] if members else [])
        await tx.each("delete_topics", [] if members else [topic_id])


async def _topics(tx: ScopedTransaction, topic_ids: Iterable[str]) -> dict[str, Topic]:
    found = await tx.each("get_topics", sorted(topic_ids))
    return {topic.topic_id: topic for topic in map(rows.topic_of, map(node, found))}


def _founded(member: TopicMember, stamp: CommitStamp) -> Topic:
    return Topic(
        topic_id=member.topic_id,
        label=member.label,
        scope=member.scope,
        member_count=0,
        centroid=np.zeros(0, dtype=np.float32),
        create_time_us=stamp.now_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def _joined(topic: Topic, vector: Vectors) -> Topic:
    centroid = joined(topic.centroid, topic.member_count, vector)
    return replace(topic, member_count=topic.member_count + 1, centroid=centroid)


async def _put(tx: ScopedTransaction, topics: Iterable[Topic], stamp: CommitStamp) -> None:
    moved = [
        replace(topic, update_time_us=stamp.now_us, revision=stamp.revision) for topic in topics
    ]
    await tx.put("put_topics", [topic_row(topic) for topic in moved])


def _mean(embeddings: Sequence[Row]) -> Vectors:
    """The mean over memories of the mean over each one's pieces."""
    return mean_of([vectors_of(row).mean(axis=0) for row in embeddings])
