"""The category of a lesson by its words, where nobody states one and no model is asked.

Rules by words, English and Chinese, the graver first: what is about a hole is `security`, even
where it reports an error too; what nothing speaks for is a `pattern`.
"""

import re

_SECURITY = re.compile(
    r"\bcve-\d|\b(?:xss|csrf|ssrf|rce|sql injection|vulnerabilit(?:y|ies)|exploit|privilege "
    r"escalation"
    r"|path traversal|leaked? (?:key|token|secret|credential|password)s?|hard-?coded (?:key"
    r"|token|secret|credential|password)s?)\b"
    r"|漏洞|越权|注入攻击|提权|泄露(?:密钥|密码|凭证)|密钥泄露|密码泄露",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:traceback|exception|errors?|stack ?trace|segfault|crash(?:es|ed)?|fail(?:s|ed|ure)?"
    r"|fatal|panic|timed? ?out)\b|\b(?-i:[A-Z]\w*(?:Error|Exception)s?)\b"
    r"|报错|報錯|错误|錯誤|异常|異常|崩溃|崩潰|失败|失敗|超时|超時",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"\b(?:that['’]s (?:not right|wrong|incorrect)|i said|i meant|you (?:misread|misunderstood"
    r"|got .{1,20} wrong)|correction)\b"
    r"|不对|不對|错了|錯了|应该是|應該是|更正|纠正|糾正",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:prefers?|likes?|rather|favou?rite|loves?|hates?)\b|喜欢|喜歡|偏好|讨厌|討厭|习惯|習慣",
    re.IGNORECASE,
)
_LIFE = re.compile(
    r"\b(?:family|kids?|cook(?:ing)?|recipe|doctor|holiday|wedding|garden|school|birthday"
    r"|neighbou?r|landlord)\b"
    r"|家人|孩子|做饭|做飯|看病|旅行|婚礼|学校|生日|邻居|房东",
    re.IGNORECASE,
)
_IN_ORDER = (
    (_SECURITY, "security"),
    (_ERROR, "error"),
    (_CORRECTION, "correction"),
    (_PREFERENCE, "preference"),
    (_LIFE, "life"),
)


def category_of(text: str) -> str:
    """Return `security`, `error`, `correction`, `preference`, `life`, or else `pattern`."""
    return next((name for words, name in _IN_ORDER if words.search(text)), "pattern")


def is_security(text: str) -> bool:
    """True if the words are about a vulnerability or a leak."""
    return bool(_SECURITY.search(text))
