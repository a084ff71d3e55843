"""Words that point: of a pair of opposites one text has one, and the other text the other.

Both languages share the pairs, so that `raise` meets `降低`. Comparisons (`at least`, `不超过`) are
such a pair too, and a negator in front of one turns it: `no older than` is `at least`.
"""

import re
from collections.abc import Iterator

from services.memory.dedup.difference import Aspect, Difference
from services.memory.dedup.reading import Reading

_PAIRS = (
    (r"enabl\w+|(?:turn|switch)\w* on|activat\w+|启用|开启|打开", r"disabl\w+|(?:turn|switch)\w* off|deactivat\w+|禁用|停用|关闭|关掉"),
    (r"increas\w+|rais(?:e|es|ed|ing)|grow|higher|提高|调高|调大|增大|增加|加大|升高|上调", r"decreas\w+|lower(?:s|ed|ing)?|reduc\w+|shrink|降低|调低|调小|减小|减少|下调"),
    (r"add(?:s|ed|ing)?|attach\w*|append\w*|加上|添加|加入|新增", r"remov\w+|delet\w+|drop(?:s|ped|ping)?|detach\w*|去掉|移除|删除|删掉|去除"),
    (r"upgrad\w+|升级", r"downgrad\w+|降级"),
    (r"scal\w+ (?:up|out)|扩容", r"scal\w+ (?:down|in)|缩容"),
    (r"inside|within|indoors?|以内|之内|里面|室内|内部", r"outside|outdoors?|以外|之外|外面|室外|外部"),
    (r"upstream|上游", r"downstream|下游"),
    (r"upload\w*|上传", r"download\w*|下载"),
    (r"import\w*|导入", r"export\w*|导出"),
    (r"encrypt\w*|加密", r"decrypt\w*|解密"),
    (r"encod\w+|编码", r"decod\w+|解码"),
    (r"compress\w*|压缩", r"decompress\w*|解压缩?"),
    (r"lock(?:s|ed|ing)?|锁住|加锁|上锁", r"unlock\w*|解锁"),
    (r"allow\w*|permit\w*|允许|放行", r"den(?:y|ies|ied)|forbid\w*|block(?:s|ed|ing)?|refus\w+|reject\w*|禁止|拒绝|拦截"),
    (r"ascending|asc|升序|正序", r"descending|desc|降序|倒序"),
    (r"left|左边?|左侧", r"right(?= (?:side|hand|of|column|edge|pane))|右边?|右侧"),
    (r"top|顶部|顶端", r"bottom|底部|底端"),
    (r"maximum|max|最大值?", r"minimum|min(?!\w)|最小值?"),
    (r"open(?:s|ed|ing)?(?= (?:the|a|all|every|it))|开着|敞开", r"clos(?:e|es|ed|ing)(?= (?:the|a|all|every|it))|关上|关紧"),
    (r"push(?:es|ed|ing)?|推送", r"pull(?:s|ed|ing)?(?! request)|拉取"),
    (r"warm\w*|heat\w*|hot|加热|热", r"cool\w*|chill\w*|cold|冷却|冷"),
    (r"early|earlier|提前|提早", r"late|later|推迟|延后|晚点"),
    (r"synchronous(?:ly)?|同步", r"asynchronous(?:ly)?|async|异步"),
    (r"public|公开|公有", r"private|私有"),
    (r"mornings?|上午|早上|早晨", r"evenings?|afternoons?|nights?|下午|晚上|傍晚|夜里"),
)  # fmt: skip
_AT_LEAST = (
    r"at least|(?:more|greater|longer|larger|newer|later|higher) than|above|over(?= \d)|exceed\w*|or (?:newer|later|more|above)|oldest|minimum"
    r"|至少|超过|大于|高于|多于|以上|最低|最少|不低于|不少于|不小于"
)
_AT_MOST = (
    r"at most|(?:less|fewer|smaller|shorter|older|earlier|lower) than|below|under(?= \d)|up to|no more than|or (?:older|earlier|less|fewer|below)|newest|maximum"
    r"|至多|最多|不到|不足|小于|低于|少于|以下|最高|不超过|不高于|不大于"
)
_TURNED = re.compile(r"\b(?:no|not|never|cannot)(?: \w+){0,2} $|n't(?: \w+)? $", re.IGNORECASE)
_DENIED_BEHIND = re.compile(r"^[^,.;]{0,10}(?:都|就|一律)?(?:不|没|禁止)")


def _compiled(one: str, other: str) -> re.Pattern[str]:
    """One pattern of a pair; a Latin word stands alone, a Chinese one anywhere."""
    return re.compile(rf"(?P<one>{_bounded(one)})|(?P<other>{_bounded(other)})", re.IGNORECASE)


def _bounded(words: str) -> str:
    return "|".join(rf"\b(?:{word})\b" if word.isascii() else word for word in _alternatives(words))


def _alternatives(words: str) -> list[str]:
    """The alternatives of a pattern, split outside of its brackets."""
    found, depth = [""], 0
    for char in words:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return found


_PATTERNS = tuple(_compiled(*pair) for pair in _PAIRS)
_BOUND = _compiled(_AT_LEAST, _AT_MOST)


def direction_differences(a: Reading, b: Reading) -> Iterator[Difference]:
    """Pairs of which each text has the opposite side, and only that."""
    for pattern in _PATTERNS:
        ours, theirs = _sides(pattern, a.text), _sides(pattern, b.text)
        if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
            yield Difference(Aspect.DIRECTION, *ours.values(), *theirs.values())
    yield from _bounds(a.text, b.text)


def _sides(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    return {found.lastgroup or "": found[0] for found in pattern.finditer(text)}


def _bounds(a: str, b: str) -> Iterator[Difference]:
    """`above` here and `below` there, negators reckoned in."""
    ours, theirs = _turned_sides(a), _turned_sides(b)
    if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
        yield Difference(Aspect.DIRECTION, *ours.values(), *theirs.values())


def _turned_sides(text: str) -> dict[bool, str]:
    found = {}
    for each in _BOUND.finditer(text):
        before, behind = text[max(0, each.start() - 24) : each.start()], text[each.end() :][:16]
        turned = bool(_TURNED.search(before)) or bool(
            not each[0].isascii() and _DENIED_BEHIND.search(behind)
        )
        found[(each.lastgroup == "one") is not turned] = each[0]
    return found
