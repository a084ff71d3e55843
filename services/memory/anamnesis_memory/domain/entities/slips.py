"""Slips of the pen: which names differ as one differs from itself when it is written in haste.

What tells a slip from another name is not how many letters differ but which, and where. Other names
differ at the beginning (Carl, Karl), at the end (Daniel, Daniela; Marie, Maria), in a vowel
(Anderson, Andersen) or in a whole word; slips swap two neighbours, double a letter or fail to, or
leave one out in the middle of a long word. Of names proper (people, organisations, places) more is
asked, since Thomson is not Thompson, Philips not Phillips and Charleston not Charlestown:

| slip, in one word of the name | letters at least | in a name proper |
|---|---|---|
| two neighbours swapped (Kowalcyzk) | 7 | 7 |
| another letter doubled instead (Phillipa) | 7 | 7 |
| a doubled letter once, or one doubled (Midsumer) | 7 | 9 |
| a vowel left out or too many (Kuberntes) | 8 | 10 |
| a consonant left out or too many (Postgrsql) | 9 | never |
| a consonant for its neighbour on the keyboard | 9 | never |

In Chinese one character in six or more may stand for another of the same sound, from the third
character on: what comes before is the name proper (青禾, 青荷), and numbers are no sounds.
"""

from itertools import pairwise

from rapidfuzz.distance import OSA

from anamnesis_memory.domain.entities.folding import Folded, is_han
from anamnesis_memory.domain.entities.kinds import EntityKind

SWAPPED_MIN = 7
DOUBLED_MIN = {False: 7, True: 9}
VOWEL_MIN = {False: 8, True: 10}
CONSONANT_MIN = 9
HAN_MIN = 6
HAN_PROPER = 2
EDITS_MAX = 2
PROPER = frozenset({EntityKind.PERSON, EntityKind.ORGANISATION, EntityKind.PLACE})

_VOWELS = frozenset("aeiouy")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS = frozenset(frozenset(pair) for row in _ROWS for pair in pairwise(row))
_ALIKE = (
    "象像相向项 布部步 计记纪 帐账障 坐座做作 在再 的地得 即既 机几 份分 式试示事 班般 "
    "成城程 历厉 与于 带代戴 度渡 复付副附 化画划 会汇 建健件 交教 接结 经径 具俱据 "
    "决绝 理里 练炼 量亮 录陆 密秘 启起 师诗 书输 题提 图涂 务物 系细 线现限 消销 "
    "讯训 议义意 音因 源原员 则责 站战 长常 值直职 置制质智 中钟终 注住助 装妆 资姿咨 "
    "阵镇 震振 详祥 采彩 需须 辩辨 竟竞 候侯 慕幕墓 燥躁 概慨 籍藉 赔陪 栏拦 模摸 "
    "购沟构 奖讲 绩积 检捡 审申深 盘磐 型形行 备倍 报抱 订定 法发 反返 规归 互护 "
    "辑集 监间 界届 境镜 究救 控空 库酷 类累 联连 流留 络落 码马 评平屏 签迁 清请 "
    "区曲 权全 任认 设社 收手受授 数树 通同统 网往 维围微 位味 稳吻 写泄谢 信新 续序 "
    "言研演 验艳 业页 译易异 影应映 优忧 域遇预育 支知 止纸 转专 综总 租组阻 征证正 "
    "整正"
)
_SOUNDS = tuple(map(frozenset, _ALIKE.split()))
"""Characters of one sound that are often written for one another."""


def may_be_slip(one: str, other: str) -> bool:
    """True if two folded names are close enough to be compared further; costs next to nothing."""
    return OSA.distance(one, other, score_cutoff=EDITS_MAX) <= EDITS_MAX


def slip(one: Folded, other: Folded, kind: EntityKind) -> bool:
    """True if two names of one kind differ by one slip; numbers and short words never do."""
    if len(one.tokens) != len(other.tokens):
        return False
    unlike = [pair for pair in zip(one.tokens, other.tokens, strict=True) if pair[0] != pair[1]]
    if len(unlike) != 1:
        return False
    ((left, right),) = unlike
    if is_han(left) and is_han(right):
        return _sounds_alike(left, right)
    plain = left.isalpha() and right.isalpha() and not _has_han(left + right)
    return plain and _slipped(left, right, proper=kind in PROPER)


def _slipped(left: str, right: str, *, proper: bool) -> bool:
    """True if two words differ only by one slip in the middle."""
    ends_differ = left[0] != right[0] or left[-1] != right[-1]
    if ends_differ or min(len(left), len(right)) < SWAPPED_MIN:
        return False
    if OSA.distance(left, right) > EDITS_MAX:
        return False
    if len(left) == len(right):
        return _same_length(left, right, proper=proper)
    return _one_more(*sorted((left, right), key=len), proper=proper)


def _same_length(left: str, right: str, *, proper: bool) -> bool:
    if _single(left) == _single(right):
        return True
    places = [at for at, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]
    if len(places) == EDITS_MAX:
        first, second = places
        return second == first + 1 and left[first] == right[second] and left[second] == right[first]
    if proper or len(left) < CONSONANT_MIN:
        return False
    signs = frozenset({left[places[0]], right[places[0]]})
    return signs in _NEIGHBOURS and not signs & _VOWELS


def _one_more(short: str, long: str, *, proper: bool) -> bool:
    """True if the longer word has one letter more, by a slip."""
    if OSA.distance(short, long) != 1:
        return False
    length = len(short)
    if _single(short) == _single(long):
        return length >= DOUBLED_MIN[proper]
    at = next(place for place, sign in enumerate(long) if short[place : place + 1] != sign)
    if long[at] in _VOWELS:
        return length >= VOWEL_MIN[proper]
    return not proper and length >= CONSONANT_MIN


def _single(word: str) -> str:
    """The word with every doubled letter once."""
    return word[:1] + "".join(sign for before, sign in pairwise(word) if sign != before)


def _sounds_alike(left: str, right: str) -> bool:
    """True if two Chinese words differ in one character of the same sound."""
    if len(left) != len(right) or len(left) < HAN_MIN:
        return False
    places = [at for at, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]
    if len(places) != 1 or places[0] < HAN_PROPER:
        return False
    signs = {left[places[0]], right[places[0]]}
    return any(signs <= group for group in _SOUNDS)


def _has_han(text: str) -> bool:
    return any(is_han(sign) for sign in text)
