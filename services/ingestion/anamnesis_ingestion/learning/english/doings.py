"""Doings that a clause judges: "losing my job was a bummer", "it was great to unplug".

Who judges what was done has done it: told as past, it is a deed of the speaker. Told as present, it
is a taste, "coming up with games for my family is fun", or a conviction, "it's important to me to
keep my word"; without the speaker it only nods to the other. What is said to an agent about a doing
that is done now is about the work at hand.
"""

from collections.abc import Collection, Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.idle import is_idle, is_no_thing, is_specific
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.tree import child, children, lemma
from anamnesis_ingestion.learning.english.values import phrase, spelled
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_LISTENER = frozenset({"you", "your", "yours", "u", "ya"})
_SPEAKER = frozenset({"i", "me", "my", "mine", "myself"})
_SEEN = frozenset({"it", "that", "this", "them", "him", "her", "those", "these"})
_BELIEVES = frozenset({"think", "believe", "feel"})
_WORDS_MAX = 24
_DEED, _TASTE = 0.4, 0.5


def judged(clause: Clause, times: Collection[int]) -> Iterator[Statement]:
    """The statements about the speaker of a clause that judges a doing."""
    reading, verb = clause.reading, clause.verb
    if reading.mood is not Mood.FACT or reading.negated or reading.change is not None:
        return
    doing = _doing(clause)
    if doing is None or not _tells(doing) or _is_of_listener(verb):
        return
    said = _said(clause, times)
    if not said:
        return
    if _is_dreamt(verb) and doing.tag_ == "VB":
        yield Statement(
            "wants",
            phrase(doing, times),
            "goal",
            Change.DEED,
            _TASTE,
            doing,
            generic=True,
            said=said,
        )
        return
    if reading.tense is not Tense.PRESENT:
        if _is_judgement(verb):
            what = phrase(doing, times)
            yield Statement(
                "did", what, "experience", Change.DEED, _DEED, doing, generic=True, said=said
            )
        return
    predicate = _regard(verb)
    if predicate and _is_of_speaker(verb) and _names_something(doing):
        yield Statement(
            predicate, phrase(doing, times), "preference", Change.STATE, _TASTE, doing, said=said
        )


def _is_dreamt(verb: Token) -> bool:
    """True for "it's been a dream to adopt"."""
    return any(lemma(each) in words("aims") for each in children(verb, "attr"))


def _doing(clause: Clause) -> Token | None:
    """The gerund that is the subject, or the infinitive or gerund that "it" stands for."""
    subject, verb = clause.subject, clause.verb
    if subject is None:
        return None
    if subject.tag_ == "VBG" and subject.dep_ in {"csubj", "nsubj"}:
        return subject
    if subject.lower_ != "it" or lemma(verb) != "be":
        return None
    holders = [verb, *children(verb, "acomp", "attr")]
    behind = (
        each
        for holder in holders
        for each in children(holder, "xcomp", "advcl", "ccomp", "csubj", "acl")
        if each.i > verb.i and child(each, "nsubj", "nsubjpass", "mark") is None
    )
    return next((each for each in behind if _is_bare(each)), None)


def _is_bare(doing: Token) -> bool:
    """True for an infinitive or gerund that no noun stands before: "so many people helping"."""
    before = doing.left_edge.i - 1
    beside = doing.doc[before]
    noun = before > 0 and beside.pos_ in {"PRON", "ADV"} and beside.lower_ != "me"
    return doing.tag_ in {"VB", "VBG"} and not noun


def _tells(doing: Token) -> bool:
    """True for a doing that says something: not "seeing it", "having a good time"."""
    below = child(doing, "xcomp", "ccomp") if lemma(doing) == "help" else None
    if below is not None and child(below, "nsubj") is None:
        return _tells(below)
    barred = words("minds") | {"have", "get", "be", "watch"}
    held = children(doing, "dobj")
    beside = (inner for each in held for inner in (each, *children(each, "det")))
    pointing = any(each.lower_ in _SEEN for each in beside)
    return not (pointing or lemma(doing) in barred or is_idle(doing))


def _names_something(doing: Token) -> bool:
    return any(is_specific(each) and not is_no_thing(each) for each in doing.subtree)


def _is_of_speaker(verb: Token) -> bool:
    """True where the speaker stands in the clause: who nods to the other has no taste of it.

    Or above it: "I think it's important to keep one's word".
    """
    above = verb.head if verb.dep_ == "ccomp" and lemma(verb.head) in _BELIEVES else verb
    by_speaker = (each.lower_ == "i" for each in children(above, "nsubj"))
    return any(by_speaker) or any(each.lower_ in _SPEAKER for each in verb.subtree)


def _is_of_listener(verb: Token) -> bool:
    return any(each.lower_ in _LISTENER or each.text == "?" for each in verb.subtree)


def _qualities(verb: Token) -> list[Token]:
    """The words that tell of the doing: "awesome", "a great experience", and what is joined."""
    told = children(verb, "acomp", "attr") if lemma(verb) == "be" else []
    inner = [each for noun in told for each in children(noun, "amod", "conj")]
    return [*told, *inner]


def _is_judgement(verb: Token) -> bool:
    """True where the clause says how the doing was, or what it gave."""
    gave = lemma(verb) in words("gives") | {"make", "help", "change", "open", "push", "teach"}
    return bool(_qualities(verb)) or gave


def _regard(verb: Token) -> str:
    """The predicate of a judgement that holds: likes for a joy, values for what is important."""
    said = {lemma(each) for each in _qualities(verb)}
    if said & words("unpleasant"):
        return ""
    if said & words("weighty"):
        return "values"
    return "likes" if said & words("joys") else ""


def _said(clause: Clause, times: Collection[int]) -> str:
    """The clause as what it is for the speaker; "" where it is too long to be one thing."""
    told = [
        each
        for each in clause.verb.subtree
        if each.i not in times and each.dep_ != "intj" and not _is_of_another(each, clause.verb)
    ]
    text = spelled(told).replace("{", "").replace("}", "")
    if not text or len(text.split()) > _WORDS_MAX:
        return ""
    return f"For {{}}, {text[:1].lower()}{text[1:]}"


def _is_of_another(token: Token, verb: Token) -> bool:
    """True for the words of a clause beside, with a subject of its own."""
    for each in (token, *token.ancestors):
        if each == verb:
            return False
        joined = each.dep_ in {"conj", "parataxis"} and each.head == verb
        if joined or (each.dep_ in {"cc", "punct"} and each.head == verb and each.i > verb.i):
            return True
        told = each.dep_ == "ccomp" and each.i < verb.i and each.head == verb
        if told:
            return True
    return False
