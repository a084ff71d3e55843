"""From what somebody says in Chinese to the facts that it states.

The order is fixed: what does not assert is left out, then come lasting orders and slots, then the
subject, ties, polarity, and the frames.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from itertools import takewhile

from anamnesis_ingestion.learning.chinese.advice import advice, is_to_speaker
from anamnesis_ingestion.learning.chinese.attributes import attribute
from anamnesis_ingestion.learning.chinese.clause import (
    Predicate,
    opening,
    predicate_of,
    without_connectives,
)
from anamnesis_ingestion.learning.chinese.found import (
    INTRODUCE,
    NOUNS_OF_SELF,
    OF_SELF,
    Circumstances,
    FoundFact,
    allowed,
    fits,
    found_fact,
    holds,
    of_thing,
)
from anamnesis_ingestion.learning.chinese.frames import Claim, examples, home_of, stated
from anamnesis_ingestion.learning.chinese.habits import habit
from anamnesis_ingestion.learning.chinese.mood import asserting, takes_for_granted
from anamnesis_ingestion.learning.chinese.orders import goes_on, opens_wish, order
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.plans import plan
from anamnesis_ingestion.learning.chinese.sentences import (
    CLAUSE_CHARS_MAX,
    CLAUSE_CHARS_MIN,
    Sentence,
    sentences,
    whole_clauses,
)
from anamnesis_ingestion.learning.chinese.settings import (
    Setting,
    appointed,
    made_with,
    moved,
    named_value,
    part,
    setting,
)
from anamnesis_ingestion.learning.chinese.signs import (
    came_first,
    gives_alias,
    has_happened,
    is_again,
    is_done,
    is_habit,
    is_of_now,
    is_report,
    is_topic,
    only_names,
    says_when,
)
from anamnesis_ingestion.learning.chinese.standing import standing
from anamnesis_ingestion.learning.chinese.subjects import Read, Subject, Subjects, told_of_oneself
from anamnesis_ingestion.learning.chinese.tagging import is_name, is_no_word, tagged
from anamnesis_ingestion.learning.chinese.telling import LISTENER, Reading, Telling
from anamnesis_ingestion.learning.chinese.ties import (
    Tie,
    called,
    named_pet,
    of_us,
    presupposed,
    told,
)
from anamnesis_ingestion.learning.chinese.times import (
    ToldTime,
    coming,
    is_of_days,
    lies_ahead,
    passed,
    times_of,
    untimed,
)
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words
from anamnesis_ingestion.learning.chinese.wordorder import (
    elided_last,
    fronted,
    goes_back,
    plain_voice,
    speaker_first,
    topic_last,
)
from anamnesis_libs.timephrases.model import Bound, TimePhrase

_TO_ME = "给我"
"""What is done for the speaker: what follows is theirs again, 公司给我涨了工资，月薪一万五."""
_ONE = re.compile(
    rf"(?:有|就|只有|还有|生了|^)(?P<count>一?个|一个)?(?:[两二三四五六]个|俩|仨|几个)?(?:大|小|亲|宝贝|独生)?(?P<role>{alternation('kin')})了?$"
)
"""The end of a clause that tells of a relative: the next one is about them, 就一个闺女，上初二."""
_SEATED = re.compile(rf"(?:房子?|公寓|别墅|{alternation('shops')})$")
"""What stands at a place, which the next clause may tell: 买了房，在光谷."""
_PAID_BY = re.compile(r"[他她对].{0,8}给(?!他|她)")
"""Who pays gives it to the speaker: 他每个月给两千抚养费."""
_FIRM = "公司"
"""A slot whose next clause is of the firm: 公司叫云杉科技，做无人机的."""
_BORN = frozenset({"老大", "老二", "老三", "老幺"})
"""Children by their order, or pets where a pet was just told of."""
_LOOKS_CHARS_MAX = 4
"""A pet that was just told of goes on being meant behind a clause of its looks: 蓝白的，叫汤圆."""


def read(
    text: str,
    subjects: Subjects,
    said_at: datetime | None,
    *,
    to_agent: bool,
    listener: str = "",
) -> Iterator[FoundFact]:
    """The facts of what one person says to another; the subjects learn who was named."""
    subjects.begin_event(listener)
    last_you = max(map(text.rfind, LISTENER))
    for each in sentences(text):
        clauses = tuple(map(told_of_oneself, whole_clauses(each.clauses)))
        sentence = replace(each, clauses=clauses)
        subjects.begin_sentence(sentence)
        reading = _Sentence(sentence, subjects, said_at, to_agent=to_agent)
        yield from reading.calls(addressed=each.start <= last_you)
        yield from reading.facts()


class _Sentence:
    """One sentence being read."""

    def __init__(
        self, sentence: Sentence, subjects: Subjects, said_at: datetime | None, *, to_agent: bool
    ) -> None:
        self._sentence = sentence
        self._text = sentence.written
        self._subjects = subjects
        self._said_at = said_at
        self._telling = Telling(self._text, subjects, said_at)
        self._to_agent = to_agent
        self._planned = False
        self._then = False
        self._listing: Reading | None = None
        self._denied: Piece | None = None
        self._pet = ""
        self._pet_of: Subject | None = None
        self._of_pets = False
        self._goods = ""
        self._done = False
        self._told_of = False
        self._after: tuple[Piece, ...] = ()
        self._told_to = 0
        self._habitual = False
        self._introduces = False
        self._of_other = False
        self._other: Subject | None = None

    def calls(self, *, addressed: bool) -> Iterator[FoundFact]:
        """The names that the speaker calls the listener; `addressed`: 你 is said here or later."""
        clauses = [without_connectives(clause).text for clause in self._sentence.clauses]
        if self._subjects.listener:
            yield from map(self._telling.tie, called(clauses, self._subjects.listener, addressed))

    def facts(self) -> Iterator[FoundFact]:
        """The facts of its clauses, in order."""
        clauses = [*zip(self._sentence.clauses, asserting(self._sentence), strict=True)]
        for place, (clause, asserts) in enumerate(clauses):
            if len(clause.text) < CLAUSE_CHARS_MIN or place < self._told_to:
                continue
            self._after = tuple(clause for clause, _ in clauses[place + 1 :])
            if len(clause.text) > CLAUSE_CHARS_MAX:
                self._subjects.carried = None
            elif asserts:
                yield from self._clause(clause, opens=place == 0)
            else:
                yield from self._refused(clause)

    def _refused(self, clause: Piece) -> Iterator[FoundFact]:
        """A clause that asserts nothing says whom the next one is about, and who is whose."""
        if self._subjects.speaker.key and takes_for_granted(self._sentence):
            for each in presupposed(clause.text):
                self._subjects.learn(each.name)
                yield self._telling.tie(each)
        read = self._subjects.read(without_connectives(clause))
        self._subjects.carried = read.subject
        self._note_other(read)
        self._planned = True
        self._then = self._then or says_when(clause.text)

    def _clause(self, clause: Piece, *, opens: bool) -> Iterator[FoundFact]:
        speaker = self._subjects.speaker
        whole = without_connectives(clause)
        denied, self._denied = self._denied, whole
        if denied is not None and speaker.key:
            yield from self._telling.of_another(denied, whole)
        wish = self._wished(whole) if self._to_agent and speaker.key else None
        slot = self._slot(whole) if wish is None and speaker.key else None
        if wish is not None:
            yield self._wish(wish, clause)
        elif slot is not None:
            if slot.slot.text in words("groups"):
                self._subjects.carried = self._subjects.thing(speaker, slot.slot.text)
            elif slot.slot.text.startswith(_FIRM):
                self._subjects.carried = None
            yield from self._setting(slot, whole)
        elif self._listing is not None and (items := examples(whole) or examples(clause)):
            claims = [Claim("likes", item, listed=items) for item in items]
            yield from self._telling.of_claims(
                claims, self._listing, then=self._then, in_words=True
            )
        else:
            found = [*self._predicated(whole, opens=opens)]
            open_to = speaker.key and not (found or self._planned)
            told_of = self._told_of and not self._then
            forms = (moved, made_with, partial(attribute, told_of=told_of)) if open_to else ()
            change = next(filter(None, (form(whole) for form in forms)), None)
            yield from found if change is None else self._setting(change, whole)

    def _setting(self, slot: Setting, whole: Piece) -> Iterator[FoundFact]:
        """The slot, as the speaker's or of whom the clause before it tells; else nothing."""
        self._told_of = self._told_of or whole.text[0] in "我咱"
        to_me = whole.text[0] in "我咱" or _PAID_BY.match(whole.text) is not None
        other = slot.mine and self._of_other and not to_me
        if not other:
            yield from self._telling.setting(slot, whole)
        elif self._other is not None:
            yield from self._telling.setting(slot, whole, self._other)

    def _wished(self, whole: Piece) -> Piece | None:
        """The lasting wish that a clause states, or opens."""
        return whole if opens_wish(whole, next(iter(self._after), None)) else order(whole)

    def _wish(self, wish: Piece, clause: Piece) -> FoundFact:
        """A lasting wish, with the clauses that go on with it."""
        first = 1 if opens_wish(wish, next(iter(self._after), None)) else 0
        more = [*self._after[:first], *takewhile(goes_on, self._after[first:])]
        last = more[-1] if more else wish
        held = self._text[wish.at[0] : last.at[-1] + 1]
        said = self._text[clause.at[0] : last.at[-1] + 1]
        self._told_to = len(self._sentence.clauses) - len(self._after) + len(more)
        speaker = self._subjects.speaker
        return found_fact(speaker.key, "prefers", held, f"{speaker.shown}：{said}")

    def _slot(self, whole: Piece) -> Setting | None:
        """A slot of the speaker's that the clause fills, or the day that it sets for something."""
        known = not self._of_other or self._other is not None
        day = appointed(whole) if known or whole.text[0] in "我咱" else None
        return setting(whole) or part(whole) or named_value(whole) or day

    def _predicated(self, whole: Piece, *, opens: bool) -> Iterator[FoundFact]:
        piece, phrases = untimed(whole, self._times)
        phrases = coming(phrases, whole.text, self._said_at)
        if has_happened(whole.text):
            phrases = passed(phrases, self._said_at)
        piece, formerly = opening(piece)
        formerly = formerly or came_first(whole.text, self._text)
        piece = topic_last(plain_voice(piece))
        piece = speaker_first(piece, self._subjects.name_at(piece.text))
        elided = elided_last(piece)
        piece = elided or piece
        alone = Read(self._subjects.carried, 0, written=True)
        read = alone if elided is not None else self._subjects.read(piece)
        if is_to_speaker(whole):
            read = replace(read, subject=self._subjects.speaker)
        rest = piece.part(read.length)
        self._subjects.meet(whole.text)
        self._planned = self._planned and not (read.written or is_of_now(whole.text))
        ties = self._ties(read, rest.text, piece.text)
        if self._subjects.speaker.key:
            pet_of = self._pet_of if self._pet else None
            yield from (self._telling.tie(each, pet_of) for each in ties)
        predicate = self._predicate(rest, whole, phrases, formerly=formerly)
        claims: list[Claim] = []
        if read.subject is not None and read.subject.key and not self._planned:
            said = read if elided is None else replace(read, written=False)
            reading = Reading(whole, said, read.subject, phrases)
            claims = self._told(predicate, reading, read, ties, opens=opens)
            claims = claims or self._introduced_as(rest, read)
            if not claims and (turned := self._turned(piece)) is not None:
                rest, read = turned
                reading = Reading(whole, read, self._subjects.speaker, phrases)
                predicate = self._predicate(rest, whole, phrases, formerly=formerly)
                claims = self._told(predicate, reading, read, ties, opens=opens)
            yield from self._telling.of_claims(claims, reading, then=self._then)
            liked = claims and all(each.predicate == "likes" for each in claims)
            self._listing = reading if liked else None
            self._introduces = any(each.predicate in OF_SELF for each in claims)
        self._planned = self._planned or (predicate.planned and not claims)
        self._then = self._then or says_when(whole.text)
        self._note_other(read)
        self._carry(read, rest, predicate.piece, ties, silent=not claims)
        self._turn_to_next(whole, read, claims, ties)

    def _introduced_as(self, rest: Piece, read: Read) -> list[Claim]:
        """The job or kind that a bare noun behind a name tells: 我叫陈昊，一名插画师."""
        if not self._introduces or read.written or not rest.text:
            return []
        being = Piece("是", rest.at[:1]).then(rest)
        found = stated(predicate_of(being, timed=False))
        return [each for each in found if each.predicate in NOUNS_OF_SELF]

    def _predicate(
        self, rest: Piece, whole: Piece, phrases: tuple[TimePhrase, ...], *, formerly: bool
    ) -> Predicate:
        """The predicate of a clause behind its subject."""
        return predicate_of(
            rest,
            timed=self._done or bool(phrases) or is_done(whole.text),
            formerly=formerly,
            known=[*self._subjects.known, *(LISTENER if self._subjects.listener else "")],
            habitual=is_habit(whole.text, timed=bool(phrases)),
            again=is_again(whole.text) or goes_back(whole.text),
        )

    def _turned(self, piece: Piece) -> tuple[Piece, Read] | None:
        """The predicate of the speaker that a clause tells with its topic first."""
        turned = fronted(piece)
        speaker = self._subjects.speaker
        if turned is None or not (turned.of_speaker or self._subjects.carried == speaker):
            return None
        length = self._subjects.read(turned.piece).length if turned.of_speaker else 0
        return turned.piece.part(length), Read(speaker, length, written=turned.of_speaker)

    def _note_other(self, read: Read) -> None:
        """Remember whether what follows without an owner is somebody else's."""
        if read.written:
            self._other = read.subject
            mine = read.subject is not None and (read.subject.is_speaker or read.subject.is_thing)
            self._of_other = not mine

    def _told(
        self, predicate: Predicate, reading: Reading, read: Read, ties: list[Tie], *, opens: bool
    ) -> list[Claim]:
        """The claims that a clause makes of its subject: what a frame covers, a habit, a plan."""
        whole = reading.whole
        implied = opens and not (read.written or is_report(whole.text))
        self._told_of = self._told_of or read.written
        answers = not self._told_of and whole.text.startswith("是")
        found = [
            each
            for each in self._claims(predicate, reading, told_of=bool(ties))
            if allowed(each, read, implied=implied, answers=answers)
        ]
        return (
            found
            or self._kept_to(whole, read)
            or self._plans(
                predicate,
                replace(reading, read=replace(read, written=read.written or self._told_of)),
                told_of=not all(each.assumed for each in ties),
            )
            or self._standing(predicate, reading, implied=implied)
        )

    def _turn_to_next(
        self, whole: Piece, read: Read, claims: Sequence[Claim], ties: Sequence[Tie]
    ) -> None:
        """Remember what the next clause may be about: whom or what this one tells of."""
        pets = [each.object.text for each in claims if each.predicate == "has_pet"]
        self._of_pets = self._of_pets or bool(pets)
        of_it = not read.written or whole.text.endswith("的")
        looks = not (claims or ties) and of_it and len(whole.text) <= _LOOKS_CHARS_MAX
        one_pet = pets[0] if len(pets) == 1 and pets[0] in words("pets") else ""
        self._pet = one_pet or (self._pet if looks else "")
        self._pet_of = read.subject if one_pet else self._pet_of
        self._done = self._done or (bool(claims) and has_happened(whole.text))
        told_of = [each.predicate for each in claims] + [each.predicate for each in ties]
        self._goods = next((each.object.text for each in claims if each.predicate == "owns"), "")
        if not INTRODUCE.isdisjoint(told_of):
            self._subjects.carried = self._introduced(claims, ties, read)
        elif (one := _ONE.search(whole.text)) is not None and read.subject is not None:
            of_mine = one["count"] and not read.role
            self._subjects.carried = self._subjects.one_of_mine(one["role"]) if of_mine else None

    def _ties(self, read: Read, rest: str, clause: str) -> list[Tie]:
        """The people and pets that a clause names; the subjects learn their names."""
        ties = [*presupposed(clause), *told(read, rest, clause, self._subjects.listener)]
        ties = [] if self._of_pets and read.role in _BORN else ties
        ties += self._together(read, rest)
        ties += named_pet(clause, self._pet) if self._pet else ()
        for each in ties:
            if each.predicate != "has_pet":
                self._subjects.learn(each.name)
        return ties

    def _introduced(
        self, claims: Sequence[Claim], ties: Sequence[Tie], read: Read
    ) -> Subject | None:
        """Whom or what the next clause is about, where this one tells of something new."""
        pets = [each.name for each in ties if each.predicate == "has_pet"]
        kept = [each.object.text for each in claims if each.predicate == "has_pet"]
        if len(pets) == len(ties) == 1:
            return self._subjects.pet(pets[0])
        if len(kept) == 1 and read.subject is not None and kept[0] in words("pets"):
            return self._subjects.beast(kept[0])
        if not self._goods or kept or pets or read.subject is None:
            return None
        thing = self._subjects.thing(read.subject, self._goods)
        if _SEATED.search(self._goods):
            return thing
        self._of_other, self._other = True, thing
        return read.subject

    def _claims(self, predicate: Predicate, reading: Reading, *, told_of: bool) -> list[Claim]:
        """The claims of a predicate that hold when they are told."""
        phrases, whole = reading.phrases, reading.whole
        claims = (
            stated(predicate)
            or (
                phrases
                and stated(predicate_of(whole.part(self._subjects.read(whole).length), timed=False))
            )
            or []
        )
        kin = reading.read.role or self._subjects.is_kin(reading.subject)
        if not (claims or phrases) and (kin or reading.subject.is_thing):
            claims = home_of(predicate.piece)
        claims = [of_thing(each) for each in claims] if reading.subject.is_thing else claims
        told = Circumstances(
            clause=whole.text,
            then=self._then,
            of_days=any(map(is_of_days, phrases)),
            ahead=lies_ahead(phrases, self._said_at),
            of_goods=bool(self._goods) and not reading.read.written,
            of_a_name=told_of or gives_alias(whole.text, self._text[: whole.at[0]]),
        )
        return [each for each in claims if holds(each, reading.subject, told)]

    def _kept_to(self, whole: Piece, read: Read) -> list[Claim]:
        """The habit, or the advice of a doctor, that a clause without another claim tells."""
        if self._then or read.subject is None:
            return []
        own = whole.part(self._subjects.read(whole).length) if read.written else whole
        told = habit(own, goes_on=self._habitual) or advice(
            whole, of_speaker=read.subject.is_speaker, goes_on="医生" in self._text
        )
        self._habitual = told is not None and told.predicate == "does"
        return [] if told is None else [told]

    def _plans(self, predicate: Predicate, reading: Reading, *, told_of: bool) -> list[Claim]:
        """The plan of a speaker whose predicate states nothing else."""
        ahead = lies_ahead(reading.phrases, self._said_at)
        timed, written = bool(reading.phrases), reading.read.written
        meant = plan(predicate.piece, ahead=ahead, timed=timed, written=written)
        self._planned = self._planned or ahead or meant is not None
        person = not (reading.subject.is_thing or reading.read.written)
        known = reading.subject.is_speaker or person or bool(reading.read.role or reading.read.name)
        tells = meant is not None and known and not (self._then or told_of)
        return [meant.claim] if meant is not None and tells else []

    def _standing(self, predicate: Predicate, reading: Reading, *, implied: bool) -> list[Claim]:
        """The standing fact that a clause about somebody known tells by its form alone."""
        read, subject = reading.read, reading.subject
        kin = bool(read.role) or self._subjects.is_kin(subject)
        known = subject.is_speaker or subject.is_thing or kin
        at_a_time = any(each.bound is Bound.AT for each in reading.phrases)
        dated = at_a_time or lies_ahead(reading.phrases, self._said_at)
        vague = read.plural or dated or not known
        if implied or self._then or predicate.planned or predicate.formerly or vague:
            return []
        return [each for each in standing(predicate, reading.whole.text) if fits(each, subject)]

    def _together(self, read: Read, rest: str) -> Iterator[Tie]:
        """The tie of speaker and listener behind 我们, if nobody else was named: 我们是室友."""
        listener = self._subjects.listener
        alone = read.plural and listener and not self._subjects.named_lately
        named = alone and any(map(is_name, tagged(self._sentence.plain)))
        return of_us(rest, listener) if alone and not named else iter(())

    @cached_property
    def _times(self) -> tuple[ToldTime, ...]:
        return times_of(self._text, self._said_at)

    def _carry(
        self, read: Read, rest: Piece, after: Piece, ties: Sequence[Tie], *, silent: bool
    ) -> None:
        """Decide whom the next clause is about; `after` is the rest without its adverbs."""
        named = ties[0].name if len(ties) == 1 and ties[0].predicate != "has_pet" else ""
        if named and not read.name:
            self._subjects.mention(named)
            self._subjects.carried = self._subjects.named(named)
        elif read.written:
            lost = silent and only_names(rest.text)
            self._subjects.carried = None if lost else read.subject
        elif silent and _TO_ME in rest.text:
            self._subjects.carried = self._subjects.speaker
        elif silent:
            heads = tagged(after.text)
            if heads and (is_topic(heads[0]) or is_no_word(heads[0])):
                self._subjects.carried = None
