"""What must hold of a namespace by itself, whatever was sent: records that fit each other."""

from collections import Counter, defaultdict

import numpy as np

from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.model.scopes import scope_of
from tests.sim.held import Held
from tests.sim.model import check


def check_structure(held: Held) -> None:
    """Hold that events, drawers, sessions, vectors, topics and counts fit each other.

    Raises:
        Broken: they do not.
    """
    _every_drawer_has_its_event(held)
    _sessions_count_right(held)
    _vectors_and_pending_part_the_memories(held)
    _centroids_are_means(held)
    _counts_agree(held)


def _every_drawer_has_its_event(held: Held) -> None:
    latest: dict[tuple[str, int], Memory] = {}
    for drawer in held.drawers:
        assert drawer.event_index is not None
        place = (drawer.session_id, drawer.event_index)
        check(place in held.events, f"{drawer.memory_id} is of no event")
        current = held.events[place].memory_id == drawer.memory_id
        check(
            current == (drawer.status is Status.ACTIVE),
            f"{drawer.memory_id} at {place} is {drawer.status}, current: {current}",
        )
        latest[place] = drawer
    for place, event in held.events.items():
        if event.memory_id:
            check(place in latest, f"the event at {place} has lost its drawer")
            check(
                latest[place].memory_id == event.memory_id, f"{place}: an older drawer is current"
            )
            check(latest[place].content == event.content, f"{place}: event and drawer differ")


def _sessions_count_right(held: Held) -> None:
    indices: dict[str, list[int]] = defaultdict(list)
    for session_id, index in held.events:
        indices[session_id].append(index)
    for session in held.sessions.values():
        there = indices.pop(session.session_id, [])
        check(session.event_count == len(there), f"{session.session_id} counts its events wrong")
        check(session.next_index == max(there, default=-1) + 1, "the next index is wrong")
        drawers = [one for one in held.drawers if one.session_id == session.session_id]
        check(session.next_drawer > len(drawers), "drawers were numbered twice")
        check(session.revision <= held.revision, "a session is ahead of its store")
    check(not indices, f"events of no session: {dict(indices)}")


def _vectors_and_pending_part_the_memories(held: Held) -> None:
    ids = held.by_id.keys()
    check(held.vectors.keys() <= ids, "a vector has no record")
    check(held.pending <= ids, "something pending has no record")
    check(not held.vectors.keys() & held.pending, "something with a vector is pending")
    check(held.vectors.keys() | held.pending == ids, "a memory has no vector and does not wait")


def _centroids_are_means(held: Held) -> None:
    by_id = held.by_id
    for topic in held.topics:
        members = held.members[topic.topic_id]
        check(members, f"{topic.topic_id} has no members")
        check(topic.member_count == len(members), f"{topic.topic_id} counts its members wrong")
        check(topic.revision <= held.topics_revision, f"{topic.topic_id} is ahead of all topics")
        scopes = {scope_of(by_id[one]) for one in members}
        check(scopes == {topic.scope}, f"{topic.topic_id} mixes {scopes}")
        means = [held.vectors[one].mean(axis=0) for one in members]
        off = float(np.abs(np.mean(means, axis=0) - topic.centroid).max())
        check(off < 1e-5, f"{topic.topic_id}: the centroid is off by {off}")
    check(held.topics_revision <= held.revision, "topics are ahead of their store")
    places = Counter(one for members in held.members.values() for one in members)
    check(all(count == 1 for count in places.values()), "a memory is in two topics")
    check(places.keys() <= by_id.keys(), "a member of a topic is gone")


def _counts_agree(held: Held) -> None:
    counts = held.counts
    check(counts.by_kind == Counter(one.kind.value for one in held.memories), "kinds miscounted")
    states = Counter(one.status.value for one in held.memories)
    check(counts.by_status == states, "states miscounted")
    check(sum(counts.by_tier.values()) == len(held.memories), "tiers miscounted")
    check(counts.sessions == len(held.sessions), "sessions miscounted")
    check(counts.events == len(held.events), "events miscounted")
    check(counts.topics == len(held.topics), "topics miscounted")
    check(counts.pending_embeddings == len(held.pending), "what waits is miscounted")
