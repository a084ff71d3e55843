"""Names in Latin script: runs of capitals, people of a lexicon, listed names, quoted titles.

A word that opens a sentence is a name only where something else says so: a list, a form, a word
beside it, or the same name elsewhere in what is said.
"""

import re
from collections.abc import Iterator
from functools import cache

from anamnesis_ingestion.learning.knowledge import EntityKind
from anamnesis_ingestion.learning.local.naming.chinese_lists import kind_beside
from anamnesis_ingestion.learning.local.naming.english_cues import kind_by_cue, kind_by_form
from anamnesis_ingestion.learning.local.naming.english_ordinary import (
    ACRONYMS,
    is_ordinary,
    ordinary,
)
from anamnesis_ingestion.learning.local.naming.english_runs import CapitalRun, is_title_case, runs
from anamnesis_ingestion.learning.local.naming.gazetteer import listed
from anamnesis_ingestion.learning.local.naming.overlaps import Overlaps
from anamnesis_ingestion.learning.local.naming.sightings import Evidence, Sighting
from anamnesis_libs.redaction.western import Western

_K, _E = EntityKind, Evidence
_ACRONYM_CHARS_MAX = 6
_FORM_WORDS = 2
_TITLE_CHARS = 12
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Sir)\.? $")
_PLACE_CHARS = 30
_TITLED = re.compile(
    r"\b(?i:read|reading|reread|watch|watched|watching|book|novel|film|movie|album|song|series|show"
    r"|podcast|painting|poem|play)(?: is| called| named| titled|,)? "
    r"(?:\"(?P<a>[A-Z][^\"\n]{1,60})\"|“(?P<b>[A-Z][^”\n]{1,60})”|['‘](?P<c>[A-Z][^'’\n]{1,60})['’])"
)
_HASHTAG = re.compile(r"(?<![\w#&/])#(?P<name>[A-Za-z][A-Za-z0-9_]{2,40})\b")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*|\n")
_HAN = re.compile(r"[\u3400-\u9fff]")


@cache
def _western() -> Western:
    """The lexicon of given names, read once."""
    return Western()


def english_names(text: str) -> Iterator[Sighting]:
    """Yield what may be a name; sightings may overlap."""
    for start, name, kind in listed(text):
        yield Sighting(start, start + len(name), name, kind, _E.LISTED)
    for match in _TITLED.finditer(text):
        group = match.lastgroup or "a"
        yield Sighting(*match.span(group), match[group], _K.ITEM, _E.FORMED)
    for tag in _HASHTAG.finditer(text):
        yield Sighting(*tag.span("name"), tag["name"], _K.TOPIC, _E.FORMED)
    people = list(_western().spans(text))
    for start, end in people:
        if text[start:end].casefold() not in ordinary() and not _HAN.search(text[start:end]):
            yield _person(text, start, end)
    idle, beside = Overlaps(_title_case(text)), Overlaps(people)
    for run in runs(text):
        seen = _seen(text, run, beside)
        if seen is not None and (
            seen.evidence >= _E.LISTED or not idle.any_with(run.start, run.start + 1)
        ):
            yield seen


def _person(text: str, start: int, end: int) -> Sighting:
    """Somebody by name; a surname alone keeps its title, which tells who is meant."""
    title = _TITLE.search(text, max(0, start - _TITLE_CHARS), start)
    if title and " " not in text[start:end]:
        start = title.start()
    return Sighting(start, end, text[start:end], _K.PERSON, _E.LISTED)


def _seen(text: str, run: CapitalRun, people: Overlaps) -> Sighting | None:
    """The sighting of a run of capitals; None if nothing tells that the run is a name."""
    form = kind_by_form(run.words)
    if form is not _K.UNKNOWN and _is_particular(run):
        return _sighting(run, form, _E.FORMED)
    # The lexicon tells where the name of a person begins.
    if people.any_with(run.start, run.end) or (
        len(run.tokens) == 1 and (_is_common(run) or _is_shouted(run))
    ):
        return None
    cue = _cue(text, run)
    if cue is not _K.UNKNOWN:
        return _sighting(run, cue, _E.CUED)
    if _is_abbreviation(run):
        return None
    doubtful = run.opens and not _beside_han(text, run) and not _stands_alone(run)
    return _sighting(run, cue, _E.DOUBTFUL if doubtful else _E.SPELLED)


def _cue(text: str, run: CapitalRun) -> EntityKind:
    """The kind that the words beside a run tell; UNKNOWN if they tell none."""
    if text.startswith(", ", run.end) and _follows_place(text, run.end + 2):
        return _K.PLACE
    beside = kind_beside if _beside_han(text, run) else kind_by_cue
    return beside(text, run.start, run.end)


def _is_particular(run: CapitalRun) -> bool:
    """True if a name that ends in a form says which one it is: not `The Old Hospital`."""
    several = len(run.words) > _FORM_WORDS and not run.opens
    return several or not all(map(is_ordinary, run.words))


def _follows_place(text: str, at: int) -> bool:
    """True if a listed place stands at this position, as Texas does in `Austin, Texas`."""
    first = next(listed(text[at : at + _PLACE_CHARS]), None)
    return first is not None and first[0] == 0 and first[2] is _K.PLACE


def _beside_han(text: str, run: CapitalRun) -> bool:
    """True if the run stands in Chinese text."""
    beside = text[max(0, run.start - 2) : run.start] + text[run.end : run.end + 2]
    return _HAN.search(beside) is not None


def _sighting(run: CapitalRun, kind: EntityKind, evidence: Evidence) -> Sighting:
    return Sighting(run.start, run.end, run.joined, kind, evidence)


def _is_common(run: CapitalRun) -> bool:
    """True if the run is an everyday word or a single character, with a capital for some reason."""
    return is_ordinary(run.joined) or len(run.joined) == 1


def _is_shouted(run: CapitalRun) -> bool:
    """True if capitals are for emphasis, or the run is an abbreviation that everybody uses."""
    word = run.joined
    if not word.isupper() or len(word) == 1:
        return False
    if any(sign.isdigit() for sign in word):
        return True  # a number of something
    return len(word) > _ACRONYM_CHARS_MAX or word.casefold() in ACRONYMS


def _is_abbreviation(run: CapitalRun) -> bool:
    """True if the run is all capitals: more often a term (`an OKR`, `the QBR`) than a name."""
    word = run.joined.removesuffix("s")
    return len(run.tokens) == 1 and len(word) > 1 and word.isupper()


def _stands_alone(run: CapitalRun) -> bool:
    """True if the run is a name even where any word would be capitalised."""
    return len(run.tokens) > 1 or any(sign.isupper() or sign.isdigit() for sign in run.joined[1:])


def _title_case(text: str) -> list[tuple[int, int]]:
    return [one.span() for one in _SENTENCE.finditer(text) if is_title_case(one.group())]
