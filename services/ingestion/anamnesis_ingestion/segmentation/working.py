"""Changes of task where an agent works: most of what happens are calls of tools.

Such a session is about one project from end to end, so that nearly every turn shares terms and
meaning with those before it, whether it goes on or begins something else. What tells there is
that a turn orders work ("we need a section on themes", "create ..."), that it names a file or
a name of code which did not occur just before, and that the person took a while: the last piece was
looked at, or tried, before the next was thought of. Against it speaks that the same is to be done
again, or that the turn is about what the agent did.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.cues import read_cues
from anamnesis_ingestion.segmentation.exchanges import Exchange

BEFORE_MAX = 2
"""In how many exchanges before a turn a name is known."""
THRESHOLD = 1.3
_TOOLS_SHARE_MIN = 1 / 3
_PAUSE_SHORT_S, _PAUSE_LONG_S = 15.0, 600.0
_OPENING_CHARS = 200
_READ_CHARS_MAX = 2000

_LEAD = (
    r"^\W*(?:(?:ok(?:ay)?|alright|all right|now|great|good|nice|cool|so|hm+|then|also|and|please"
    r"|well|i (?:think|guess|believe))[\s,.!:;-]+)*"
)
_ORDERS = re.compile(
    _LEAD + r"(?:we (?:also |still |now |then )?(?:need|should|have to|must|can)\b|let['’]?s\b"
    r"|i (?:want|need|would like)\b|(?:can|could|would) (?:you|we)\b|make sure\b|work on\b"
    r"|in (?:the )?\S+[ ,]"
    r"|(?:create|write|add|build|implement|fix|delete|remove|update|run|check|read|look|"
    r"investigate|tackle|find|move|rename|refactor|test|release|commit|push|open|set up|bump|copy|"
    r"install|deploy|document|design|review|merge|port|replace|convert|clean|"
    r"debug|explain|migrate|generate|upgrade)\b)"
    r"|^\W*(?:(?:好的?|那么?|现在|然后|接下来|还有)[\s，,。]*)*(?:请|帮我|我们(?:需要|应该|得|要)|让我们|"
    r"创建|新建|写|添加|增加|实现|修复|删除|更新|运行|检查|读|看看|查找|移动|重命名|重构|测试|发布|提交|"
    r"推送|打开|安装|部署|合并|替换|优化)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!][ \n]+|[。！]\s*")
_ACCEPTS = re.compile(
    r"^\W*(?:ok(?:ay)?|alright|all right|great|good|nice|cool|perfect|thanks|awesome)\b"
    r"|^\W*(?:好的?|可以|不错|很好|谢谢)",
    re.IGNORECASE,
)
_OF_THE_SAME = re.compile(r"\b(?:again|still)\b|^\W*you\b|^\W*(?:再|又|还是|你)", re.IGNORECASE)
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_NAMES = re.compile(
    r"[\w/.-]{0,200}\w\w\.[A-Za-z]{1,4}\b|\b[A-Za-z][a-z0-9]{0,40}(?:[A-Z][a-z0-9]{0,40})+\b"
    r"|\b[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,40})+\b"
)


@dataclass(frozen=True, slots=True)
class WorkShift:
    """Signals for and against a new task at one turn; each between 0 and 1."""

    orders: float
    accepts: float
    names_new: float
    pause: float
    announced: float
    continuing: float
    of_the_same: float
    shared_meaning: float
    substance: float


WEIGHTS = WorkShift(
    orders=1.6,
    accepts=0.4,
    names_new=0.6,
    pause=1.2,
    announced=2.0,
    continuing=-0.3,
    of_the_same=-0.8,
    shared_meaning=-0.7,
    substance=0.6,
)


def is_work(events: Sequence[LedgerEvent]) -> bool:
    """True where so many events are answers of tools that an agent is at work."""
    tools = sum(1 for event in events if event.role is Role.TOOL)
    return tools >= _TOOLS_SHARE_MIN * max(1, len(events))


def work_shift(
    events: Sequence[LedgerEvent],
    before: Exchange,
    here: Exchange,
    shared_meaning: float,
    substance: float,
) -> WorkShift:
    """Return what speaks at the turn of `here`; `events` are those of the exchanges before it."""
    request = here.request[:_OPENING_CHARS]
    cues = read_cues(request)
    return WorkShift(
        orders=float(orders_work(request)),
        accepts=float(_ACCEPTS.match(request) is not None),
        names_new=float(bool(names_in(here.request) - _names_before(events))),
        pause=_pause(before, here),
        announced=float(cues.new_task),
        continuing=float(cues.continuing or cues.only_closing),
        of_the_same=float(_OF_THE_SAME.search(request) is not None),
        shared_meaning=shared_meaning,
        substance=substance,
    )


def orders_work(request: str) -> bool:
    """True if a request, or its second sentence, begins with an order of work."""
    opening = request[:_OPENING_CHARS]
    second = _SENTENCE_END.search(opening)
    return _ORDERS.match(opening) is not None or (
        second is not None and _ORDERS.match(opening[second.end() :]) is not None
    )


def begins_work(shift: WorkShift) -> bool:
    """True where what speaks for a new task outweighs what speaks against it."""
    names = WorkShift.__slots__
    weight = math.fsum(getattr(WEIGHTS, name) * getattr(shift, name) for name in names)
    return weight > THRESHOLD


def names_in(text: str) -> frozenset[str]:
    """Return the names of files and of code in a text, without folders, in lower case.

    A picture that is shown has a name that nobody chose.
    """
    found = (match.group().lower() for match in _NAMES.finditer(text))
    return frozenset(name.rsplit("/", 1)[-1] for name in found if not name.endswith(_PICTURES))


def _names_before(events: Sequence[LedgerEvent]) -> frozenset[str]:
    said = (event.content for event in events if event.role is not Role.TOOL)
    called = (call.arguments for event in events for call in event.tool_calls)
    texts = [*said, *called, *(event.name for event in events)]
    return frozenset().union(*(names_in(text[:_READ_CHARS_MAX]) for text in texts))


def _pause(before: Exchange, here: Exchange) -> float:
    """0 up to a quarter of a minute, 1 from ten minutes on, by the logarithm between."""
    if before.end_time is None or here.start_time is None:
        return 0.0
    seconds = (here.start_time - before.end_time).total_seconds()
    if seconds <= _PAUSE_SHORT_S:
        return 0.0
    return min(1.0, math.log(seconds / _PAUSE_SHORT_S) / math.log(_PAUSE_LONG_S / _PAUSE_SHORT_S))
