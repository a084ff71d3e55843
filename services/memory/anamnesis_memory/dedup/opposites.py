"""Pairs of opposites, English and Chinese together: general words that point somewhere.

A line is one side of a pair, an empty line parts the pairs; alternatives are patterns.
"""

import re

_TABLE = """
enabl\\w+|(?:turn|switch)\\w* on|activat\\w+|启用|开启|打开
disabl\\w+|(?:turn|switch)\\w* off|deactivat\\w+|禁用|停用|关闭|关掉

increas\\w+|rais(?:e|es|ed|ing)|grow|higher|提高|调高|调大|增大|增加|加大|升高|上调
decreas\\w+|lower(?:s|ed|ing)?|reduc\\w+|shrink|降低|调低|调小|减小|减少|下调

add(?:s|ed|ing)?|attach\\w*|append\\w*|加上|添加|加入|新增
remov\\w+|delet\\w+|drop(?:s|ped|ping)?|detach\\w*|去掉|移除|删除|删掉|去除

upgrad\\w+|升级
downgrad\\w+|降级

scal\\w+ (?:up|out)|扩容
scal\\w+ (?:down|in)|缩容

inside|within|indoors?|以内|之内|里面|室内|内部
outside|outdoors?|以外|之外|外面|室外|外部

upstream|上游
downstream|下游

upload\\w*|上传
download\\w*|下载

import\\w*|导入
export\\w*|导出

encrypt\\w*|加密
decrypt\\w*|解密

encod\\w+|编码
decod\\w+|解码

compress\\w*|压缩
decompress\\w*|解压缩?

lock(?:s|ed|ing)?|锁住|加锁|上锁
unlock\\w*|解锁

allow\\w*|permit\\w*|允许|放行
den(?:y|ies|ied)|forbid\\w*|block(?:s|ed|ing)?|refus\\w+|reject\\w*|禁止|拒绝|拦截

ascending|asc|升序|正序
descending|desc|降序|倒序

left|左边?|左侧
right(?= (?:side|hand|of|column|edge|pane))|右边?|右侧

top|顶部|顶端
bottom|底部|底端

maximum|max|最大值?
minimum|min|最小值?

open(?:s|ed|ing)?(?= (?:the|a|all|every|it))|开着|敞开
clos(?:e|es|ed|ing)(?= (?:the|a|all|every|it))|关上|关紧

push(?:es|ed|ing)?|推送
pull(?:s|ed|ing)?(?! request)|拉取

warm\\w*|heat\\w*|hot|加热|热
cool\\w*|chill\\w*|cold|冷却|冷

early|earlier|提前|提早
late|later|推迟|延后|晚点

synchronous(?:ly)?|(?<!异)同步
asynchronous(?:ly)?|async|异步

public|公开|公有
private|私有

mornings?|上午|早上|早晨
evenings?|afternoons?|nights?|下午|晚上|傍晚|夜里
"""
_AT_LEAST = """
at least|above|over(?= \\d)|exceed\\w*|oldest|minimum
(?:more|greater|longer|larger|newer|later|higher) than
or (?:newer|later|more|above)
至少|超过|大于|高于|多于|以上|最低|最少|不低于|不少于|不小于
"""
_AT_MOST = """
at most|below|under(?= \\d)|up to|no more than|newest|maximum
(?:less|fewer|smaller|shorter|older|earlier|lower) than
or (?:older|earlier|less|fewer|below)
至多|最多|不到|不足|小于|低于|少于|以下|最高|不超过|不高于|不大于
"""


def _pattern(one: str, other: str) -> re.Pattern[str]:
    """One pattern of a pair; a Latin word stands alone, a Chinese one anywhere."""
    return re.compile(rf"(?P<one>{_bounded(one)})|(?P<other>{_bounded(other)})", re.IGNORECASE)


def _bounded(words: str) -> str:
    joined = words.strip().replace("\n", "|")
    return "|".join(rf"\b(?:{word})\b" if word.isascii() else word for word in _split(joined))


def _split(words: str) -> list[str]:
    """The alternatives of a pattern, split outside of its brackets."""
    found, depth = [""], 0
    for char in words:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return found


OPPOSITES = tuple(_pattern(*pair.split("\n")) for pair in _TABLE.strip().split("\n\n"))
"""Patterns with a group `one` and a group `other`."""

BOUNDS = _pattern(_AT_LEAST, _AT_MOST)
"""Comparisons: `one` is from there up, `other` from there down."""
