r"""Keys that identify statements, facts, and the lines that facts stand on.

    key       of a statement       SHA-256(subject|predicate|object), folded, first 32 hex digits
    fact id   of one in its time   the same over scope|key|from|to
    line id   of its competitors   the same over scope|subject|predicate

Fields are folded by NFKC, case and spaces, so that two spellings of one text meet. A `|` inside a
field is written `\|`, and a `\` as `\\`: without that, the subject `a|b` with the predicate `c`
would be the same as the subject `a` with the predicate `b|c`, and one caller's text could be made
to close another's fact. Texts without these signs have the plain digest.
"""

import hashlib
import unicodedata
from dataclasses import dataclass, field

from anamnesis_memory.domain.facts.interval import Interval

DIGITS = 32
"""Hex digits that are kept of a SHA-256: 128 bits."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: subject, predicate and object, and the scope that may see it.

    Args:
        scope: as `model.scopes.scope_of` names it; never folded, since ids are exact.
        subject: as written.
        predicate: as written.
        object: as written.
        key: the same for every spelling of the statement, in whatever scope and time.
    """

    scope: str
    subject: str
    predicate: str
    object: str
    key: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the key once: it is asked for often."""
        key = digest(folded(self.subject), folded(self.predicate), folded(self.object))
        object.__setattr__(self, "key", key)

    @property
    def line_id(self) -> str:
        """The line: only what has the same one can close, contradict or reinforce it."""
        return digest(self.scope, folded(self.subject), folded(self.predicate))

    def fact_id(self, told: Interval) -> str:
        """The identity of the fact that says so for the interval as it was told."""
        return digest(self.scope, self.key, _bound(told.from_us), _bound(told.to_us))


def folded(text: str) -> str:
    """`text` as identity sees it."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def digest(*fields: str) -> str:
    """The first digits of the SHA-256 over the fields, which are kept apart by `|`."""
    joined = "|".join(map(_escaped, fields))
    return hashlib.sha256(joined.encode()).hexdigest()[:DIGITS]


def _escaped(field: str) -> str:
    return field.replace("\\", "\\\\").replace("|", "\\|")


def _bound(us: int | None) -> str:
    return "" if us is None else str(us)
