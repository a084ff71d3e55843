"""The word lists, predicates and frames of Chinese, read from the data files beside this one."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from anamnesis_ingestion.learning.knowledge import FactKind

_HERE = Path(__file__).parent
DURATION = (
    r"(?:好?[\d一二两三四五六七八九十百几半多来]{1,4}(?:个(?!月))?(?:多)?"
    r"(?:年半?|个半月|个月|天|周|星期|学期|季度|小时)(?:多)?)"
)
NUMBERED_SCHOOL = r"(?:第|实验)?[一二三四五六七八九十\d]{1,3}[中小]"
"""A school by its number: 四中."""
LEVEL = r"(?:[ABC][12]|[一二三四五六七八]级|N[1-5]|专[四八])"
"""How far somebody is in a language."""
_SLOT = re.compile(r"<([a-z]+)>")
_LIST = re.compile(r"@([a-z]+)")
_CHOICES = re.compile(r"\(([^()<>?@]+)\)")
_SLOT_CHARS_MAX, _LONG_SLOT_CHARS_MAX = 12, 30
_PARTS = re.compile(r"\[[^\]]*\]|\(\?[!=]|[()|]|<[a-z]+>|@[a-z]+|.")
"""The parts of a pattern, as far as its groups and alternatives need them."""
_PLAIN = re.compile(r"[\u4e00-\u9fffA-Za-z]")
_BOUNDED = {
    "years": r"([三四五六七八九]十[一二三四五六七八九多来]?)",
    "ages": r"((?:二十|[三四五六七八九]十)[一二三四五六七八九]?|[1-9]\d)",
    "level": rf"({LEVEL})",
    "tool": (
        r"([A-Za-z][A-Za-z\d.+#-]{0,20}(?:[、和加跟+ ]{1,3}[A-Z][A-Za-z\d.+#-]{0,20}){1,3}"
        r"|[A-Za-z][A-Za-z\d.+# -]{0,20}(?:语言|编辑器|数据库|系统)?"
        r"|[\u4e00-\u9fff]{2,4}[A-Za-z\d][A-Za-z\d +]{0,12}|[\u4e00-\u9fff]{2,6}?)"
    ),
}
"""Slots whose values have a form of their own."""
_LONG = frozenset({"taste", "subject", "name", "title", "date", "thing"})
_VERB = re.compile(
    r"(?![读念上很最更也都就还在正从被把的是不没有会能])[\u4e00-\u9fff]{1,3}[^\W在是了的为到成都也有叫]"
)
"""Verbs that a tagger may not know; not what a frame makes of them (最近在, 跳槽到)."""


class Change(StrEnum):
    """The time course of a fact. Some count only if they are denied, or as a habit.

    What is refuted is nothing to learn, and ends what is held: 对青霉素不过敏.
    """

    STATE = ""
    BEGIN = "+"
    END = "-"
    DENIED = "?"
    HABIT = "*"
    REFUTED = "!"


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a predicate: its kind of fact, its worth and its wording."""

    kind: FactKind
    worth: float
    single_valued: bool
    wording: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a frame states: the object is a slot, a text, or the clause itself."""

    predicate: str
    change: Change
    slot: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate of Chinese: its pattern, the rules of its slots, and what it states."""

    pattern: re.Pattern[str]
    slots: tuple[str, ...]
    stated: tuple[Stated, ...]
    denied: bool
    """True if the frame counts only as a denial."""
    habitual: bool
    """True if the frame counts only as a habit: with 每天, 经常, 一直."""
    completed: bool
    """True if the frame tells a change: it needs 了, 的 or a time, since 搬到 may be planned."""
    anchor: frozenset[str]
    """Characters of which one stands in whatever the frame covers; none where any words may."""


@cache
def words(name: str) -> frozenset[str]:
    """A word list by its name."""
    return frozenset(_lists()[name].split())


@cache
def alternation(name: str) -> str:
    """A word list as a group of a pattern, the longest first."""
    ordered = sorted(words(name), key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, ordered))})"


@cache
def meanings() -> dict[str, Meaning]:
    """The predicates."""
    rows = (line.split("\t") for line in _lines("predicates.tsv"))
    return {
        name: Meaning(FactKind(kind), float(worth), values == "one", wording)
        for name, kind, worth, values, wording in rows
    }


@cache
def frames() -> tuple[Frame, ...]:
    """The frames, in the order of their file."""
    return tuple(_frame(*line.split("\t")) for line in _lines("frames.tsv"))


def frames_for(text: str) -> list[Frame]:
    """The frames that may cover a text, in the order of their file."""
    loose, anchored = _frames_by_anchor()
    found = loose.union(*(anchored[char] for char in set(text) if char in anchored))
    every = frames()
    return [every[place] for place in sorted(found)]


@cache
def _frames_by_anchor() -> tuple[frozenset[int], dict[str, frozenset[int]]]:
    """The places of the frames without an anchor, and of the others by its characters."""
    anchored: dict[str, set[int]] = {}
    for place, frame in enumerate(frames()):
        for char in frame.anchor:
            anchored.setdefault(char, set()).add(place)
    loose = frozenset(place for place, frame in enumerate(frames()) if not frame.anchor)
    return loose, {char: frozenset(places) for char, places in anchored.items()}


@cache
def verbs() -> frozenset[str]:
    """The words of frames that a tagger has to know."""
    found: set[str] = set()
    for line in _lines("frames.tsv"):
        for group in re.split(r"[()?]|<[a-z]+>|@[a-z]+", line.split("\t")[0]):
            found |= {word for word in group.split("|") if _VERB.fullmatch(word)}
    return frozenset(found)


def _frame(pattern: str, stated: str) -> Frame:
    facts = tuple(_stated(each.strip()) for each in stated.split(";"))
    slots = tuple(name for name in _SLOT.findall(pattern) if name != "duration")
    changes = any(each.change not in (Change.STATE, Change.REFUTED) for each in facts)
    denied = all(each.change is Change.DENIED for each in facts)
    habitual = any(each.change is Change.HABIT for each in facts)
    completed = changes and "于" not in pattern and not (denied or habitual)
    compiled = re.compile(_compiled(pattern))
    return Frame(compiled, slots, facts, denied, habitual, completed, _anchor(pattern))


def _anchor(pattern: str) -> frozenset[str]:
    """The first characters of the alternatives of the part that a pattern cannot do without."""
    anchors, depth, start = [], 0, 0
    for part in _PARTS.finditer(pattern):
        said, optional = part.group(), pattern[part.end() : part.end() + 1] in {"?", "*"}
        if said.startswith("("):
            start = start if depth else part.start()
            depth += 1
        elif said == ")":
            depth -= 1
            if not depth and not optional:
                anchors.append(_first_signs(pattern[start + 1 : part.start()]))
        elif not (depth or optional) and _PLAIN.fullmatch(said):
            anchors.append(frozenset(said))
    return min(filter(None, anchors), key=len, default=frozenset())


def _first_signs(group: str) -> frozenset[str]:
    """The first characters of a group's alternatives; none unless all begin with a plain one."""
    choices = group.split("|")
    plain = all(_PLAIN.match(each) and not each[1:].startswith("?") for each in choices)
    return frozenset(each[0] for each in choices) if plain else frozenset()


def _compiled(pattern: str) -> str:
    """The pattern as a regular expression; its slots are the numbered groups."""
    text = re.sub(r"\((?!\?)", "(?:", _CHOICES.sub(_longest_first, pattern)).replace(
        "<duration>", DURATION
    )
    text = _LIST.sub(lambda match: alternation(match[1]), text)
    text = _SLOT.sub(lambda match: _slot(match[1]), text)
    return rf"{text}了?(?:(?:有|快|满|都|整整|差不多|将近)*{DURATION})?了?的?"


def _longest_first(choices: re.Match[str]) -> str:
    """The choices of a group with the longest first, so that 到了 is not read as 到."""
    ordered = sorted(choices[1].split("|"), key=lambda choice: -len(choice))
    return f"({'|'.join(ordered)})"


def _slot(rule: str) -> str:
    """A group for the values of a rule; it ends where its words end, if they always do."""
    if rule in _BOUNDED:
        return _BOUNDED[rule]
    if rule in {"school", "grade", "pet"}:
        return _ending(rule)
    chars_max = _LONG_SLOT_CHARS_MAX if rule in _LONG else _SLOT_CHARS_MAX
    return rf"(.{{1,{chars_max}}})" if rule == "date" else rf"(.{{1,{chars_max}}}?)"


def _ending(rule: str) -> str:
    """A group for what ends as a list says."""
    if rule == "school":
        ends, names = alternation("school_ends"), alternation("schools")
        return rf"(.{{1,14}}{ends}|{names}|{NUMBERED_SCHOOL})"
    if rule == "grade":
        return rf"({alternation('degrees')}|(?:小学|初中|高中)?[一二三四五六]年级)"
    return rf"(.{{0,8}}{alternation('pets')})"


def _stated(text: str) -> Stated:
    name, _, held = text.partition(" ")
    change = Change(name[0]) if name[0] in "+-?*!" else Change.STATE
    predicate = name.lstrip("+-?*!")
    if held.startswith("="):
        return Stated(predicate, change, text=held[1:])
    return Stated(predicate, change, slot=int(held))


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads((_HERE / "words.toml").read_text("utf-8"))


def _lines(name: str) -> list[str]:
    text = (_HERE / name).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
