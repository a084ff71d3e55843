"""The facts that a predicate states, by the frames of `frames.tsv`."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from anamnesis_ingestion.learning.chinese.clause import (
    Polarity,
    Predicate,
    as_plain,
    denied,
    without_adverbs,
    without_companion,
)
from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import splits, tagged
from anamnesis_ingestion.learning.chinese.values import OPEN, values
from anamnesis_ingestion.learning.chinese.vocabulary import (
    DURATION,
    Change,
    Frame,
    Stated,
    frames_for,
    words,
)

_EXAMPLES = re.compile(
    r"(?:就)?(?:还有|以及|像是|像|比如说|比如|例如|譬如|包括|尤其是|特别是)(?P<items>[^，]{2,40}?)"
    r"(?:这样的[^，]{0,4}|这种[^，]{0,4}|之类的[^，]{0,3}|等等?|什么的)?"
)
_WHERE_KIN_IS = re.compile(
    r"(?:人)?(?:就|都|常年|一直)?在(?P<place>[^，]{2,10}?)(?:那边|这边|那里|这里)?"
)
_LASTED = re.compile(rf"了?(?:有|快|都)?{DURATION}了?$")
_FOR_GOOD = re.compile(r"(?:早就|已经|也|都|就)?(?:不再|再也不|不会再)")
_PREDICATE_CHARS_MAX = 48
_DEED_CHARS_MAX = 8
_OPPOSITE = {
    "likes": "dislikes",
    "prefers": "dislikes",
    "eats": "does_not_eat",
    "drinks": "does_not_drink",
    "can": "cannot",
    "speaks": "cannot",
    "plays": "cannot",
}
_HOLDING = frozenset({Change.STATE, Change.HABIT})
_STOPPED = {"dislikes": "likes", "does_not_eat": "eats", "does_not_drink": "drinks"}
"""The predicate that a new denial ends: 我不喜欢咖啡了."""
_REFUTABLE = frozenset(
    ["lives_in", "works_at", "works_as", "studies_at", "owns", "has_pet", "married_to"]
)
"""What is held of somebody once, so that a denial may end it."""
_LASTING = frozenset(
    [
        "lives_in",
        "works_at",
        "works_in",
        "works_as",
        "works_on",
        "studies_at",
        "studies",
        "uses",
        "owns",
        "has_pet",
        "married_to",
        "has_partner",
        "likes",
        "eats",
        "drinks",
        "plays",
        "member_of",
        "does",
        "follows_diet",
        "prefers",
        "reads",
    ]
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact that a clause states, before it has a subject and words."""

    predicate: str
    object: Piece
    change: Change = Change.STATE
    text: str = ""
    """The object in words, where it is no part of the clause."""
    listed: tuple[Piece, ...] = ()
    """The list that the object is one item of."""


def stated(predicate: Predicate) -> list[Claim]:
    """The claims of a predicate, by the first frame that covers it."""
    found = _stated(predicate)
    if not found and (rest := without_companion(predicate.piece, predicate.known)) is not None:
        found = _stated(replace(predicate, piece=rest))
    if not found and predicate.formerly and predicate.piece.text:
        over = Piece("了", predicate.piece.at[-1:])
        found = _stated(replace(predicate, piece=predicate.piece.then(over)))
    if not found and (rest := as_plain(predicate.piece)) is not None:
        found = _stated(replace(predicate, piece=rest))
    if not found and (rest := without_adverbs(predicate.piece)) is not None:
        found = _stated(replace(predicate, piece=rest))
    return found


def _stated(predicate: Predicate) -> list[Claim]:
    if predicate.polarity is Polarity.ASSERTED:
        return [_timed(each, predicate) for each in _of(predicate.piece, predicate)]
    found = _of(predicate.piece, predicate)
    if found:
        return [*found, *_stopped(found, predicate)]
    rest = denied(predicate.piece)
    return [] if rest is None or not rest.text else _denied(rest, predicate)


def home_of(kin: Piece) -> list[Claim]:
    """Where a relative is said to be, and nothing else: 儿子在加拿大, 我对象在部队."""
    where = _WHERE_KIN_IS.fullmatch(kin.text)
    if where is None:
        return []
    start = where.start("place")
    for rule, predicate in (("place", "lives_in"), ("abode", "lives_in"), ("service", "works_in")):
        for first, last in values(rule, where["place"]):
            return [Claim(predicate, kin.part(start + first, start + last))]
    return []


def examples(piece: Piece) -> tuple[Piece, ...]:
    """The items of a clause that goes on with what somebody likes: 像滑板、攀岩等等."""
    match = _EXAMPLES.fullmatch(piece.text)
    if match is None:
        return ()
    start, end = match.span("items")
    places = values("taste", piece.text[start:end])
    return tuple(piece.part(start + first, start + last) for first, last in places)


def _denied(rest: Piece, predicate: Predicate) -> list[Claim]:
    found = _of(rest, predicate, negated=True)
    if predicate.polarity is Polarity.ENDED:
        lasting = [each for each in found if each.change is Change.DENIED or _lasts(each)]
        ends = [_changed(each, Change.END) for each in lasting]
        for_good = _FOR_GOOD.match(predicate.piece.text) is not None
        if for_good and not ends and (given_up := _given_up(rest)) is not None:
            return [given_up]
        return ends + [_not_any_more(each) for each in ends if each.predicate == "eats"]
    opposite = [each for each in found if each.predicate in _OPPOSITE]
    refuted = [each for each in found if each.predicate in _REFUTABLE and _lasts(each)]
    return [
        *(Claim(_OPPOSITE[each.predicate], each.object, listed=each.listed) for each in opposite),
        *(_changed(each, Change.REFUTED) for each in refuted),
    ]


def _given_up(rest: Piece) -> Claim | None:
    """The deed that somebody has given up, by its verb and object: 不再接私活."""
    deed = rest.part(0, len(rest.text.rstrip("了")))
    tags = tagged(deed.text)
    acts = (
        len(tags) > 1
        and tags[0].tag == "v"
        and tags[0].text not in "会能要"
        and tags[-1].tag in {"n", "nz", "vn", "eng"}
    )
    listed = len(tags) == 1 and tags[0].tag == "v" and len(deed.text) > 2
    fits = (
        deed.text[:1] not in "会能要想"
        and 2 < len(deed.text) <= _DEED_CHARS_MAX
        and not POINTS.search(deed.text)
    )
    passing = tags[0].text in words("passing") if tags else True
    return (
        Claim("avoids", deed, Change.BEGIN) if fits and (acts or listed) and not passing else None
    )


def _not_any_more(ended: Claim) -> Claim:
    """The denial that begins with food that somebody eats no more: 不再吃牛肉."""
    return Claim(_OPPOSITE[ended.predicate], ended.object, Change.BEGIN, listed=ended.listed)


def _lasts(claim: Claim) -> bool:
    return claim.predicate in _LASTING and claim.change is Change.STATE


def _stopped(found: Sequence[Claim], predicate: Predicate) -> Iterator[Claim]:
    if predicate.polarity is Polarity.ENDED:
        for each in found:
            if each.predicate in _STOPPED:
                yield Claim(_STOPPED[each.predicate], each.object, Change.END, listed=each.listed)


def _timed(claim: Claim, predicate: Predicate) -> Claim:
    """A claim with its change: END if it was so formerly, BEGIN if a lasting state holds again."""
    if predicate.formerly and claim.change is not Change.REFUTED:
        return _changed(claim, Change.END)
    anew = predicate.again and claim.predicate in _LASTING
    return _changed(claim, Change.BEGIN) if anew and claim.change in _HOLDING else claim


def _changed(claim: Claim, change: Change) -> Claim:
    return Claim(claim.predicate, claim.object, change, claim.text, claim.listed)


def _of(piece: Piece, predicate: Predicate, *, negated: bool = False) -> list[Claim]:
    if len(piece.text) > _PREDICATE_CHARS_MAX:
        return []
    for frame in frames_for(piece.text):
        if (frame.denied and not negated) or (frame.habitual and not _is_habit(predicate)):
            continue
        match = frame.pattern.fullmatch(piece.text)
        if match is None or (frame.completed and not predicate.completed):
            continue
        claims = _claims(frame, match, piece, predicate.known)
        if claims:
            return claims
    return []


def _is_habit(predicate: Predicate) -> bool:
    return predicate.habitual or predicate.again


def _claims(
    frame: Frame, match: re.Match[str], piece: Piece, known: Collection[str]
) -> list[Claim]:
    """The claims of a frame, one for each value of its slots; none if a slot holds no value."""
    found: list[list[Piece]] = []
    for number, rule in enumerate(frame.slots, 1):
        start, end = match.span(number)
        places = values(rule, piece.text[start:end], known) if start >= 0 else []
        sure = piece.text[start:end] in known
        parted = places and not sure and rule in OPEN and _parts_words(piece.text, start, end)
        if start >= 0 and (parted or not places):
            return []
        found.append([piece.part(start + first, start + last) for first, last in places])
    return [claim for each in frame.stated for claim in _of_stated(each, found, piece)]


def _parts_words(text: str, start: int, end: int) -> bool:
    """True if a slot begins or ends within a word; what is listed is a word wherever it stands."""
    known = words("orgs") | words("tools") | words("languages")
    return text[start:end] not in known and (splits(text, start) or splits(text, end))


def _of_stated(fact: Stated, found: Sequence[Sequence[Piece]], piece: Piece) -> Iterator[Claim]:
    if not fact.slot:
        text = "" if fact.text == "clause" else fact.text
        lasted = _LASTED.search(piece.text)
        end = lasted.start() if lasted and lasted.start() else len(piece.text.rstrip("了"))
        clause = piece.part(1 if piece.text[0] == "的" else 0, end)
        yield Claim(fact.predicate, clause, fact.change, text)
        return
    items = tuple(found[fact.slot - 1])
    for item in items:
        yield Claim(fact.predicate, item, fact.change, listed=items if len(items) > 1 else ())
