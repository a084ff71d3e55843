"""Memories that a session was shown already, so that its next contexts leave them out.

Kept in this process alone, by digests and without texts, for a day after the session's last
context. What is not known here is shown once more: after a restart, and where another replica
answers.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from anamnesis_libs.clock import Clock
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import STANDING_CATEGORIES
from anamnesis_retrieval.context.evidence import RELATION_STRENGTH, Evidence
from anamnesis_retrieval.model import Remembered

SESSIONS_MAX = 10_000
MEMORIES_MAX = 1_000
"""Of a session those shown last are known."""
KEPT_S = 24 * 3600.0
_ANNOUNCED = re.compile(
    r"^[^:：]{0,40}(?:\brules?|规[则矩]|規[則矩])[^:：]{0,10}[:：]\s*", re.IGNORECASE
)
"""What leads a rule where it is told: "House rules: ...", or, once it is learned, "Rule: ..."."""
_EDGES = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Who asks from which session."""

    namespace: str
    user_id: str
    agent_id: str
    session_id: str


@dataclass(slots=True)
class _Session:
    used_s: float
    digests: OrderedDict[bytes, None] = field(default_factory=OrderedDict)


class ShownAlready:
    """The digests of what each session was shown; the sessions used last are known."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sessions: OrderedDict[SessionKey, _Session] = OrderedDict()

    def of(self, key: SessionKey) -> Collection[bytes]:
        """The digests of a session; none where it was shown nothing for a day."""
        self._let_go()
        session = self._sessions.get(key)
        return frozenset(session.digests) if session else ()

    def add(self, key: SessionKey, memories: Iterable[Remembered]) -> None:
        """Note what a session was shown whole."""
        now_s = self._clock.monotonic_s()
        session = self._sessions.setdefault(key, _Session(now_s))
        session.used_s = now_s
        self._sessions.move_to_end(key)
        for digest in (digest for memory in memories for digest in _digests_of(memory)):
            session.digests[digest] = None
            session.digests.move_to_end(digest)
        while len(session.digests) > MEMORIES_MAX:
            session.digests.popitem(last=False)
        self._let_go()

    def _let_go(self) -> None:
        """Forget sessions that were not used for long, and the oldest of too many."""
        oldest_s = self._clock.monotonic_s() - KEPT_S
        while self._sessions:
            key, session = next(iter(self._sessions.items()))
            if session.used_s >= oldest_s and len(self._sessions) <= SESSIONS_MAX:
                return
            del self._sessions[key]


def was_told(had: Collection[bytes], *forms: Remembered) -> bool:
    """True where one of the digests is that of a memory in one of the forms in which it is told."""
    return any(digest_of(one) in had for one in forms)


def was_laid_down(had: Collection[bytes], sentence: str) -> bool:
    """True for a rule that was told before: as a line, or as the fact that was learned of it."""
    return _rule_digest(sentence) in had


def is_apart(own: Evidence, floor: float) -> bool:
    """True for what may be told where all that it would come with was told: it answers by itself.

    It has the strength of an answer, or less and is of the very relation that is asked about, or
    was said on the day.
    """
    needed = floor - RELATION_STRENGTH if own.same_relation else floor
    return own.strength >= needed or own.said_then == 1.0


def digest_of(memory: Remembered) -> bytes:
    """A digest of a memory as it is told: another text, or another caveat, is another digest."""
    told = "\0".join((memory.memory_id, memory.content, *memory.caveats))
    return _digest(told)


def _digests_of(memory: Remembered) -> Iterator[bytes]:
    """The digest of a memory and, of what stands, those of its sentences."""
    yield digest_of(memory)
    if memory.category in STANDING_CATEGORIES:
        yield from (_rule_digest(unit.text) for unit in units_of(memory.content))


def _rule_digest(sentence: str) -> bytes:
    rule = _EDGES.sub("", _ANNOUNCED.sub("", sentence))
    return _digest(f"rule\0{rule.casefold()}")


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16).digest()
