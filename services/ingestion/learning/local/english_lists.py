"""Lists in English: `I speak Danish and a bit of Dutch` tells two facts."""

import re
from collections.abc import Iterator
from dataclasses import replace

from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_P = Predicate
LISTED = frozenset(
    {
        _P.SPEAKS,
        _P.IS_ALLERGIC_TO,
        _P.LIKES,
        _P.DISLIKES,
        _P.DOES_NOT_EAT,
        _P.EATS,
        _P.CAN,
        _P.CANNOT,
    }
)
"""Predicates whose objects add up, so that a list can be taken apart."""
_TOLD = {
    _P.SPEAKS: "speaks",
    _P.IS_ALLERGIC_TO: "is allergic to",
    _P.LIKES: "likes",
    _P.DISLIKES: "does not like",
    _P.DOES_NOT_EAT: "does not eat",
    _P.EATS: "eats",
    _P.CAN: "can",
    _P.CANNOT: "cannot",
}
_AND = re.compile(r"\s+(?:and|or|nor)\s+|\s*&\s*")
_ONE_THING = re.compile(
    r"\b(?:black and white|(?:rock|drum|hide|odds?|mix|trial|bed|mac|fish|salt|sweet|bits|pros"
    r"|rhythm"
    r"|country|arts|sword|peanut butter|bread|gin|surf|hit|track|slow|long|short|old|new|hot"
    r"|cold) (?:and|&)) ",
    re.IGNORECASE,
)
_ITEM_WORDS_MAX = 4
_NO_ITEM = re.compile(
    r"^(?:in|on|at|for|with|by|from|to|of|even|especially|but|not|so|because|if|when|though|as"
    r"|than|like|then|now|too|please|thanks|just|only|never|always|mostly|also|usually"
    r"|i|we|he|she|they|it|you|my|our|her|his|their|this|that|these|those|how|what|who"
    r"|which|enough|let|going|being|doing|\d+)\b",
    re.IGNORECASE,
)


def listed(draft: Draft) -> Iterator[Draft]:
    """The draft, or one for each item of its object."""
    items = _AND.split(draft.object)
    if _ONE_THING.search(draft.object):
        items = [draft.object]
    if draft.predicate not in LISTED or len(items) < 2 or not all(_is_item(each) for each in items):
        yield draft
        return
    if draft.predicate in {_P.CAN, _P.CANNOT} and len(items[0].split()) > 2:
        yield draft
        return
    yield from (replace(draft, object=item) for item in items)


def continued(clause: Clause, scene: Scene) -> list[Draft]:
    """The items of a clause that goes on with the list before it: `eggs and shellfish`."""
    if scene.listing is None:
        return []
    predicate, kind, subject = scene.listing
    items = _AND.split(re.sub(r"^(?:and|or|nor)\s+", "", clause.text))
    if not all(_is_item(each) for each in items):
        return []
    head = scene.written if subject == scene.speaker else subject
    told = _TOLD[predicate]
    return [
        Draft(
            clause=clause,
            subject=subject,
            predicate=predicate,
            object=item,
            statement=f"{head} {told} {item}",
            kind=kind,
            confidence=0.7,
            dated=False,
        )
        for item in items
    ]


def _is_item(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _ITEM_WORDS_MAX
        and not _NO_ITEM.match(text)
        and "'" not in text.replace("’", "'")
        and not text.endswith(("ing", "ed", "ly"))
    )
