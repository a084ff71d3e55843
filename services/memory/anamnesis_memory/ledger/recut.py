"""The work that is due when a session's events have changed: it is cut into tasks anew."""

from collections.abc import Collection, Iterator

from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.session import Session, SessionState
from anamnesis_memory.model.work import WorkItem, made_due, superseded
from anamnesis_memory.ports import CommitStamp, ReadView

STAGES = (Work.SEGMENT, Work.LABEL, Work.EXTRACT)


def recut(
    session: Session,
    seen: ReadView,
    stamp: CommitStamp,
    idle_us: int,
    unmined: Collection[str],
) -> Iterator[WorkItem]:
    """The work of a session that is cut anew; results of work under way are refused.

    An open one waits until nothing was added for `idle_us`. Nothing is due for an agent of the
    `unmined`, from whose sessions nothing is to be learned.
    """
    if session.agent_id in unmined:
        return
    first, *later = ((kind, session.session_id) for kind in STAGES)
    wait_us = 0 if session.state is SessionState.ENDED else idle_us
    due_us = stamp.now_us + wait_us
    yield made_due(seen.work.get(first), first, due_us, stamp.now_us, seen.next_token)
    for place, key in enumerate(later, start=1):
        if (item := seen.work.get(key)) is not None:
            yield superseded(item, stamp.now_us, seen.next_token + place)
