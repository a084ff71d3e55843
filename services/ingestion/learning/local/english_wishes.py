"""What binds or is wished for from now on, in English: a doctor's orders, `from now on`."""

import re
from collections.abc import Iterator

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.english_statements import quoted
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate

_TOLD_TO = re.compile(
    r"\b(?P<who>(?:my|our|the|his|her) (?:\w+ )?(?:doctor|gp|dentist|physio|therapist|boss"
    r"|manager|landlord|client|teacher|coach|lawyer|vet|school|company|bank|employer"
    r"|supervisor)|(?:Dr|Prof)\.? [A-Z]\w+)"
    r" (?:told|advised|ordered|asked|wants|forbade|recommended|requires|instructed) "
    r"(?P<whom>me|us|him|her|them) (?P<o>(?:not |never )?to .+)$",
    re.IGNORECASE,
)


def ordered(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What somebody in authority has told somebody to do binds who was told."""
    match = _TOLD_TO.search(clause.text)
    if match is None:
        return
    whom = {"me": scene.speaker, "us": "we"}.get(match["whom"].lower(), scene.third)
    if whom:
        never = match["o"].lower().startswith(("not", "never"))
        yield Draft(
            clause=clause,
            subject=whom,
            predicate=_P.MUST_NOT if never else _P.MUST,
            object=re.sub(r"^(?:(?:not|never) )?to ", "", match["o"], flags=re.IGNORECASE),
            statement=quoted(clause.text, scene),
            kind=_K.CONSTRAINT,
            dated=False,
        )


_STANDING = re.compile(
    (
        r"^(?:so |and |also |please )*(?:from now on|from here on|in (?:the )?future|going "
        r"forward|by default|as a rule|for (?:all )?future \w+|next time)$"
    ),
    re.IGNORECASE,
)


def standing_wish(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """`From now on, answer in French`: the comma parts the wish from what makes it lasting."""
    wished, scene.standing = scene.standing, bool(_STANDING.match(clause.text))
    if wished and scene.to_agent:
        yield Draft(
            clause=clause,
            subject=scene.speaker,
            predicate=_P.PREFERS,
            object=clause.text,
            statement=quoted(f"from now on, {clause.text}", scene),
            kind=_K.PREFERENCE,
            dated=False,
        )
