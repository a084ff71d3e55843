"""Signs in a clause: of what is done or comes again, of habits, of another time, of a report."""

import re

from anamnesis_ingestion.learning.chinese.tagging import Word

_THEN = re.compile(r"(?:时|的?时候|那年|那会儿|期间|那阵子)$")
"""The end of a clause that says when: what follows was so then."""
_DONE = re.compile(r"了|[去看读到做考动]过|已经|刚|终于|总算|又|后来|现在|如今|最近|给我[换开配加]")
_HAPPENED = re.compile(
    r"^(?!.*[就要将会才]).*(?:[换跳搬考升]了|[辞离结领分退提]的[职婚证手休分]|了$|过)"
)
_HABIT = re.compile(r"每|经常|常常|一直|平时|总是|天天|从小|多年")
_ONLY = re.compile(r"只[吃喝](?!.*[了过])")
_CHILD = re.compile(
    r"(?:是|生了?|有)(?:个|一个|一对)?(?:女儿|儿子|闺女|男孩|女孩|男宝|女宝|千金|小子)[，,]\s*$"
)
"""The birth of a child, behind which a name is the child's."""
_OTHER_NAME = re.compile(r"[又也]叫|又名|英文名|小名")
"""A name beside the name: an alias, which closes no name."""
_REPORTED = re.compile(
    r"^(?:不(?=[抽吸]烟|[喝饮]酒|熬夜)|平时|每[天晚周年隔两]|每个?月|现在[上每]|下班|周末|从小|戴|家里|(?:读|学|做|用)的是|在(?:读|备考|学|准备)|最近|近来|刚刚?|昨天|前天|上周|上个?月|去年|前几天|前阵子|前段时间|这段时间|这阵子|终于)"
)
"""The opening of a report: whoever opens so without a subject tells of themselves, 最近在学日语."""
_TOPIC = re.compile(r"[^是了过]{0,10}的(?!时候|话$|时$)[^的是了过]{1,8}")
"""A clause that only names somebody or something: 我们组的林悦，离职了."""
_NOW = re.compile(r"现在|目前|如今|眼下")
"""What is so now is not what was meant or once so in the clause before it."""
_FIRST = re.compile(r"^[我他她]?先[在住做当干是]|先是")
_LATER = re.compile(r"[，,](?:后来|然后|再|现在|去年|今年|又|之后)")
_AGAIN = re.compile(r"又|重新|再次")

_VERBAL = frozenset({"学", "毕业", "工作", "上班", "出差", "学习"})
"""Words that the tagger takes for nouns where they open a predicate."""
_NOUNS = frozenset({"n", "nr", "nz", "nt", "ns", "r"})


def is_topic(head: Word) -> bool:
    """True for a noun that opens a clause: what follows may be of it."""
    return head.tag in _NOUNS and head.text not in _VERBAL


def says_when(clause: str) -> bool:
    """True for a clause that says when: what follows was so then."""
    return _THEN.search(clause) is not None


def is_done(clause: str) -> bool:
    """True where something says that it has happened: 了, 已经, 刚."""
    return _DONE.search(clause) is not None


def has_happened(clause: str) -> bool:
    """True for a clause of what has come about and is not to come."""
    return _HAPPENED.search(clause) is not None


def is_habit(clause: str, *, timed: bool) -> bool:
    """True for what is done again and again; `timed` where the clause names a time."""
    return _HABIT.search(clause) is not None or (not timed and _ONLY.search(clause) is not None)


def is_again(clause: str) -> bool:
    """True for what holds again: 又, 重新."""
    return _AGAIN.search(clause) is not None


def gives_alias(clause: str, before: str) -> bool:
    """True for a name beside the name, and for a child's behind its birth: 是个女儿，叫小禾."""
    return _OTHER_NAME.search(clause) is not None or _CHILD.search(before) is not None


def is_report(clause: str) -> bool:
    """True for a clause without a subject by which people tell of themselves: 最近在学日语."""
    return _REPORTED.match(clause) is not None or "了" in clause


def is_of_now(clause: str) -> bool:
    """True for a clause that opens with what is so now."""
    return _NOW.match(clause) is not None


def only_names(clause: str) -> bool:
    """True for a clause that only names somebody or something."""
    return clause.startswith("的") or _TOPIC.fullmatch(clause) is not None


def came_first(clause: str, sentence: str) -> bool:
    """True for what was so before what the sentence goes on with: 先住宝安，后来搬走了."""
    return _FIRST.search(clause) is not None and _LATER.search(sentence) is not None
