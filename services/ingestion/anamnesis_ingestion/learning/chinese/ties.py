"""Relatives, friends and pets that a clause names: 我弟弟叫小杰, 小雅是我女朋友."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from anamnesis_ingestion.learning.chinese.subjects import Read, name_at
from anamnesis_ingestion.learning.chinese.tagging import given_name, is_name, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import alternation, words

_CALLED = (
    r"(?:的)?(?:名字|大名|小名|姓名|全名)?"
    r"(?:(?:现在|刚|最近|又)*(?:换成|换|变成)了|叫做|名叫|名字叫|叫|是|名字是)"
)
_WHICH = (
    r"(?:一个|大|小|前|新|亲|最好的|认识最久的|唯一的|大学|高中|初中|小学|老|好|现在的"
    r"|研究生|本科|同父异母的|同母异父的)*"
)
_OF_MINE = re.compile(
    rf"(?:就)?是我(?:们)?(?:家)?(?:的)?{_WHICH}(?P<role>{{roles}})(?:了|啦|之一)?"
)
_MINE = re.compile(rf"我(?:们)?(?:家)?(?:的)?{_WHICH}(?P<role>{{roles}})")
_BARE = re.compile(r"^(?P<role>{kin2}|室友|舍友|同事|邻居|闺蜜|发小|搭档|同桌)(?!们)")
_HAVE = re.compile(
    r"(?:还)?有(?:了)?(?:一|两|三|几)?(?:个|位|只|条|名)?(?:大|小|亲|双胞胎|最好的|好)*(?P<role>{roles}|{pets})(?:名字)?(?:叫做|名叫|名字叫|叫)(?P<name>.{1,10})"
)
_PET = re.compile(
    r"(?:我们?家?的?|家里的?|家的)(?:那?(?:只|条))?(?P<role>{pets})(?:的名字)?(?:叫做|名叫|名字叫|叫|是叫)(?P<name>[^，的了]{1,8})"
)
_PET_NAMED = re.compile(
    r"(?:我们?家?的?|家里的?|家的)(?:那?(?:只|条))?(?P<role>{pets})(?P<name>[\u4e00-\u9fff]{2}|[A-Z][a-z]{1,12})(?=上|昨|今|去|前|很|特|最|也|又|是|每|走|不|生)"
)
_CALLED_SO = re.compile(
    r"(?:它|他|她)?(?:的)?(?:名字)?(?:叫做|名叫|取名叫|起名叫|叫)(?P<name>[\u4e00-\u9fff]{1,4}|[A-Z][a-z]+)"
)
"""The clause that names the pet of the clause before it: 养了条边牧，叫闪电."""
_ONE_PET = re.compile(
    r"(?:其中|另外?)?(?:有)?一(?:只|条|头|匹)(?P<role>{pets})(?:叫做|名叫|名字叫|叫)(?P<name>[\u4e00-\u9fff]{1,4}|[A-Z][a-z]+)"
)
_PET_ALONE = re.compile(
    r"(?P<role>{pets})(?:叫做|名叫|名字叫|叫)(?P<name>(?![得着])[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
)
"""A pet that is told of as one's own: 猫叫芝麻，两岁."""
_ROLE_ALONE = re.compile(
    r"(?:[^，我你他她它这那]{1,6}的)?(?P<role>教练|房东|班主任|中介|保姆|司机|师傅|经纪人)(?:名字)?(?:叫做|叫)"
    r"(?P<name>[^，的了]{1,8})"
)
"""Somebody whom the speaker has to do with: 健身房的教练叫Tony."""
_IS_OF = re.compile(
    rf"(?:就|还|也|正)?是(?:(?P<you>你|您)的?|(?P<names>[^，]{{1,16}}?)(?:的|(?=最好的)))(?:[一两三]?[个位名])?{_WHICH}(?P<role>{{roles}})(?:之一)?"
)
_THEIRS = re.compile(rf"的{_WHICH}(?P<role>{{roles}})(?:(?P<called>叫做|名叫|叫)|，)?")
_AND = re.compile(r"[和跟与、]")
_OF_US = re.compile(
    rf"(?:都|也|一直|早就|已经|还)*(?:是{_WHICH}(?P<role>{{mutual}})(?:了|呢|啊)?|(?:一起住|住在?一起|合租|同住|同居)(?:了|呢|的)?)"
)
_SAME = re.compile(
    r"(?:都|也|以前|曾经)*(?:在|是|上|去|读|念)(?:了|的|的是)?同一(?:所|个|家|间|栋|幢)"
    r"(?P<shared>{shared})(?:的|工作|上班|上学|读书|里)?"
)
_WITH = re.compile(
    rf"(?P<past>以前|曾经|之前)?(?:现在|一直|都|也)*(?:和|跟|与|同)(?P<names>[^，]{{1,16}}?)"
    rf"(?P<then>以前|曾经|之前)?(?:都|也|一直)*是{_WHICH}(?P<role>{{mutual}})(?:了)?"
)
_TITLED = re.compile(r"{surnames}(?:总|经理|主任|老师|教授|博士|院长|处长|局长|部长)")
_NO_NAMES = frozenset({"过敏"})
"""Words that a tagger takes for names behind a relative: 孩子过敏."""
_PASSING = frozenset(["同事", "室友", "舍友", "邻居", "搭档", "队友"])
"""What people may have been to each other once."""
_SHARED = {
    **dict.fromkeys(("学校", "大学", "高中", "初中", "中学", "小学", "班", "班级"), "同学"),
    **dict.fromkeys(("公司", "部门", "单位", "团队"), "同事"),
    **dict.fromkeys(("小区", "楼"), "邻居"),
    **dict.fromkeys(("宿舍", "寝室"), "室友"),
}
"""The tie of people who share such a thing."""
_GONE = re.compile(r"(?:走丢|丢|去世|过世|离世|死|病死|老死|送人|送走)了$")
_ADDRESSES = re.compile(r"[你您我咱]")
_SPOKEN_OF = re.compile(r"[他她是的]")


@dataclass(frozen=True, slots=True)
class Tie:
    """Somebody, and what they are to the speaker, or to an owner who is named."""

    predicate: str
    name: str
    role: str
    over: bool = False
    owner: str = ""
    inverse: bool = False
    """The role is the speaker's: 我是小杰的姐姐."""
    mutual: bool = False
    """Each is that to the other: 我们是室友."""
    assumed: bool = False
    """The clause takes it for granted, and so may a question."""


def presupposed(clause: str) -> Iterator[Tie]:
    """The ties that a clause takes for granted: 我女朋友小雅, 小陈的女朋友思思."""
    for owned in (*_pattern(_MINE).finditer(clause), *_pattern(_BARE).finditer(clause)):
        rest = clause[owned.end() :]
        name = name_at(rest) or given_name(rest)
        if name and name not in words("degrees") | _NO_NAMES:
            yield replace(tie(owned["role"], name), assumed=True)
    for theirs in _pattern(_THEIRS).finditer(clause):
        owner, rest = _name_before(clause, theirs.start()), clause[theirs.end() :]
        name = name_at(rest) if owner and not theirs["called"] else ""
        if name:
            yield replace(tie(theirs["role"], name), owner=owner, assumed=True)


def told(read: Read, rest: str, clause: str, listener: str = "") -> Iterator[Tie]:
    """The ties that a clause states."""
    name = read.name or (read.subject.name if read.subject else "")
    if read.role and not read.name:
        match = re.match(_CALLED, rest)
        called = _name(rest[match.end() :]) if match else ""
        titled = _pattern(_TITLED).fullmatch(called) is not None
        is_one = titled or name_at(f"{called}说") == called
        if match and match.group().endswith("是") and not is_one:
            called = ""
        if called:
            known = tie(read.role, called)
            former = re.search(rf"(?:以前|之前|原来|前)的?{read.role}", clause) is not None
            yield replace(known, over=known.over or former)
    if name and not read.role:
        mine = _pattern(_OF_MINE).fullmatch(rest)
        if mine is not None:
            yield tie(mine["role"], name)
    if read.subject is not None and read.subject.is_speaker:
        yield from _of_speaker(rest, listener)
    yield from _of_others(clause)
    pet = _pattern(_PET).fullmatch(clause) or _pattern(_PET_NAMED).match(clause)
    pet = pet or _pattern(_ONE_PET).fullmatch(clause)
    alone = _pattern(_PET_ALONE).fullmatch(clause)
    pet = pet or (alone if alone and _nick(alone["name"]) else None)
    if pet is not None:
        yield replace(tie(pet["role"], pet["name"]), over=_GONE.search(clause) is not None)


def named_pet(clause: str, role: str) -> Iterator[Tie]:
    """The pet that was told of right before, by its name."""
    match = _CALLED_SO.fullmatch(clause)
    if match is not None and _nick(match["name"]):
        yield tie(role, match["name"])


def called(clauses: Sequence[str], listener: str, addressed: bool) -> Iterator[Tie]:
    """The tie of the listener to the speaker, from how the speaker calls them: 爸，你怎么来了."""
    calls = [at for at, clause in enumerate(clauses) if clause in words("vocatives")]
    if len(calls) != 1 or any(name_at(clause) == clause for clause in clauses):
        return
    after = clauses[calls[0] + 1 :]
    spoken_to = addressed or any(map(_ADDRESSES.search, after))
    if spoken_to and not (after and _SPOKEN_OF.match(after[0])):
        yield replace(tie(clauses[calls[0]], listener), assumed=True)


def of_us(rest: str, listener: str) -> Iterator[Tie]:
    """The tie of speaker and listener to each other: 我们是室友, 我们在同一家公司."""
    match = _pattern(_OF_US).fullmatch(rest)
    same = _pattern(_SAME).fullmatch(rest)
    if same is not None:
        yield replace(tie(_SHARED[same["shared"]], listener), mutual=True)
    if match is not None:
        role = match["role"]
        known = tie(role, listener) if role else Tie("lives_with", listener, "")
        yield replace(known, mutual=True)


def _of_speaker(rest: str, listener: str) -> Iterator[Tie]:
    """The ties of the speaker: people and pets they have, and roles that they are to others."""
    have = _pattern(_HAVE).fullmatch(rest)
    if have is not None and (have["role"] in words("pets") or _nick(have["name"])):
        yield tie(have["role"], have["name"].rstrip("了的"))
    beside = _pattern(_WITH).fullmatch(rest)
    if beside is not None and all(map(_names_somebody, _AND.split(beside["names"]))):
        over = bool(beside["past"] or beside["then"]) and beside["role"] in _PASSING
        for name in _AND.split(beside["names"]):
            yield replace(tie(beside["role"], name), mutual=True, over=over)
    of = _pattern(_IS_OF).fullmatch(rest)
    if of is not None and of["role"] not in words("pets"):
        names = [listener] if of["you"] else _AND.split(of["names"])
        if all(name and (of["you"] or _names_somebody(name)) for name in names):
            for name in names:
                yield replace(tie(of["role"], name), inverse=True)


def _of_others(clause: str) -> Iterator[Tie]:
    """The tie between two others: 小陈的女朋友叫思思; or of one in a role: 健身房的教练叫Tony."""
    role = _ROLE_ALONE.fullmatch(clause)
    if role is not None and _nick(role["name"]):
        yield tie(role["role"], role["name"])
    theirs = _pattern(_THEIRS).search(clause)
    if theirs is not None and theirs["called"]:
        owner, name = _name_before(clause, theirs.start()), _name(clause[theirs.end() :])
        if owner and name:
            yield replace(tie(theirs["role"], name), owner=owner)


def _name_before(clause: str, end: int) -> str:
    """The name of a person that ends at a place of a clause; "" for none."""
    for word in tagged(clause):
        if word.end == end and is_name(word):
            return word.text
    start = max(clause.rfind(sign, 0, end) for sign in "，的是和") + 1
    said = clause[start:end]
    return said if said and _names_somebody(said) else ""


def _names_somebody(text: str) -> bool:
    return name_at(text + "说") == text or name_at(text) == text


def tie(role: str, name: str) -> Tie:
    """The tie that a role stands for."""
    if role in words("pets"):
        return Tie("has_pet", name, role)
    if role in words("former"):
        spouse = role in {"前妻", "前夫"}
        return Tie("married_to" if spouse else "has_partner", name, role, over=True)
    if role in words("spouses"):
        return Tie("married_to", name, role)
    if role in words("partners"):
        return Tie("has_partner", name, role)
    if role in words("leads"):
        return Tie("reports_to", name, role)
    return Tie("has_relative" if role in words("kin") else "knows", name, role)


def _name(text: str) -> str:
    said = re.sub(r"(?:了|的|啊|呢|哦)$", "", text)
    return said if _nick(said) else ""


def _nick(text: str) -> bool:
    """True if a text can be a name behind 叫: short, and no more than a name."""
    short = 1 <= len(text) <= 4 and re.fullmatch(r"[\u4e00-\u9fff]+", text) is not None
    latin = re.fullmatch(r"[A-Z][A-Za-z]*(?: [A-Z][a-z]+)?", text) is not None
    spoilt = re.search(r"[你我他她它这那的了是有在不很什么哪谁人]|一个", text)
    named = short or latin or name_at(text) == text
    return named and spoilt is None and bool(text) and text not in words("degrees")


@cache
def _pattern(pattern: re.Pattern[str]) -> re.Pattern[str]:
    roles = "|".join(alternation(name) for name in ("former", "kin", "social"))
    text = pattern.pattern.replace("{roles}", roles).replace("{pets}", alternation("pets"))
    text = text.replace("{shared}", "|".join(sorted(_SHARED, key=len, reverse=True)))
    text = text.replace("{mutual}", alternation("mutual"))
    text = text.replace("{surnames}", alternation("surnames"))
    kin = alternation("kin")
    return re.compile(text.replace("{kin2}", f"(?=..){kin}").replace("{kin}", kin))
