"""Standing facts by the form of a clause, where no frame knows its words.

A Chinese verb without a mark of what is done, under way or meant tells what somebody does in
general: 我收集邮票. So does a time that lasts (做外贸五年了), a bare 不 (不用鼠标), and 在 in these
days (最近在写小程序). 是 before a kind of person and 有 before a counted thing tell what somebody
is and has. What is done, shunned or owned has to be named, in words of its own.
"""

import re
from functools import cache

from anamnesis_ingestion.learning.chinese.clause import Polarity, Predicate, as_plain, denied
from anamnesis_ingestion.learning.chinese.cutting import POINTS, parts_of
from anamnesis_ingestion.learning.chinese.employers import TITLED
from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.tagging import (
    Word,
    is_name,
    is_unlisted,
    splits,
    tagged,
)
from anamnesis_ingestion.learning.chinese.vocabulary import DURATION, alternation, words

_CHARS_MAX = 26
_SPOILT = re.compile(
    r"[吗呢？?]|吧$|得(?!到)|起来|一下|[不没][了到好完起来去]|(?<=[\u4e00-\u9fff])过(?![敏山年节程期])"
    r"|[完掉](?![成全])|来着|[给让叫请]我|一会儿?|正要|好像|[太很极]"
)
"""Marks of what is done, judged, asked, or of the moment."""
_MEANS = re.compile(r"(?:(?:在|用|以|靠|为|给|跟|和|从|对|按)[^，]{1,14})?")
"""Where, with what or for whom something is done."""
_IN_GENERAL = r"(?P<verb>{lasting_verbs})(?:着|的(?:都|主要)?是)?(?P<what>[^，了的][^，了]{{0,15}})"
_FOR_A_LIVING = re.compile(
    r"(?:以|靠|拿)(?P<what>[^，了]{2,10})(?:为生|为业|谋生|挣钱|赚钱|过日子)"
)
_WORKING = re.compile(
    r"在(?P<where>[^，了]{2,14}?)(?:里|上|里面)?"
    r"(?:工作|上班|兼职|打工|实习|干活|值班|当班|帮工|做兼职|做工)"
)
_PART_OF_DAY = re.compile(
    r"在?(?:晚上|白天|早上|上午|下午|夜里|周末|课余|业余时间|假期|[寒暑]假)(?=.)"
)
_NEVER = (
    r"(?:怎么|太|大)?(?P<able>能|可以)?(?:再|多)?(?P<verb>{lasting_verbs}|{shunned_verbs})"
    r"(?P<what>[^，了]{1,12})"
)
_UNDER_WAY = re.compile(r"(?:正在|正|在)(?P<deed>[^，了]{3,18})")
_THESE_DAYS = re.compile(r"最近|近来|近期|目前|一直|这(?:段|阵|些|学|个[月学])|今年|手头|业余|闲暇")
_LASTED = re.compile(
    rf"(?P<deed>[^，了]{{2,14}}?)了?(?:已经|有|快|都|整整|差不多|将近)*(?P<long>{DURATION})了"
)
_FOR_LONG = re.compile(r"年|月")
_BEING = re.compile(r"是(?:一?[个名位])?(?P<what>[^，是]{2,14})")
_HAVING = re.compile(
    r"(?:拥有|有)(?:着|了)?(?:(?:[一两二三四五六七八九十几]{1,3}|好几|\d{1,4})多?"
    r"(?P<measure>[只辆台部把套间栋副双枚顶架本块盆棵支艘头幅座根亩])|自己的)(?P<what>[^，了]{1,10})"
)
_RESULTS = frozenset("上下好出回进到起开成给住掉完")
"""What a verb comes to, and no object: 戴上, 做好."""
_REFUSED = {"吃": "does_not_eat", "喝": "does_not_drink"}
_TRADES = frozenset("卖种养租")
"""Verbs whose object may be one character: 卖鱼."""
_NEW_CHARS_MAX = 4
_GRAMMAR = re.compile(r"[的了着过是在有不没也都就很和与我你他她它这那个]")
_NOUNS = frozenset(
    {"n", "nz", "ns", "nt", "nr", "nrt", "nrfg", "eng", "vn", "an", "j", "l", "i", "x"}
)
_BESIDE = frozenset({"m", "a", "b", "f", "s", "uj", "c", "t", "q", "ng", "g", "zg", "k"})
"""Tags of words that may stand beside nouns in what is named."""
_PERSONS = re.compile(r"(?:[者师员生民迷控族徒童士友女商手匠工夫妇家主客粉兵]|[男女]性|性子)$")


def standing(predicate: Predicate, clause: str) -> list[Claim]:
    """The standing facts of a predicate; `clause` is the whole of it, its adverbs included."""
    piece = predicate.piece
    if len(piece.text) > _CHARS_MAX or POINTS.search(piece.text) or clause.endswith("呢"):
        return []
    if predicate.polarity is not Polarity.ASSERTED:
        found = [] if "了" in piece.text else _shunned(piece)
    else:
        told = _lasting(piece) if "了" in piece.text else _told(piece, clause)
        found = [] if told is None else [told]
    return [] if found and _SPOILT.search(piece.text) else found


def _told(piece: Piece, clause: str) -> Claim | None:
    """The standing fact of a predicate that neither denies nor tells a change."""
    stressed = "的是" in piece.text or piece.text.startswith("是")
    plain = as_plain(piece) if stressed else None
    piece = piece if plain is None else plain.part(0, len(plain.text.removesuffix("的")))
    part = _PART_OF_DAY.match(piece.text)
    then = piece.part(part.end()) if part is not None else piece
    return (
        _being(then)
        or _working(then)
        or _having(piece)
        or _in_general(piece)
        or _under_way(piece, clause)
    )


def _working(piece: Piece) -> Claim | None:
    """The place of work, in words that no list has: 在城里的一家收容所工作."""
    match = _WORKING.fullmatch(piece.text)
    tags = tagged(match["where"]) if match is not None else []
    if match is None or not _is_named(tags) or tags[-1].text in words("no_worksites"):
        return None
    return Claim("works_in", piece.part(*match.span("where")))


def _in_general(piece: Piece) -> Claim | None:
    """A general deed, by a verb of what one goes on doing: 收集邮票."""
    if _FOR_A_LIVING.fullmatch(piece.text):
        return Claim("does", piece)
    for word in tagged(piece.text):
        match = _form(_IN_GENERAL).fullmatch(piece.text, word.start)
        led = _MEANS.fullmatch(piece.text, 0, word.start)
        if match is not None and led is not None and _is_done(piece.text, match):
            return Claim("does", piece)
    return None


def _shunned(piece: Piece) -> list[Claim]:
    """The deed, food or drink that somebody does without: 不用鼠标."""
    rest = denied(piece) if piece.text[0] in "不从" else None
    match = _form(_NEVER).fullmatch(rest.text) if rest is not None else None
    if rest is None or match is None or not _is_done(rest.text, match):
        return []
    if match["verb"] not in _REFUSED:
        predicate = "cannot" if match["able"] else "avoids"
        return [Claim(predicate, rest.part(match.start("verb")))]
    what = rest.part(*match.span("what"))
    items = tuple(what.part(start, end) for start, end in parts_of(what.text))
    listed = items if len(items) > 1 else ()
    return [Claim(_REFUSED[match["verb"]], each, listed=listed) for each in items]


def _under_way(piece: Piece, clause: str) -> Claim | None:
    """The deed that somebody is about in these days: 最近在写小程序."""
    match = _UNDER_WAY.fullmatch(piece.text)
    if match is None or _THESE_DAYS.search(clause) is None:
        return None
    return Claim("does", piece) if _is_deed(match["deed"]) else None


def _lasting(piece: Piece) -> Claim | None:
    """The deed that somebody has gone on with for months or years: 做外贸五年了."""
    match = _LASTED.fullmatch(piece.text)
    if match is None or _FOR_LONG.search(match["long"]) is None or not _is_deed(match["deed"]):
        return None
    return Claim("does", piece.part(*match.span("deed")))


def _being(piece: Piece) -> Claim | None:
    """The kind of person that somebody is: 是家里的独生女."""
    match = _BEING.fullmatch(piece.text)
    tags = tagged(match["what"]) if match is not None else []
    if match is None or not _is_named(tags) or any(map(_is_somebody, tags)):
        return None
    what = match["what"]
    person = _PERSONS.search(what) is not None and TITLED.fullmatch(what) is None
    return Claim("is", piece.part(*match.span("what"))) if person else None


def _is_somebody(word: Word) -> bool:
    return is_name(word) and _PERSONS.search(word.text) is None


def _having(piece: Piece) -> Claim | None:
    """A thing that is counted as things are, or one's own: 有三把二胡."""
    match = _HAVING.fullmatch(piece.text)
    tags = tagged(match["what"]) if match is not None else []
    if match is None or not _is_named(tags) or tags[-1].text in words("no_goods"):
        return None
    return Claim("owns", piece.part(*match.span("what")))


def _is_done(text: str, match: re.Match[str]) -> bool:
    """True where what is done names something, or makes one word with its verb: 卖鱼."""
    what, verb = match["what"], match["verb"]
    if what in words("no_trades"):
        return False
    last = tagged(text)[-1]
    if last.text == verb + what and last.tag[0] in "vnl":
        return len(what) > 1 or verb in _TRADES
    if tagged(what)[0].text in _RESULTS:
        return False
    listed = [what[start:end] for start, end in parts_of(what)]
    whole = not splits(text, match.start("what"))
    return whole and all(_is_named(tagged(each)) or _is_new(each) for each in listed)


def _is_new(said: str) -> bool:
    """True for a word that no dictionary has: 折耳根."""
    return 1 < len(said) <= _NEW_CHARS_MAX and is_unlisted(said) and not _GRAMMAR.search(said)


def _is_deed(deed: str) -> bool:
    """True for a verb, and what it is done to or where."""
    tags = tagged(deed)
    one_word = len(tags) == 1 and tags[0].tag in {"n", "v", "l"} and len(deed) > 2
    acts = tags[0].tag == "v" and tags[0].text not in words("passing")
    return one_word or (acts and _is_named(tags[1:]))


def _is_named(tags: list[Word]) -> bool:
    """True for a noun with words of its own: no pronoun, no vague word.

    A deed stands in it only before 的: 一个讲历史的公众号.
    """
    if not tags or tags[-1].tag not in _NOUNS | {"v", "b", "ng", "g"}:
        return False
    rest = tags[:-1]
    while rest and rest[0].tag == "m":
        rest = rest[1:]
    relative = next((at for at, word in enumerate(rest) if word.text == "的"), 0)
    rest = rest[relative:] if rest and rest[0].tag == "v" else rest
    nominal = all(word.tag in _NOUNS | _BESIDE for word in rest)
    named = any(
        word.tag in _NOUNS | {"v", "b"} and len(word.text) > 1 and word.text not in words("vague")
        for word in tags
    )
    return nominal and named and tags[-1].text not in words("vague")


@cache
def _form(pattern: str) -> re.Pattern[str]:
    for name in ("lasting_verbs", "shunned_verbs"):
        pattern = pattern.replace(f"{{{name}}}", alternation(name))
    return re.compile(pattern.replace("{{", "{").replace("}}", "}"))
