"""Attributes of the speaker told otherwise than by "my health is fine".

"In terms of health, I'm fine", "I have 900 euros in savings", "my savings grew to 1,200 euros": as
one value at a time holds of each, they stand on the line of the attribute and replace each other.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, attribute_name, worded
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.slots import pronouns_of
from anamnesis_ingestion.learning.english.tree import MINE, child, children, is_mine, lemma
from anamnesis_ingestion.learning.english.values import is_amount, is_vague, spelled, value
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_WORTH = 0.6
_BETTER = frozenset({"improve"})
"""Verbs of progress at the work at hand, which set no lasting value."""
_TRAVELS = frozenset({"go", "move", "jump", "climb"})
_UP_DOWN = frozenset({"up", "down"})
_DRIVE_TOKENS_MAX = 40
_FOR_DAYS = frozenset({"in", "on", "for"})
_BY_DAYS = frozenset({"in", "on", "until", "till", "by"})
_LEADS = (("in", "term"), ("as", "for"), ("regarding", ""), ("concerning", ""))


def in_a_respect(clause: Clause) -> Statement | None:
    """The attribute that a clause about the speaker tells; None for none."""
    reading = clause.reading
    if reading.mood is not Mood.FACT or reading.negated or reading.tense is Tense.PAST:
        return None
    if lemma(clause.verb) == "be":
        return _of_being(clause)
    return _of_having(clause) if lemma(clause.verb) == "have" else None


def _of_being(clause: Clause) -> Statement | None:
    """The health of "in terms of health, I'm fine"."""
    start = clause.verb.i if clause.subject is None else clause.subject.i
    head = child(clause.verb, "attr", "acomp")
    leads = [each for each in children(clause.verb, "prep") if each.i < start]
    for noun in map(_respect, leads):
        if head is None or noun is None or lemma(noun) in words("measured"):
            continue
        if _is_attribute(noun):
            told = _stated(noun, head, "full")
            return replace(
                told, said=worded(f"is, in terms of {value(noun, 'name', ())},", told.object)
            )
    return None


def _respect(prep: Token) -> Token | None:
    """The noun behind "in terms of", "as for" and "regarding"."""
    inner = child(prep, "pobj", "prep")
    for lead, second in _LEADS:
        if prep.lower_ == lead and not second:
            return inner
        if prep.lower_ == lead and inner is not None and lemma(inner) == second:
            of = child(inner, "prep") if inner.dep_ == "pobj" else inner
            return child(of, "pobj") if of is not None else None
    return None


def _of_having(clause: Clause) -> Statement | None:
    """The savings of "I have 900 euros in savings"."""
    held = child(clause.verb, "dobj")
    if held is None or not is_amount(held):
        return None
    for prep in [*children(held, "prep"), *children(clause.verb, "prep")]:
        noun = child(prep, "pobj") if prep.lower_ == "in" else None
        if noun is not None and _is_attribute(noun):
            return _stated(noun, held, "name")
    return None


def moved(clause: Clause, times: Collection[int]) -> list[Statement]:
    """The new value of what somebody has: "my rent went up to 900 euros", "I changed my major"."""
    subject, reading = clause.subject, clause.reading
    if clause.by_speaker:
        subject = next((each for each in children(clause.verb, "dobj") if is_mine(each)), None)
    told = reading.mood is Mood.FACT and not reading.negated and reading.tense is not Tense.PRESENT
    if subject is None or not told or lemma(clause.verb) not in words("value_moves"):
        return []
    if lemma(subject) in words("scores") or lemma(clause.verb) in words("progresses") & _BETTER:
        return []
    if child(clause.verb, "auxpass") or "during" in {each.lower_ for each in clause.verb.children}:
        return []
    name, per = attribute_name(subject, times)
    gerunds = [each for each in children(clause.verb, "advcl") if each.tag_ == "VBG"]
    for head, text in (found for verb in (clause.verb, *gerunds) for found in _gone_to(verb)):
        if name and text and (is_amount(head) or _is_attribute(subject)):
            what = f"{text} {per}".rstrip()
            begun = Statement(name, what, "identity", Change.BEGIN, _WORTH, head, single=True)
            return [begun]
    return []


def dated(clause: Clause, times: Collection[int]) -> Iterator[Statement]:
    """The day on which something of the speaker's runs out, or for which it is fixed.

    "My passport expires in May 2027", "my surgery is scheduled for June 3".
    """
    subject, reading, verb = clause.subject, clause.reading, clause.verb
    told = reading.mood is Mood.FACT and not reading.negated and reading.tense is Tense.PRESENT
    if subject is None or not told or not is_mine(subject):
        return
    fixed = lemma(verb) in words("is_fixed") and child(verb, "auxpass") is not None
    due = lemma(verb) == "be" and any(each.lower_ == "due" for each in children(verb, "acomp"))
    if not (fixed or due or lemma(verb) in words("runs_out")):
        return
    name, _ = attribute_name(subject, ())
    if lemma(subject) in words("passing_things"):
        return
    for head in _days_of(verb, _FOR_DAYS if fixed else _BY_DAYS):
        if name and head.i in times:
            predicate = name if fixed else f"{name}_{'due' if due else 'expires'}"
            what = spelled(head.subtree)
            yield Statement(predicate, what, "identity", Change.STATE, _WORTH, head, single=True)


def _days_of(verb: Token, leads: Collection[str]) -> Iterator[Token]:
    """The words that may be a day of a verb: "in May", "until March", "next month"."""
    holders = [verb, *children(verb, "acomp")]
    yield from (each for holder in holders for each in children(holder, "npadvmod"))
    for prep in (each for holder in holders for each in children(holder, "prep")):
        yield from children(prep, "pobj") if prep.lower_ in leads else ()


def called(clause: Clause) -> Iterator[Statement]:
    """The name of something of the speaker's: "my wifi network is called Batcave".

    And by which pronouns others speak of them: "my pronouns are she/her".
    """
    subject, verb = clause.subject, clause.verb
    told = clause.reading.mood is Mood.FACT and not clause.reading.negated
    if subject is None or not told or not is_mine(subject):
        return
    by = pronouns_of(subject) if lemma(subject) == "pronoun" else ""
    if by:
        said = f"{{}}'s pronouns are {by}"
        yield Statement("pronouns", by, "identity", Change.STATE, _WORTH, subject, said=said)
    if lemma(verb) not in {"call", "name"}:
        return
    for head in children(verb, "oprd") if child(verb, "auxpass") is not None else ():
        name, _ = attribute_name(subject, ())
        if name and head.pos_ == "PROPN":
            what = value(head, "name", ())
            yield Statement(name, what, "identity", Change.STATE, _WORTH, head, single=True)


def run_on(clause: Clause, times: Collection[int]) -> Iterator[Statement]:
    """The tool or material that the speaker's trade runs on: "my shop runs on voice notes"."""
    subject, reading, verb = clause.subject, clause.reading, clause.verb
    told = reading.mood is Mood.FACT and not reading.negated and reading.change is None
    if subject is None or lemma(verb) != "run" or not told or child(verb, "dobj") is not None:
        return
    if not is_mine(subject) or lemma(subject) not in words("livelihoods"):
        return
    on = [each for each in children(verb, "prep") if each.lower_ == "on"]
    for prep in on[:1]:
        for head in children(prep, "pobj"):
            name, _ = attribute_name(subject, ())
            what = value(head, "noun", times)
            if what and not is_vague(head):
                yield Statement(f"{name}_runs_on", what, "identity", Change.STATE, _WORTH, head)


def fallen_ill(clause: Clause) -> Iterator[Statement]:
    """The illness of "malaria got me" and "the flu still has me drained"."""
    subject, reading, verb = clause.subject, clause.reading, clause.verb
    told = reading.mood is Mood.FACT and not reading.negated and reading.change is None
    ill = subject is not None and not {lemma(subject), subject.lower_}.isdisjoint(
        words("illnesses")
    )
    me = any(each.lower_ == "me" for each in children(verb, "dobj"))
    if subject is not None and ill and told and me and lemma(verb) in words("strikes"):
        what = value(subject, "name", ()).lower()
        said = worded("has", what)
        yield Statement("has", what, "identity", Change.STATE, _WORTH, subject, said=said)


def affected(clause: Clause) -> Iterator[Statement]:
    """The new state of what something did something to: "the illness has affected my health"."""
    reading, subject, verb = clause.reading, clause.subject, clause.verb
    told = reading.mood is Mood.FACT and not reading.negated and reading.change is None
    over = reading.tense in {Tense.PAST, Tense.PERFECT} and verb.tag_ in {"VBD", "VBN"}
    if subject is None or is_vague(subject) or lemma(verb) not in words("affects"):
        return
    for held in children(verb, "dobj") if told and over else ():
        if is_mine(held) and _is_attribute(held):
            name, _ = attribute_name(held, ())
            cause = value(subject, "noun", ())
            state = f"{verb.lower_} by {cause[:1].lower()}{cause[1:]}"
            said = f"{{}}'s {name.replace('_', ' ')} is {state.replace('{', '').replace('}', '')}"
            yield Statement(
                name, state, "identity", Change.BEGIN, _WORTH, held, said=said, single=True
            )


def driven_by(clause: Clause) -> Iterator[Statement]:
    """The motive of somebody: "my motivation is the team", "the motive for this goal is ..."."""
    subject, verb = clause.subject, clause.verb
    told = clause.reading.mood is Mood.FACT and not clause.reading.negated
    if subject is None or lemma(subject) != "motivation" or lemma(verb) != "be" or not told:
        return
    aims = [aim for prep in children(subject, "prep") for aim in children(prep, "pobj")]
    owned = {"this", "that", *MINE}
    of_aim = any(
        lemma(aim) in words("aims") and any(each.lower_ in owned for each in aim.children)
        for aim in aims
    )
    behind = [each for each in verb.subtree if each.i > verb.i]
    head = child(verb, "attr", "acomp")
    vague = head is not None and lemma(head) in words("vague") and child(head, "poss") is None
    vague = vague or (head is not None and head.dep_ == "acomp")
    if (is_mine(subject) or of_aim) and not vague and len(behind) <= _DRIVE_TOKENS_MAX:
        what = spelled(behind)
        said = f"{{}}'s motivation is {what.replace('{', '').replace('}', '')}"
        yield Statement("motivation", what, "goal", Change.STATE, _WORTH, verb, said=said)


def _gone_to(verb: Token) -> Iterator[tuple[Token, str]]:
    """The value behind "to"; figures behind "from 8 to 11 people" are parsed as one number."""
    preps = children(verb, "prep")
    travels = lemma(verb) in _TRAVELS and not _UP_DOWN & {each.lower_ for each in verb.children}
    preps += [each for prep in preps for each in children(prep, "prep")]
    left = [each for prep in preps if prep.lower_ == "from" for each in children(prep, "pobj")]
    for prep in preps:
        for head in children(prep, "pobj") if prep.lower_ == "to" else ():
            if left or (is_amount(head) and not travels):
                yield head, value(head, "name", ())
    for head in left:
        to = next((each for each in head.subtree if each.lower_ == "to"), None)
        if to is not None and to.i < head.i:
            yield head, spelled(head.doc[to.i + 1 : head.i + 1])


def _is_attribute(noun: Token) -> bool:
    return not {lemma(noun), noun.lower_}.isdisjoint(words("attributes"))


def _stated(noun: Token, head: Token, mode: str) -> Statement:
    what = value(noun, "name", ()).casefold().replace(" ", "_").replace("-", "_")
    told = value(head, mode, ())
    return Statement(what, told, "identity", Change.STATE, _WORTH, head, single=True)
