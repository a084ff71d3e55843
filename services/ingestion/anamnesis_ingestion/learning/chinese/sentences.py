"""Sentences and clauses of Chinese, bounded, so that reading takes linear time.

A sentence of more than 400 characters is not read, nor is a clause of more than 60, nor what
comes after 40 clauses. A quotation of more than a name is somebody else's words, and left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anamnesis_ingestion.learning.chinese.newcomers import of_newcomers
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.runons import parted
from anamnesis_ingestion.learning.chinese.script import plain
from anamnesis_ingestion.learning.chinese.tagging import is_name, tagged
from anamnesis_ingestion.learning.chinese.vocabulary import words

SENTENCE_CHARS_MIN, SENTENCE_CHARS_MAX = 3, 400
CLAUSE_CHARS_MIN, CLAUSE_CHARS_MAX = 2, 60
CLAUSES_MAX = 40
_END = re.compile(r"[。！？!?；;\n]|\.(?=\s)|…+|\.{3,}|(?<=[\u4e00-\u9fff])\.")
_CUT = re.compile(
    r"[，,：:（）()~～]|——+|(?<=[\u4e00-\u9fff]{3})(?=但(?!愿|凡)|可是)|(?<=[\u4e00-\u9fff]{3})(?<![再么点谁来口都说])(?=也不)"
    r"|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])"
)
_QUOTED = re.compile(
    r"“[^“”\n]{6,400}”|「[^「」\n]{6,400}」"
    r"|『[^『』\n]{6,400}』|\"[^\"\n]{6,400}\""
)
_SPOKEN = re.compile(r"(?m)^(?P<who>[^\s，。：:我咱]{1,8})[：:](?=[^\n]*[我咱])[^\n]*")
"""A line of somebody's, with who speaks it before it: 张三：我住在天津."""
_GIVEN = re.compile(
    r"(?:帮|替|给我|请|麻烦|用)[^。！？\n：:]{0,20}"
    r"(?:写|翻译|翻成|润色|修改|改写|校对|总结|概括|缩写|扩写|造句|排版|朗读|编|起草)"
    r"[^。！？\n：:]{0,20}[：:](?P<text>.+)",
    re.DOTALL,
)
"""A text that is to be written or worked on: 帮我写个自我介绍：我叫李雷."""
_RUN_ON = re.compile(
    r"[我他她][在教是做住读学上管][^，我你他她]{1,8}(?=[我他她][在教是做住读学上管])"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_BLANK = re.compile(r"(?<=[\u4e00-\u9fff]) +|(?<!^) +(?=[\u4e00-\u9fff])")
_NAMED = re.compile(r"(?:名字)?(?:叫做|叫|名叫|名为)[^，]{1,16}")
_INTRODUCED = re.compile(r"一(?:部|本|道|家|首|场|个|位|款|座|只|条)[^，了]{0,16}$")
_COST = re.compile(
    r"(?:我的?|我们的?|我家|家里)?(?P<cost>房贷|车贷|房租|租金|学费|物业费|保费|生活费|抚养费)"
)
_SUM = re.compile(
    r"(?:每个?月|一个月|每年|一年|一学期)(?:我|都|要|得|还要)*(?:还|交|付|供|给|缴)[\d一二两三四五六七八九]"
)
_BARE_SUM = re.compile(
    r"(?:一个月|每个?月|一年|每年)[\d一二两三四五六七八九十百千万]+(?:块|元|块钱)?"
)
_TOPIC_SET = re.compile(
    r"(?P<topic>[^，我你他她它了不没去来要想]{1,6})(?:的话|方面的?话?|这块|这方面|部分)(?:[，,]?(?=我)|$)"
)
"""What is going to be spoken of, before the speaker: 框架的话我喜欢FastAPI."""
_HAS_CHANGED = re.compile(r"[^，你他她它的了是在]{2,8}(?:又|已经|也)?(?:改|换|变|调整)了")
_NEW_VALUE = re.compile(
    r"(?:现在|改成|改为|换成|变成|新的)+(?:是|为)?[^，我你他她]|(?:早上|上午|中午|下午|晚上|周[一二三四五六日]|[\d一二三四五六七八九十]{1,3}[点月号])"
)
"""What something has become: 手机号换了，现在是139."""
_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)、）]|[一二三四五六七八九十]、|[①-⑩])?\s*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it was written, simplified, and cut into clauses."""

    written: str
    plain: str
    """The sentence in simplified characters."""
    start: int
    clauses: tuple[Piece, ...]
    asks: bool
    """True if the sentence ends in a question mark."""


def sentences(text: str) -> Iterator[Sentence]:
    """The Chinese sentences of a text that are short enough to be read."""
    text = _QUOTED.sub(lambda quote: " " * len(quote.group()), text)
    text = _SPOKEN.sub(_without_others, text)
    given = _GIVEN.search(text)
    text = text if given is None else text[: given.start("text")]
    at = 0
    for end in _END.finditer(text):
        yield from _sentence(text, at, end.start(), asks=end.group() in "？?")
        at = end.end()
    yield from _sentence(text, at, len(text), asks=False)


def _without_others(line: re.Match[str]) -> str:
    """The line, or as many blanks where somebody by name or by kinship speaks it."""
    who = tagged(line["who"])
    others = words("kin") | words("social") | {"他", "她", "对方", "客服"}
    by_name = len(who) == 1 and is_name(who[0])
    return " " * len(line.group()) if by_name or line["who"] in others else line.group()


def _sentence(text: str, start: int, end: int, *, asks: bool) -> Iterator[Sentence]:
    if not SENTENCE_CHARS_MIN <= end - start <= SENTENCE_CHARS_MAX:
        return
    written = text[start:end]
    if _is_chinese(written):
        mark = _MARK.match(written)
        begin = mark.end() if mark else 0
        simple = plain(written)
        yield Sentence(written, simple, start, tuple(_clauses(simple, begin)), asks)


def _is_chinese(text: str) -> bool:
    han = len(_HAN.findall(text))
    return han > 0 and han >= len(_LATIN_WORD.findall(text))


def _clauses(text: str, begin: int) -> Iterator[Piece]:
    at, count = begin, 0
    for cut in [*(match.span() for match in _CUT.finditer(text, begin)), (len(text), len(text))]:
        if _is_figure(text, *cut):
            continue
        said = text[at : cut[0]]
        start = at + len(said) - len(said.lstrip(' “”"「」'))
        stripped = said.strip(' “”"「」')
        if stripped:
            count += 1
            if count > CLAUSES_MAX:
                return
            for said_alone in _parted(_closed(Piece.of(stripped, start))):
                yield from parted(said_alone)
        at = cut[1]


def _parted(piece: Piece) -> Iterator[Piece]:
    """The clause, or two that run on without a comma: 她教英语我教体育."""
    joint = _RUN_ON.match(piece.text)
    if joint is not None:
        yield piece.part(0, joint.end())
        piece = piece.part(joint.end())
    yield piece


def _closed(piece: Piece) -> Piece:
    """The clause without blanks between Chinese and Latin letters."""
    for blank in reversed([*_BLANK.finditer(piece.text)]):
        piece = piece.without(*blank.span())
    return piece


def whole_clauses(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses as each reads by itself: with the name, the change, the cost that it tells of."""
    told = of_newcomers(clauses)
    return with_costs(with_names(with_changes(without_topics_set(told))))


def with_names(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses, each with the name that follows it: 我看了一部电影，叫《霸王别姬》."""
    before: Piece | None = None
    for clause in clauses:
        if before is not None and _NAMED.fullmatch(clause.text) and _INTRODUCED.search(before.text):
            before = before.then(clause)
            continue
        if before is not None:
            yield before
        before = clause
    if before is not None:
        yield before


def with_changes(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses, each that says only that something changed with the one that says to what."""
    before: Piece | None = None
    for clause in clauses:
        if before is not None and _NEW_VALUE.match(clause.text):
            yield before.then(clause)
            before = None
            continue
        if before is not None:
            yield before
        before = clause if _HAS_CHANGED.fullmatch(clause.text) else None
        if before is None:
            yield clause
    if before is not None:
        yield before


def without_topics_set(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses without what says only of what they speak: 音乐方面，我喜欢周杰伦."""
    for clause in clauses:
        topic = _TOPIC_SET.match(clause.text)
        nouns = topic is not None and all(
            word.tag[0] in "nljxe" or word.tag in {"vn", "an", "b"}
            for word in tagged(topic["topic"])
        )
        if topic is None or not nouns:
            yield clause
        elif topic.end() < len(clause.text):
            yield clause.part(topic.end())


def with_costs(clauses: Iterable[Piece]) -> Iterator[Piece]:
    """The clauses, each with what is paid before how much it is: 房贷还剩八十万，每月还五千."""
    cost: Piece | None = None
    for clause in clauses:
        named = _COST.match(clause.text)
        if named is not None:
            cost = clause.part(*named.span("cost"))
        summed = cost is not None and (_SUM.match(clause.text) or _BARE_SUM.fullmatch(clause.text))
        yield cost.then(clause) if cost is not None and summed else clause


def _is_figure(text: str, start: int, end: int) -> bool:
    """True for a comma or colon inside a figure: 10:30, 1,000."""
    inside = end < len(text) and text[start - 1 : start].isdigit() and text[end].isdigit()
    return inside and text[start] != "，"
