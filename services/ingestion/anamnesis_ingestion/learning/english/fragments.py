"""Facts in words without a verb, as people introduce themselves: "Married, two kids, no pets".

What stands alone between commas is read only where somebody's marital status and children stand
beside each other: that is said of the speaker. A list of other people has no status.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.subjects import Subject
from anamnesis_ingestion.learning.english.tree import lemma
from anamnesis_ingestion.learning.english.vocabulary import words

_WORTH = 0.75
_MARKS = frozenset({",", ".", ";", "!"})
_SEEN = re.compile(
    r"\bI(?:['’]m| am|['’]ve been| have been) (?:seeing|dating) "
    r"(?:someone|somebody|a (?:guy|girl|man|woman))(?: new)?(?:,? and|,| -)? ?"
    r"(?:(?:her|his|their) name(?:['’]s| is)|s?he(?:['’]s| is) (?:called|named)|called|named) "
    r"(?P<name>[A-Z]\w{1,20})"
)
_CHILDREN = frozenset({"child", "kid", "son", "daughter", "sister", "brother", "sibling"})


def in_fragments(sentence: Span, speaker: Subject) -> Iterator[Claim]:
    """The marital status and the kin of the speaker that stand alone between commas.

    And whom they are seeing, whose name follows: "I'm seeing someone, her name is Ana".
    """
    if sentence.text.rstrip().endswith("?"):
        return
    seen = _SEEN.search(sentence.text)
    if seen is not None:
        name = seen["name"]
        said = f"{name} is {speaker.shown}'s partner"
        found = _claim(speaker, "has_partner", name, said, "relationship")
        yield replace(found, begins=True)
    parts = list(_parts(sentence))
    status = [part[0] for part in parts if len(part) == 1 and part[0].lower_ in words("marital")]
    counts = [part for part in parts if _is_count(part)]
    if len(status) != 1 or not counts:
        return
    said = status[0].lower_
    yield _claim(speaker, "marital_status", said, f"{speaker.shown} is {said}", "identity")
    for part in parts:
        if _is_of_parents(part):
            said = f"{part[0].text} of {speaker.shown}'s parents {part[2].text} deceased"
            yield replace(
                _claim(speaker, "is", "deceased", said, "identity"),
                subject=f"{speaker.key}'s {part[1].lower_}",
            )
    for number, kin in counts:
        what = f"{number.lower_} {kin.lower_}"
        yield _claim(speaker, "has_relative", what, f"{speaker.shown} has {what}", "relationship")


def _parts(sentence: Span) -> Iterator[list[Token]]:
    """The words between the marks of a sentence."""
    part: list[Token] = []
    for token in sentence:
        if token.text in _MARKS:
            yield from [part] if part else []
            part = []
        elif not token.is_space:
            part.append(token)
    yield from [part] if part else []


def _is_count(part: Sequence[Token]) -> bool:
    """True for "two kids"."""
    return len(part) == 2 and part[0].like_num and lemma(part[1]) in _CHILDREN


def _is_of_parents(part: Sequence[Token]) -> bool:
    """True for "one parent is deceased"."""
    words_told = [each.lower_ for each in part]
    return (
        len(part) == 4
        and words_told[0] in {"one", "both"}
        and words_told[1] in {"parent", "parents"}
        and words_told[3] in {"dead", "deceased"}
    )


def _claim(speaker: Subject, predicate: str, what: str, said: str, kind: str) -> Claim:
    return Claim(
        subject=speaker.key,
        predicate=predicate,
        object=what,
        statement=said,
        kind=kind,
        worth=_WORTH,
    )
