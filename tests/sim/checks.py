"""What must hold after every run, whatever failed: the store against all that was sent."""

from collections import Counter

from anamnesis_memory.model.memory import Status
from tests.sim.held import Held
from tests.sim.model import Fate, Model, check
from tests.sim.requests import mark_of
from tests.sim.structure import check_structure


def check_namespace(held: Held, model: Model) -> None:
    """Hold every invariant of a namespace's store.

    Raises:
        Broken: one does not hold.
    """
    for invariant in (
        _only_its_own,
        _nothing_refused,
        _nothing_acknowledged_is_lost,
        _deleted_is_gone,
        _whole_or_nothing,
        _nothing_twice,
        _revisions_increase,
        _the_log_is_complete,
        _the_consumer_can_catch_up,
        _assigned_stays_assigned,
    ):
        invariant(held, model)
    check_structure(held)


def _texts(held: Held) -> list[str]:
    return [
        *(memory.content for memory in held.memories),
        *(event.content for event in held.events.values() if event.content),
    ]


def _only_its_own(held: Held, model: Model) -> None:
    for text in _texts(held):
        check(mark_of(text).endswith(held.name), f"{held.name} holds {text!r} of another")
        check(text in model.senders, f"nobody sent {text!r}")


def _nothing_refused(held: Held, model: Model) -> None:
    for text in _texts(held):
        fates = {sent.fate for sent in model.senders[text]}
        check(
            fates & {Fate.ACKNOWLEDGED, Fate.DOUBT}, f"{text!r} is stored, its sender was refused"
        )


def _nothing_acknowledged_is_lost(held: Held, model: Model) -> None:
    may_be_gone = model.deleted(held.name, surely=False)
    by_id = held.by_id
    for sent in model.of(held.name, fate=Fate.ACKNOWLEDGED):
        for memory_id, text in sent.promised:
            if memory_id in may_be_gone:
                continue
            check(memory_id in by_id, f"{sent.verb} {sent.number}: {text!r} is lost")
            check(by_id[memory_id].content == text, f"{memory_id} holds another text than sent")


def _deleted_is_gone(held: Held, model: Model) -> None:
    gone = model.deleted(held.name, surely=True)
    members = {one for ids in held.members.values() for one in ids}
    for where, ids in (
        ("memories", held.by_id.keys()),
        ("vectors", held.vectors.keys()),
        ("pending", held.pending),
        ("topics", members),
        ("events", {event.memory_id for event in held.events.values()}),
    ):
        check(not gone & set(ids), f"deleted memories are still in {where}: {gone & set(ids)}")


def _whole_or_nothing(held: Held, model: Model) -> None:
    """Nobody deletes what is in doubt, so all of it is there or none."""
    stored = Counter(memory.content for memory in held.memories)
    for sent in model.of(held.name, fate=Fate.DOUBT):
        if any(len(model.senders[text]) > 1 for text in sent.texts):
            continue
        found = sum(text in stored for text in sent.texts)
        check(
            found in (0, len(sent.texts)),
            f"{sent.verb} {sent.number}: {found} of {len(sent.texts)} texts are stored",
        )


def _nothing_twice(held: Held, model: Model) -> None:
    """A text comes again only where it was sent again, and then only one of them is active."""
    copies = Counter(memory.content for memory in held.memories)
    active = Counter(memory.content for memory in held.memories if memory.status is Status.ACTIVE)
    for text, count in copies.items():
        check(active[text] <= 1, f"{text!r} is active {active[text]} times")
        sendings = sum(sent.sendings for sent in model.senders[text])
        check(count <= sendings, f"{text!r} is stored {count} times")
    pointers = Counter(memory.pointer for memory in held.drawers)
    check(all(count == 1 for count in pointers.values()), f"a pointer is given twice: {pointers}")


def _revisions_increase(held: Held, model: Model) -> None:
    check(
        model.reached.get(held.name, 0) <= held.revision,
        f"{held.name} went back from {model.reached.get(held.name)} to {held.revision}",
    )
    latest = 0
    moments = sorted(
        (moment, sent.revision, is_answer)
        for sent in model.of(held.name, fate=Fate.ACKNOWLEDGED)
        if sent.answer is not None
        for moment, is_answer in ((sent.sent_at, False), (sent.answered_at, True))
    )
    floor = {sent.sent_at: sent for sent in model.of(held.name, fate=Fate.ACKNOWLEDGED)}
    for moment, revision, is_answer in moments:
        if is_answer:
            latest = max(latest, revision)
        elif floor[moment].took_a_revision:
            check(revision > latest, f"revision {revision} was given after {latest}")
    owners: dict[int, int] = {}
    for memory in held.memories:
        check(memory.revision <= held.revision, f"{memory.memory_id} is ahead of its store")
    for sent in model.of(held.name, fate=Fate.ACKNOWLEDGED):
        if sent.took_a_revision:
            other = owners.setdefault(sent.revision, sent.number)
            check(other == sent.number, f"{other} and {sent.number} share a revision")


def _the_log_is_complete(held: Held, model: Model) -> None:
    revisions = [change.revision for change in held.changes]
    check(revisions == sorted(revisions), "the log is out of order")
    told = {one.memory_id: one.revision for one in held.changes if not one.deleted}
    there = {memory.memory_id: memory.revision for memory in held.memories}
    check(told == there, f"log and records differ: {told.items() ^ there.items()}")
    deleted = {one.memory_id for one in held.changes if one.deleted}
    surely = model.deleted(held.name, surely=True)
    check(surely <= deleted, f"the log does not tell of deletions: {surely - deleted}")
    check(not deleted & there.keys(), "the log tells of deletions that did not happen")


def _the_consumer_can_catch_up(held: Held, model: Model) -> None:
    """Who follows from a cursor across crashes ends with what is there."""
    cursor = model.cursors.get(held.name, 0)
    known = dict(model.followed.get(held.name, {}))
    rest = [change for change in held.changes if change.revision > cursor]
    known.update((change.memory_id, not change.deleted) for change in rest)
    alive = {memory_id for memory_id, here in known.items() if here}
    check(alive == held.by_id.keys(), f"a follower knows {alive ^ held.by_id.keys()} wrongly")


def _assigned_stays_assigned(held: Held, model: Model) -> None:
    """What was put into a topic is there, unless a later or doubtful request moved it."""
    possible = (Fate.ACKNOWLEDGED, Fate.DOUBT)
    assigns = [sent for sent in model.of(held.name, "assign") if sent.fate in possible]
    last = {
        memory_id: topic_id
        for sent in sorted(assigns, key=lambda sent: sent.revision)
        for memory_id, topic_id in sent.places
    }
    doubtful = {
        memory_id for sent in assigns if sent.fate is Fate.DOUBT for memory_id, _ in sent.places
    }
    topic_of = {one: topic for topic, members in held.members.items() for one in members}
    for memory_id, topic_id in last.items():
        if memory_id in topic_of and memory_id not in doubtful:
            check(topic_of[memory_id] == topic_id, f"{memory_id} is in another topic")
    check(topic_of.keys() <= last.keys(), "something is in a topic that nobody put there")
