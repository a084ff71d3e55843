"""The request for a context, as the verbs behind `BuildContext` have it."""

from dataclasses import dataclass
from datetime import datetime

from anamnesis_retrieval.context.already import SessionKey
from anamnesis_retrieval.context.model import Format
from anamnesis_retrieval.model import Mode, Ranking


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """A request for a context; `limit` is None where only the budget bounds it.

    A `budget` of 0 is what the namespace's policy says, else `TOKENS_DEFAULT`.

    `asked_at` is when it is read, where that is known.
    """

    query: str
    budget: int
    written: Format = Format.MARKDOWN
    limit: int | None = None
    mode: Mode = Mode.AUTO
    pointers: bool = False
    asked_at: datetime | None = None
    as_of: datetime | None = None
    """The time of the facts that are asked for, where it is another."""
    ranking: Ranking = Ranking.RELEVANCE
    at_least_revision: str = ""
    session: SessionKey | None = None
    """The session whose contexts leave out what it was shown already; None where none do."""
    own_session: str = ""
    """The session that asks and has all that was said in it; empty where that may be told."""
