"""Facts that stand beside a name between commas: "Yusuf, a baker from Izmir", "our firm, Veltrix".

What is set beside somebody the speaker has, or beside what the speaker works at, is told of it as
plainly as by a verb.
"""

from collections.abc import Iterator

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.kinds import is_named, is_place
from anamnesis_ingestion.learning.english.subjects import Subject, Subjects, is_tie, name_of
from anamnesis_ingestion.learning.english.tree import child, children, is_mine, lemma
from anamnesis_ingestion.learning.english.values import core, value
from anamnesis_ingestion.learning.english.vocabulary import words

_WORTH = 0.75
_TIED = frozenset({"marry", "married", "date", "engage", "engaged", "divorce"})
"""Words whose object somebody is tied to: "I'm married to Yusuf"."""
_FIRMS = frozenset({"company", "firm", "employer", "startup", "agency", "workplace"})


def set_beside(sentence: Span, subjects: Subjects) -> Iterator[Claim]:
    """The claims that a sentence makes by what it sets beside a name or a relative."""
    if sentence.text.rstrip().endswith("?"):
        return
    for token in sentence:
        if token.dep_ != "appos" or child(token, "neg") is not None:
            continue
        if (
            lemma(token) in words("jobs")
            and not is_tie(token)
            and _is_one(token)
            and _is_tied(token.head)
        ):
            who = subjects.noun(token.head)
            if who is not None:
                yield from _of_person(who, token)
        if is_mine(token.head) and token.pos_ == "PROPN" and not _is_over(token.head):
            yield from _of_place(subjects.speaker, token)


def _is_one(noun: Token) -> bool:
    return any(each.lower_ in {"a", "an"} for each in children(noun, "det"))


def _is_over(noun: Token) -> bool:
    """True for "my old company, Veltrix"."""
    return any(lemma(each) in words("former") for each in children(noun, "amod", "compound"))


def _is_tied(somebody: Token) -> bool:
    """True for who is the speaker's by a word of kin, or by a verb."""
    near = [somebody, *children(somebody, "compound", "appos")]
    near += [somebody.head] if somebody.dep_ == "appos" else []
    kin = [each for each in near if is_tie(each)]
    above = somebody.head.head if somebody.dep_ == "pobj" else somebody.head
    tied = somebody.pos_ == "PROPN" and lemma(above) in _TIED
    return tied or (bool(kin) and any(map(is_mine, (somebody, *kin))))


def _of_person(who: Subject, job: Token) -> Iterator[Claim]:
    """The trade of somebody, where they are from and whom they work for."""
    trade = core(job)
    yield _claim(who, "works_as", trade, f"{'an' if trade[:1] in 'aeiou' else 'a'} {trade}")
    for prep in children(job, "prep"):
        for each in children(prep, "pobj"):
            name = value(each, "name", ())
            if prep.lower_ == "from" and each.pos_ == "PROPN":
                yield _claim(who, "is_from", name, f"from {name}")
            if prep.lower_ in {"at", "for"} and is_named(each) and not is_place(each):
                yield _claim(who, "works_at", name, f"at {name}")


def _of_place(speaker: Subject, name: Token) -> Iterator[Claim]:
    """The firm that the speaker calls theirs by its name."""
    own = any(each.lower_ == "own" for each in children(name.head, "amod"))
    founded = own and lemma(name.head) in words("ventures")
    new = lemma(name.head) == "place" and any(each.lower_ == "new" for each in name.head.children)
    if (founded or new or lemma(name.head) in _FIRMS) and name_of(name) and not is_place(name):
        firm = value(name, "name", ())
        yield Claim(
            subject=speaker.key,
            predicate="owns" if founded else "works_at",
            object=firm,
            statement=f"{speaker.shown}'s {name.head.lower_} is {firm}",
            kind="identity",
            worth=_WORTH,
        )


def _claim(who: Subject, predicate: str, what: str, said: str) -> Claim:
    return Claim(
        subject=who.key,
        predicate=predicate,
        object=what,
        statement=f"{who.shown} is {said}",
        kind="identity",
        worth=_WORTH,
        persons=(who.key,) if "'s " not in who.key else (),
    )
