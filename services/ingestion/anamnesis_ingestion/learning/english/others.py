"""The claims of names and words by which others know the speaker: "my friends call me Bo"."""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, worded
from anamnesis_ingestion.learning.english.kinds import fits
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.subjects import name_of
from anamnesis_ingestion.learning.english.tree import child, children, is_mine, is_person, lemma
from anamnesis_ingestion.learning.english.values import is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_WORTH = 0.8
_PUT = {"on": Change.BEGIN, "to": Change.BEGIN, "from": Change.END, "off": Change.END}
"""What becomes of a medicine by the word before it."""
_POINTING = frozenset({"that", "it", "this"})


def meant_instead(clause: Clause) -> Token | None:
    """The person of whom a denied clause is true: "I don't eat nuts, that is my sister Lena"."""
    reading = clause.reading
    if not reading.negated or reading.mood is not Mood.FACT or reading.tense is Tense.PAST:
        return None
    beside = [clause.verb.head, *children(clause.verb, "ccomp", "conj", "parataxis")]
    for verb in beside:
        subject, told = child(verb, "nsubj"), child(verb, "attr")
        pointing = subject is not None and subject.lower_ in _POINTING and lemma(verb) == "be"
        if pointing and told is not None and child(verb, "neg", "mark") is None:
            return told if is_person(told) else None
    return None


def told_by_others(clause: Clause) -> Iterator[Statement]:
    """The names and descriptions that somebody else gives the speaker, and who left them."""
    if not _told_of_speaker(clause):
        return
    verb = clause.verb
    if lemma(verb) == "call":
        for each in children(verb, "oprd", "xcomp", "ccomp"):
            if each.pos_ == "PROPN":
                yield _stated("goes_by", name_of(each), each)
    if lemma(verb) in words("leavings") and clause.subject is not None and _is_all(verb):
        yield from _left_by(clause.subject)
    if lemma(verb) in words("prescribes"):
        yield from _put_on(verb)
    if lemma(verb) == "describe":
        yield from _described(verb)


def _described(verb: Token) -> Iterator[Statement]:
    """The words in which somebody describes the speaker, each told with all of them."""
    told = list(_descriptions(verb))
    whole = ", ".join(value(each, "full", ()) for each in told)
    for head in told:
        yield _stated("is_described_as", value(head, "full", ()), head, whole)


def _left_by(somebody: Token) -> Iterator[Statement]:
    """The tie that is over: "Tom dumped me"."""
    partner = is_mine(somebody) and lemma(somebody) in words("spouses")
    name = name_of(somebody) or (lemma(somebody) if partner else "")
    if name:
        said = worded("was left by", f"their {name}" if partner and name.islower() else name)
        yield Statement(
            "has_partner", name, "relationship", Change.END, _WORTH, somebody, said=said
        )


def _put_on(verb: Token) -> Iterator[Statement]:
    """The medicine of "my doctor put me on metformin", "switched me from X to Y"."""
    behind = [each for each in verb.subtree if each.dep_ == "prep" and each.lower_ in _PUT]
    for prep in (*behind, *(each for each in children(verb, "prt") if each.lower_ in _PUT)):
        change = _PUT[prep.lower_]
        for head in children(prep, "pobj"):
            if fits(head, "medicine"):
                what = value(head, "name", ())
                said = worded("takes" if change is Change.BEGIN else "used to take", what)
                yield Statement("uses", what, "identity", change, _WORTH, head, said=said)


def _is_all(verb: Token) -> bool:
    """True for "left me", and not for "left me a note", "left me at the station"."""
    more = {"prep", "xcomp", "ccomp", "oprd", "acomp", "advcl", "conj"}
    held = children(verb, "dobj", "dative")
    return len(held) == 1 and not any(each.dep_ in more for each in verb.children)


def _told_of_speaker(clause: Clause) -> bool:
    """True for a clause that tells what others call the speaker or do to them."""
    reading, verb = clause.reading, clause.verb
    done = words("leavings") | words("prescribes")
    over = reading.tense is Tense.PAST and lemma(verb) not in done
    if reading.mood is not Mood.FACT or reading.negated or over:
        return False
    return any(each.lower_ == "me" for each in children(verb, "dobj", "nsubj", "dative"))


def _stated(predicate: str, what: str, head: Token, whole: str = "") -> Statement:
    said = worded(predicate, whole or what)
    return Statement(predicate, what, "identity", Change.STATE, _WORTH, head, said=said)


def _descriptions(verb: Token) -> Iterator[Token]:
    """The nouns behind "as", and those behind "with these words:"."""
    for prep in children(verb, "prep"):
        for head in children(prep, "pobj", "amod") if prep.lower_ in {"as", "with"} else ():
            listed = children(head, "appos")
            for start in listed or [head]:
                yield from (each for each in _enumerated(start) if not is_vague(each))


def _enumerated(start: Token) -> Iterator[Token]:
    """The words of a list, those included that the parser took for a name of the one before."""
    yield start
    for each in children(start, "conj", "appos"):
        yield from _enumerated(each)
