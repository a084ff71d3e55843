"""Tags that the spelling of a word forbids, put right before a sentence is read.

The parser takes "roasted" for a present, "like" behind a subject for a preposition, and the verb of
"Cancelled Netflix at last" for an adjective. What cannot be so by its form alone is mended, and so
is the lemma of "hates"; of the tree little is changed.
"""

import re

from spacy.tokens import Doc, Token

from anamnesis_ingestion.learning.english.cleaning import TITLE_JOINT
from anamnesis_ingestion.learning.english.marks import is_rather
from anamnesis_ingestion.learning.english.tree import child, children, is_mine, lemma
from anamnesis_ingestion.learning.english.vocabulary import Change, frames, pasts, words
from anamnesis_ingestion.learning.local.naming.english_ordinary import (
    CALENDAR,
    PEOPLES,
    is_ordinary,
)

_UNSURE = frozenset({"NN", "JJ", "NNS", "VB", "VBP", "RB", "UH", "FW"})
_REGULAR = re.compile(r"\w{2,30}(?<!e)(?<!emb)(?<!sh)(?<!w)ed")
_PRESENT = frozenset({"VB", "VBP"})
_VERBS = frozenset({"VB", "VBG"})
_JOINED = frozenset({"conj", "cc", "punct"})
_HELD = frozenset({"dobj", "attr", "aux", "auxpass", "neg"})
_NAMED_AS = frozenset({"nsubj", "attr", "acomp", "appos", "oprd", "dobj", "pobj"})
_DONE = frozenset({"remember", "forget", "mention", "say", "know", "admit", "hear"})
"""Verbs that stand behind "allergic to" where a sentence was not cut."""


def mended(doc: Doc) -> Doc:
    """The document with impossible tags put right; the document itself is changed."""
    for token in doc:
        _mend_word(token)
        if token.tag_ == "VB" and token.dep_ == "xcomp" and lemma(token.head) in {"eat", "drink"}:
            _mend_eaten(token)
        elif token.tag_ in _VERBS and token.dep_ == "xcomp" and token.head.lower_ == "allergic":
            _mend_allergen(token)
        elif token.tag_ in _PRESENT:
            _mend_past(token)
        elif token.lower_ == "like" and token.dep_ in {"ROOT", "conj"}:
            _mend_like(token)
        else:
            _mend_place(token)
    return doc


def _mend_word(token: Token) -> None:
    """A word whose form is mistaken wherever it stands."""
    if token.lower_ in {"hates", "hated"}:
        token.lemma_ = "hate"
    if token.tag_ == "VBD" and token.lower_ == lemma(token):
        token.tag_ = "VBD" if token.lower_ in words("unchanged") else "VBP"
    if token.tag_ in _PRESENT and token.dep_ in {"advcl", "xcomp", "ccomp"}:
        _mend_food(token)
    if token.dep_ in _NAMED_AS and token.pos_ != "PROPN":
        _mend_name(token)
    if TITLE_JOINT in token.text:
        _mend_title(token)
    if token.pos_ == "PROPN":
        _mend_owner(token)
        _mend_teller(token)
    if token.dep_ == "conj" and token.head.dep_ == "ROOT" and _is_told(token, token.head):
        _mend_joined(token)


def _is_told(verb: Token, first: Token) -> bool:
    """True where the first verb of two is finite, and the second no past that is written alike."""
    past = first.tag_ == "VBD" and verb.tag_ == "VB" and verb.lower_ not in words("unchanged")
    return bool(first.tag_ == "VBP" or past)


def _mend_joined(verb: Token) -> None:
    """The do of "I drive a van and do odd jobs", taken for an infinitive."""
    unsure = verb.tag_ == "VB" or verb.lower_ == "read"
    alone = child(verb, "nsubj", "nsubjpass", "aux", "auxpass") is None
    if (
        unsure
        and alone
        and lemma(verb.head) != "be"
        and child(verb.head, "xcomp", "aux", "acomp") is None
    ):
        verb.tag_ = "VBP"


def _mend_food(token: Token) -> None:
    """The gluten of "I've cut out gluten", taken for what one does."""
    if token.lower_ in words("allergens") and not any(token.children):
        token.tag_, token.pos_, token.dep_ = "NN", "NOUN", "dobj"


def _mend_name(token: Token) -> None:
    """A name that the tagger does not know: the Henrike of "my boss is Henrike"."""
    unknown = token.text.istitle() and token.is_alpha and not is_ordinary(token.text)
    inside = token.i > token.sent.start and not token.nbor(-1).is_punct
    if not (unknown and inside) or token.lower_ in PEOPLES | CALENDAR or token.tag_ not in _UNSURE:
        return
    beside = (token.nbor(-1), *children(token, "compound", "amod"))
    tied = token.dep_ in {"attr", "acomp"} and any(
        _is_role(each) for each in children(token.head, "nsubj")
    )
    if tied or any(map(_is_role, beside)):
        token.tag_, token.pos_ = "NNP", "PROPN"
        token.dep_ = "attr" if token.dep_ == "acomp" else token.dep_


def _mend_owner(name: Token) -> None:
    """The "my" of "my flatmate Joost", hung on the flatmate: it is said of Joost, too."""
    for role in children(name, "compound", "amod", "nmod"):
        if _is_role(role) and role.i < name.i:
            role.dep_ = "compound"
            for each in children(role, "poss"):
                each.head = name


def _mend_title(title: Token) -> None:
    """A title is a name, and nothing that says how something is done."""
    title.tag_, title.pos_ = "NNP", "PROPN"
    if title.dep_ in {"advmod", "npadvmod"} and child(title.head, "dobj") is None:
        title.dep_ = "dobj"


def _mend_teller(name: Token) -> None:
    """The teller of `Tim said "I live in Cairo"`, taken for a measure of the saying."""
    told = name.dep_ == "npadvmod" and name.head.i == name.i + 1 and name.head.tag_ == "VBD"
    if told and name.lower_ not in CALENDAR and child(name.head, "nsubj", "nsubjpass") is None:
        name.dep_ = "nsubj"


def _is_role(token: Token) -> bool:
    return lemma(token) in words("kin") | words("acquaintances") | words("pets")


def _mend_place(token: Token) -> None:
    """A word that cannot stand in its place, as the parser sees it."""
    if token.dep_ == "amod" and token.i == token.sent.start:
        _mend_opening(token)
    elif token.lower_ == "'s" and token.dep_ == "auxpass":
        _mend_has(token)
    elif token.dep_ == "advmod" and lemma(token) in words("bodies"):
        _mend_body(token)
    elif token.tag_ == "JJ" and token.dep_ in {"advmod", "acomp"}:
        _mend_taste(token)
    elif token.pos_ == "PROPN" and token.dep_ in {"advmod", "npadvmod"}:
        _mend_object(token)
    elif token.dep_ == "nsubj" and token.i > token.head.i:
        _mend_done(token)
    elif token.tag_ == "NN" and token.dep_ == "ROOT" and is_rather(token):
        token.tag_, token.pos_ = "VB", "VERB"


def _mend_taste(quality: Token) -> None:
    """The colour of "I hate pink", taken for a manner."""
    verb = quality.head
    held = any(each.dep_ in {"dobj", "xcomp", "ccomp"} for each in verb.children)
    taste = lemma(verb) in words("taste_verbs") or (
        lemma(verb) in {"stand", "bear"} and child(verb, "neg") is not None
    )
    if taste and quality.i == verb.i + 1 and not held:
        quality.dep_, quality.tag_, quality.pos_ = "dobj", "NN", "NOUN"


def _mend_body(part: Token) -> None:
    """The back of "I've got a bad back", taken for a direction."""
    if part.tag_ == "NN" or child(part, "det", "poss", "amod") is not None:
        part.dep_, part.tag_, part.pos_ = "dobj", "NN", "NOUN"


def _mend_done(noun: Token) -> None:
    """The object of "..., did my first marathon", taken for a subject as there is none."""
    verb = noun.head
    alone = all(each == noun or each.dep_ not in _HELD for each in verb.children)
    if verb.dep_ == "conj" and verb.tag_ == "VBD" and alone and is_mine(noun):
        noun.dep_ = "dobj"


def _mend_eaten(token: Token) -> None:
    """The food of "I can't eat gluten", taken for a verb."""
    if not any(each.dep_ == "aux" for each in token.children):
        token.tag_, token.pos_, token.dep_ = "NN", "NOUN", "dobj"


def _mend_allergen(token: Token) -> None:
    """The ragweed of "allergic to ragweed", taken for what one does; a verb that we know is one."""
    led = [each for each in token.children if each.i < token.i]
    behind = any(each.i > token.i and each.dep_ not in _JOINED for each in token.children)
    if behind or [each.lower_ for each in led] != ["to"] or lemma(token) in _DONE | frames().keys():
        return
    led[0].head, led[0].dep_, led[0].tag_, led[0].pos_ = token.head, "prep", "IN", "ADP"
    token.head, token.dep_, token.tag_, token.pos_ = led[0], "pobj", "NN", "NOUN"


def _mend_has(token: Token) -> None:
    """The "has" of "she's moved to Hull", which is done by nobody else."""
    if lemma(token.head) in words("goes_by_itself"):
        token.lemma_, token.dep_ = "have", "aux"
        for each in token.head.children:
            each.dep_ = "nsubj" if each.dep_ == "nsubjpass" else each.dep_


def _mend_object(name: Token) -> None:
    """The object of "I dropped Todoist", taken for an adverb."""
    verb = name.head
    ends = any(frame.change is Change.END for frame in frames().get(lemma(verb), ()))
    held = any(each.dep_ == "dobj" for each in verb.children)
    if ends and not held and name.left_edge.i == verb.i + 1 and name.ent_type_ != "DATE":
        name.dep_ = "dobj"


def _mend_opening(token: Token) -> None:
    """The verb of "Cancelled Netflix at last", whose speaker is left out."""
    name = token.head
    turning = [each for each in frames().get(lemma(token), ()) if each.change is Change.END]
    told = token.tag_ in {"VBN", "VBD"} and any("dobj" in each.slots for each in turning)
    if told and name.dep_ == "ROOT" and name.pos_ == "PROPN" and name.i == token.i + 1:
        token.head, token.dep_, token.tag_, token.pos_ = token, "ROOT", "VBD", "VERB"
        name.head, name.dep_ = token, "dobj"


def _mend_past(token: Token) -> None:
    """A past form that was taken for a present: "roasted", "took"."""
    told = any(each.dep_ == "nsubj" for each in token.children)
    quits = "quit" if token.lower_ == "quit" and told else ""
    base = quits or pasts().get(token.lower_) or _again(token.lower_) or _base(token)
    if base and not any(each.dep_ in {"aux", "auxpass"} for each in token.children):
        token.tag_, token.lemma_ = "VBD", base


def _again(word: str) -> str:
    """The verb of an irregular past with "re" before it: "retook"."""
    verb = pasts().get(word.removeprefix("re")) if word.startswith("re") else None
    return f"re{verb}" if verb else ""


def _base(token: Token) -> str:
    """The verb of a regular past whose lemma was not found; "" for "need", "embed"."""
    word = token.lower_
    if not _REGULAR.fullmatch(word) or token.lemma_.casefold() != word:
        return ""
    stem = word[:-2]
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return f"{stem}e" if stem[-1] in "vcgu" or (stem[-1] in "sz" and stem[-2] != stem[-1]) else stem


def _mend_like(token: Token) -> None:
    """The verb of "I no longer like jazz"."""
    subject = next((each for each in token.children if each.dep_ == "nsubj"), None)
    if subject is not None and subject.i < token.i:
        token.tag_, token.pos_, token.lemma_ = "VBP", "VERB", "like"
