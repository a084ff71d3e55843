"""Reactions of people and assistants to a task's course: thanks, corrections, giving up.

Read are the words of a turn's beginning, in English and Chinese: who corrects or thanks does so
first. Text in quotes and code is not read.
"""

import re

_QUOTED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”", re.DOTALL)
_OPENING_CHARS = 160

_CORRECTION = re.compile(
    r"^\W*(?:no|nope|wrong|incorrect|stop|wait|hmm+|undo|revert)\b(?!\s+(?:problem|worries|need"
    r"|rush))"
    r"|\bthat['’]?s (?:not|wrong|incorrect)\b|\bthat is (?:not|wrong|incorrect)\b"
    r"|\bnot what i (?:asked|meant|wanted)\b|\bi (?:said|asked for|meant|told you)\b"
    r"|\b(?:still|again) (?:fail\w*|broken|wrong|the same|not|doesn['’]?t|does not|get\w*"
    r"|see\w*|crash\w*)\b"
    r"|\b(?:doesn['’]?t|does not|didn['’]?t|did not|isn['’]?t|won['’]?t) (?:work|help|compile"
    r"|build|run|fix)"
    r"|\bstill (?:have|having|has) |\byou (?:forgot|missed|broke|misunderstood|misread|ignored)\b"
    r"|\b(?:same|another|different) error\b"
    r"|^\W*(?:不对|不是|错了|不行|别|停)|不是我(?:要|想|说)的?|我(?:说的是|要的是|的意思是)|搞错|弄错|理解错"
    r"|还是(?:不|报错|失败|有错|有问题|一样|没)|没有?(?:用|效果|解决)|又(?:报错|失败|出错|错)|你(?:漏|忘)了",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\b(?:thanks|thank you|thx|perfect|awesome|excellent|brilliant|lovely|works?(?: now| great"
    r"| well)|"
    r"that works|it works|it worked|works|great|solved it|that (?:did|fixed|solved) it|"
    r"(?:all|looks?|sounds?) good|"
    r"exactly what|well done|nice|love it|got it|makes sense)\b"
    r"|谢谢|多谢|感谢|太好了|完美|搞定|可以了|好了|解决了|没问题|很好|不错|棒|正是我|明白了|懂了|謝謝|太棒",
    re.IGNORECASE,
)
_GIVING_UP = re.compile(
    r"\b(?:never ?mind|forget (?:it|about it)|give up|giving up|leave it|drop it|skip (?:it|this)|"
    r"i['’]?ll (?:do it|fix it|handle it) (?:myself|manually)|not worth|waste of time|useless|"
    r"cancel (?:it|that|this)|let['’]?s stop)\b"
    r"|算了|不弄了|不用了|放弃|别弄了|我自己(?:来|弄|做|改)|没法用|浪费时间|不搞了|取消吧",
    re.IGNORECASE,
)
_FAILING = re.compile(
    r"\b(?:i (?:was |am |'m )?(?:not able|unable) to|i (?:can(?:no|['’])t|could(?: not|n['’]t)) "
    r"(?:find|fix|get|complete|finish|access|reproduce|solve|resolve|make|do|figure)|"
    r"(?:still|keeps?) fail\w*|did(?: not|n['’]t) (?:work|succeed)|i (?:failed|give up)|"
    r"unfortunately,? (?:i|the|this|it) (?:can|could|cannot|still|did|was)|ran out of|"
    r"without success|no luck)\b"
    r"|无法(?:完成|解决|修复|找到|访问|继续)|没能|未能|仍然失败|还是失败|没有成功|做不到|抱歉，我(?:不能|无法)",
    re.IGNORECASE,
)


def corrects(text: str) -> bool:
    """True if a person says that the work is not what they wanted, or does not work."""
    return _CORRECTION.search(_opening(text)) is not None


def thanks(text: str) -> bool:
    """True if a person is content, and does not correct anything."""
    opening = _opening(text)
    return _THANKS.search(opening) is not None and not corrects(text) and not gives_up(text)


def gives_up(text: str) -> bool:
    """True if a person lets the task go unfinished."""
    return _GIVING_UP.search(_opening(text)) is not None


def reports_failure(text: str) -> bool:
    """True if an assistant says that it did not succeed."""
    plain = _QUOTED.sub(" ", text)
    return _FAILING.search(plain[:_OPENING_CHARS] + "\n" + plain[-_OPENING_CHARS:]) is not None


def _opening(text: str) -> str:
    return _QUOTED.sub(" ", text).strip()[:_OPENING_CHARS]
