"""Facts that a sentence presupposes, whether it asserts, asks or denies: "my sister Lena"."""

import re
from collections.abc import Iterator

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.apposed import set_beside
from anamnesis_ingestion.learning.english.asides import told_aside
from anamnesis_ingestion.learning.english.called_off import called_off
from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.marks import (
    Tense,
    is_dictated,
    is_doubted,
    is_over,
    is_supposed,
    tense_of,
)
from anamnesis_ingestion.learning.english.subjects import Subject, Subjects, name_of
from anamnesis_ingestion.learning.english.times import Times
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    coordinated,
    is_mine,
    lemma,
    possessor,
)
from anamnesis_ingestion.learning.english.turns_of_life import turned_by_noun
from anamnesis_ingestion.learning.english.values import core, is_vague
from anamnesis_ingestion.learning.english.vocabulary import words

_WORTH = 0.8
_NEAR = 2
"""The words from a name to what its bearer is, with a comma: "Oscar, my parrot"."""
_SPEAKER = frozenset({"i", "me", "my", "i'm"})
_FORMER = frozenset({"former", "previous", "ex"})
_HALF = re.compile(r"^(?:half|step|twin|foster|grand|great)-")
_LONG_SPANS = frozenset({"week", "month", "year", "spring", "summer", "autumn", "fall", "winter"})
"""Who left "last month" is gone; who left "last night" may have gone home."""
_LED_OR_LOVED = frozenset({"reports_to", "has_partner"})
"""Ties of which one holds at a time, so that an old or last one is over."""


def presupposed(sentence: Span, subjects: Subjects, times: Times) -> Iterator[Claim]:
    """The kin, acquaintances and pets that the sentence names as the speaker's."""
    yield from _as_role(sentence, subjects.speaker)
    yield from _being_one(sentence, subjects.speaker)
    yield from told_aside(sentence, subjects.speaker)
    for token in sentence:
        if is_mine(token) and not is_dictated(token, sentence):
            yield from _of_noun(token, subjects)
            yield from _of_family(token, subjects)
            yield from _of_diet(token, subjects.speaker)
            yield from _died(token, subjects.speaker, times)
            yield from _deceased(token, subjects, times)
            yield from turned_by_noun(token, subjects.speaker)
        yield from _of_others(token)
        yield from _wanted_name(token, subjects.speaker)
    yield from set_beside(sentence, subjects)
    yield from called_off(sentence, subjects.speaker, times)


def _died(token: Token, speaker: Subject, times: Times) -> Iterator[Claim]:
    """The pet that the speaker has no longer: "our cat died last night"."""
    verb = token.head
    ended = is_mine(token) and token.dep_ == "nsubj" and lemma(verb) in words("deaths")
    if not ended or lemma(token) not in words("pets") or child(verb, "neg", "aux") is not None:
        return
    yield Claim(
        subject=speaker.key,
        predicate="has_pet",
        object=name_of(token) or lemma(token),
        statement=f"{speaker.shown}'s {core(token)} died",
        kind="relationship",
        worth=_WORTH,
        until=times.of(verb).until,
        ended=True,
    )


def _wanted_name(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The name by which the speaker asks to be called: "call me Zed", "you can call me Zed"."""
    asked = token.tag_ == "VB" and token.dep_ == "ROOT" and lemma(token) == "call"
    if not asked:
        return
    subject, name = child(token, "nsubj"), child(token, "oprd")
    by_them = subject is None or subject.lower_ == "you"
    me = any(each.lower_ == "me" for each in children(token, "dobj"))
    if name is None or not (by_them and me) or child(token, "neg") is not None:
        return
    if name.pos_ == "PROPN" and not token.sent.text.rstrip().endswith("?"):
        yield Claim(
            subject=speaker.key,
            predicate="goes_by",
            object=name_of(name),
            statement=f"{speaker.shown} goes by {name_of(name)}",
            kind="identity",
            worth=_WORTH,
        )


def _deceased(token: Token, subjects: Subjects, times: Times) -> Iterator[Claim]:
    """The kin of the speaker who died: "my father passed away", "I lost my dad"."""
    verb, by_speaker = token.head, child(token.head, "nsubj")
    if is_mine(token) and _is_late(token):
        yield from _of_late(token, subjects)
        return
    died = token.dep_ == "nsubj" and (lemma(verb) == "die" or _passed_away(verb))
    lost = token.dep_ == "dobj" and lemma(verb) == "lose" and lemma(token) in words("related")
    lost = lost and by_speaker is not None and by_speaker.lower_ in FIRST
    lost = lost and not any(
        each.lower_ != "to" and each.i not in times.tokens for each in children(verb, "prep")
    )
    told = tense_of(verb) is not Tense.PRESENT and child(verb, "neg") is None
    told = told and verb.dep_ != "ccomp" and not (is_supposed(verb) or is_doubted(verb))
    modal = any(each.tag_ == "MD" for each in children(verb, "aux"))
    if not is_mine(token) or lemma(token) not in words("kin") or not (died or lost):
        return
    who = subjects.noun(token)
    if who is None or not told or modal or token.sent.text.rstrip().endswith("?"):
        return
    when = times.of(verb)
    yield Claim(
        subject=who.key,
        predicate="is",
        object="deceased",
        statement=_of_loss(who, token, subjects.speaker, lost=lost),
        kind="identity",
        worth=_WORTH,
        since=when.since,
        precision=when.precision if when.since else "",
        persons=(who.key,) if "'s " not in who.key else (),
    )


def _is_late(token: Token) -> bool:
    """True for "my late husband"."""
    late = any(each.lower_ == "late" for each in children(token, "amod", "compound"))
    return late and lemma(token) in words("kin")


def _of_late(token: Token, subjects: Subjects) -> Iterator[Claim]:
    """The relative who is told to be dead by one word."""
    speaker, kin = subjects.speaker, lemma(token)
    yield Claim(
        subject=f"{speaker.key}'s {kin}",
        predicate="is",
        object="deceased",
        statement=f"{speaker.shown}'s late {kin}",
        kind="identity",
        worth=_WORTH,
        presupposed=True,
    )


def _of_loss(who: Subject, token: Token, speaker: Subject, *, lost: bool) -> str:
    """The death in the words in which it was told."""
    if lost:
        own = who.shown.startswith(f"{speaker.shown}'s ")
        return f"{speaker.shown} lost {f'their {token.lower_}' if own else who.shown}"
    return f"{who.shown} {'died' if lemma(token.head) == 'die' else 'passed away'}"


def _passed_away(verb: Token) -> bool:
    """True for "passed", and not for what is passed: "passed the exam"."""
    away = any(each.lower_ in {"away", "on"} for each in children(verb, "prt", "advmod"))
    return lemma(verb) == "pass" and away and child(verb, "dobj") is None


def _is_gone(token: Token) -> bool:
    """True for who died or was lost; not for who lost something: "my husband lost his job"."""
    lost = lemma(token.head) == "lose"
    return lemma(token.head) in words("deaths") and not (lost and token.dep_ == "nsubj")


def _of_noun(token: Token, subjects: Subjects) -> Iterator[Claim]:
    if not is_mine(token) or _is_gone(token):
        return
    speaker = subjects.speaker
    role, name = _role_and_name(token, subjects.meant_at(token))
    if not role or not name:
        return
    several = _several(token, name)
    role = lemma(token) if several else role
    for each in several or [name]:
        yield _tie(token, each, role, speaker)


def _several(token: Token, name: str) -> list[str]:
    """The names of "my twins, Ada and Bram"; none where there is one."""
    beside = [each for each in children(token, "appos") if each.pos_ == "PROPN"]
    names = [name_of(each) for first in beside[:1] for each in coordinated(first)]
    return names if token.tag_ == "NNS" and name in names and all(names) else []


def _tie(token: Token, name: str, role: str, speaker: Subject) -> Claim:
    """The tie of the speaker to somebody by name."""
    predicate = predicate_of(role)
    return Claim(
        subject=speaker.key,
        predicate=predicate,
        object=name,
        statement=f"{name} is {_no_longer(token)}{speaker.shown}'s {role}",
        kind="relationship",
        worth=_WORTH,
        persons=(name,) if predicate != "has_pet" else (),
        presupposed=True,
        ended=_is_former(token),
        single_valued=predicate == "reports_to",
    )


def _of_family(token: Token, subjects: Subjects) -> Iterator[Claim]:
    """The husband, wife or children whom the speaker does not name: "my kids love it"."""
    unreal = words("former") | {"future", "unborn", "ex", "late"}
    mine = any(each.lower_ == "my" for each in children(token, "poss"))
    bare = mine and lemma(token) in words("family") and token.dep_ != "compound"
    told = {lemma(each) for each in children(token, "amod", "compound", "nmod")}
    if not bare or told & unreal or _is_gone(token):
        return
    if _role_and_name(token, subjects.meant_at(token))[1] or _is_unsure(token):
        return
    speaker = subjects.speaker
    yield Claim(
        subject=speaker.key,
        predicate="has_relative",
        object=token.lower_,
        statement=f"{speaker.shown} has {'' if token.tag_ == 'NNS' else 'a '}{token.lower_}",
        kind="relationship",
        worth=_WORTH,
        presupposed=True,
    )


def _of_diet(token: Token, speaker: Subject) -> Iterator[Claim]:
    """The regimen that the speaker calls theirs: "maintaining my low-carb diet"."""
    kinds = [each for each in token.children if each.dep_ in {"amod", "compound", "nmod"}]
    what = core(token)
    former = any(lemma(each) in words("former") for each in kinds)
    told = bool(kinds) and ("-" in what or not words("diets").isdisjoint(map(lemma, kinds)))
    if lemma(token) != "diet" or former or not told or _is_unsure(token):
        return
    if token.head.tag_ == "VBD":
        return
    yield Claim(
        subject=speaker.key,
        predicate="follows_diet",
        object=what,
        statement=f"{speaker.shown} follows a diet: {what}",
        kind="preference",
        worth=_WORTH,
        presupposed=True,
    )


def _is_unsure(token: Token) -> bool:
    """True where the clause is supposed: "if my wife were here"."""
    return any(each.lower_ in words("conditional") for each in token.sent)


def _as_role(sentence: Span, speaker: Subject) -> Iterator[Claim]:
    """A claim of what the speaker is, where it opens their sentence: "as an accountant, I ..."."""
    lead = next((each for each in sentence[:3] if each.lower_ in {"as", "being"}), None)
    role = None if lead is None else child(lead, "pobj", "attr")
    if role is None or not any(each.lower_ in {"a", "an"} for each in children(role, "det")):
        return
    behind = sentence.doc[role.right_edge.i + 1 : sentence.end]
    mine = any(each.lower_ in _SPEAKER for each in behind)
    led = behind[0].text == "," or behind[0].lower_ == "i" if len(behind) else False
    if not mine or not led or _is_of_listener(behind):
        return
    job = lemma(role) in words("jobs")
    if not (job or lemma(role) in words("parents") or _is_condition(role)):
        return
    what = core(role)
    article = next(each.lower_ for each in children(role, "det"))
    former = any(lemma(each) in words("former") for each in children(role, "amod"))
    yield Claim(
        subject=speaker.key,
        predicate="works_as" if job else "is",
        object=what,
        statement=f"{speaker.shown} is {article} {what}",
        kind="identity",
        worth=_WORTH,
        ended=former,
    )


def _is_condition(role: Token) -> bool:
    """True for "a wheelchair user", "a vegan": what somebody is in all that they do."""
    told = lemma(role) in words("diets") | words("states") | {"foodie"}
    return told or (lemma(role) == "user" and _is_aid(role))


def _is_aid(role: Token) -> bool:
    return any(lemma(each) in words("aids") for each in children(role, "compound"))


def _being_one(sentence: Span, speaker: Subject) -> Iterator[Claim]:
    """A claim of what the speaker says to be beside something else: "me being a foodie"."""
    for token in sentence:
        role = child(token, "attr") if token.lower_ == "being" else None
        mine = any(each.lower_ in {"me", "my"} for each in children(token, "nsubj", "poss"))
        if role is None or not mine or child(token, "neg") is not None or _is_unsure(token):
            continue
        article = next((each.lower_ for each in children(role, "det")), "")
        if article in {"a", "an"} and not is_vague(role):
            what = core(role)
            yield Claim(
                subject=speaker.key,
                predicate="works_as" if lemma(role) in words("jobs") else "is",
                object=what,
                statement=f"{speaker.shown} is {article} {what}",
                kind="identity",
                worth=_WORTH,
            )


def _is_of_listener(behind: Span) -> bool:
    return any(each.lower_ in {"you", "your"} for each in behind[:3])


def _of_others(token: Token) -> Iterator[Claim]:
    """The kin of somebody by name: "Tom's sister Lena"."""
    owner = possessor(token)
    if owner is None or owner.pos_ == "PRON":
        return
    kin = token if is_role(token) else next(iter(children(token, "compound", "nmod")), token)
    who, name = name_of(owner), name_of(token) or _beside(token)
    if lemma(kin) not in words("related") or not who or not name or who == name:
        return
    role = lemma(kin)
    yield Claim(
        subject=who,
        predicate=predicate_of(role),
        object=name,
        statement=f"{name} is {_no_longer(token)}{who}'s {role}",
        kind="relationship",
        worth=_WORTH,
        persons=(name, who),
        presupposed=True,
        ended=_is_former(token),
    )


def _is_former(token: Token) -> bool:
    """True for "my former husband Dan", "my old boss Tim", and who "isn't my boss any more"."""
    role = token if is_role(token) else next(iter(children(token, "compound", "nmod")), token)
    before = {each.lower_ for each in (*token.children, *role.children)}
    one = predicate_of(lemma(role)) in _LED_OR_LOVED
    if (lemma(role) in words("housemates") and _moved_out(token)) or _left(token, role):
        return True
    return bool(_no_longer(token)) or not before.isdisjoint(words("former") if one else _FORMER)


def _moved_out(token: Token) -> bool:
    """True for "my flatmate Joe moved out"."""
    verb = token.head
    out = token.dep_ == "nsubj" and any(each.lower_ == "out" for each in children(verb, "prt"))
    told = lemma(verb) == "move" and tense_of(verb) is not Tense.PRESENT
    return out and told and child(verb, "neg") is None and not is_supposed(verb)


def _left(token: Token, role: Token) -> bool:
    """True for "my boss Oliver left last week", and not for who left something or is somewhere."""
    verb = token.head
    gone = token.dep_ == "nsubj" and lemma(verb) in {"leave", "quit", "resign"}
    behind = [each for each in verb.rights if each.dep_ in ("dobj", "prep", "prt", "advmod")]
    when = [each for each in children(verb, "npadvmod") if lemma(each) not in _LONG_SPANS]
    alone = child(verb, "neg", "aux") is None and not behind and not when
    return lemma(role) in words("leads") and gone and alone and verb.tag_ == "VBD"


def _no_longer(token: Token) -> str:
    return "no longer " if token.dep_ == "attr" and is_over(token.head) else ""


def _role_and_name(token: Token, meant: str) -> tuple[str, str]:
    """The role of a noun and the name of who has it: "my boss Ada", "my boss is Ada".

    `meant` is whom "he" and "she" mean.
    """
    if token.pos_ == "PROPN" and not (token.dep_ == "attr" and is_role(token)):
        roles = [each for each in children(token, "compound", "nmod") if is_role(each)]
        return (_role(roles[-1]), name_of(token)) if roles else ("", "")
    if not is_role(token):
        return "", ""
    if token.dep_ == "appos" and token.head.pos_ == "PROPN":
        near = token.left_edge.i - token.head.i == _NEAR and token.head.nbor().text == ","
        known = token.head.text[:1].isupper() and (_is_pet(token) or _is_told_of(token.head))
        return (_role(token), name_of(token.head)) if near and known else ("", "")
    if token.dep_ == "attr":
        is_plain = token.pos_ != "PROPN" and child(token.head, "neg") is None
        beside = name_of(token) if is_plain else ""
        return _role(token).lower(), beside or _named_so(token.head, meant)
    named = name_of(token) or _beside(token)
    told_of = token.head if token.dep_ == "poss" and lemma(token.head) == "name" else token
    verb = told_of.head
    if (
        not named
        and told_of.dep_ in {"nsubj", "nsubjpass"}
        and lemma(verb) in {"be", "call", "name"}
    ):
        told = child(verb, "attr", "oprd")
        called = lemma(verb) in {"call", "name"} and child(verb, "auxpass") is None
        denied = called or child(verb, "neg") is not None or child(verb, "aux", "mark") is not None
        named = name_of(told) if told is not None and told.pos_ == "PROPN" and not denied else ""
        if token.sent.text.rstrip().endswith("?"):
            named = ""
    return _role(token), named


def _is_pet(token: Token) -> bool:
    return predicate_of(_role(token)) == "has_pet"


def _is_told_of(name: Token) -> bool:
    """True for the Tamsin of "Tamsin, my partner, handles it", and not for who is spoken to."""
    if name.dep_ in {"nsubj", "nsubjpass"}:
        third = name.head.tag_ in {"VBZ", "VBD"} or child(name.head, "aux", "auxpass") is not None
        return third and len(children(name.head, "nsubj", "nsubjpass")) == 1
    return name.dep_ in {"dobj", "pobj", "attr"} and name.i > name.sent.start + 1


def _named_so(verb: Token, meant: str) -> str:
    """The name of whom a clause says to be so: "Tom is my neighbour"."""
    subject = child(verb, "nsubj")
    if subject is None or lemma(verb) != "be":
        return ""
    name = meant if subject.lower_ in {"he", "she"} else name_of(subject)
    asked = verb.sent.text.rstrip().endswith("?")
    past = verb.lower_ in {"was", "were"}
    unsure = child(verb, "aux", "mark") is not None
    unsure = unsure or (child(verb, "neg") is not None and not is_over(verb))
    return "" if asked or past or unsure else name


def _beside(token: Token) -> str:
    """The name that follows a role, however it was parsed.

    No sign is between, or a comma before what the clause says: "my friend, Chandler said so".
    """
    behind = token.doc[token.i + 1 : token.sent.end]
    comma = len(behind) > 2 and behind[0].text == "," and behind[2].pos_ in {"VERB", "AUX"}
    following = behind[1] if comma else next(iter(behind), None)
    return name_of(following) if following is not None and following.pos_ == "PROPN" else ""


def _role(token: Token) -> str:
    return core(token) if token.pos_ != "PROPN" else str(token.text)


def is_role(token: Token) -> bool:
    """True for a relative, an acquaintance or a pet; an email client is none."""
    if lemma(token) in words("tools_by_role") and children(token, "compound"):
        return False
    whole = f"{next((lemma(each) for each in children(token, 'compound')), '')} {lemma(token)}"
    roles = words("kin") | words("acquaintances") | words("pets")
    return not {lemma(token), token.lower_, whole}.isdisjoint(roles)


def _is_at_something(role: str) -> bool:
    """True for a business or a training partner."""
    return not words("partnerships").isdisjoint(role.casefold().split()[:-1])


def predicate_of(role: str) -> str:
    """The predicate that ties somebody to whoever has such a relative, friend or pet."""
    last = _HALF.sub("", role.casefold().split()[-1]).removesuffix("-in-law")
    if not {last, role.casefold()}.isdisjoint(words("pets")):
        return "has_pet"
    if last in {"husband", "wife"}:
        return "married_to"
    if last in words("spouses"):
        return "knows" if _is_at_something(role) else "has_partner"
    if last in words("leads"):
        return "reports_to"
    return "has_relative" if last in words("kin") else "knows"
