"""Whom a clause is about: the speaker, the speaker's kin, somebody who is named.

A subject that is not written is that of the clause before it, in the same sentence or the one
before; at the beginning it is the speaker. Whom 他 and 她 mean is known only where one person was
named. Where nobody knows who is meant there is no subject, and nothing is learned.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.sentences import Sentence
from anamnesis_ingestion.learning.chinese.tagging import (
    NAME_CHARS_MAX,
    Word,
    foreign_at,
    given_name,
    is_name,
    is_unknown,
    tagged,
)
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words
from anamnesis_ingestion.learning.knowledge import UNNAMED

_SHOWN = "用户"
_TEXTS_MAX = 1024
_NAME_LIKE = re.compile(r"[^\W\d_]+(?:[ .'’-]+[^\W\d_]+)*\.?|Speaker \d+")
_SPEAKER = re.compile(r"我自己|我本人|本人|我这(?:个)?人|我(?!们|国|校|司|俩)|俺(?!们)|咱(?!们|俩)")
_SOMEBODY = re.compile(
    r"我[\u4e00-\u9fff]{0,2}[姨姑舅叔伯爷婆爸妈哥姐弟妹嫂婶侄甥](?=在|是|有|叫|姓|住|当|做)"
)
"""A relative of no list."""
_WE = re.compile(
    r"(?:我们家|我家)(?=(?:最近|去年|今年|刚|又|新|一共|现在|以前|还|也)?[养有搬买卖换住]|的?[猫狗]|[一两三四]个)"
    r"|我[和跟与](?:我的?)?(?:女朋友|男朋友|女友|男友|老公|老婆|妻子|丈夫|爱人|家人|对象)"
    r"(?:[\u4e00-\u9fff]{1,3}?)?(?=(?:一起|刚|又|新|终于)*(?:领养|收养|养|买|租|搬|住))"
    r"|家里(?=(?:现在|一共|又|新)*[养有])"
    r"|我们(?:夫妻俩?|一家人?|全家)|(?:我们?)?(?:全家|一家[人三四五]口?人?)(?=[搬迁都现住去在移从])|我们俩|我们两(?:个)?|咱们|咱俩|我俩|我们"
)
_WOMEN = re.compile(r"[妈姐妹女奶婆婶姨姑嫂媳妻母娘]|太太|老婆|闺|姥姥")
_MEN = re.compile(r"[爸哥弟爷公叔伯舅父夫]|儿子|男")
_THIRD = re.compile(r"(?:他|她)(?!们|的)")
_YOU = re.compile(r"[你您](?![们的家])")
_OF_ONESELF = re.compile(r"(?:跟我|和我|对我)?(?:说过?|告诉我|提到)(?:他|她)(?!们|的)")
_OTHERS = re.compile(
    r"[这那它您你]|他们|她们|他的|她的|大家|有人|有些|有的|别人|人们|人家|谁|每个人|所有人|某|自己的"
)
_ADJECTIVES = (
    r"(?:大|小|前(?![男女妻夫任])|新|亲|最好的|大学|高中|初中|小学|老|好|现在的"
    r"|以前的|另一个|一个|一位|对接的|合作的|带我的|管我的|合租的|同组的)*"
)
_OWNED = re.compile(
    rf"(?:我|我们|咱|咱们|俺|我们家|我家)(?:家)?(?:的)?{_ADJECTIVES}(?P<role>{{roles}})(?!们|关系)"
)
_LATIN = re.compile(r"[A-Z][A-Za-z]*(?:[ .][A-Z][A-Za-z]*)?")
_NICKNAME = re.compile(
    r"(?:小(?![学区组时孩说心吃店程镇城企的了是猫狗费型])|老(?![师板家公婆人是实外大二三年的了鼠虎])|阿(?![姨的]))[\u4e00-\u9fff]"
)
_CALLED = re.compile(r"[他她](?:的名字)?叫做?")
_WHOM, _ASKING = "我你他她", "托请叫让送给帮劝陪教骗问找带约催借"
_VERBAL = "会在是也都就去来爱要又还不有考上升换读住"
_PERSONAL = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2})(?=(?:现在|目前|也|就|已经|又|刚|从.{1,8}?)?(?:住在|搬[到去回]|跳槽|辞职|离职|结婚|离婚|毕业于|上班|怀孕))"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject: its key in facts, its words in statements, its name where it has one."""

    key: str
    shown: str
    name: str = ""
    is_speaker: bool = False
    is_thing: bool = False
    """True for a firm, a team, a shop."""


@dataclass(frozen=True, slots=True)
class Read:
    """The subject at the head of a clause, and the length of that head.

    `role` is the kind of relative that is written, `name` the name that stands beside it.
    """

    subject: Subject | None
    length: int
    written: bool
    role: str = ""
    name: str = ""
    plural: bool = False


@dataclass(slots=True)
class Subjects:
    """Resolves the subjects of one speaker's clauses, event after event.

    Names are simplified inside, and written as the speaker writes them in facts.
    """

    speaker: Subject
    persons: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    """Whoever was told to be somebody's kin or friend: a name from then on."""
    listener: str = ""
    """Whom 你 means; empty where nobody knows, or where it is an agent."""
    _recent: list[str] = field(default_factory=list)
    carried: Subject | None = None
    _kin: dict[str, Subject] = field(default_factory=dict)
    """The relatives of this event that have no name."""
    _spellings: dict[str, str] = field(default_factory=dict)
    _sentence: Sentence | None = None

    def begin_event(self, listener: str = "") -> None:
        """Forget who was named before the event that came before."""
        self._recent, self.persons = self.persons, []
        self._kin.clear()
        self.carried, self.listener = self.speaker, listener

    def begin_sentence(self, sentence: Sentence) -> None:
        """Begin a sentence; a subject carried over is kept only if it is the speaker."""
        self._sentence = sentence
        if self.carried is not None and not self.carried.is_speaker:
            self.carried = None

    def mention(self, name: str) -> None:
        """Remember somebody who was named, and how the name is written."""
        self._spellings[name] = self.spelled(name)
        if name and name != self.speaker.key and name not in self.persons:
            self.persons.append(name)

    def spelled(self, name: str) -> str:
        """The name in the script in which the speaker writes it."""
        if self._sentence is not None and (at := self._sentence.plain.find(name)) >= 0:
            return self._sentence.written[at : at + len(name)]
        return self._spellings.get(name, name)

    def named(self, name: str) -> Subject:
        """Somebody who has a name."""
        spelled = self.spelled(name)
        return Subject(spelled, spelled, name)

    def learn(self, name: str) -> None:
        """Remember for good that this is somebody's name."""
        self.mention(name)
        if len(name) > 1 and name not in self.known:
            self.known.append(name)

    def read(self, piece: Piece) -> Read:
        """The subject at the head of a clause."""
        text = piece.text
        return (
            self._of_speaker(text) or self._of_others(text) or Read(self.carried, 0, written=False)
        )

    def _of_speaker(self, text: str) -> Read | None:
        """The speaker, or what is the speaker's: kin, a team."""
        beast = _beast().match(text)
        if beast is not None:
            return Read(self.beast(beast["pet"]), beast.end(), written=True)
        owned = _owned().match(text)
        if owned is not None:
            return self._relative(text, owned["role"], owned.end())
        group = _grouped().match(text)
        if group is not None:
            mine = self.thing(self.speaker, group["group"] or group["home"] or group["bare"])
            return Read(mine, group.end(), written=True)
        if _SOMEBODY.match(text) is not None:
            return Read(None, 0, written=True)
        for pattern, plural in ((_WE, True), (_SPEAKER, False)):
            match = pattern.match(text)
            if match is not None:
                return Read(self.speaker, match.end(), written=True, plural=plural)
        return None

    def meet(self, text: str) -> None:
        """Remember the relative whom a clause tells of beside its subject: 我跟女朋友异地."""
        for beside in _beside().finditer(text):
            relative = self._mine(beside["role"])
            if relative is not None:
                self._kin[beside["role"]] = relative

    def _of_others(self, text: str) -> Read | None:
        third = _THIRD.match(text)
        if third is not None:
            who = self._third(text[0]) or self._introduced(text)
            role = next((each for each, kin in self._kin.items() if kin == who), "")
            return Read(who, third.end(), written=True, role=role)
        if self.listener and _YOU.match(text):
            return Read(None, 1, written=True, name=self.listener)
        if _OTHERS.match(text):
            return Read(None, 0, written=True)
        kin = self._of_kin(text) if self.speaker.key else None
        if kin is not None:
            return kin
        name = self._known_at(text) or name_at(text) or _unknown_at(text)
        if not name or len(name) == len(text):
            return None
        self.mention(name)
        return Read(self.named(name), len(name), written=True, name=name)

    def _of_kin(self, text: str) -> Read | None:
        """A relative of the speaker's, or of who came before, that is written without 我."""
        kin = re.match(rf"(?:现在的|现任)?(?P<kin>{alternation('kin')})", text)
        if kin is not None and len(kin["kin"]) > 1:
            branch = self._of_branch(text, kin["kin"], kin.end())
            return branch or self._relative(text, kin["kin"], kin.end())
        one = _one_alone().match(text)
        return None if one is None else self._relative(text, one.group(), one.end())

    def _relative(self, text: str, role: str, end: int) -> Read:
        name = self._known_at(text[end:]) or name_at(text[end:]) or given_name(text[end:])
        if name and name not in words("degrees"):
            self.mention(name)
            return Read(self.named(name), end + len(name), written=True, role=role, name=name)
        anybody = role in words("several") and "最好的" not in text[:end]
        relative = None if anybody else self._mine(role)
        if relative is not None:
            self._kin[role] = relative
        return Read(relative, end, written=True, role=role)

    def _of_branch(self, text: str, role: str, end: int) -> Read | None:
        """The child or spouse of the relative before: 我姐在银行上班，孩子上小学."""
        kin, before = self.carried, self._kin_before()
        if kin is None or role not in words("descendants") or before not in words("branches"):
            return None
        if self._known_at(text[end:]) or name_at(text[end:]):
            return None
        return Read(Subject(f"{kin.key}的{role}", f"{kin.shown}的{role}"), end, written=True)

    def _kin_before(self) -> str:
        """The role of the relative whom the clause before is about; "" for anybody else."""
        return next((role for role, who in self._kin.items() if who == self.carried), "")

    def is_kin(self, subject: Subject) -> bool:
        """True for a relative of the speaker's who has no name."""
        return subject in self._kin.values()

    def thing(self, owner: Subject, noun: str) -> Subject | None:
        """Something of somebody's; a text without a speaker has nothing."""
        if not owner.key:
            return None
        return Subject(f"{owner.key}的{noun}", f"{owner.shown}的{noun}", is_thing=True)

    def beast(self, kind: str) -> Subject | None:
        """The speaker's pet of such a kind."""
        pet = self.thing(self.speaker, kind)
        return None if pet is None else replace(pet, name=kind)

    def pet(self, name: str) -> Subject:
        """A pet that has just been named."""
        return replace(self.named(name), is_thing=True)

    def one_of_mine(self, role: str) -> Subject | None:
        """The one relative that was just told to be there: 我有一个女儿; 她 means her."""
        relative = self._mine(role)
        if relative is not None:
            self._kin[role] = relative
        return relative

    def _mine(self, noun: str) -> Subject | None:
        """Somebody or something of the speaker's; a text without a speaker has nothing."""
        if not self.speaker.key:
            return None
        return Subject(f"{self.speaker.key}的{noun}", f"{self.speaker.shown}的{noun}")

    def name_at(self, text: str) -> str:
        """Whom a text begins with: the listener, somebody who was named before, any name."""
        if self.listener and _YOU.match(text):
            return text[:1]
        return self._known_at(text) or name_at(text)

    @property
    def named_lately(self) -> bool:
        """True if somebody was named in this event or the one before."""
        return bool(self.persons or self._recent)

    def _known_at(self, text: str) -> str:
        """Somebody whom the speaker has named before."""
        return next((name for name in self.known if text.startswith(name)), "")

    def _introduced(self, text: str) -> Subject | None:
        """Somebody of whom only the name is told: 她叫李娜."""
        called = _CALLED.match(text)
        name = text[called.end() :] if called is not None else ""
        if not name or name_at(name) != name:
            return None
        self.mention(name)
        return self.named(name)

    def _third(self, pronoun: str) -> Subject | None:
        known = self.persons or self._recent
        if known:
            return self.named(known[0]) if len(known) == 1 else None
        kin = {key: who for key, who in self._kin.items() if _may_be(who.key, pronoun)}
        return next(iter(kin.values())) if len(kin) == 1 else None


def _may_be(relative: str, pronoun: str) -> bool:
    """True if 他 or 她 may mean such a relative."""
    other = _WOMEN if pronoun == "他" else _MEN
    return other.search(relative.rpartition("的")[2]) is None


def speaker(name: str) -> Subject:
    """The one who speaks; an id that is no name is shown as 用户."""
    named = _NAME_LIKE.fullmatch(name) is not None and name.casefold() != UNNAMED
    return Subject(name, name if named else _SHOWN, is_speaker=True)


@lru_cache(maxsize=_TEXTS_MAX)
def name_at(text: str) -> str:
    """The name of a person that a text begins with; "" for none."""
    latin = _LATIN.match(text)
    if latin is not None and not re.match(r"[A-Za-z\d]", text[latin.end() :]):
        return latin.group() if any(char.islower() for char in latin.group()) else ""
    tags = tagged(text[: NAME_CHARS_MAX + 6])
    done = bool(tags) and text.startswith("了", tags[0].end)
    if not tags or done or text[0] in "叫姓" or tags[0].text in words("kin") | words("social"):
        return ""
    if is_name(tags[0]) and len(tags[0].text) <= NAME_CHARS_MAX:
        return _with_rest(tags) if tags[0].text not in words("orgs") else ""
    if foreign := foreign_at(text):
        return foreign
    nickname = _NICKNAME.match(text)
    if nickname is not None and any(word.end == nickname.end() for word in tags):
        return nickname.group()
    return ""


def told_of_oneself(clause: Piece) -> Piece:
    """A clause in which a named person tells of themselves, as told of them: 林悦说她对花生过敏."""
    name = name_at(clause.text)
    said = _OF_ONESELF.match(clause.text[len(name) :]) if name else None
    return clause.without(len(name), len(name) + said.end()) if said else clause


def _unknown_at(text: str) -> str:
    """A given name before what only people do: 思雨住在重庆."""
    match = _PERSONAL.match(text)
    return match["name"] if match is not None and is_unknown(match["name"]) else ""


def _with_rest(tags: Sequence[Word]) -> str:
    """A foreign name goes on behind a dot, and no name holds a verb: 达娜·基斯通, 赖瑞托我."""
    name = tags[0].text
    if len(tags) > 2 and tags[1].text == "·":
        return "".join(word.text for word in tags[:3])
    if len(tags) > 1 and len(name) > 2 and name[-1] in _VERBAL and name[0] in "小老阿":
        return name[:-1]
    if len(tags) > 1 and len(name) > 2 and tags[1].text[0] in _WHOM and name[-1] in _ASKING:
        return name[:-1]
    return name


@cache
def _grouped() -> re.Pattern[str]:
    return re.compile(
        rf"(?:我们|咱们|我)(?:的)?(?P<group>{alternation('groups')})(?![的里内])"
        rf"|(?P<home>家里)(?=是?[做开卖种搞])|(?P<bare>公司|团队|项目组|部门|组里)(?=(?:现在|最近|已经|都|全)*(?:把|将|从.{{1,12}}[换改搬迁]|改用|换成|搬[到去]))"
    )


@cache
def _one_alone() -> re.Pattern[str]:
    """Somebody of whom everybody has one, where a clause opens with them: 老板姓覃."""
    return re.compile(
        rf"{alternation('ones')}(?=姓|叫|是|在|刚|又|也|住|养|特别|喜欢|不吃|对|有|换|搬|离职|辞职|退休|怀孕)(?!叫我|让我|在吗|是不是|是谁)"
    )


@cache
def _beast() -> re.Pattern[str]:
    """A pet of the speaker's, before what it is or suffers: 我家狗前腿骨折."""
    told = (
        r"\D{0,4}(?:\d|[一二两三四五六七八九十])+(?:个月|周?岁|斤)"
        r"|[^，]{0,6}(?:骨折|绝育|过敏|怀孕|生病|手术|确诊|得了)"
    )
    return re.compile(
        rf"(?:我家|我们家|我)的?(?:那?[只条])?(?P<pet>{alternation('pets')})(?={told})"
    )


@cache
def _beside() -> re.Pattern[str]:
    return re.compile(
        rf"[跟和与帮给替陪带接送](?:我的?)?(?P<role>{alternation('kin')})(?![的的妈爸])"
    )


@cache
def _owned() -> re.Pattern[str]:
    roles = "|".join(alternation(name) for name in ("former", "kin", "social"))
    return re.compile(_OWNED.pattern.replace("{roles}", roles))
