"""Small questions to a parsed sentence."""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.cleaning import TITLE_JOINT
from anamnesis_ingestion.learning.english.vocabulary import words

FIRST = frozenset({"i", "we"})
MINE = frozenset({"my", "our"})
CLAUSAL = frozenset({"conj", "advcl", "ccomp", "parataxis", "relcl", "csubj", "dep"})


def is_verbal(token: Token) -> bool:
    """True if the token heads a clause of its own."""
    if token.dep_ in {"aux", "auxpass", "amod", "compound", "poss", "nmod", "det", "case"}:
        return False
    return token.pos_ in {"VERB", "AUX"}


def child(token: Token, *deps: str) -> Token | None:
    """The first child with one of these dependencies."""
    return next((each for each in token.children if each.dep_ in deps), None)


def children(token: Token, *deps: str) -> list[Token]:
    """The children with one of these dependencies."""
    return [each for each in token.children if each.dep_ in deps]


def is_clause_child(token: Token) -> bool:
    """True for a token that opens another clause beside or below the one it hangs on."""
    return token.dep_ in CLAUSAL and is_verbal(token)


def own(token: Token, *, with_objects: bool = False, inside: bool = False) -> Iterator[Token]:
    """The tokens of a clause or phrase, without the clauses that hang on it, in any order.

    `with_objects` keeps clauses that are its objects: infinitives, gerunds, `that` clauses; what is
    joined to such a clause and has no subject of its own is `inside` it.
    """
    yield token
    for each in token.children:
        kept = each.dep_ in {"xcomp", "pcomp"} or (with_objects and each.dep_ in {"ccomp", "relcl"})
        joined = inside and each.dep_ == "conj" and child(each, "nsubj", "nsubjpass") is None
        if is_clause_child(each) and not kept and not joined:
            continue
        held = with_objects and (inside or kept)
        yield from own(each, with_objects=with_objects, inside=held)


def lemma(token: Token) -> str:
    """The lemma, folded; of a proper noun its text."""
    return str(token.lemma_).casefold()


def is_negated(token: Token) -> bool:
    """True if a word that denies hangs on the token: not, never, neither."""
    return any(
        each.dep_ == "neg"
        or (each.lower_ in words("no") - {"no"} and each.dep_ in {"advmod", "det", "preconj"})
        for each in token.children
    )


def is_person(token: Token) -> bool:
    """True for a word that may name one person: a proper noun or kin."""
    return token.pos_ == "PROPN" or lemma(token) in words("kin") | words("acquaintances")


def possessor(token: Token) -> Token | None:
    """The possessor of a noun."""
    return child(token, "poss")


def is_mine(token: Token) -> bool:
    """True if the speaker calls the noun mine or ours."""
    owner = possessor(token)
    return owner is not None and owner.lower_ in MINE


def coordinated(token: Token) -> Iterator[Token]:
    """The token and what is joined to it, the objects of a list; not by "instead of"."""
    yield token
    if any(each.lower_ == "of" for each in children(token, "cc")):
        return
    for each in (
        children(token, "conj", "appos") if token.pos_ != "PROPN" else children(token, "conj")
    ):
        if each.dep_ == "conj" and each.pos_ in {
            "NOUN",
            "PROPN",
            "ADJ",
            "NUM",
            "VERB",
            "X",
            "PRON",
        }:
            yield from coordinated(each)


def is_title(head: Token) -> bool:
    """True for a work by its title: "Piranesi" in quotes, or one of several words."""
    quoted = TITLE_JOINT in head.text or any(each.text == '"' for each in head.children)
    return quoted and head.text[:1].isupper()
