"""Objects of facts: those that name somebody or something, and those that are values.

Mara knows Derek: he is an entity, and the fact leads from her to him. That she is 34, or likes tea
with milk, leads nowhere. A predicate that leads to somebody, an organisation or a place is taken at
its word; else the object has to be written as a name is, each word with a capital.
"""

import re

from anamnesis_memory.domain.entities.subjects import names_one
from anamnesis_memory.domain.facts.predicates import canonical


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEADS_ON = _words(
    "knows friend_of colleague_of sibling_of parent_of child_of married_to has_partner works_at "
    "works_with lives_in born_in located_in installed_in member_of part_of studies_at owned_by "
    "managed_by led_by reports_to "
    "认识 配偶 朋友 同事 任职于 工作单位 住在 居住地 出生地 位于 属于 装在 负责人 汇报给"
)
_VALUES = _words(
    "is_named is_aged born_on birthday has_status has_title has_timezone has_nationality "
    "marital_status works_as said "
    "名字 姓名 年龄 出生于 生日 状态 职位 职务 职业 时区 国籍 婚姻状况"
)
_DATE = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|"
    r"july|august|september|october|november|december|mon|tues|wednes|thurs|fri|satur|sun)"
    r"(?:day)?\b",
    re.IGNORECASE,
)
_SMALL = _words("of the and de la le du van von der den da di del y & for at in")
"""Words that stand small inside a name."""


def names_object(predicate: str, text: str) -> bool:
    """True if the object of a fact is an entity that other texts may name too."""
    name = canonical(predicate)
    said = text.strip()
    if name in _VALUES or not names_one(said) or not any(map(str.isalpha, said)):
        return False
    if any(map(str.isdigit, said)) and _DATE.search(said):
        return False
    return name in _LEADS_ON or _is_written_as_name(said)


def _is_written_as_name(text: str) -> bool:
    head, *inside = text.split()
    named = [head, *(word for word in inside if word not in _SMALL)]
    return all(word[0].isupper() for word in named)
