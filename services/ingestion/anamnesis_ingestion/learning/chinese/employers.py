"""Objects that are places, organisations, schools and jobs."""

import re

from anamnesis_ingestion.learning.chinese.cutting import MEASURE, OWNER, POINTS, Found, cut, whole
from anamnesis_ingestion.learning.chinese.tagging import is_name, is_unlisted, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import NUMBERED_SCHOOL, alternation, words

_LATIN = re.compile(r"[A-Za-z][A-Za-z\d.+# -]*")
_NUMBERED = re.compile(NUMBERED_SCHOOL)
TITLED = re.compile(
    rf"{alternation('surnames')}(?:医生|大夫|老师|教授|律师|经理|主任|护士|教练|阿姨|师傅|总监|会计)"
)
"""How somebody is called, and no job: 林医生."""
_LOCAL = "省市县区镇乡村"
"""Before a place of work, whose it is: 县医院."""
_TRADE = re.compile(
    r"(?:做|搞|干|卖|修|种|教|写|画|拍|养)(?P<what>[^了着过]{1,6})|跑(?:外贸|业务|销售|货运|长途|运输)"
)
_SERVICE = re.compile(
    r"[\u4e00-\u9fff]{1,6}(?:(?<!工)厂|税务局|公安局|供电局|柜台|支行|派出所|研究所|设计院|律所|法院|检察院)"
)
"""A place of work that nobody visits for long."""
_NOUN_TAGS = frozenset(
    ["n", "nz", "nt", "ns", "nr", "nrt", "nrfg", "eng", "vn", "an", "j", "l", "i", "ng", "x"]
)


def place(text: str) -> Found:
    """A town, a province, a street."""
    start = 2 if text.startswith(("老家", "家乡")) and len(text) > 2 else 0
    said = text[start:]
    if not 2 <= len(said) <= 12 or said in words("no_places") or POINTS.search(said):
        return []
    if MEASURE.match(said) or re.search(r"里$|里面|附近|旁边|[的了]|^.楼$", said):
        return []
    tags = tagged(said)
    named = all(word.tag in {"ns", "nr", "nrt", "nz"} for word in tags) and any(
        word.tag == "ns" for word in tags
    )
    ends = re.search(rf"{alternation('place_ends')}$", said) is not None and len(said) > 2
    proper = ends and tags[0].tag in {"ns", "nr", "nz", "nrt", "x", "n", "eng"} and len(said) <= 8
    ends_badly = any(said.endswith(word) for word in words("no_places"))
    known = named or said in words("places")
    return whole(text, start) if (known or proper) and not ends_badly else []


def home(text: str) -> Found:
    """A part of a town that no dictionary knows, by how its name ends: 回龙观."""
    ends = re.search(rf"{alternation('home_ends')}$", text)
    if ends is None or ends.start() == 0 or not 2 <= len(text) <= 8 or POINTS.search(text):
        return []
    tags = tagged(text)
    if len(text) == 2:
        return whole(text) if is_unlisted(text) or tags[0].tag == "nr" else []
    named = all(word.tag[0] in "nxjvmagqf" and word.tag != "vn" for word in tags)
    known = len(tags) == 1 and not tags[0].tag.startswith(("ns", "nr", "nz"))
    return (
        []
        if known or text in words("no_places") or re.search(r"[的了]", text) or not named
        else whole(text)
    )


def town(text: str) -> Found:
    """Where somebody lives, behind a verb that only places follow: any name will do."""
    if (
        not 2 <= len(text) <= 4
        or POINTS.search(text)
        or re.search(r"[家里那边处上下房楼起了的]$", text)
    ):
        return []
    tags = tagged(text)
    alone = len(tags) == 1 and tags[0].tag in {"nr", "nrt", "nz", "ns", "x"}
    known = text in words("no_places") or re.match(alternation("kin"), text) is not None
    return whole(text) if alone and not known else []


def worksite(text: str) -> Found:
    """Where somebody works, by a noun: 油田, 急诊科."""
    said = text[cut(text, MEASURE) :]
    if (
        not 2 <= len(said) <= 8
        or POINTS.search(said)
        or re.search(r"[的了上里中下内外边间边家]$|的|开(?=[厂店馆])", said)
    ):
        return []
    tags = tagged(said[said[0] in _LOCAL :])
    nouns = all(word.tag in {"n", "nt", "nz", "ns", "j", "vn", "eng"} for word in tags)
    last = tags[-1].tag in {"n", "nt", "nz", "j"} and tags[-1].text not in words("no_worksites")
    return whole(text, len(text) - len(said)) if nouns and last else []


def trade(text: str) -> Found:
    """A trade, with its verb: 卖水果, 做外贸."""
    match = _TRADE.fullmatch(text)
    if match is None or POINTS.search(text):
        return []
    what = match["what"] or ""
    tags = tagged(what) if what else []
    nouns = all(word.tag in {"n", "nz", "vn", "nt", "j", "l", "eng", "x", "ns"} for word in tags)
    return whole(text) if nouns and what not in words("no_trades") and not job(what) else []


def sight(text: str) -> Found:
    """The place that people travel to, which may be a park or a mountain by its name."""
    start = cut(text, MEASURE)
    said = text[start:]
    if start or not 2 <= len(said) <= 10 or POINTS.search(said) or re.search(r"[的了过]", said):
        return []
    ends = re.search(rf"{alternation('sights')}$", said)
    ahead = tagged(said[: ends.start()]) if ends is not None else []
    named = bool(ahead) and not _is_generic(said[: ends.start() if ends else 0])
    proper = named and all(word.tag[0] in "nxzaj" for word in ahead)
    return whole(text) if proper or place(said) == whole(said) else []


def org(text: str) -> Found:
    """A firm, a school, an office: by its form, or known by name."""
    start = cut(text, OWNER)
    said = text[start:]
    if said in words("orgs"):
        return whole(text, start)
    if not 2 <= len(said) <= 20 or POINTS.search(said) or MEASURE.match(said) or "的" in said:
        return []
    tags = tagged(said)
    if any(word.tag[0] in "vdpcu" and word.tag != "vn" for word in tags[:-1]):
        return []
    formed = re.search(rf"{alternation('org_ends')}$", said)
    if formed is not None:
        return (
            whole(text, start)
            if formed.start() > 0 and not _is_generic(said[: formed.start()])
            else []
        )
    latin = _LATIN.fullmatch(said) is not None and said[0].isupper()
    return whole(text, start) if latin or any(word.tag == "nt" for word in tags) else []


def _is_generic(said: str) -> bool:
    """True for a word that says what kind of firm it is: 互联网, 小."""
    return said in words("generic_orgs")


def employer(text: str) -> Found:
    """An organisation after a word that only organisations follow: any name will do."""
    found = org(text)
    if found:
        return found
    start = cut(text, OWNER)
    said = text[start:]
    tags = tagged(said)
    if (
        not 2 <= len(said) <= 12
        or POINTS.search(said)
        or MEASURE.match(said)
        or re.search(r"[的了]", said)
    ):
        return []
    named = any(word.tag in {"nr", "nz", "nt", "ns", "nrt", "eng", "x"} for word in tags)
    return whole(text, start) if named and all(word.tag in _NOUN_TAGS for word in tags) else []


def job(text: str) -> Found:
    """The job in a text that ends in the word of a profession."""
    start = cut(text, MEASURE)
    said = text[start:]
    if not 2 <= len(said) <= 14 or POINTS.search(said) or re.search(r"[了着过]", said):
        return []
    if TITLED.fullmatch(said):
        return []
    named = re.search(rf"{alternation('jobs')}$", said) or _by_its_ending(said)
    if named is None:
        return []
    before = said[: named.start()]
    at = before.rfind("的") + 1
    if at and re.search(r"[好坏棒差大优秀出色合格真正]", before[:at]):
        return []
    ahead = tagged(before[at:]) if before[at:] else []
    return (
        whole(text, start + at)
        if all(word.tag[0] in "nvaejblsmxf" and not word.tag.startswith("nr") for word in ahead)
        else []
    )


def company(text: str) -> Found:
    """A firm by what it does: 做SaaS的公司."""
    start = cut(text, MEASURE)
    fits = re.fullmatch(
        r"(?:[做搞卖干]?[^，我你他她了过是在]{1,10}的|[^，我你他她了过是在的]{2,8})"
        r"(?:小|大|初创|上市|创业)?(?:公司|工作室|机构|工厂|单位|企业|车企|大厂)",
        text[start:],
    )
    vague = re.match(r"[新老大小好差这那别原某]|不错|喜欢|同一|之前|以前|现在|另", text[start:])
    return whole(text, start) if fits is not None and vague is None else []


def service(text: str) -> Found:
    """Where people serve or work, so that to be there is to work there: 部队, 汽修厂."""
    start = cut(text, MEASURE)
    said = text[start:]
    formed = _SERVICE.fullmatch(said) is not None and re.search(r"开(?=[厂店馆])", said) is None
    known = said in words("services") or formed
    return whole(text, start) if known and not POINTS.search(said) else []


def spot(text: str) -> Found:
    """Where somebody does something for long: a town, a school, a site, by its nouns."""
    said = text.removesuffix("那边").removesuffix("这边").removesuffix("里").removesuffix("上")
    if not 2 <= len(said) <= 8 or POINTS.search(said) or re.search(r"[的了]|家$", said):
        return []
    nouns = all(
        word.tag in {"n", "ns", "nt", "nz", "nr", "nrt", "s", "eng", "j", "x"}
        for word in tagged(said)
    )
    return whole(text) if nouns and said not in words("no_worksites") else []


def sort(text: str) -> Found:
    """A sort of people by the ending of its word: 回民, 过敏体质."""
    start = cut(text, MEASURE)
    said = text[start:]
    tags = tagged(said)
    ends = re.search(rf"{alternation('sort_ends')}$", said)
    nouns = all(word.tag[0] in "nljx" or word.tag in {"vn", "b", "m", "a", "eng"} for word in tags)
    known = ends is None or ends.start() == 0 or not 2 <= len(said) <= 6 or any(map(is_name, tags))
    deed = tags[0].tag == "v" or tags[0].text in "管做搞带"
    spoilt = deed or "的" in said or POINTS.search(said) is not None
    return [] if known or not nouns or spoilt else whole(text, start)


def _by_its_ending(said: str) -> re.Match[str] | None:
    """A job that no list holds, by how the word for it ends: 消防员."""
    last = tagged(said)[-1]
    known = (
        last.tag == "n" and len(last.text) > 2 and not last.text.endswith(tuple(words("no_jobs")))
    )
    return (
        re.search(rf"{last.text}$", said) if known and last.text[-1] in words("job_ends") else None
    )


def school(text: str) -> Found:
    """A school by its name."""
    ends = re.search(
        rf"(?:{alternation('school_ends')}|^{alternation('schools')}|{_NUMBERED.pattern})$", text
    )
    if text[0] in "是在从" or MEASURE.match(text):
        return []
    numbered = _NUMBERED.fullmatch(text) is not None
    named = ends is not None and (ends.start() > 0 or text in words("schools"))
    fits = (named or numbered) and len(text) <= 16 and not POINTS.search(text) and "的" not in text
    return (
        whole(text)
        if fits and not _is_generic(text[: ends.start()] if ends and ends.start() else "x")
        else []
    )
