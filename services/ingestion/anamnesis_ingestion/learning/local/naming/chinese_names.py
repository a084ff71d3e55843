"""Names in Chinese: words that a tagger takes for people, places and firms, and what stands beside.

Names in Latin script within Chinese are found by their capitals, since no sentence there begins
with one; what they stand for is told by the Chinese words beside them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import rjieba

from anamnesis_ingestion.learning.chinese.script import plain
from anamnesis_ingestion.learning.knowledge import EntityKind
from anamnesis_ingestion.learning.local.naming.chinese_lists import (
    BEFORE_PLACES,
    FORMS,
    GENERIC,
    INNER,
    KIN,
    NO_NAMES,
    NO_PLACES,
    PET,
    SOCIAL,
    SOCIETIES,
    WEAK_FORMS,
)
from anamnesis_ingestion.learning.local.naming.sightings import Evidence, Sighting
from anamnesis_libs.redaction.chinese import Chinese

_K, _E = EntityKind, Evidence
_HAN = r"\u3400-\u9fff"
_RUN = re.compile(rf"[{_HAN}A-Za-z0-9+#.&·-]+")
_BOOK = re.compile(r"《(?P<name>[^《》\n]{1,40})》")
_CALLED = re.compile(
    rf"(?:我|{KIN}|{SOCIAL}|{PET}|名字|宝宝|孩子|女生|男生)(?:的名字)?(?:叫做?|名叫|是叫)"
    rf"\s*(?P<name>[{_HAN}]{{2,4}}?)(?=[，。,.!！？?；;、\s]|$)"
)
_PROJECT_CALLED = re.compile(
    rf"(?:项目|产品|仓库|系统)(?:的)?(?:代号|名字|名)?(?:叫做?|名为|名叫|代号)\s*[「“\"]?"
    rf"(?P<name>[{_HAN}]{{2,8}}?|[A-Z][\w-]+)(?=[」”\"，。,.!！；;、\s]|$)"
)
_QUOTED_PROJECT = re.compile(r"[「“](?P<name>[^」”\n]{2,12})[」”](?=项目|计划)")
_WORD_TAGS = frozenset(
    {"n", "nz", "nr", "ns", "nt", "nrt", "nrfg", "nrj", "j", "vn", "l", "m", "eng"}
)
_NAME_TAGS = frozenset({"nz", "nr", "ns", "nt", "nrt", "nrfg", "nrj", "j"})
_TAKEN_MAX = 3
_NAME_CHARS_MIN = 2
_PLACE_ENDS = frozenset("省市县区镇乡村岛湖山河江州国洲湾路街")
_OPENING = frozenset({"由", "是", "将", "已经", "上线", "启动", "下个月", "下周", "延期", "完成"})

Word = tuple[str, str]


@cache
def _chinese() -> Chinese:
    """The tagger with its dictionary, read once."""
    return Chinese()


def chinese_names(text: str) -> Iterator[Sighting]:
    """Yield what may be a name; sightings may overlap."""
    simple = plain(text)
    for start, end in _chinese().spans(simple):
        if simple[start:end] not in NO_NAMES:
            yield _sighting(text, start, end, _K.PERSON, _E.LISTED)
    for pattern, kind in _SHAPES:
        for match in pattern.finditer(simple):
            if not _is_phrase(match["name"], kind):
                yield _sighting(text, *match.span("name"), kind, _E.FORMED)
    for run in _RUN.finditer(simple):
        tagged: list[Word] = rjieba.tag(run.group())
        yield from _tagged_names(text, run.start(), tagged)


_SHAPES = (
    (_BOOK, _K.ITEM),
    (_CALLED, _K.PERSON),
    (_PROJECT_CALLED, _K.PROJECT),
    (_QUOTED_PROJECT, _K.PROJECT),
)


def _is_phrase(name: str, kind: EntityKind) -> bool:
    """True if a clause stands in the place of a person's name: `我叫他来`."""
    if kind is not _K.PERSON:
        return False
    tags = [tag for _, tag in rjieba.tag(name)]
    return tags[0][:1] in {"r", "p", "d", "u", "c"} or tags[-1][:1] in {"u", "y"}


def _tagged_names(text: str, start: int, tagged: Sequence[Word]) -> Iterator[Sighting]:
    at = start
    for place, (word, tag) in enumerate(tagged):
        end = at + len(word)
        if tag == "ns" and _is_place(tagged, place):
            yield _sighting(text, at, end, _K.PLACE, _E.LISTED)
        elif tag in {"n", "nz"} and _is_street(tagged, place):
            yield _sighting(text, at, end, _K.PLACE, _E.FORMED)
        elif tag == "nt" and len(word) > _NAME_CHARS_MIN:
            yield _sighting(text, at, end, _K.ORGANISATION, _E.LISTED)
        elif tag in _NAME_TAGS and _is_employer(tagged, place):
            yield _sighting(text, at, end, _K.ORGANISATION, _E.FORMED)
        kind = next((kind for kind, forms in FORMS.items() if word in forms), None)
        taken = 0 if kind is None else _taken(tagged, place, kind)
        if kind is not None and taken:
            first = at - sum(len(each) for each, _ in tagged[place - taken : place])
            yield _sighting(text, first, end, kind, _E.FORMED)
        at = end


def _is_place(tagged: Sequence[Word], place: int) -> bool:
    """True if a tagged place also stands or looks like one: the tagger guesses much."""
    word = tagged[place][0]
    if len(word) < _NAME_CHARS_MIN or word in NO_PLACES:
        return False
    before, tag = tagged[place - 1] if place else ("", "ns")
    behind = before in {"了", "过"} and place > 1 and tagged[place - 2][0] in BEFORE_PLACES
    return tag == "ns" or before in BEFORE_PLACES or behind or word[-1] in _PLACE_ENDS


def _is_street(tagged: Sequence[Word], place: int) -> bool:
    """True if a word is a street, told with the place it is in."""
    word = tagged[place][0]
    return len(word) > _NAME_CHARS_MIN and word[-1] in "路街巷" and tagged[place - 1][1] == "ns"


def _is_employer(tagged: Sequence[Word], place: int) -> bool:
    """True if a word is somebody's employer: 在腾讯工作."""
    before = tagged[place - 1][0] if place else ""
    after = tagged[place + 1][0] if place + 1 < len(tagged) else ""
    return before == "在" and after in {"工作", "上班", "实习", "任职"}


def _taken(tagged: Sequence[Word], place: int, kind: EntityKind) -> int:
    """Number of words before the form at `place` that belong to the name; 0 if there is no name."""
    form = tagged[place][0]
    words: list[Word] = []
    for word, tag in reversed(tagged[:place]):
        generic = word in GENERIC and word not in INNER
        if tag not in _WORD_TAGS or generic or len(words) == _TAKEN_MAX:
            break
        words.append((word, tag))
    while words and (words[-1][1] in {"m", "l", "vn"} or words[-1][0] in INNER):
        words.pop()
    if not words or any(tag == "eng" for _, tag in words):
        return 0  # a name in Latin script is found by its capitals
    if kind is _K.PROJECT:
        return _of_project(tagged, place, words)
    tags = {tag for _, tag in words}
    if form in WEAK_FORMS and tags <= {"ns"}:
        return 0
    named = not tags.isdisjoint(_NAME_TAGS) or form in SOCIETIES
    return len(words) if named else 0


def _of_project(tagged: Sequence[Word], place: int, words: Sequence[Word]) -> int:
    """One word that is a name, or a noun that opens a sentence on the project."""
    word, tag = words[0]
    opens = place == 1 and place + 1 < len(tagged) and tagged[place + 1][0] in _OPENING
    named = tag in {"nz", "nr", "nrt", "nrfg"} or (tag == "n" and opens)
    return 1 if named and len(word) >= _NAME_CHARS_MIN else 0


def _sighting(text: str, start: int, end: int, kind: EntityKind, evidence: Evidence) -> Sighting:
    return Sighting(start, end, text[start:end], kind, evidence)
