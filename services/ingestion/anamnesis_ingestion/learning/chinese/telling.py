"""Facts in words: what the claims, ties and slots of a sentence are stored as, and since when."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from anamnesis_ingestion.learning.chinese import wording
from anamnesis_ingestion.learning.chinese.clause import predicate_of
from anamnesis_ingestion.learning.chinese.found import OVER_BY_TIME, FoundFact, found_fact
from anamnesis_ingestion.learning.chinese.frames import Claim, stated
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.settings import Setting
from anamnesis_ingestion.learning.chinese.subjects import Read, Subject, Subjects
from anamnesis_ingestion.learning.chinese.ties import Tie, presupposed
from anamnesis_ingestion.learning.chinese.times import dated, lasting, next_weekday
from anamnesis_ingestion.learning.chinese.vocabulary import Change
from anamnesis_ingestion.learning.knowledge import NO_TIME, Dated, Precision
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import TimePhrase

LISTENER = "你您妳"
_NO = re.compile(r"并不|不|没有|没")
_INSTEAD = re.compile(r"(?P<what>[^，的]{1,6})的(?:人)?(?:是|其实是|应该是)(?P<who>[^，]{2,12})")
"""A clause that says of whom it is true what was denied of the speaker: 过敏的是我弟弟小杰."""
_OVER = frozenset({Change.END, Change.REFUTED})
_LATER = "后来"
"""What a clause opens with that began at some time before it was told."""
_WEEKLY = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天]")
_YEARLY = re.compile(r"生日|纪念日|节")
_ONCE = re.compile(
    r"(?:面试|考试|考|产检|体检|复查|复诊|手术|检查|婚礼|答辩|演出|演唱会|航班|飞机|开庭|搬家)$"
)
"""What there is once: 周三面试 is the next Wednesday's, and 周三例会 may be every one's."""
_UNDATED = re.compile(
    r"毕业后|[做去看读动]过(?!了)|学期|[年月][底初中末]|上半年|下半年|寒假|暑假|[以之]后我"
)
"""Marks of what did not begin when it was told: 做过, and words of time that name no interval."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause with what its head says."""

    whole: Piece
    read: Read
    subject: Subject
    phrases: tuple[TimePhrase, ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """One sentence, as it is written, being told as facts."""

    text: str
    subjects: Subjects
    said_at: datetime | None

    def of_claims(
        self, claims: Sequence[Claim], reading: Reading, *, then: bool, in_words: bool = False
    ) -> Iterator[FoundFact]:
        """The facts of a clause's claims; `then`: the sentence tells of another time."""
        if not claims:
            return
        clause = wording.of_clause(
            reading.whole, reading.subject, reading.read, self.subjects.speaker, self.text
        )
        counted = any(each.predicate == "has_pet" and each.listed for each in claims)
        told_in_words = in_words or counted or self._are_several(claims, reading)
        for claim in claims:
            held = claim.text or claim.object.written(self.text).removeprefix("的")
            if held in LISTENER:
                clause = clause.replace(held, self.subjects.listener, 1)
                held = self.subjects.listener
            if claim.predicate == "plans":
                yield self._plan(claim, reading, clause)
                continue
            denied = claim.change in _OVER and _NO.search(reading.whole.text) is not None
            if told_in_words and not denied:
                statement = wording.of_fact(claim.predicate, reading.subject, held, claim.change)
            else:
                statement = wording.of_item(claim, clause, self.text) if claim.listed else clause
            time, over = self._time(claim, reading, then=then)
            statement = wording.without_day(statement) if time != NO_TIME else statement
            found = found_fact(
                reading.subject.key, claim.predicate, held, statement, time=time, ended=over
            )
            yield replace(found, ends_only=_is_replaced(claim, claims))

    def tie(self, tie: Tie, pet_of: Subject | None = None) -> FoundFact:
        """The fact of who is whose; `pet_of` is whom a pet belongs to that is named now."""
        speaker, spelled = self.subjects.speaker, self.subjects.spelled
        name, role, owner = spelled(tie.name), spelled(tie.role), spelled(tie.owner)
        persons = tuple(filter(None, (owner, "" if tie.predicate == "has_pet" else name)))
        of = pet_of if pet_of is not None and tie.predicate == "has_pet" else speaker
        whose = owner or of.shown
        statement = wording.of_tie(whose, role, name, inverse=tie.inverse, mutual=tie.mutual)
        if tie.over and tie.predicate in {"knows", "reports_to"}:
            statement = f"以前{statement}"
        return found_fact(
            owner or of.key,
            tie.predicate,
            name,
            statement,
            ended=tie.over,
            persons=persons,
            assumed=tie.assumed,
        )

    def setting(
        self, slot: Setting, whole: Piece, owner: Subject | None = None
    ) -> Iterator[FoundFact]:
        """The value of a slot, and the one that it had; `owner` is whose it is, if not ours."""
        speaker = owner or self.subjects.speaker
        name, value = slot.slot.written(self.text), slot.value.written(self.text)
        clause = wording.of_slot(whole, speaker, self.text)
        subject, predicate = (speaker.key, name) if slot.mine else (name, "is")
        if slot.old is not None:
            before = slot.old.written(self.text)
            verb = "在" if slot.is_place else "是"
            statement = f"{speaker.shown}：{name}以前{verb}{before}"
            yield found_fact(subject, predicate, before, statement, sort="has_setting", ended=True)
        statement = clause if speaker.shown in clause else f"{speaker.shown}：{clause}"
        time = self._until_then(name, value)
        yield found_fact(subject, predicate, value, statement, sort="has_setting", time=time)

    def _until_then(self, name: str, value: str) -> Dated:
        """The end of what somebody has until a day ahead: 周四上午十点面试, 护照明年二月到期."""
        once = _ONCE.search(name) is not None
        again = _YEARLY.search(name) or (_WEEKLY.search(value) and not once)
        if self.said_at is None or again:
            return NO_TIME
        told = list(find_times(value, self.said_at))
        if not told and once:
            told = next_weekday(value, self.said_at)
        ahead = [each.until for each in told if each.until > self.said_at]
        return Dated(None, max(ahead), Precision.DAY) if ahead else NO_TIME

    def of_another(self, denied: Piece, clause: Piece) -> Iterator[FoundFact]:
        """The claims denied of the speaker that are true of another: 过敏的是我弟弟小杰."""
        instead, no = _INSTEAD.fullmatch(clause.text), _NO.search(denied.text)
        if instead is None or no is None or instead["what"] not in denied.text[no.end() :]:
            return
        names = [each.name for each in presupposed(instead["who"]) if each.name]
        told = denied.without(*no.span())
        read = self.subjects.read(told)
        claims = stated(predicate_of(told.part(read.length), timed=False))
        if len(names) != 1 or read.subject != self.subjects.speaker:
            return
        other = self.subjects.named(names[0])
        for each in claims:
            held = each.text or each.object.written(self.text)
            said = wording.of_fact(each.predicate, other, held, each.change)
            yield found_fact(other.key, each.predicate, held, said)

    def _are_several(self, claims: Sequence[Claim], reading: Reading) -> bool:
        """True if the clause says more than one thing, or of more than one: not in its words."""
        told = {(each.predicate, each.change) for each in claims}
        of_one = len({each.object for each in claims}) == 1
        return reading.read.plural or (len(told) > 1 and not of_one)

    def _time(self, claim: Claim, reading: Reading, *, then: bool) -> tuple[Dated, bool]:
        """The time of a claim, and true if it is over."""
        begins, ended = claim.change is Change.BEGIN, claim.change in _OVER
        phrases = reading.phrases
        if not phrases and claim.predicate != "is_aged":
            phrases = lasting(reading.whole.text, self.said_at, ended=ended)
        time, over = dated(phrases, self.said_at, ended=ended, begins=begins)
        if over and not ended and claim.predicate not in OVER_BY_TIME:
            time, over = NO_TIME, False
        begin = reading.whole.at[0]
        later = self.text[max(0, begin - len(_LATER)) : begin] == _LATER
        known = not (then or later or _UNDATED.search(reading.whole.text))
        if begins and time == NO_TIME and self.said_at and known:
            time = Dated(self.said_at, None, Precision.INSTANT)
        return time, over

    def _plan(self, claim: Claim, reading: Reading, clause: str) -> FoundFact:
        """The plan; it is over when its time is, if that is no whole year.

        One that is off only ends what was held.
        """
        near = [each for each in reading.phrases if each.precision.value != Precision.YEAR]
        near = near or next_weekday(reading.whole.text, self.said_at)
        until = max((each.until for each in near), default=None)
        time = Dated(None, until, Precision.DAY) if until and self.said_at else NO_TIME
        held, off = claim.text or claim.object.written(self.text), claim.change is Change.END
        found = found_fact(
            reading.subject.key, "plans", held, clause, time=NO_TIME if off else time, ended=off
        )
        return replace(found, ends_only=off)


def _is_replaced(claim: Claim, claims: Sequence[Claim]) -> bool:
    """True for what is refuted, and the end of what another claim denies: 不喝咖啡了."""
    if claim.change is Change.REFUTED:
        return True
    return claim.change is Change.END and any(
        each.object == claim.object and each.change is not Change.END for each in claims
    )
