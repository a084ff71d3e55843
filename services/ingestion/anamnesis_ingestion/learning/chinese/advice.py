"""Advice of doctors and trainers that somebody keeps to: 医生叫我别搬重物, 教练让我每周休息一天."""

import re

from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece

_ADVICE = re.compile(
    r"(?:现在|目前|所以|但|可|后来)*(?:我的?)?(?:医生|大夫|医院|中医|教练|营养师|康复师|牙医)(?:也|都|就|还|一直|特意|之前|又)*"
    r"(?P<no>不让|不许|不准|不建议)?(?:让|叫|要求|要|建议|嘱咐|交代|说)?"
    r"(?P<me>我)?(?P<deed>[^，我你他她]{2,24}?)了?"
)
_MORE = re.compile(
    r"(?P<no>不让|不许|不准)?(?:让|叫|要求|建议)(?P<me>我)?(?P<deed>[^，我你他她]{2,24}?)了?"
)
_KEPT_TO = re.compile(
    r"别|不要|不能|不可以|不得|少|多|每[天日周个月晚小隔]|至少|最多|控制|忌|戒|停|避免|定期|坚持|[减降]到|必须|千万|卧床"
)


def is_to_speaker(whole: Piece) -> bool:
    """True for a clause in which a doctor tells the speaker something."""
    match = _ADVICE.fullmatch(whole.text)
    return match is not None and match["me"] is not None


def advice(whole: Piece, *, of_speaker: bool, goes_on: bool) -> Claim | None:
    """The advice of a clause about the speaker, or about whoever the clause before is about.

    `goes_on` is true where a clause before may have said who gives it: 医生说没事，让我多走走.
    """
    match = _ADVICE.fullmatch(whole.text) or (_MORE.fullmatch(whole.text) if goes_on else None)
    if match is None or (match["me"] and not of_speaker):
        return None
    if not match["no"] and _KEPT_TO.search(match["deed"]) is None:
        return None
    deed = whole.part(*match.span("deed"))
    refused = whole.part(*match.span("no")) if match["no"] else None
    return Claim("must", deed if refused is None else refused.then(deed))
