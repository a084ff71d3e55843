"""Objects that are places, organisations, schools and jobs."""

import re

from anamnesis_ingestion.learning.chinese.cutting import MEASURE, OWNER, POINTS, Found, cut, whole
from anamnesis_ingestion.learning.chinese.tagging import tagged
from anamnesis_ingestion.learning.chinese.vocabulary import NUMBERED_SCHOOL, alternation, words

_LATIN = re.compile(r"[A-Za-z][A-Za-z\d.+# -]*")
_NUMBERED = re.compile(NUMBERED_SCHOOL)
_NOUN_TAGS = frozenset(
    ["n", "nz", "nt", "ns", "nr", "nrt", "nrfg", "eng", "vn", "an", "j", "l", "i", "ng", "x"]
)


def place(text: str) -> Found:
    """A town, a province, a street."""
    start = 2 if text.startswith(("老家", "家乡")) and len(text) > 2 else 0
    said = text[start:]
    if not 2 <= len(said) <= 12 or said in words("no_places") or POINTS.search(said):
        return []
    if MEASURE.match(said) or re.search(r"里$|里面|附近|旁边|[的了]", said):
        return []
    tags = tagged(said)
    named = all(word.tag in {"ns", "nr", "nrt", "nz"} for word in tags) and any(
        word.tag == "ns" for word in tags
    )
    ends = re.search(rf"{alternation('place_ends')}$", said) is not None and len(said) > 2
    proper = ends and tags[0].tag in {"ns", "nr", "nz", "nrt", "x", "n", "eng"} and len(said) <= 8
    ends_badly = any(said.endswith(word) for word in words("no_places"))
    known = named or said in words("places")
    return whole(text, start) if (known or proper) and not ends_badly else []


def sight(text: str) -> Found:
    """The place that people travel to, which may be a park or a mountain by its name."""
    start = cut(text, MEASURE)
    said = text[start:]
    if start or not 2 <= len(said) <= 10 or POINTS.search(said) or re.search(r"[的了过]", said):
        return []
    ends = re.search(rf"{alternation('sights')}$", said)
    ahead = tagged(said[: ends.start()]) if ends is not None else []
    named = bool(ahead) and not _is_generic(said[: ends.start() if ends else 0])
    proper = named and all(word.tag[0] in "nxzaj" for word in ahead)
    return whole(text) if proper or place(said) == whole(said) else []


def org(text: str) -> Found:
    """A firm, a school, an office: by its form, or known by name."""
    start = cut(text, OWNER)
    said = text[start:]
    if said in words("orgs"):
        return whole(text, start)
    if not 2 <= len(said) <= 20 or POINTS.search(said) or MEASURE.match(said) or "的" in said:
        return []
    tags = tagged(said)
    if any(word.tag[0] in "vdpcu" and word.tag != "vn" for word in tags[:-1]):
        return []
    formed = re.search(rf"{alternation('org_ends')}$", said)
    if formed is not None:
        return (
            whole(text, start)
            if formed.start() > 0 and not _is_generic(said[: formed.start()])
            else []
        )
    latin = _LATIN.fullmatch(said) is not None and said[0].isupper()
    return whole(text, start) if latin or any(word.tag == "nt" for word in tags) else []


def _is_generic(said: str) -> bool:
    """True for a word that says what kind of firm it is: 互联网, 小."""
    return said in words("generic_orgs")


def employer(text: str) -> Found:
    """An organisation after a word that only organisations follow: any name will do."""
    found = org(text)
    if found:
        return found
    start = cut(text, OWNER)
    said = text[start:]
    tags = tagged(said)
    if (
        not 2 <= len(said) <= 12
        or POINTS.search(said)
        or MEASURE.match(said)
        or re.search(r"[的了]", said)
    ):
        return []
    named = any(word.tag in {"nr", "nz", "nt", "ns", "nrt", "eng", "x"} for word in tags)
    return whole(text, start) if named and all(word.tag in _NOUN_TAGS for word in tags) else []


def job(text: str) -> Found:
    """The job in a text that ends in the word of a profession."""
    start = cut(text, MEASURE)
    said = text[start:]
    if not 2 <= len(said) <= 14 or POINTS.search(said) or re.search(r"[了着过]", said):
        return []
    named = re.search(rf"{alternation('jobs')}$", said)
    if named is None:
        return []
    before = said[: named.start()]
    at = before.rfind("的") + 1
    if at and re.search(r"[好坏棒差大优秀出色合格真正]", before[:at]):
        return []
    ahead = tagged(before[at:]) if before[at:] else []
    return (
        whole(text, start + at)
        if all(word.tag[0] in "nvaejblsmxf" and not word.tag.startswith("nr") for word in ahead)
        else []
    )


def school(text: str) -> Found:
    """A school by its name."""
    ends = re.search(
        rf"(?:{alternation('school_ends')}|^{alternation('schools')}|{_NUMBERED.pattern})$", text
    )
    numbered = _NUMBERED.fullmatch(text) is not None
    named = ends is not None and (ends.start() > 0 or text in words("schools"))
    fits = (named or numbered) and len(text) <= 16 and not POINTS.search(text) and "的" not in text
    return (
        whole(text)
        if fits and not _is_generic(text[: ends.start()] if ends and ends.start() else "x")
        else []
    )
