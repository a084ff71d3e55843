"""Whom a clause is about: the speaker, somebody who is named, the speaker's kin or things."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Turn
from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.tree import FIRST, child, children, is_mine, lemma
from anamnesis_ingestion.learning.english.values import core, spelled, value
from anamnesis_ingestion.learning.english.vocabulary import words
from anamnesis_ingestion.learning.local.naming.english_ordinary import is_ordinary

_NUMERAL = re.compile(r"[IVX]+")
"""The "II" of "Warrior II", which is nobody's name."""
_NAMED_AS = frozenset({"nsubj", "nsubjpass", "appos", "oprd"})
_THIRD = frozenset({"he", "she"})

_IT = frozenset({"he", "she", "it"})


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject: its key, its words in a statement, and what sort it is."""

    key: str
    shown: str
    sort: str
    """speaker, person or thing"""
    owner: str = ""
    """Who a thing belongs to, by name; "" for the speaker."""
    to_agent: bool = False
    """An agent is told of it: whatever the person does with it is for the episode."""


class Subjects:
    """Resolves subjects within one turn; remembers who was named in it, and its last sentence."""

    def __init__(self, turn: Turn) -> None:
        self.before: Span | None = None
        self._turn = turn
        self._named: list[str] = []
        self._here: list[tuple[int, str]] = []
        self._tied: set[str] = set()

    @property
    def speaker(self) -> Subject:
        """The speaker of the turn."""
        turn = self._turn
        return Subject(turn.subject, turn.shown, "speaker", to_agent=turn.to_agent)

    def of(self, clause: Clause) -> Subject | None:
        """The subject of a clause; None where nobody knows who is meant."""
        token = clause.subject
        teller = clause.reading.teller
        if teller is not None:
            pronoun = token is None or token.lower_ in _THIRD | FIRST | {"they"}
            return self._person(name_of(teller)) if pronoun else None
        if token is None or token.lower_ in FIRST or _is_with_speaker(token):
            return self._with_others(token) if self._turn.subject else None
        if token.lower_ in _THIRD:
            return self._person(self.meant_at(token)) or self._relative(token)
        return self.noun(token)

    def _relative(self, pronoun: Token) -> Subject | None:
        """Whom "he" and "she" mean where nobody is named: the one relative told of before."""
        near = [*(self.before or ()), *(each for each in pronoun.sent if each.i < pronoun.i)]
        living = [each for each in near if is_tie(each) or _is_somebody(each)]
        others = words("men" if pronoun.lower_ == "she" else "women")
        roles = {lemma(each) for each in living}
        named = any(each.pos_ == "PROPN" for each in near) or roles & others or len(roles) != 1
        first = next((each for each in living if is_mine(each) and _is_kin(each)), None)
        return None if named or first is None or first.tag_ == "NNS" else self.noun(first)

    def meant_at(self, token: Token) -> str:
        """The name of whom "he" and "she" mean: the one person named before; "" for none.

        Whose thing is named, "Chandler's tales", may be meant as well, and is never meant alone.
        """
        named = {*self._named, *(name for place, name in self._here if place < token.i)}
        before = token.doc[token.sent.start : token.i]
        owners = {name_of(each) for each in before if each.dep_ == "poss"} - {""}
        return named.pop() if len(named) == 1 and owners <= named else ""

    def _with_others(self, token: Token | None) -> Subject:
        """The speaker; in a statement with whoever did it with them: "my kids and I"."""
        first = None if token is None else _first_of_both(token)
        if first is None:
            return self.speaker
        others = spelled(
            each for each in first.subtree if each.lower_ not in FIRST and each.dep_ != "cc"
        )
        both = f"{self._turn.shown} and {others}" if others else self._turn.shown
        return replace(self.speaker, shown=both)

    def noun(self, token: Token) -> Subject | None:
        """Somebody or something by a noun."""
        if _is_called(token):
            return None
        own = _is_own_kin(token)
        written = token.pos_ == "PROPN" and is_mine(token) and is_tie(token)
        name = "" if written or own else name_of(token)
        if name.casefold() in words("discourse") or (name == token.text and _is_ordinary(token)):
            return None
        if name and lemma(token) not in words("pets"):
            written = token.pos_ == "PROPN" and name[:1].isupper()
            return self._person(name) if written or _is_kin(token) else None
        if _is_of_third(token) and lemma(token) in words("attributes"):
            return self._attribute(token)
        if not self._turn.subject or not (own or is_mine(token) or _is_bare(token)):
            return None
        sort = "person" if _is_kin(token) else "thing"
        noun = core(token)
        noun = noun.lower() if sort == "person" and is_tie(token) else noun
        shown = noun if sort == "person" else value(token, "noun", ())
        shown = shown[:1].lower() + shown[1:] if _is_bare(token) else shown
        return Subject(
            f"{self._turn.subject}'s {noun}",
            f"{self._turn.shown}'s {shown}",
            sort,
            to_agent=self._turn.to_agent,
        )

    def _attribute(self, token: Token) -> Subject | None:
        """The birthday of "my sister Lena came, and her birthday": of the one whose tie was told.

        Who is only named may be a thing, and who is not named may be meant as well.
        """
        owner = self.meant_at(token)
        near = [*(self.before or ()), *token.sent]
        kin = [each for each in near if is_tie(each)]
        if not owner or owner not in self._tied or len(kin) > 1:
            return None
        return Subject(f"{owner}'s {core(token)}", f"{owner}'s {core(token)}", "thing", owner=owner)

    def meant_in(self, sentence: Span) -> str:
        """Who "her" and "him" mean: the one pet or relative told of before; "" if unsure."""
        before = [*(self.before or ())]
        mine = {lemma(each) for each in before if is_mine(each) and _lives(each)}
        named = any(each.pos_ == "PROPN" for each in (*before, *sentence))
        others = any(map(_lives, sentence))
        return f"their {mine.pop()}" if len(mine) == 1 and not (named or others) else ""

    def tie(self, persons: Iterable[str]) -> None:
        """Remember the people whose tie to the speaker was told."""
        self._tied |= {*persons}

    def note(self, sentence: Span) -> None:
        """Remember who is named in a sentence, and where."""
        self._named += [name for _, name in self._here]
        self._here = [
            (token.i, name)
            for token in sentence
            if token.pos_ == "PROPN" and (token.dep_ in _NAMED_AS or _leads(token))
            if not _is_where(token)
            if (name := name_of(token)) and _may_be_somebody(name)
        ]

    def _person(self, name: str) -> Subject | None:
        return Subject(name, name, "person", to_agent=self._turn.to_agent) if name else None


def _is_somebody(token: Token) -> bool:
    """True for whoever may be meant as well: "a man", "him"."""
    return token.lower_ in words("men") | words("women") | words("somebody")


def _lives(token: Token) -> bool:
    """True for kin and pets."""
    return token.pos_ == "NOUN" and lemma(token) in words("kin") | words("pets")


def _may_be_somebody(name: str) -> bool:
    return name.casefold() not in words("discourse") and not is_ordinary(name)


def _is_where(name: Token) -> bool:
    """True for the Tacoma of "a house in Tacoma": nobody."""
    return name.dep_ == "pobj" and name.head.lower_ in {"in", "near"}


def _leads(name: Token) -> bool:
    """True for the Daniel of "Daniel, he's my partner"."""
    behind = name.doc[name.i + 1 : name.i + 3]
    return len(behind) > 1 and behind[0].text == "," and behind[1].lower_ in _THIRD


def _is_of_third(token: Token) -> bool:
    """True for "her birthday"."""
    return any(each.lower_ in {"her", "his"} for each in children(token, "poss"))


def _is_called(token: Token) -> bool:
    """True for the Nate of "Hey Nate, my favourite is tart": he is spoken to."""
    following = token.i + 1 < token.sent.end and token.nbor().text == ","
    opens = token.left_edge.i <= token.sent.start + 1
    told_of = children(token, "appos", "relcl", "acl", "conj")
    return token.pos_ == "PROPN" and following and opens and not told_of


def _is_ordinary(token: Token) -> bool:
    """True for the School of "School started a club": a capital makes no name there."""
    if _NUMERAL.fullmatch(token.text):
        return True
    opens = token.i <= token.sent.start + 1 or token.text.isupper()
    return opens and child(token, "poss", "compound") is None and is_ordinary(token.text)


def _is_with_speaker(token: Token) -> bool:
    """True for "Anthony and I"."""
    return any(each.lower_ in FIRST for each in children(token, "conj"))


def _first_of_both(token: Token) -> Token | None:
    """The "my colleagues" of "my colleagues and I", however it was parsed; None for one alone."""
    if _is_with_speaker(token):
        return token
    if token.lower_ != "i" or token.i < 2 or token.nbor(-1).lower_ != "and":
        return None
    beside = [each for each in children(token.head, "nsubj") if each.i < token.i]
    return beside[-1] if beside else None


def _is_bare(token: Token) -> bool:
    """True for a noun that opens a sentence without an article: "Deadline is June 15"."""
    if lemma(token) in words("dates_set") and child(token, "poss") is None:
        return token.left_edge.i <= token.sent.start + 1
    alone = not any(
        each.dep_ in {"det", "poss"} or (each.dep_ == "amod" and each.lower_ not in words("chief"))
        for each in token.children
    )
    opens = token.left_edge.i <= token.sent.start + 1
    return alone and opens and lemma(token) in words("attributes")


def _is_own_kin(token: Token) -> bool:
    """True for the speaker's own mother in "Mom is a nurse"."""
    alone = child(token, "det", "poss", "compound", "appos", "amod") is None
    return token.lower_ in words("own_kin") and token.tag_ in {"NN", "NNP"} and alone


def _is_kin(token: Token) -> bool:
    """True for "mother" and the Lena of "sister Lena"; a mother tongue is none."""
    named = token.pos_ == "PROPN" and any(map(is_tie, children(token, "compound")))
    return is_tie(token) or named


def is_tie(token: Token) -> bool:
    """True for kin and acquaintances: "mother", and the "Mother" that is written like a name."""
    if lemma(token) in words("tools_by_role") and children(token, "compound"):
        return False
    forms = {lemma(token), token.lower_, token.lower_.removesuffix("s")}
    return not forms.isdisjoint(words("kin") | words("acquaintances"))


def _hyphened(name: list[Token]) -> list[Token]:
    """The tokens of a name with what hyphens join to it: the "Jean-" of "Jean-Louis Leutrat"."""
    joined = {each.i: each for each in name}
    for each in name:
        at = each.i
        while at > 1 and each.doc[at - 1].text == "-" and not each.doc[at - 1].whitespace_:
            if each.doc[at - 2].whitespace_:
                break
            joined |= {at - 1: each.doc[at - 1], at - 2: each.doc[at - 2]}
            at -= 2
    return list(joined.values())


def called_so(pet: Token) -> str:
    """The Freja of "we adopted a dog, she's called Freja"; "" for none."""
    for verb in pet.sent[pet.i - pet.sent.start :]:
        subject = child(verb, "nsubj", "nsubjpass")
        if lemma(verb) in {"call", "name"} and subject is not None and subject.lower_ in _IT:
            return next(filter(None, map(name_of, children(verb, "oprd", "dobj"))), "")
    return ""


def name_of(token: Token) -> str:
    """The proper name that a noun is or bears; "" for none: "my sister Lena" bears Lena."""
    if token.pos_ == "PROPN":
        parts = [
            each
            for each in children(token, "compound", "flat")
            if each.pos_ in {"PROPN", "INTJ"} and lemma(each) not in words("kin")
        ]
        greeted = any(each.lower_ in words("discourse") for each in parts)
        return "" if greeted else spelled(_hyphened([*parts, token]))
    beside = child(token, "appos")
    if beside is not None and beside.pos_ == "PROPN" and beside.i - token.i <= 3:
        return name_of(beside)
    called = child(token, "acl")
    if called is not None and called.lower_ in {"named", "called"}:
        name = child(called, "oprd", "dobj", "attr")
        return name_of(name) if name is not None and name.pos_ == "PROPN" else ""
    return ""
