"""Lines that say the same as one line, and the lines of a view that are worth a reader's time.

    same sentence, or same predicate and object          one line
    one says less: likes painting, likes painting cats   the one that says more
    one object at a time: lives_in Oslo, lives_in Rome   the one that began last

Lines of different scopes are never joined. Where they say the same, the one that more people may
see is shown: that it is also said in private is nobody's news.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from anamnesis_cluster.view_model import FactFlag, Line, Visibility
from anamnesis_cluster.views.headings import Heading
from anamnesis_libs.zones import on_clock


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LATELY = timedelta(days=90)
"""How long before the newest line of a view something still counts as done lately."""
_SINGLE = _words(
    "is_named is_aged is_from born_in born_on birthday lives_in works_at has_title "
    "employment_status marital_status married_to has_partner located_in has_status managed_by "
    "led_by reports_to has_timezone has_nationality 名字 姓名 年龄 籍贯 出生于 出生地 生日 住在 "
    "居住地 任职于 工作单位 职位 职务 婚姻状况 配偶 位于 状态 负责人 汇报给 时区 国籍"
)
"""Predicates with one object at a time. Memory closes the old fact within one scope; a view looks
at several. `works_as` is not among them: a doctor may be a mother of three."""
_FAMILY_OF = {
    predicate: family
    for family, predicates in {
        "likes": "likes loves enjoys prefers passion favorite values",
        "dislikes": "dislikes hates avoids uninterested_in",
        "wants": "wants plans considers goal aim",
        "does": "does is works_on",
    }.items()
    for predicate in predicates.split()
}
"""Predicates that say nearly the same, and the name of their family."""
_WORD = re.compile(r"[^\W_]+")
_SMALL = _words(
    "a an and at by for from in into is it its just more my of on or really so some that the their "
    "them they this to too up very with lot lots"
)
_ENDINGS = re.compile(r"(?:ings?|ed|es|s|e)$")
_STEM_CHARS_MIN = 3
_NOT_NOW = re.compile(
    r"^.{1,60}? (?:had|used to|worked|donated|sold|gave away|quit|left)\b|^.{1,60}? is no longer\b",
    re.IGNORECASE,
)
_OF_THE_DAY = re.compile(
    r"\b(?:is|are|been|has been) (?:(?:doing|feeling) (?:ok|okay|good|great|well|fine|better)"
    r"|(?:a )?mix of |excited|nervous|busy|tired|swamped|thrilled|so |sunk\b)",
    re.IGNORECASE,
)
_BARE = re.compile(r"^.{1,60}? to \w")
"""A sentence that has lost its verb: "Ann to travel"."""
_WORDING = {"has_relative": "has", "wants": "wants to", "works_as": "works as"}
"""Words of predicates, where they are not those of the predicate itself."""


def merged(lines: Iterable[Line]) -> list[Line]:
    """The lines, each thing once, in the order given by the newest of those that say it."""
    kept: list[Line] = []
    place_of: dict[tuple[str, ...], int] = {}
    for line in sorted(lines, key=_widest_then_newest):
        keys = _sayings(line)
        at = next((place_of[key] for key in keys if key in place_of), len(kept))
        if at == len(kept):
            kept.append(line)
        elif kept[at].scope == line.scope:
            kept[at] = _joined(kept[at], line)
        for key in keys:
            place_of.setdefault(key, at)
    return sorted(kept, key=lambda each: each.newest, reverse=True)


def without_less(lines: Sequence[Line]) -> list[Line]:
    """The lines but for those of which another says the same and more."""
    groups: defaultdict[tuple[str, ...], list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for at, line in enumerate(lines):
        groups[_matter(line)].append((at, _stems(line.object)))
    less = {
        at
        for group in groups.values()
        for at, stems in group
        if stems and any(stems < more or (stems == more and other < at) for other, more in group)
    }
    return [line for at, line in enumerate(lines) if at not in less]


def single(lines: Sequence[Line]) -> list[Line]:
    """The lines, newest first, with one line of each predicate that has one object at a time."""
    seen: set[tuple[str, str]] = set()
    kept: list[Line] = []
    for line in sorted(lines, key=lambda each: (each.moment, each.newest), reverse=True):
        key = (plain(line.subject), line.predicate)
        if line.predicate not in _SINGLE or key not in seen:
            kept.append(line)
        seen.add(key)
    return sorted(kept, key=lambda each: each.newest, reverse=True)


def is_idle(line: Line, heading: Heading) -> bool:
    """True for a line that tells nothing which holds: a mood, something over, one's own name."""
    if FactFlag.RETRACTED in line.flags or _NOT_NOW.match(line.text):
        return True
    if line.predicate == "is_named":
        return plain(line.subject) == plain(line.object)
    return heading is Heading.LATELY and bool(_OF_THE_DAY.search(line.text))


def reworded(line: Line, ended: Collection[str] = ()) -> Line:
    """The line with a whole sentence that tells nothing of what is over.

    A sentence without a verb, and one that names the object of an ended fact beside its own, are
    made of subject, predicate and object.

    Args:
        line: a fact.
        ended: objects of facts of the same subject that hold no more, as `plain` has them.
    """
    said, own = f" {plain(line.text)} ", plain(line.object)
    bare = _BARE.match(line.text) and plain(line.text).startswith(f"{plain(line.subject)} to ")
    if bare or any(f" {one} " in said and one not in own for one in ended):
        words = _WORDING.get(line.predicate, line.predicate.replace("_", " "))
        return replace(line, text=f"{line.subject} {words} {line.object}")
    return line


def holds(line: Line, now: datetime) -> bool:
    """True for a fact that nobody took back and that holds at a time."""
    return (line.since is None or has_come(line, line.since, now)) and not is_over(line, now)


def has_come(line: Line, moment: datetime, now: datetime) -> bool:
    """True if a time of a line is over by now: a moment, or a day of its speaker's calendar."""
    return moment <= max(now, on_clock(now, line.utc_offset_minutes))


def is_over(line: Line, now: datetime) -> bool:
    """True for a fact that was taken back, or that has ended; what happened once never ends."""
    over = line.until is not None and has_come(line, line.until, now)
    return (over and not line.kind.happened) or FactFlag.RETRACTED in line.flags


def plain(text: str) -> str:
    """A text as comparisons see it: words and blanks, case and width folded."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _widest_then_newest(line: Line) -> tuple[bool, float, str]:
    return (
        line.visibility is not Visibility.SHARED,
        -line.newest[0].timestamp(),
        line.memory_ids[0],
    )


def _sayings(line: Line) -> tuple[tuple[str, ...], ...]:
    """The keys of a line, by its words and as a fact: lines with one in common say the same."""
    subject = plain(line.subject)
    sentence = (subject, plain(line.text))
    return (sentence, (subject, line.predicate, plain(line.object))) if subject else (sentence,)


def _joined(first: Line, other: Line) -> Line:
    """One line of two of one scope: the words of the first, the earlier beginning, all sources.

    Its object is that of both, parted by a semicolon, where one sentence tells two.
    """
    objects = {plain(one): one for one in (first.object, other.object)}
    begun = [line for line in (first, other) if line.since is not None]
    earliest = min(begun, key=lambda line: line.moment, default=first)
    return replace(
        first,
        object="; ".join(objects.values())
        if first.predicate == other.predicate and plain(other.object) not in plain(first.object)
        else first.object,
        memory_ids=tuple(dict.fromkeys(first.memory_ids + other.memory_ids)),
        sources=tuple(dict.fromkeys(first.sources + other.sources)),
        since=earliest.since,
        precision=earliest.precision,
        confidence=max(first.confidence, other.confidence),
        importance=max(first.importance, other.importance),
        flags=first.flags & other.flags,
    )


def _matter(line: Line) -> tuple[str, ...]:
    """The key of the lines whose objects are compared: scope, subject, family of the predicate."""
    return line.scope, plain(line.subject), _FAMILY_OF.get(line.predicate, line.predicate)


def _stems(text: str) -> frozenset[str]:
    words = (word for word in plain(text).split() if word not in _SMALL)
    return frozenset(_stem(word) for word in words)


def _stem(word: str) -> str:
    cut = _ENDINGS.sub("", word)
    return cut if len(cut) >= _STEM_CHARS_MIN else word
