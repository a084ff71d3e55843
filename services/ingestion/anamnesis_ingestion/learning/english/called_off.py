"""Ends that are told alone: plans that come to nothing, and those by name who died.

"The trip fell through", "we won't move after all", "I was going to sell it", "Biscuit died". Each
ends what is held, and is nothing to remember where it was not.
"""

from collections.abc import Iterator

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.marks import (
    Tense,
    is_doubted,
    is_over,
    is_supposed,
    tense_of,
    was_forced,
)
from anamnesis_ingestion.learning.english.subjects import Subject, name_of
from anamnesis_ingestion.learning.english.times import Times
from anamnesis_ingestion.learning.english.tree import FIRST, child, children, is_negated, lemma
from anamnesis_ingestion.learning.english.values import is_vague, phrase, spelled, value
from anamnesis_ingestion.learning.english.vocabulary import Effect, governors, words

_WORTH = 0.7
_NO_PLANS = frozenset({"forget", "let", "be", "give"})
"""Verbs of a resolve: "I'll never forget it", "I'm not gonna let it stop me"."""
_ENDED_BY_WORD = ("uses", "owns", "eats", "drinks", "likes")
_KNOWN = frozenset({"the", "my", "our"})
_FOR_OTHERS = frozenset({"your", "his", "her", "their"})


def called_off(sentence: Span, speaker: Subject, times: Times) -> Iterator[Claim]:
    """The claims of a sentence that only end what is held."""
    if sentence.text.rstrip().endswith("?"):
        return
    yield from _no_more(sentence, speaker, times)
    for token in sentence:
        if token.pos_ not in {"VERB", "AUX"} or is_supposed(token) or is_doubted(token):
            continue
        yield from _no_longer_planned(token, speaker, times)
        for what in _sold(token):
            yield _over(speaker, "owns", what, f"{{}} sold {what}", times, token)
        for what in _cured(token, times):
            yield _over(speaker, "has", what, f"{{}} no longer has {what}", times)
        for pet in _dead(token):
            yield _over(speaker, "has_pet", pet, f"{pet} died", times, token)


def _no_longer_planned(verb: Token, speaker: Subject, times: Times) -> Iterator[Claim]:
    """The ends of a plan of the speaker, and of that for which they were getting ready."""
    for what in (*_thing(verb, times), *_doing(verb, times)):
        yield _over(speaker, "plans", what, f"{{}}'s plan is off: {what}", times)
    for what in _thing(verb, times):
        yield _over(speaker, "prepares_for", what, f"{{}}'s plan is off: {what}", times)


def _sold(verb: Token) -> Iterator[str]:
    """The panda of "sold the panda", which by itself is nobody's car."""
    subjects = children(verb, "nsubj")
    mine = all(each.lower_ in FIRST for each in subjects) and not _is_unreal(verb)
    if lemma(verb) != "sell" or verb.tag_ not in {"VBD", "VBN"} or not mine or is_negated(verb):
        return
    for head in children(verb, "dobj"):
        known = any(each.lower_ in _KNOWN for each in children(head, "det", "poss"))
        if known and head.tag_ == "NN":
            yield value(head, "name", ())


def _cured(verb: Token, times: Times) -> Iterator[str]:
    """The migraines of "the migraines stopped", "my migraines went away"."""
    whole = {lemma(verb), *(f"{lemma(verb)} {each.lower_}" for each in verb.children)}
    over = verb.tag_ in {"VBD", "VBN"} and not whole.isdisjoint(words("cures"))
    if not over or is_negated(verb) or _is_unreal(verb):
        return
    for head in children(verb, "nsubj"):
        ill = not {lemma(head), head.lower_}.isdisjoint(words("conditions") | words("illnesses"))
        if ill and any(each.lower_ in _KNOWN for each in children(head, "det", "poss")):
            yield value(head, "name", times.tokens)


def _over(
    speaker: Subject, predicate: str, what: str, said: str, times: Times, verb: Token | None = None
) -> Claim:
    return Claim(
        subject=speaker.key,
        predicate=predicate,
        object=what,
        statement=said.replace("{}", speaker.shown),
        kind="relationship" if predicate == "has_pet" else "goal",
        worth=_WORTH,
        until=None if verb is None else times.of(verb).until,
        ended=True,
        ends_only=True,
    )


def _no_more(sentence: Span, speaker: Subject, times: Times) -> Iterator[Claim]:
    """The things that are over for the speaker by two words: "we got a Subaru, so no more Golf"."""
    more = [each for each in sentence[2:] if each.lower_ == "more"]
    for token in more:
        what = token.head
        behind = (token.nbor(-2).lower_, token.nbor(-1).lower_) in {("so", "no"), ("and", "no")}
        done = (each for each in sentence.doc[sentence.start : token.i] if _is_by_speaker(each))
        told = any(each.tag_ in {"VBD", "VBN"} for each in done)
        if behind and told and what.i > token.i:
            name = spelled(sentence.doc[token.i + 1 : what.i + 1])
            for predicate in _ENDED_BY_WORD if what.pos_ in {"NOUN", "PROPN"} else ():
                yield _over(speaker, predicate, name, f"no more {name} for {{}}", times)


def _is_by_speaker(verb: Token) -> bool:
    return any(each.lower_ in FIRST for each in children(verb, "nsubj"))


def _thing(verb: Token, times: Times) -> Iterator[str]:
    """The thing that "fell through", "was cancelled", or was cancelled by the speaker."""
    whole = {f"{lemma(verb)} {each.lower_}" for each in children(verb, "prt", "advmod", "prep")}
    by_itself = not whole.isdisjoint(words("fails"))
    off = lemma(verb) in words("cancels") or not whole.isdisjoint(words("cancels"))
    if is_negated(verb) or not (by_itself or off) or _is_unreal(verb):
        return
    mine = any(each.lower_ in FIRST for each in children(verb, "nsubj"))
    heads = children(verb, "nsubjpass") + (children(verb, "nsubj") if by_itself else [])
    for head in heads + (children(verb, "dobj") if mine else []):
        owned = any(each.lower_ in _FOR_OTHERS for each in children(head, "poss"))
        if head.pos_ in {"NOUN", "PROPN"} and not owned and not is_vague(head):
            yield _beside(head, verb) or value(head, "full", times.tokens)


def _beside(head: Token, verb: Token) -> str:
    """The "Perth flat" of "the Perth flat fell through", whose noun was taken for an adverb."""
    between = head.doc[head.i + 1 : verb.i]
    torn = len(between) == 1 and between[0].dep_ == "advmod" and head.pos_ == "PROPN"
    return f"{head.text} {between[0].text}" if torn else ""


def _is_unreal(verb: Token) -> bool:
    return any(each.tag_ == "MD" for each in children(verb, "aux"))


def _doing(verb: Token, times: Times) -> Iterator[str]:
    """The deed that the speaker "won't do", is "no longer going to", "was going to" do."""
    if not any(each.lower_ in FIRST for each in children(verb, "nsubj")):
        return
    helped = {each.lower_ for each in children(verb, "aux")}
    if is_negated(verb) and helped & {"wo", "will", "'ll"} and lemma(verb) not in _NO_PLANS:
        yield phrase(verb, times.tokens)
    effects = {effect for _, effect in governors().get(lemma(verb), ())}
    if Effect.PLAN not in effects or (lemma(verb) == "go" and verb.tag_ != "VBG"):
        return
    past = tense_of(verb) is Tense.PAST and lemma(verb) not in words("decides")
    over = past or is_negated(verb) or is_over(verb)
    for below in children(verb, "xcomp"):
        if (over or is_negated(below)) and lemma(below) not in _NO_PLANS:
            yield phrase(below, times.tokens)


def _dead(verb: Token) -> Iterator[str]:
    """The name of who died, which may be a pet's."""
    beside = {f"{lemma(verb)} {each.lower_}" for each in children(verb, "prt", "advmod", "prep")}
    died = not words("ends_of_life").isdisjoint({lemma(verb), *beside})
    head = verb.head if was_forced(verb) else verb
    told = was_forced(verb) or tense_of(verb) is not Tense.PRESENT
    by_others = lemma(verb) == "put" and child(verb, "auxpass") is None
    if died and told and not by_others and not is_negated(verb):
        for subject in children(head, "nsubj", "nsubjpass"):
            name = name_of(subject) if subject.pos_ == "PROPN" else ""
            if name and child(subject, "poss") is None and not _is_unreal(verb):
                yield name
