"""Things that do something for the speaker: what matters to them, helps, inspires, is their hobby.

The thing is the subject, and the speaker stands in the clause as "me" or "my": "painting helps me
calm down", "family time matters to me", "gaming is my main hobby". An opinion that names no speaker
("sharing is important") is nobody's.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, worded
from anamnesis_ingestion.learning.english.idle import is_described
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.reversals import as_object, is_speaker
from anamnesis_ingestion.learning.english.tree import child, children, coordinated, is_mine, lemma
from anamnesis_ingestion.learning.english.values import (
    core,
    is_vague,
    phrase,
    phrase_tokens,
    spelled,
)
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_WORTH = 0.6
_WORDS_MIN = 2
_SAID = {"helped_by": "is_helped_by", "inspired_by": "is_inspired_by"}
_SUITS = frozenset({"work", "agree"})
_SEEN = frozenset({"this", "that", "it", "them", "him", "her", "those", "these"})
_MEANT = frozenset({"it", "they"})
_NAMED_AS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_THEM = re.compile(r" the(?:m|(?P<of>ir))\b")
_OWN = frozenset({"amod", "compound", "poss", "prep", "relcl", "acl"})


def esteemed(clause: Clause) -> Iterator[Statement]:
    """The statements of the speaker that a clause about something else makes.

    "A colleague who helped me" is told of beside something else.
    """
    reading, verb = clause.reading, clause.verb
    if reading.mood is not Mood.FACT or reading.negated or reading.change is not None:
        return
    if verb.dep_ == "relcl":
        return
    if reading.tense is Tense.PAST or clause.subject is None or is_speaker(clause.subject):
        return
    clause = _as_told(clause)
    predicate = "helped_by" if _is_outlet(verb) else _held_dear(verb) or _does_for_speaker(verb)
    if predicate:
        yield from _of_things(predicate, clause)
    elif lemma(verb) == "be":
        yield from _mainstay(clause)


def demanded(clause: Clause) -> Iterator[Statement]:
    """The thing that an agent is told to be a must: "voice notes are a must"."""
    reading, told = clause.reading, child(clause.verb, "attr", "acomp")
    fact = reading.mood is Mood.FACT and not reading.negated and reading.tense is Tense.PRESENT
    named = clause.subject is not None and clause.subject.pos_ in {"NOUN", "PROPN"}
    if fact and named and told is not None and lemma(clause.verb) == "be" and _is_must(told):
        yield from _of_things("requires", clause)


def suited(clause: Clause) -> Iterator[Statement]:
    """The thing that works for the speaker: "small steps work best for me"."""
    verb, subject, reading = clause.verb, clause.subject, clause.reading
    suits = [prep for prep in children(verb, "prep") if _is_for_me(prep) or _is_with_me(prep)]
    led = [each for prep in suits for each in prep.children]
    told = reading.mood is Mood.FACT and reading.tense is Tense.PRESENT and bool(led)
    if subject is None or lemma(verb) not in _SUITS or not told or _is_time(subject):
        return
    best = any(each.lower_ in {"best", "better"} for each in children(verb, "advmod"))
    lasting = subject.tag_ in {"NNS", "VBG"} and verb.tag_ != "VBG"
    if lasting and (best or reading.negated):
        yield from _of_things("dislikes" if reading.negated else "prefers", clause)


def _is_time(noun: Token) -> bool:
    timely = words("days") | words("dayparts") | words("periods") | words("months")
    return lemma(noun) in timely or any(each.like_num for each in noun.subtree)


def _is_must(told: Token) -> bool:
    """True for "a must" and "non-negotiable", however its parts were joined."""
    rest = told.doc[told.i : told.i + 3].text.lower()
    return not {told.lower_, rest}.isdisjoint(words("musts"))


def _as_told(clause: Clause) -> Clause:
    """The clause of "rowing is what keeps me sane", whose subject stands before."""
    subject, above = clause.subject, clause.verb.head
    told = clause.verb.dep_ == "ccomp" and lemma(above) == "be"
    named = child(above, "nsubj", "csubj") if told else None
    what = subject is not None and subject.tag_ == "WP" and named is not None
    return replace(clause, subject=named) if what else clause


def _of_things(predicate: str, clause: Clause) -> Iterator[Statement]:
    for thing in _things(clause):
        what = _named(thing)
        if what and _meant_together(thing, clause):
            what = spelled(each for each in thing.subtree if each.dep_ != "poss")
        if what:
            whose = "their " if is_mine(thing) and not what.startswith("their ") else ""
            said = _said(clause) or worded(_SAID.get(predicate, predicate), whose + what)
            yield Statement(predicate, what, "preference", Change.STATE, _WORTH, thing, said=said)


def _said(clause: Clause) -> str:
    """The clause with {} for the speaker; "" where it does not read by itself."""
    subject, verb = clause.subject, clause.verb
    first = verb.head if verb.dep_ == "conj" else verb
    if subject is None or subject.pos_ == "PRON" or subject.head not in {verb, first}:
        return ""
    if verb.tag_ == "VBG" and child(verb, "aux") is None:
        return ""
    aside = {
        inner.i for each in children(subject, "prep") if _is_for_me(each) for inner in each.subtree
    }
    thing = spelled(each for each in subject.subtree if each.i not in aside)
    thing = thing if thing.startswith('"') else thing.replace('"', "")
    helped = children(first, "aux") if first != verb and verb.tag_ == first.tag_ == "VBN" else []
    told = spelled([*helped, *phrase_tokens(verb, (), auxiliaries=True)])
    told = _THEM.sub(lambda found: " {}'s" if found["of"] else " {}", told, count=1)
    said = f"{thing[:1].upper()}{thing[1:]} {told}"
    return said if said.count("{") == said.count("{}") == said.count("}") == 1 else ""


def _things(clause: Clause) -> Iterator[Token]:
    subject = clause.subject
    verb = clause.verb
    if subject is None or _stands_for_clause(subject, verb):
        return
    meant = _meant(subject, clause.before)
    if meant is not None:
        yield from [meant] if _meant_together(meant, clause) else coordinated(meant)


def _meant_together(thing: Token, clause: Clause) -> bool:
    """True for "my friends and family" of whom the clause says "they"."""
    said = clause.subject is not None and clause.subject.lower_ == "they"
    return said and child(thing, "conj") is not None


def _stands_for_clause(subject: Token, verb: Token) -> bool:
    """True for the "it" of "it's important to me to be on time"."""
    told = children(verb, "acomp")
    held = [
        each for holder in (verb, *told) for each in children(holder, "xcomp", "ccomp", "csubj")
    ]
    return subject.lower_ == "it" and bool(told and held)


def _meant(subject: Token, before: Span | None) -> Token | None:
    """The subject; of "it" and "they" the one thing told of before, here or a sentence ago."""
    if subject.lower_ not in _MEANT:
        return subject
    same = (each for each in subject.sent if each.lower_ == subject.lower_)
    first = next((each for each in same if each.dep_ == "nsubj"), subject)
    here = [each for each in subject.sent if each.i < first.i]
    subjects = [each for each in here if each.dep_ in {"nsubj", "csubj"} and each.pos_ != "PRON"]
    if subject.lower_ == "it" and len(subjects) == 1:
        return subjects[0]
    opens = all(each.is_punct or each.lower_ in words("discourse") for each in here)
    told = [*(_told_before(before) if opens else _told_of(here))]
    fits = len(told) == 1 and _is_several(told[0]) == (subject.lower_ == "they")
    return told[0] if fits else None


def _told_before(before: Span | None) -> Iterator[Token]:
    """The things of the main clause of a sentence that points at nothing further back."""
    if before is None or any(each.lower_ in _SEEN | _MEANT for each in before):
        return
    if before.root.tag_ == "VBG" and child(before.root, "nsubj", "aux") is None:
        yield before.root
        return
    for each in _told_of(before):
        holder = each.head.head if each.head.dep_ == "prep" else each.head
        main = {before.root, *children(before.root, "xcomp", "conj")}
        one = any(beside.lower_ in {"a", "an"} for beside in children(each, "det"))
        some = one and not is_described(each) and child(each, "compound", "prep") is None
        if (holder in main or each.head in main) and not some:
            yield each


def _told_of(said: Iterable[Token]) -> Iterator[Token]:
    """The things that somebody tells of, each with what is joined to it counted once."""
    for each in said:
        doing = each.tag_ == "VBG" and each.dep_ in {"csubj", "xcomp", "pcomp"}
        thing = each.pos_ in {"NOUN", "PROPN"} and each.dep_ in _NAMED_AS | {"pcomp"}
        if doing or (thing and lemma(each) not in words("periods") | words("dayparts")):
            yield each


def _is_several(thing: Token) -> bool:
    return thing.tag_ in {"NNS", "NNPS"} or child(thing, "conj") is not None


def _named(thing: Token) -> str:
    """The thing in words: a noun, or what is done; "" for what nobody knows."""
    if thing.tag_ == "VBG" and thing.dep_ in {"csubj", "conj", "ROOT"}:
        said = phrase(thing, ())
        seen = any(each.lower_ in _SEEN for each in thing.subtree)
        return "" if seen or len(said.split()) < _WORDS_MIN or _is_of_listener(thing) else said
    if thing.i > thing.sent.start and thing.nbor(-1).text == "-":
        return spelled(thing.doc[thing.left_edge.i : thing.i + 1])
    known = thing.pos_ in {"NOUN", "PROPN"} and not is_vague(thing) and not _is_of_listener(thing)
    kin = lemma(thing) in words("kin") | words("acquaintances")
    bare = thing.tag_ == "NNS" and not any(each.dep_ in _OWN for each in thing.children)
    bare = bare and not (kin and is_mine(_first(thing)))
    if any(map(_is_for_me, children(thing, "prep"))):
        return core(thing).lower() if thing.pos_ == "NOUN" else ""
    return as_object(thing) if known and not bare else ""


def _first(thing: Token) -> Token:
    """The first of those that are joined: the husband of "my husband and kids"."""
    while thing.dep_ == "conj":
        thing = thing.head
    return thing


def _is_for_me(prep: Token) -> bool:
    """True for the "for me" of "dancing for me is a way to relax"."""
    return prep.lower_ == "for" and any(each.lower_ == "me" for each in children(prep, "pobj"))


def _is_with_me(prep: Token) -> bool:
    """True for the "with me" of "late shifts don't agree with me"."""
    return prep.lower_ == "with" and any(each.lower_ == "me" for each in children(prep, "pobj"))


def _is_of_listener(thing: Token) -> bool:
    """True for both of "your support and encouragement"."""
    told = thing.head if thing.dep_ == "conj" else thing
    return any(each.lower_ in {"you", "your", "yours"} for each in told.subtree)


def _held_dear(verb: Token) -> str:
    """The predicate of "is important to me", "matters to me", "is a big part of my life"."""
    told = child(verb, "acomp", "attr") if lemma(verb) == "be" else None
    if told is not None and lemma(told) == "part":
        lives = [each for prep in children(told, "prep") for each in children(prep, "pobj")]
        mine = (each for each in lives if is_mine(each))
        return "values" if any(lemma(each) in words("lives") for each in mine) else ""
    if told is None and lemma(verb) in {"be", "become"}:
        like = [each for each in children(verb, "prep") if each.lower_ == "like"]
        told = next((each for prep in like for each in children(prep, "pobj")), None)
    holder = told if told is not None and lemma(told) in words("dear") | {"family"} else None
    holder = verb if lemma(verb) in {"matter", "mean"} else _weighs(verb) or holder
    if holder is None:
        return ""
    preps = (*children(holder, "prep"), *children(verb, "prep", "dative"))
    preps += tuple(each for noun in children(verb, "dobj") for each in children(noun, "prep"))
    to = [each for prep in preps if prep.lower_ in {"to", "for"} for each in children(prep, "pobj")]
    return "values" if any(map(is_speaker, to)) else ""


def _weighs(verb: Token) -> Token | None:
    """The significance of "has a lot of significance for me"."""
    held = children(verb, "dobj") if lemma(verb) in {"have", "hold"} else []
    inner = [each for noun in held for prep in children(noun, "prep") for each in prep.children]
    return next((each for each in (*held, *inner) if lemma(each) in words("weights")), None)


def _does_for_speaker(verb: Token) -> str:
    """The predicate of "motivates me", "helps me relax", "brings me joy"."""
    if _boosts(verb):
        return "inspired_by"
    if not _reaches_speaker(verb):
        return ""
    gifts = (each for each in children(verb, "dobj") if lemma(each) in words("gifts"))
    if lemma(verb) in words("gives") and any(gifts):
        return "helped_by"
    if lemma(verb) == "keep" and not any(_is_good_state(each) for each in verb.subtree):
        return ""
    if lemma(verb) in words("inspires"):
        return "inspired_by"
    return "helped_by" if _carries(verb) or lemma(verb) in words("helps") else ""


def _carries(verb: Token) -> bool:
    """True for "gets me through hard times", "opens up a world for me", "makes me feel alive"."""
    beside = {each.lower_ for each in children(verb, "prep", "prt")}
    match lemma(verb):
        case "get":
            return "through" in beside
        case "cheer" | "lift" | "pick" | "perk":
            return "up" in beside
        case "open":
            return any(lemma(each) == "world" for each in children(verb, "dobj"))
        case "make":
            felt = [each for each in children(verb, "ccomp") if lemma(each) == "feel"]
            good = words("good_states") | words("feels_good")
            return any(each.lower_ in good for below in felt for each in below.subtree)
    return False


def _boosts(verb: Token) -> bool:
    """True for "fires up my creativity"."""
    held = (each for each in children(verb, "dobj") if is_mine(each))
    return lemma(verb) in words("boosts") and any(lemma(each) in words("gifts") for each in held)


def _is_outlet(verb: Token) -> bool:
    """True for "is therapy for me" and "has become a way to express my feelings"."""
    told = child(verb, "attr", "prep") if lemma(verb) in {"be", "become"} else None
    if told is not None and told.lower_ == "like":
        told = child(told, "pobj")
    if told is None or lemma(told) not in words("outlets"):
        return False
    return any(each.lower_ in {"me", "my"} for each in verb.subtree if each.i > told.i)


def _is_good_state(token: Token) -> bool:
    """True for the "going" of "keeps me going", but not of "going to meetings"."""
    return token.lower_ in words("good_states") and child(token, "prep", "dobj") is None


def _reaches_speaker(verb: Token) -> bool:
    held = children(verb, "dobj", "dative")
    inner = [
        each for below in children(verb, "ccomp", "xcomp") for each in children(below, "nsubj")
    ]
    led = [each for prep in children(verb, "prep", "dative") for each in children(prep, "pobj")]
    lives = any(is_mine(each) and lemma(each) == "life" for each in led)
    return lives or any(each.lower_ == "me" for each in (*held, *inner, *led))


def _is_among_favourites(told: Token) -> bool:
    """True for "one of my favourites" and "a favourite of mine"."""
    of = [each for prep in children(told, "prep") for each in children(prep, "pobj")]
    mine = any(is_mine(each) or each.lower_ in {"mine", "ours"} for each in of)
    return mine and any(lemma(each) in {"favorite", "favourite"} for each in (told, *of))


def _aims(predicate: str, clause: Clause) -> Iterator[Statement]:
    """The aim of somebody: "winning a championship is my goal"."""
    for thing in _things(clause):
        what = _named(thing) if thing.tag_ == "VBG" else ""
        if what:
            said = _said(clause) or f"{{}}'s {predicate} is {what}"
            yield Statement(predicate, what, "goal", Change.STATE, _WORTH, thing, said=said)


def _predicate(noun: Token, role: str) -> str:
    """The name of a role, in the singular: "creative outlets" is creative_outlet."""
    single = role[: len(role) - len(noun.text)] + lemma(noun)
    return single.casefold().replace(" ", "_").replace("-", "_")


def _mainstay(clause: Clause) -> Iterator[Statement]:
    """The thing that is the speaker's hobby, outlet or favourite: "chess is my main hobby"."""
    told = child(clause.verb, "attr")
    if told is None:
        return
    if _is_among_favourites(told):
        yield from _of_things("likes", clause)
    if not is_mine(told) or told.lower_ in {"one", "ones"}:
        return
    if lemma(told) in words("aims"):
        yield from _aims(lemma(told), clause)
        return
    chief = any(lemma(each) in words("chief") for each in children(told, "amod", "compound"))
    if lemma(told) not in words("mainstays") and not chief:
        return
    role = core(told)
    for thing in _things(clause):
        what = _named(thing)
        if what and "{" not in role + what:
            predicate = _predicate(told, role)
            said = _said(clause) or f"{{}}'s {role}: {what}"
            yield Statement(predicate, what, "preference", Change.STATE, _WORTH, thing, said=said)
