"""Single-valued predicates: those that hold for one object at a time.

Who lives in Utrecht lives no longer in Rotterdam, so a new object closes the old fact. Of all other
predicates the objects add up. A predicate is single-valued when, in this order,

1. its namespace says so, or says that it is not,
2. it is in the table below,
3. whoever told the fact says so.

The table holds what the local extraction writes, the names that callers commonly use, and theirs in
Chinese. What a thing has one of (a front wheel, a lens) is for its namespace to say. The table is
short on purpose: a predicate that is wrongly in it closes facts that still hold,
one that is missing leaves two that can be told apart by their dates.
"""

from dataclasses import dataclass

from anamnesis_memory.domain.facts.key import folded

_ENGLISH = (
    "is_named is_aged is_from born_in born_on birthday lives_in works_at works_as has_title "
    "employment_status marital_status married_to has_partner owned_by installed_in located_in "
    "has_status managed_by led_by reports_to has_timezone has_nationality"
)
_CHINESE = (
    "名字 姓名 年龄 籍贯 出生于 出生地 生日 住在 居住地 任职于 工作单位 职位 职务 职业 "
    "婚姻状况 配偶 属于 装在 位于 状态 负责人 汇报给 时区 国籍"
)
DEFAULT = frozenset([*_ENGLISH.split(), *_CHINESE.split()])
"""Those that are single-valued wherever nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class SingleValued:
    """The single-valued predicates of a namespace: the table, and what it adds or takes away.

    Args:
        added: predicates that are single-valued here.
        removed: predicates that are not, whoever says otherwise; wins over `added`.
    """

    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()

    def decide(self, predicate: str, said: bool = False) -> bool:
        """True if the predicate has one object at a time; `said` is the teller's word."""
        name = canonical(predicate)
        if name in map(canonical, self.removed):
            return False
        return said or name in DEFAULT or name in map(canonical, self.added)


def canonical(predicate: str) -> str:
    """A predicate as the table has it: folded, with `_` between its words."""
    return folded(predicate).replace(" ", "_").replace("-", "_")
