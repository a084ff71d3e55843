"""What is no object of a fact in English: it points at something said elsewhere, or was misread.

`wants: check them out` tells nothing to whoever reads it by itself, and `likes: skill is awesome`
is a clause that was taken for a thing.
"""

import re

from services.ingestion.learning.local.drafts import Draft
from services.ingestion.learning.local.predicates import Predicate

_P = Predicate
_DEEDS = frozenset(
    {_P.DID, _P.DOES, _P.WANTS, _P.PLANS, _P.DECIDED, _P.WILL_HAPPEN, _P.HAPPENED, _P.CAN}
)
_THINGS = frozenset({_P.LIKES, _P.DISLIKES, _P.USES, _P.OWNS, _P.EATS})
_WORDS_MAX = 7
_ENDS = (
    r"(?:$|[^\w\s'’-]|['’]?cause\b|(?:a lot|all|and|as|at|because|but|even|for|from|if|in|more"
    r"|now|on|really|since|so|then|to|too|very|when|while)\b)"
)
_POINTS = r"(?:it|me|us|him|her|them|that|this|those|these|ones?|both|all|everything|something)"
_POINTING = re.compile(rf"^{_POINTS} ?{_ENDS}", re.IGNORECASE)
_POINTING_INSIDE = re.compile(
    rf"\b(?:it|them|this|that|these|those) ?(?:{_ENDS}|(?:back|down|go|happen|next|off|out|over|up"
    r"|work)\b)",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(r"\d|(?<!^)\b(?!I\b)[A-Z]")
_IDLE = re.compile(
    r"^(?:takes? )?an? (?:look|break|chance|moment|minute|second|while|bit|lot|shot|try|seat"
    r"|breath)\b|^(?:help )?in any way\b|^help in any way\b|^all the (?:best|difference)\b"
    r"|^make all the difference\b",
    re.IGNORECASE,
)
_AUX = r"(?:has|have|had|is|are|was|were|am|will|would)"
_MISREAD = re.compile(
    rf"^(?!{_AUX}\b)\w+ (?:{_AUX}\b|(?:i|we|you|he|she|they)(?:['’]\w+)? (?!and\b|who\b))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"^(?:(?!\b(?:who|whom|whose|that|which|what|when|where|how|why|whether|because|since|if|as"
    r"|than|after|before|while|the way)\b).)*\b(?:is|are|was|were|isn['’]t|aren['’]t)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:\w+ )?[-–—:;,]")


def is_vague(draft: Draft) -> bool:
    """Whether nobody who has not read what was said around it knows what it says."""
    told = draft.object
    if draft.predicate in _DEEDS:
        return bool(_IDLE.search(told) or _MARK.match(told)) or _points(told)
    if draft.predicate in _THINGS:
        misread = _CLAUSE.search(told) or _MISREAD.match(told)
        return bool(_POINTING.match(told) or _IDLE.search(told) or misread)
    return False


def _points(told: str) -> bool:
    """Whether a short one rests on a pronoun, or it begins like a clause of its own."""
    if _MISREAD.match(told) or _POINTING.match(told):
        return True
    short = len(told.split()) <= _WORDS_MAX and not _PARTICULAR.search(told)
    return short and bool(_POINTING_INSIDE.search(told))
