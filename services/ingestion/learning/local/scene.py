"""Who speaks, and who was spoken of last: what words such as `I`, `she` and `他` stand for."""

import re
from dataclasses import dataclass, field

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.predicates import Predicate

UNNAMED = "user"
"""The subject where neither the event nor the task names the speaker."""


_PLURAL = re.compile(
    (
        r"(?:twins|kids|children|parents|sons|daughters|brothers|sisters|friends|cousins"
        r"|grandparents|neighbou?rs|in-laws|\band\b.*|们|父母|爸妈|双胞胎)$"
    ),
    re.IGNORECASE,
)


def _is_plural(person: str) -> bool:
    return bool(_PLURAL.search(person))


@dataclass(slots=True)
class Scene:
    """The speaker of a message, the third persons named so far, and the last subject.

    `carried` is the subject that an elliptical clause goes on with, `listing` the list that one
    goes on; `standing` says that a lasting wish follows, `formerly` is the thing of a habit that
    is over: `awaited` is what the next clause tells, announced by one such as `it is settled`:
    each is kept for one sentence. `to_agent` says that an agent is spoken to, whom
    wishes about its work concern.
    """

    speaker: str
    persons: list[str] = field(default_factory=list)
    carried: str = ""
    formerly: str = ""
    standing: bool = False
    to_agent: bool = True
    listing: tuple[Predicate, FactKind, str] | None = None
    things: list[str] = field(default_factory=list)
    awaited: FactKind | None = None

    def begin_sentence(self) -> None:
        """Forget what is kept for one sentence."""
        self.awaited = None
        self.carried, self.formerly, self.standing, self.listing = "", "", False, None

    def mention(self, person: str) -> None:
        """Remember a third person; the latest is who `she` is."""
        if person and person != self.speaker:
            self.persons = [each for each in self.persons if each != person] + [person]

    @property
    def third(self) -> str:
        """The one person spoken of last, "" where none was."""
        return next((each for each in reversed(self.persons) if not _is_plural(each)), "")

    @property
    def third_plural(self) -> str:
        """The people spoken of last, "" where there were none."""
        return next((each for each in reversed(self.persons) if _is_plural(each)), "")

    @property
    def written(self) -> str:
        """The speaker at the head of a statement."""
        return "The user" if self.speaker == UNNAMED else self.speaker
