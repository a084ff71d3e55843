"""The importance of one observation: a local rule, without a model.

    0.5 * weight of its source + 0.3 * keyword signal + 0.2 * min(length / 500, 1)

The keyword signal is 0.1 for each kind of signal word that occurs, 0.3 at most: failure, success,
decision, preference, obligation, urgency; in English and in Chinese. Length counts characters.
The result is between 0.15 and 0.74; but 0 of what a person or an agent says that says nothing by
itself, such as "ok": whoever only acknowledges is not remembered for it.
"""

import re

from anamnesis_libs.talk.filler import says_nothing

STORED_FROM = 0.2
"""The least importance of an observation that is stored."""

_SOURCE_WEIGHTS = {"system": 0.9, "user": 0.7, "tool": 0.5, "environment": 0.3}
_OTHER_SOURCE_WEIGHT = 0.4
_SPEAKING = frozenset(("user", "assistant"))
_SIGNAL_PER_KIND = 0.1
_SIGNAL_MAX = 0.3
_LONG_CHARS = 500

# English words may stand next to Chinese ones, so that only Latin letters and digits bound them.
_SIGNALS = {
    kind: re.compile(rf"(?<![a-z0-9_])(?:{english})(?![a-z0-9_])|{chinese}")
    for kind, english, chinese in (
        (
            "failure",
            r"errors?|fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|broken?|exceptions?|traceback|bugs?"
            r"|wrong|warnings?",
            r"错误|出错|报错|失败|异常|崩溃|故障|警告",
        ),
        (
            "success",
            r"success(?:es|ful|fully)?|succeed(?:s|ed)?|works|worked|fixed|solved|resolved"
            r"|completed|finished|passed",
            r"成功|完成|解决了|修复|搞定|通过了",
        ),
        (
            "decision",
            r"decid(?:e|es|ed|ing)|decisions?|choose|chose|chosen|agreed|settled on|going with",
            r"决定|选定|选择|确定|采用|同意",
        ),
        (
            "preference",
            r"prefer(?:s|red|ences?)?|favou?rites?|loves?|hates?|dislikes?|would rather"
            r"|(?:i|we|he|she|they)['’]d rather",
            r"喜欢|偏好|偏爱|最爱|讨厌|宁愿|宁可",
        ),
        (
            "obligation",
            r"must|required?|requires|needs? to|ha(?:ve|s) to|should|always|never|remember"
            r"|important|do(?:n['’]t| not) forget",
            r"必须|务必|一定要|需要|应该|记住|记得|别忘|不要忘|总是|从不|重要",
        ),
        (
            "urgency",
            r"urgent(?:ly)?|asap|as soon as possible|immediately|critical|deadlines?|emergency"
            r"|right now",
            r"紧急|马上|立刻|立即|尽快|赶紧|截止|加急",
        ),
    )
}


def score_importance(content: str, source: str) -> float:
    """Return how much `content` matters, given the word for where it came from."""
    if source in _SPEAKING and content and says_nothing(content):
        return 0.0
    weight = _SOURCE_WEIGHTS.get(source, _OTHER_SOURCE_WEIGHT)
    length = min(len(content) / _LONG_CHARS, 1.0)
    return 0.5 * weight + 0.3 * _keyword_signal(content) + 0.2 * length


def signal_kinds(content: str) -> frozenset[str]:
    """Return the kinds of signal words that occur in `content`."""
    lower = content.lower()
    return frozenset(kind for kind, words in _SIGNALS.items() if words.search(lower))


def _keyword_signal(content: str) -> float:
    return min(_SIGNAL_PER_KIND * len(signal_kinds(content)), _SIGNAL_MAX)
