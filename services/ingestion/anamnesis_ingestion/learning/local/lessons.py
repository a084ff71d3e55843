"""Lessons: an error and what mended it, a mistake and what is right, a rule drawn from experience.

Confidence says how much was seen: an error whose mending was run and worked 0.8, one that only a
person confirms or tells 0.7; a correction that the assistant accepts 0.75, another 0.6; a pattern
0.7.
Impact is 0.7 for errors and corrections, 0.6 for patterns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import LearnedLesson
from anamnesis_ingestion.learning.local.guards import is_question, is_unreal, tells_nothing
from anamnesis_ingestion.learning.local.mending import LONG_ATTEMPTS, mended_in, same_call, tried
from anamnesis_ingestion.learning.local.procedures import without_private
from anamnesis_ingestion.learning.local.sentences import cut_at_word, sentences
from anamnesis_ingestion.learning.local.told_cures import NOT_SO, told_cures
from anamnesis_ingestion.learning.local.turns import (
    Attempt,
    Turn,
    failing_line,
    rejects,
    reports_failure,
    turns_of,
)
from anamnesis_ingestion.learning.support import shared_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.categories import is_security

_TITLE_CHARS_MAX = 100
_TEXT_CHARS_MAX = 600
_LEADING_CHARS_MIN = 15
_WORKS_NOW = re.compile(
    (
        r"\b(?:that (?:worked|fixed it|did it|was it|solved it)|(?:it )?works(?: now| again)?"
        r"|(?:fixed|solved|resolved|sorted)"
        r"(?! by\b| (?:the|an?|my|our|your) (?!problem|error|issue|bug)))\b"
        r"|\b(?:no(?:body|thing| one)?|never|n['’]t|not)\b[^.!?\n]{0,60}"
        r"\b(?:errors?|crash\w*|fail\w*|hang\w*|locked)\b[^.!?\n]{0,20}"
        r"\b(?:any ?more|any longer|since|again)\b"
        r"|\b(?:errors?|crash|failure|hang) (?:is|are|has|have) (?:now )?"
        r"(?:gone|disappeared|vanished)\b"
        r"|解决了|好了|可以了|搞定|成功了|修好"
    ),
    re.IGNORECASE,
)
_STILL_BROKEN = re.compile(
    r"\b(?:not|n['’]t|still|never|isn)\b.{0,20}\b(?:work|fixed|solved)|没(?:有)?(?:解决|好|成功)"
    r"|还是不",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|nah|wrong|incorrect|not quite|wait)\b(?! (?:problem|worries|thanks|need"
    r"|rush|idea))"
    r"|\b(?:that['’]?s|this is|that is|it['’]s|you['’]re|you are) (?:not|wrong|incorrect"
    r"|mistaken|backwards|outdated)\b|\byou (?:misread|misunderstood|mixed|forgot|got .{1,25} "
    r"wrong|swapped|confused|missed)\b"
    r"|\bi (?:said|asked for|meant|wrote|told you)\b|\bnot \w+[^.!?]{0,20}[,;] (?:but"
    r"|it['’]s)\b|, not (?:the |a |on |in |at |to )?\w+|\bshould (?:be|have been)\b|\b(?:we|i) "
    r"(?:never|always|don['’]t) \w+|\binstead of\b|\b(?:wrong|mistake)\b"
    r"|^\W*(?:不对|不是|不對|错了|錯了|不行|不，|等等)|看错|看錯|搞错|弄错|搞反|说反|写错|算错"
    r"|記錯|记错|搞混|我说的是|我說的是|应该是|應該是"
    r"|不应该|不該|不是.{1,20}(?:是|而是)",
    re.IGNORECASE,
)
_ASKS_OR_POINTS = re.compile(
    r"[^.!?\n]{0,200}\?|[^.!?\n]{0,200}\b(?:not it|as is|like that)\b", re.IGNORECASE
)
"""A first sentence that asks, or that says what is right by pointing alone."""
_HINTS = re.compile(
    (
        r"^\W*(?:it|that|he|she|they|there|the|we)(?:['’]s| is| are| was)\b|^\W*(?:actually"
        r"|always|never|please use)\b|^\W*(?:其实|別|别|要用|不要|请用)"
    ),
    re.IGNORECASE,
)
_ACCEPTS = re.compile(
    r"\b(?:sorry|apolog\w+|you(?:['’]re| are) (?:right|absolutely)|good catch|my (?:mistake"
    r"|bad|error)|correct(?:ed|ion)|fixed|rewrote|rewritten|redone|updated|changed|adjusted"
    r"|replaced|noted)\b"
    r"|抱歉|对不起|對不起|您说得对|你说得对|您說得對|说得对|已改|改到|改成|改为|更正|修正|已更新"
    r"|重新|明白了|收到",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:every (?:single )?time|each time|whenever|always|never|as soon as|the trick is"
    r"|works best|what (?:works|worked|helps|helped)|rule of thumb|the (?:only )?way (?:to"
    r"|that)|first .{1,60} then|(?:before|after) (?:every|each|any)|only ever|if you .{1,60}, "
    r")\b"
    r"|每次|每回|凡是|只要|先.{1,40}再|一律|总是|都要|一定要|最好",
    re.IGNORECASE,
)
_EXPERIENCE = re.compile(
    r"\b(?:every (?:single )?time|without (?:fail|exception)|in my experience|from experience"
    r"|learn(?:ed|t) (?:the hard way|that|over)|lesson(?:s)? learn(?:ed|t)|(?:three|four|five"
    r"|six|seven|ten|several|many|dozens of|\d+) (?:times|releases|incidents|projects|sprints"
    r"|migrations|outages|years|months|deploys|trips|seasons)"
    r"|(?:for|over|in) (?:the (?:last|past) )?(?:\w{1,40} )?(?:months|years)|has(?:n['’]t| not)? "
    r"(?:never )?(?:failed|broken|let)|never (?:failed|had|once)|so far|since then|ever since"
    r"|each of the last|the last (?:two|three|four|five|\d+) times)\b"
    r"|屡试不爽|没出过|從沒|从没|从来没|没再|再没|经验|教训|踩过|踩坑|血泪|这么做.{0,6}(?:年|月"
    r"|次)|[一二三四五六七八九十几两半\d]{1,8}(?:次|年"
    r"|个月)(?:了|下来|以来|都)|总结(?:下来|出)|规律|每次都",
    re.IGNORECASE,
)


def lessons_of(events: Sequence[LedgerEvent]) -> Iterator[LearnedLesson]:
    """The lessons of a task: errors, then corrections, then what people tell in words."""
    turns = turns_of(events)
    errors = [each for at in range(len(turns)) for each in _errors(events, turns, at)]
    yield from errors
    yield from _corrections(events)
    yield from _told(events, turns, errors)


def proven_lessons_of(events: Sequence[LedgerEvent]) -> Iterator[LearnedLesson]:
    """The lessons of a task that hold however it ended: errors mended for all to see, told ones."""
    turns = turns_of(events)
    errors = [each for turn in turns for each in _mended(events, turn)]
    yield from errors
    yield from _told(events, turns, errors)


def _errors(
    events: Sequence[LedgerEvent], turns: Sequence[Turn], at: int
) -> Iterator[LearnedLesson]:
    """The errors of one turn; of long work, those whose call no longer failed."""
    if len(turns[at].attempts) > LONG_ATTEMPTS:
        yield from _mended(events, turns[at])
        return
    lesson = _error(events, turns, at) or _confirmed(events, turns, at)
    if lesson is not None:
        yield lesson


def _mended(events: Sequence[LedgerEvent], turn: Turn) -> Iterator[LearnedLesson]:
    for each in mended_in(events, turn):
        yield _lesson(events, each.first, each.last, "error", each.words, 0.8)


def _error(events: Sequence[LedgerEvent], turns: Sequence[Turn], at: int) -> LearnedLesson | None:
    """A call that failed, or a failure that a person reports, and a later call that worked."""
    turn = turns[at]
    thrown_away = at + 1 < len(turns) and rejects(turns[at + 1].request)
    if not turn.closing or turn.gave_up or thrown_away:
        return None
    if not turn.attempts or turn.attempts[-1].failed:
        return None
    failed = next((each for each in turn.attempts if each.failed), None)
    reported = reports_failure(turn.request)
    if failed is None and not (reported and len(turn.attempts) > 1):
        return None
    if failed and not reported and not _shows_mending(turn, failed):
        return None
    first = failed.asked_at if failed else turn.attempts[0].asked_at
    what = failing_line(failed.answer) if failed else turn.request
    mended = [each for each in turn.attempts if each.asked_at > first and not each.failed] or [
        turn.attempts[-1]
    ]
    said = f"{turn.closing}\n{tried(mended)}"
    context = "\n".join(dict.fromkeys([turn.request, what, *turn.said[:-1]]))
    return _lesson(
        events, first, turn.end, "error", (turn.request if reported else what, context, said), 0.8
    )


def _shows_mending(turn: Turn, failed: Attempt) -> bool:
    """True if the call worked later, or the last words tell of the failure or that it works."""
    later = [each for each in turn.attempts if each.asked_at > failed.asked_at]
    if any(not each.failed and same_call(each, failed) for each in later):
        return True
    told = shared_words(failing_line(failed.answer), turn.closing)
    return told > 0 or bool(_WORKS_NOW.search(turn.closing))


def _confirmed(
    events: Sequence[LedgerEvent], turns: Sequence[Turn], at: int
) -> LearnedLesson | None:
    """A failure that a person reports, an answer, and the person's word that it works now."""
    if at + 1 >= len(turns) or turns[at].attempts or not turns[at].closing:
        return None
    turn, after = turns[at], turns[at + 1]
    if not reports_failure(turn.request) or not _works_now(after.request):
        return None
    said = f"{turn.closing}\n{after.request}"
    return _lesson(
        events,
        turn.start,
        max(after.start, after.end),
        "error",
        (turn.request, turn.request, said),
        0.7,
    )


def _works_now(text: str) -> bool:
    """True if a person says, and does not ask, hope or suppose, that something works."""
    told = (each for each in sentences(text) if not is_question(each) and not NOT_SO.search(each))
    return any(map(_WORKS_NOW.search, told)) and not _STILL_BROKEN.search(text)


def _told(
    events: Sequence[LedgerEvent], turns: Sequence[Turn], errors: Iterable[LearnedLesson]
) -> Iterator[LearnedLesson]:
    """Lessons in words: what cured or caused a failure of no other lesson, what experience says."""
    known = {index for each in errors for index in each.sources}
    for each in told_cures(events, turns):
        if _index(events, each.first) not in known:
            yield _lesson(events, each.first, each.last, "error", each.words, 0.7)
    yield from _patterns(events)


def _corrections(events: Sequence[LedgerEvent]) -> Iterator[LearnedLesson]:
    """Lessons from a person's correction of the assistant's message just before."""
    for at in sorted(corrected_at(events)):
        text = own_words(events[at]).strip()
        accepted = _accepted(events, at)
        answer = events[at + 1].content if accepted else ""
        end = at + 1 if at + 1 < len(events) and events[at + 1].role is Role.ASSISTANT else at
        words = (text, events[at - 1].content, f"{text}\n{answer}")
        yield _lesson(events, at - 1, end, "correction", words, 0.75 if accepted else 0.6)


def _corrects(events: Sequence[LedgerEvent], at: int) -> bool:
    before, event = events[at - 1], events[at]
    if (
        event.role is not Role.USER
        or before.role is not Role.ASSISTANT
        or event.name
        or not before.content.strip()
    ):
        return False
    text = own_words(event).strip()
    if not text or is_question(text) or _ASKS_OR_POINTS.match(text):
        return False
    strong = bool(_CORRECTS.search(text))
    if _accepted(events, at):
        return strong or bool(_HINTS.search(text))
    return strong and len(text) > _LEADING_CHARS_MIN and _leads(text)


def _accepted(events: Sequence[LedgerEvent], at: int) -> bool:
    """True if the assistant's next message accepts the correction."""
    after = events[at + 1] if at + 1 < len(events) else None
    return (
        after is not None and after.role is Role.ASSISTANT and bool(_ACCEPTS.search(after.content))
    )


def corrected_at(events: Sequence[LedgerEvent]) -> frozenset[int]:
    """Positions of the messages by which a person corrects the assistant."""
    return frozenset(at for at in range(1, len(events)) if _corrects(events, at))


def _leads(text: str) -> bool:
    """True if a message begins by contradicting."""
    return bool(
        re.match(
            r"^\W*(?:no|nope|wrong|that['’]s (?:not|wrong)|不对|不是|不對|错了|錯了)",
            text,
            re.IGNORECASE,
        )
    )


def _patterns(events: Sequence[LedgerEvent]) -> Iterator[LearnedLesson]:
    """A rule that a person draws from what happened again and again."""
    for at, event in enumerate(events):
        if event.role is not Role.USER:
            continue
        text = own_words(event)
        if tells_nothing(text) or not any(_is_pattern(each) for each in _windows(text)):
            continue
        answered = (
            at + 1 < len(events)
            and events[at + 1].role is Role.ASSISTANT
            and not events[at + 1].tool_calls
        )
        yield _lesson(
            events, at, at + 1 if answered else at, "pattern", (text.strip(), "", text.strip()), 0.7
        )


def _windows(text: str) -> Iterator[str]:
    """Each sentence, and each with the one after it."""
    said = [each for each in sentences(text) if not is_question(each)]
    yield from said
    yield from (f"{one} {other}" for one, other in pairwise(said))


def _is_pattern(text: str) -> bool:
    """A rule and, in other words, what it was drawn from."""
    seen = _EXPERIENCE.search(text)
    apart = seen is not None and any(
        rule.end() <= seen.start() or seen.end() <= rule.start() for rule in _RULE.finditer(text)
    )
    return apart and not is_unreal(text) and len(text) > 15


def _lesson(
    events: Sequence[LedgerEvent],
    first: int,
    last: int,
    category: str,
    words: tuple[str, str, str],
    confidence: float,
) -> LearnedLesson:
    title, context, resolution = (without_private(each).strip() for each in words)
    secure = is_security(f"{title}\n{context}\n{resolution}")
    return LearnedLesson(
        title=cut_at_word(title.splitlines()[0], _TITLE_CHARS_MAX) if title else category,
        context=context[:_TEXT_CHARS_MAX],
        resolution=resolution[:_TEXT_CHARS_MAX],
        category="security" if secure and category == "error" else category,
        sources=tuple(_index(events, at) for at in range(first, last + 1)),
        impact=0.6 if category == "pattern" else 0.7,
        confidence=confidence,
        importance=0.6,
    )


def _index(events: Sequence[LedgerEvent], at: int) -> int:
    index = events[at].index
    return at if index is None else index
