"""The heading under which a fact stands: by its predicate, else by its kind.

What happened once stands under none: it is of the timeline. Predicates are those that the local
extraction writes, that callers commonly use, and theirs in Chinese.
"""

import re
from enum import Enum

from anamnesis_cluster.view_model import FactKind, Line


class Heading(Enum):
    """The headings of a profile in their order: English, and Chinese."""

    RULES = ("Rules and constraints", "规则与限制")
    IDENTITY = ("Who they are", "身份")
    PEOPLE = ("People and animals", "亲友与宠物")
    HOME = ("Home", "住处")
    WORK = ("Work and studies", "工作与学习")
    SKILLS = ("Skills", "技能")
    TOOLS = ("Tools", "工具")
    PREFERENCES = ("Preferences", "偏好")
    GOALS = ("Goals and plans", "目标与计划")
    DECISIONS = ("Decisions", "决定")
    LATELY = ("Lately", "近况")
    OTHER = ("Also known", "其他")


def _table(**words: str) -> dict[str, Heading]:
    return {word: Heading[name] for name, told in words.items() for word in told.split()}


_OF_PREDICATE = _table(
    RULES="must must_not rule allergic_to intolerant_to avoids cannot_eat forbids requires "
    "过敏 忌口",
    IDENTITY="is_named is_aged is_from born_in born_on birthday has_nationality has_timezone "
    "speaks gender pronouns religion 名字 姓名 年龄 籍贯 出生于 出生地 生日 时区 国籍",
    PEOPLE="married_to has_partner marital_status has_relative has_pet has_child knows friend_of "
    "婚姻状况 配偶 宠物",
    HOME="lives_in located_in lives_with moved_to 住在 居住地 位于",
    WORK="works_at works_as works_for has_title employment_status studies_at studies "
    "reports_to managed_by led_by team tech_stack deadline member_of has_status "
    "任职于 工作单位 职位 职务 职业 负责人 汇报给 就读于 状态",
    SKILLS="can knows_how_to skilled_in",
    TOOLS="uses 使用",
    LATELY="does is has works_on",
    OTHER="owns",
)
_OF_KIND = {
    FactKind.CONSTRAINT: Heading.RULES,
    FactKind.RELATIONSHIP: Heading.PEOPLE,
    FactKind.SKILL: Heading.SKILLS,
    FactKind.PREFERENCE: Heading.PREFERENCES,
    FactKind.GOAL: Heading.GOALS,
    FactKind.DECISION: Heading.DECISIONS,
    FactKind.IDENTITY: Heading.IDENTITY,
}
_DEADLINE = re.compile(r"(?:^|_)deadline$")
_TO_DO = re.compile(r"\b(?:will|is going to) (?:have|need) to\b", re.IGNORECASE)
"""An obligation of one time, which is a plan and no rule."""
_LASTING_KINDS = frozenset({FactKind.CONSTRAINT, FactKind.SKILL, FactKind.GOAL})
"""Kinds that say more than a predicate does: "has" of a goal is a goal."""


def heading_of(line: Line) -> Heading | None:
    """The heading of a fact; None for what happened once."""
    if line.kind.happened:
        return None
    if line.kind is FactKind.CONSTRAINT and _TO_DO.search(line.text):
        return Heading.GOALS
    if line.kind in _LASTING_KINDS:
        return _OF_KIND[line.kind]
    predicate = "_".join(line.predicate.casefold().split())
    if _DEADLINE.search(predicate):
        return Heading.WORK
    heading = _OF_PREDICATE.get(predicate)
    if heading is Heading.LATELY and line.kind is not FactKind.IDENTITY:
        heading = None  # stated by a caller, not heard in talk of the day
    return heading or _OF_KIND.get(line.kind, Heading.OTHER)
