"""What an English finding is about: the thing found, where it is named."""

import re
from dataclasses import replace

from services.ingestion.learning.local.drafts import Draft
from services.ingestion.learning.local.english_grammar import read
from services.ingestion.learning.local.predicates import Predicate

PERSONAL = frozenset({"i", "we", "he", "she", "they"})
NO_SUBJECTS = re.compile(
    (
        r"^(?:it|this|that|these|those|there|everyone|everybody|people|someone|somebody|nobody"
        r"|you|one|what|who|your\b.*|the (?:user|assistant|following|above|same|other|first"
        r"|last|next)\b.*)$"
    ),
    re.IGNORECASE,
)

_THING = re.compile(
    (
        r"(?:the|our|my|their) (?P<s>[a-z-]+?(?: [a-z-]+?)??)(?= (?:only|never|always|just"
        r"|also|is|are|was|were|has|had|does|did|can|can['’]t|would|[a-z]+[^s\W]s|[a-z]+ed)\b)"
    ),
    re.IGNORECASE,
)


def about_the_thing(draft: Draft) -> Draft:
    """The draft; a finding with the thing found as its subject."""
    found = draft.predicate is Predicate.DISCOVERED
    return replace(draft, subject=found_about(draft.object, draft.subject)) if found else draft


def found_about(said: str, finder: str) -> str:
    """A finding is about the thing found, where it is named."""
    thing = _THING.match(said)
    if thing:
        return thing["s"]
    inner = read(said)
    if inner is None or inner.subject.lower() in PERSONAL or NO_SUBJECTS.match(inner.subject):
        return finder
    return re.sub(r"^(?:my|our|his|her|their|the|a|an)\s+", "", inner.subject, flags=re.IGNORECASE)
