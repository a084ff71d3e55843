"""The tie of two who talk, said to the other's face: "you're my best friend", "I'm your sister"."""

import re
from collections.abc import Iterator

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.presupposed import is_role, predicate_of
from anamnesis_ingestion.learning.english.subjects import name_of
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    coordinated,
    is_mine,
    is_negated,
    is_person,
    lemma,
    possessor,
)
from anamnesis_ingestion.learning.english.values import core
from anamnesis_ingestion.learning.english.vocabulary import words

_WORTH = 0.8
_COUNT = re.compile(r"^(?:two|three|four|five|both|other) ")
_PRESENT = frozenset({"am", "are", "'m", "'re"})
_YOU = frozenset({"you", "your", "yours"})


def ties_between(sentence: Span, turn: Turn) -> Iterator[Claim]:
    """The ties of speaker and listener that a sentence tells."""
    asks = sentence.text.rstrip().endswith("?")
    if turn.subject and not asks:
        for token in sentence:
            yield from _of_named(token, turn)
    if not turn.listener or not turn.subject:
        return
    yield from _called(sentence, turn)
    for token in () if asks else sentence:
        who = _said_of(token)
        if who == "you" and (is_mine(token) or _is_a_friend(token)):
            yield _tie(turn.subject, turn.shown, turn.listener, turn.listener, token)
        if who == "i" and _is_yours(token):
            yield _tie(turn.listener, turn.listener, turn.subject, turn.shown, token)


def _of_named(told: Token, turn: Turn) -> Iterator[Claim]:
    """The tie to others by name: "I'm Tom's sister", "I'm one of Ross's best friends"."""
    of = child(told, "prep")
    some = of is not None and of.lower_ == "of"
    role = child(of, "pobj") if of is not None and some and told.lower_ == "one" else told
    if role is None or not is_role(role) or _said(told) not in FIRST:
        return
    owner = possessor(role)
    if owner is None and lemma(role) in words("jobs"):
        return  # "the CTO of Halden" has a job there
    named = child(of, "pobj") if of is not None and some and role is told else owner
    for each in coordinated(named) if named is not None and named.pos_ == "PROPN" else ():
        name = name_of(each)
        said = core(role).removesuffix(role.lower_) + lemma(role)
        title = _COUNT.sub("", said.rpartition("'s ")[2])
        if name and is_person(each):
            yield Claim(
                subject=turn.subject,
                predicate=predicate_of(title),
                object=name,
                statement=f"{turn.shown} is {name}'s {title}",
                kind="relationship",
                worth=_WORTH,
                persons=(name,),
            )


def _called(sentence: Span, turn: Turn) -> Iterator[Claim]:
    """The tie by which the speaker calls the listener: "Mom, don't bite your nails"."""
    kin = [each for each in sentence if each.lower_ in words("own_kin")]
    quoted = any(each.is_quote for each in sentence)
    others = any(each.pos_ == "PROPN" and each.i > kin[0].i for each in sentence) if kin else False
    spoken_to = any(each.lower_ in _YOU for each in sentence)
    if len(kin) == 1 and _is_call(kin[0]) and spoken_to and not (quoted or others):
        name = str(kin[0].lower_)
        yield Claim(
            subject=turn.subject,
            predicate=predicate_of(name),
            object=turn.listener,
            statement=f"{turn.listener} is {turn.shown}'s {name}",
            kind="relationship",
            worth=_WORTH,
            persons=(turn.listener,),
            presupposed=True,
        )


def _is_call(word: Token) -> bool:
    """True for a word set apart from the sentence at its start or end: "OK, Dad."."""
    sentence = word.sent
    before = [each for each in sentence if each.i < word.i and not each.is_punct]
    after = [each for each in sentence if each.i > word.i and not each.is_punct]
    fills = ("INTJ", "CCONJ")
    opens = all(each.pos_ in fills or each.lower_ in words("discourse") for each in before)
    set_apart = word.i > sentence.start and word.nbor(-1).text == ","
    closed = word.i + 1 >= sentence.end or word.nbor().is_punct
    return closed and (opens or (set_apart and not after)) and len(before) + len(after) > 0


def _said_of(role: Token) -> str:
    """The subject that is plainly said to be in a role; "" for none."""
    return _said(role) if is_role(role) else ""


def _said(told: Token) -> str:
    """The subject that is plainly said to be so; "" for none."""
    verb = told.head
    subject = child(verb, "nsubj")
    if told.dep_ != "attr" or lemma(verb) != "be" or subject is None:
        return ""
    unsure = child(verb, "neg", "aux", "mark", "advcl") is not None
    first = verb.dep_ in {"ROOT", "conj", "parataxis"} or _is_told_by_speaker(verb)
    plain = verb.lower_ in _PRESENT and subject.i < verb.i
    return str(subject.lower_) if plain and first and not unsure else ""


def _is_told_by_speaker(verb: Token) -> bool:
    """True for what follows "I told you"."""
    teller = child(verb.head, "nsubj")
    told = verb.dep_ == "ccomp" and lemma(verb.head) in {"tell", "say"}
    return told and teller is not None and teller.lower_ == "i" and not is_negated(verb.head)


def _is_a_friend(role: Token) -> bool:
    """True for "a friend" and "such a good friend": of whom, the one who says so need not say."""
    one = any(each.lower_ in {"a", "an"} for each in children(role, "det"))
    return lemma(role) == "friend" and one and child(role, "prep", "relcl") is None


def _is_yours(role: Token) -> bool:
    owner = possessor(role)
    return owner is not None and owner.lower_ == "your"


def _tie(owner: str, owner_shown: str, other: str, other_shown: str, role: Token) -> Claim:
    name = lemma(role) if _is_a_friend(role) else core(role)
    return Claim(
        subject=owner,
        predicate=predicate_of(name),
        object=other,
        statement=f"{other_shown} is {owner_shown}'s {name}",
        kind="relationship",
        worth=_WORTH,
        persons=(other,),
    )
