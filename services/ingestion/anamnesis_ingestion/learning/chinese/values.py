"""Rules for the values of a slot, by its name: a place, an organisation, a job, a taste.

Each rule takes the words of a slot and returns the values in it, none where it does not hold what
is asked for. Measure words, colours and owners are cut off.
"""

import re
from collections.abc import Callable, Collection

from anamnesis_ingestion.learning.chinese.cutting import (
    COLOUR,
    MEASURE,
    OWNER,
    POINTS,
    Found,
    each,
    ending,
    listed,
    parts_of,
    short,
    whole,
)
from anamnesis_ingestion.learning.chinese.employers import (
    company,
    employer,
    home,
    job,
    org,
    place,
    school,
    service,
    sight,
    sort,
    spot,
    town,
    trade,
    worksite,
)
from anamnesis_ingestion.learning.chinese.subjects import name_at
from anamnesis_ingestion.learning.chinese.tagging import is_unlisted
from anamnesis_ingestion.learning.chinese.tastes import (
    aim,
    dish,
    drink,
    food,
    nouns,
    skill,
    subject,
    taste,
    thing,
    tool,
)
from anamnesis_ingestion.learning.chinese.vocabulary import LEVEL, alternation, words

_AGE = re.compile(r"(?:\d{1,3}|[一两二三四五六七八九十]{1,3})周?岁(?:半)?")
_AGES = re.compile(r"(?:二十|[三四五六七八九]十)[一二三四五六七八九]?|[1-9]\d")
_DATE = re.compile(
    r"(?:(?:\d{2,4}|[一二三四五六七八九零〇]{2,4})年)?(?:农历|阴历)?(?:(?:\d{1,2}|[一二三四五六七八九十]{1,2})月)?"
    r"(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?"
)
_YEAR = re.compile(r"(?:小学|初中|高中|大学)?[一二三四五六]年级")
_KINS = re.compile(
    rf"(?:(?:[一两二三四五六七]|\d)个|俩|仨|两|三){alternation('children')}"
    rf"|(?:[一两二三四五六]|\d)个(?:[^，了你他她]{{1,8}}的|大|小|亲)?{alternation('relatives')}"
)
_HEADS = re.compile(
    r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})(?:多|来|几)?(?:个(?:人|下属|员工|徒弟|实习生|学徒)|人)"
)
_SIZE = re.compile(
    r"[\d.一二两三四五六七八九十百]{1,6}(?:米|公分|厘米|cm|公斤|千克|斤|kg)[\d一二三四五六七八九]{0,2}|一百[一二三四五六七八九]十?[一二三四五六七八九]?"
    r"|一[五六七八九][零一二三四五六七八九]|1[5-9]\d|一米[五六七八九][零一二三四五六七八九]?"
)
_AMOUNT = re.compile(
    r"(?:\d[\d,.]*|[一二两三四五六七八九十百千万零半几]+)[万千百kK]?[多来几]?(?:块钱|块|元|美元|欧元|英镑|刀)?(?:人民币)?"
    r"(?:左右|上下|一个月|一年)?"
)
_BOOK = re.compile(r"(?:有关|关于|讲述|讲|介绍)[^，了我你他]{1,12}的(?:书|小说|书籍|传记|文章)")
_MEDICINE = re.compile(
    r"[^，了过个的我\W\d_a-zA-Z]{1,6}(?:唑|洛尔|普利|沙坦|他汀|西林|霉素|派特|地平|西泮|匹林|洛芬|拉定|替丁|司琼|他滨"
    r"|双胍|列净|列汀|西汀|普仑|岛素|甲状腺素|麦布)(?:片|胶囊)?|(?:钙|叶酸|维生素|降压|降糖|止痛|消炎|安眠)(?:片|药)"
)
"""A medicine, by how the names of its kind end."""
_SPELLED = re.compile(r"[\u4e00-\u9fff]{2,3}(?<![了的吗呢吧啊])")
_DORMITORY = re.compile(r"[\u4e00-\u9fff]{1,4}(?:宿舍|公寓楼)")
_NEAR = re.compile(
    r"(?:[\u4e00-\u9fff]{1,6}(?:附近|边上|旁边|对面|楼上|楼下|[东西南北]边)|隔壁|[海河江湖]边|山[上里]|郊外"
    r"|城[东西南北]|[一二三四五六七八九十\d]{1,3}楼|[一二三四五六]环(?:内|外|里|边上|附近)?)"
)
"""Where somebody lives, by what is near."""
_MORE_PETS = re.compile(r"(?:和|、|还有)?[一两三四五六\d]只|和|、|还有")
_TIMES = re.compile(r"一[次场个道部]")
_TITLE = re.compile(r"《[^》]{1,20}》")
_LATIN = re.compile(r"[A-Za-z][A-Za-z\d.+# -]*")
OPEN = frozenset(
    {"place", "sight", "occasion", "org", "employer", "job", "name", "nick", "person", "taste"}
    | {"home", "worksite", "subject", "tool", "aim", "thing", "topic"}
)
"""Rules that take any words: their slots may part no word. The others know theirs by a list."""


def values(rule: str, text: str, known: Collection[str] = ()) -> Found:
    """The values in the text of a slot; `known` are people who were named before."""
    if rule == "person" and text in known:
        return whole(text)
    return _RULES[rule](text)


def _name(text: str) -> Found:
    said = text.strip('《》“”"')
    if not said or said != text or len(said) > 12 or POINTS.search(said):
        return []
    if _LATIN.fullmatch(said):
        return whole(text)
    spelled = _SPELLED.fullmatch(said) is not None and _is_apart(said)
    named = spelled or name_at(said + "说") == said or name_at(said) == said
    return whole(text) if named else []


def _is_apart(said: str) -> bool:
    """True for a surname and a given name that make no word of the dictionary together."""
    fits = re.match(alternation("surnames"), said) is not None and said[-1] not in words("sorts")
    return fits and is_unlisted(said)


def _full_name(text: str) -> Found:
    """A surname and a given name, all that stands there."""
    fits = 2 <= len(text) <= 4 and re.match(alternation("surnames"), text) is not None
    named = name_at(text) == text and text[-1] not in words("sorts")
    return whole(text) if fits and named else []


def _nick(text: str) -> Found:
    fits = 1 <= len(text) <= 10 and not POINTS.search(text) and not re.search(r"[了的是有在]", text)
    return whole(text) if fits and (len(text) <= 4 or _LATIN.fullmatch(text) or _name(text)) else []


def _person(text: str) -> Found:
    """A name, or 我的 and a relative before it."""
    owned = re.match(rf"(?:我的?)?(?:{alternation('kin')}|{alternation('social')})?", text)
    start = owned.end() if owned else 0
    said = text[start:]
    return whole(text, start) if said and (_name(said) or name_at(said) == said) else []


def _pets(text: str) -> Found:
    """The pets of a list: 猫一只狗."""
    parts, at = [], 0
    for joint in [*(match.span() for match in _MORE_PETS.finditer(text)), (len(text), len(text))]:
        parts.append((at, joint[0]))
        at = joint[1]
    one = ending("pets", 12, MEASURE, COLOUR)
    parts = [(max(start, text.rfind("的", start, end) + 1), end) for start, end in parts]
    found = [(start + place[0], end) for start, end in parts for place in one(text[start:end])]
    return found if len(found) == len(parts) else []


def _sights(text: str) -> Found:
    """The places of a list that somebody has been to."""
    parts = parts_of(text)
    return parts if all(sight(text[start:end]) for start, end in parts) else []


def _persons(text: str) -> Found:
    """The people of a list: 小唐和阿宁."""
    parts = parts_of(text)
    fits = [bool(_nick(text[first:last])) and 2 <= last - first <= 4 for first, last in parts]
    return parts if parts and all(fits) else []


_RULES: dict[str, Callable[[str], Found]] = {
    "place": place,
    "home": home,
    "worksite": worksite,
    "abode": lambda text: listed("abodes")(text) or short(_DORMITORY)(text),
    "near": short(_NEAR),
    "service": service,
    "worn": listed("worn"),
    "sort": sort,
    "company": company,
    "surname": listed("surnames"),
    "trade": trade,
    "field": listed("fields"),
    "heads": short(_HEADS),
    "years": short(re.compile(r"[三四五六七八九]十[一二三四五六七八九多来]?")),
    "ages": short(_AGES),
    "babyage": short(re.compile(r"(?:[一二两三四五六七八九十]{1,3}|\d{1,2})个(?:半)?月")),
    "spot": spot,
    "town": town,
    "firm": listed("orgs"),
    "dept": short(re.compile(r"[\u4e00-\u9fffA-Za-z]{1,6}(?:部|部门|科|组|中心|事业部|产线|车间)")),
    "fieldlist": each("fields"),
    "certificate": ending("certificate_ends", 10, MEASURE),
    "award": ending("award_ends", 12, MEASURE),
    "course": ending("courses", 16),
    "level": short(re.compile(LEVEL)),
    "bent": listed("bents"),
    "exercise": listed("exercises"),
    "shop": ending("shops", 10),
    "org": org,
    "employer": employer,
    "job": job,
    "team": ending("groups", 8),
    "name": _name,
    "fullname": _full_name,
    "nick": _nick,
    "person": _person,
    "taste": taste,
    "thing": thing,
    "food": food,
    "diet": listed("diets"),
    "flavour": listed("flavours"),
    "kinlist": short(
        re.compile(rf"(?:(?:[一两二三四五六]|\d)(?:个|对)(?:{alternation('relatives')}))+")
    ),
    "dish": dish,
    "drink": drink,
    "sport": each("sports"),
    "club": ending("club_ends", 12),
    "tool": tool,
    "medicine": short(_MEDICINE),
    "persons": _persons,
    "book": short(_BOOK),
    "brand": lambda text: tool(text) if _LATIN.search(text) else [],
    "skill": skill,
    "subject": subject,
    "topic": nouns,
    "aim": aim,
    "school": school,
    "state": listed("states"),
    "degree": listed("degrees"),
    "year": short(_YEAR),
    "amount": short(_AMOUNT),
    "child": listed("children", MEASURE),
    "grade": lambda text: listed("degrees")(text) or short(_YEAR)(text),
    "kins": short(_KINS),
    "workplace": listed("workplaces", MEASURE),
    "sight": _sights,
    "occasion": ending("occasions", 16, MEASURE, _TIMES),
    "passed": ending("passed", 12, MEASURE, _TIMES),
    "treatment": ending("treatments", 12, MEASURE, _TIMES),
    "app": listed("tools"),
    "sibling": listed("siblings"),
    "pass": ending("passes", 10, OWNER, MEASURE),
    "avoided": listed("avoided"),
    "vice": listed("vices"),
    "student": ending("students", 12),
    "condition": ending("conditions", 10, re.compile(r"(?:严重的?|轻微的?|先天性?|一点)")),
    "illness": listed("conditions"),
    "pet": _pets,
    "goods": ending("goods", 12, OWNER, MEASURE, COLOUR),
    "relative": lambda text: listed("relatives", MEASURE)(text) or listed("social", MEASURE)(text),
    "size": short(_SIZE),
    "languages": each("languages"),
    "instrument": each("instruments"),
    "age": short(_AGE),
    "born": short(
        re.compile(
            r"(?:19|20)?\d\d(?:年|后)|[五六七八九零][〇零一二三四五六七八九]年|[七八九零][五零]后"
        )
    ),
    "date": short(_DATE),
    "title": short(_TITLE),
}
