"""Claims that only look like facts: the firm of "I'm a student at Brunn College"."""

import re
from collections.abc import Callable

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.kinds import is_named, names_technology
from anamnesis_ingestion.learning.english.marks import Tense
from anamnesis_ingestion.learning.english.needs import is_swapped, is_switched
from anamnesis_ingestion.learning.english.presupposed import is_role
from anamnesis_ingestion.learning.english.tree import child, children, is_mine, lemma, possessor
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_VERSION = re.compile(r"v?\d")


def is_misread(found: Statement, clause: Clause) -> bool:
    """True for "I studied in Spanish", "the shop is closed", "trying to be a manager".

    "I'm having a baby" is none that somebody has.
    """
    misread = _MISREAD.get(found.predicate)
    if misread is not None and misread(found, clause):
        return True
    verb = lemma(clause.verb)
    tried = verb in {"be", "have"} and _is_tried(clause.verb)
    return tried or (verb == "be" and (_is_study(found, clause) or is_of_other(found)))


def _is_meal(found: Statement, clause: Clause) -> bool:
    """True for "we're eating breakfast", which is no habit."""
    return clause.verb.tag_ == "VBG" and lemma(found.head) in words("dayparts")


def _is_of_somebody(found: Statement, _clause: Clause) -> bool:
    """True for the engine of "I work on it for our startup's engine": it employs nobody."""
    owned = possessor(found.head) is not None
    return owned and lemma(found.head) not in words("workplaces") | words("posts")


def _is_begun_study(found: Statement, clause: Clause) -> bool:
    """True for "Noah started at Bristol Uni": without a post it is a school."""
    post = any(each.lower_ == "as" for each in children(clause.verb, "prep"))
    return lemma(clause.verb) == "start" and _is_school(found.head) and not post


def _is_school(head: Token) -> bool:
    named = (head, *children(head, "compound"))
    return any(each.lower_ in words("schools") for each in named)


def _is_work(name: Token) -> bool:
    """True for the Halden of "I work for Halden, based in Kiel", which lives nowhere."""
    above = name.head.head if name.dep_ == "pobj" else name.head
    return name.pos_ == "PROPN" and lemma(above) in {"work", "call", "join", "start"}


def _is_subject(head: Token) -> bool:
    """True for what is taught, and not for who is: "I teach maths", "I teach teenagers"."""
    people = words("kin") | words("somebody") | words("youths") | words("vague") | words("pets")
    return head.pos_ in {"NOUN", "PROPN"} and lemma(head) not in people | {"lesson", "class"}


def _is_no_skill(head: Token) -> bool:
    """True for "learning to embrace it", and not for "learning to sail"."""
    return head.pos_ == "VERB" and lemma(head) not in words("ways_of_life") | words("skills")


def _is_to_thing(verb: Token) -> bool:
    """True for "I'm married to my job"."""
    holders = (verb, *children(verb, "acomp"))
    led = [each for holder in holders for each in children(holder, "prep") if each.lower_ == "to"]
    to = [each for prep in led for each in children(prep, "pobj")]
    people = words("men") | words("women") | words("somebody") | words("kin")
    return any(each.pos_ == "NOUN" and lemma(each) not in people | words("jobs") for each in to)


def _is_no_age(found: Statement, clause: Clause) -> bool:
    """True for "we're 34", for the 2 of "I'm 2 for 2", and for an age of then."""
    if clause.reading.tense is Tense.PAST and clause.verb.lower_ in {"was", "were"}:
        return True
    bare = found.head.like_num and lemma(clause.verb) == "be"
    return _is_of_us(clause) or (bare and bool(children(clause.verb, "prep")))


def _is_no_tool(found: Statement, clause: Clause) -> bool:
    """True for the street of "my dentist is on Elm Street", and for "they/them pronouns".

    And for the day of "we switched it from Monday to Friday", and a major.
    """
    street = lemma(clause.verb) == "be" and found.head.lower_ in words("streets")
    day = found.head.lower_ in words("days") | words("months")
    major = any(lemma(each) == "major" for each in children(clause.verb, "dobj"))
    none = street or day or major or lemma(found.head) == "pronoun"
    return none or _was_built(found, clause)


def _was_built(found: Statement, clause: Clause) -> bool:
    """True for "he wrote a first version in Flask", "I tried using it", "I use the parameter".

    None is a tool that somebody uses.
    """
    built = lemma(clause.verb) in {"build", "write", "rewrite", "develop"}
    first = clause.verb.head if clause.verb.dep_ == "conj" else clause.verb
    tried = first.dep_ == "xcomp" and lemma(first.head) == "try"
    tried = tried or _is_of_attempt(clause.verb)
    version = _VERSION.match(found.object) is not None
    means = _is_of_means(found.head) and lemma(clause.verb) == "use"
    return tried or version or means or (built and clause.reading.tense is Tense.PAST)


def _is_of_attempt(verb: Token) -> bool:
    """True for "I'm trying to prove it using the cosine rule": a means to that alone."""
    work = words("works_at_hand") | words("works_to_do") | words("findings") | words("pursuits")
    above = verb.head
    tried = above.dep_ == "xcomp" and lemma(above.head) == "try"
    return verb.dep_ == "advcl" and tried and lemma(above) in work


def _is_of_means(head: Token) -> bool:
    """True for "the parameter", and for the SSS of "the SSS and SAS criteria"."""
    for each in head.doc[head.i :]:
        if lemma(each) in words("means"):
            return True
        if each.pos_ not in {"PROPN", "NOUN", "CCONJ"} and each.text != ",":
            return False
    return False


def _was_earned(_found: Statement, clause: Clause) -> bool:
    """True for "I made 500 dollars", once."""
    return clause.reading.tense is Tense.PAST and clause.reading.change is None


def _is_for_listener(found: Statement, clause: Clause) -> bool:
    """True for "I got this puppy for you"."""
    led = (*children(clause.verb, "prep", "dative"), *children(found.head, "prep"))
    return any(each.lower_ == "you" for prep in led for each in children(prep, "pobj"))


def _is_no_state(found: Statement, clause: Clause) -> bool:
    """True for "I'm feeling better", for now, and for "she's getting better at chess"."""
    aside = children(clause.verb, "prep", "dobj") or children(found.head, "prep")
    if found.object == "recovering":
        aside = [each for each in aside if each.lower_ == "from"]
    subject = clause.subject
    kin = subject is not None and lemma(subject) in words("kin") and is_mine(subject)
    return bool(aside) or not kin


def _is_stage(found: Statement, _clause: Clause) -> bool:
    """True for "I'm working on sprint 2", and for "this Monday"."""
    parts = {lemma(each) for each in (found.head, *children(found.head, "compound"))}
    return found.head.lower_.rstrip("s") in words("days") or not parts.isdisjoint(words("stages"))


def _is_to_speaker(found: Statement, clause: Clause) -> bool:
    """True for "she's been a mentor to me": a tie, and no job."""
    led = (*children(clause.verb, "prep"), *children(found.head, "prep"))
    mine = (each for prep in led if prep.lower_ == "to" for each in children(prep, "pobj"))
    return any(each.lower_ in {"me", "us"} for each in mine)


def _is_at_hand(found: Statement, clause: Clause) -> bool:
    """True for "I'm struggling with an error": it is over when the work is."""
    return clause.verb.tag_ == "VBG" or lemma(found.head) in words("mishaps")


def _is_no_home(found: Statement, clause: Clause) -> bool:
    """True for "I moved to Slack", and for the Halden of "I work for Halden, based in Kiel".

    Nobody lives in "Zoom sessions" either.
    """
    based = clause.verb.dep_ == "acl" and _is_work(clause.verb.head)
    based = based or found.head.tag_ == "NNS"
    return based or is_swapped(clause.verb) or names_technology(found.object)


def _is_no_illness(found: Statement, clause: Clause) -> bool:
    """True for "I came down with my bags" and "I suffer from his music"."""
    named = any(each.dep_ == "poss" or each.lower_ == "the" for each in found.head.children)
    return lemma(clause.verb) in {"come", "suffer"} and named


def _is_no_group(found: Statement, clause: Clause) -> bool:
    """True for "I'm on board with the plan", which is no board's."""
    bare = child(found.head, "det", "poss", "compound", "amod") is None
    return lemma(clause.verb) == "be" and bare and found.head.pos_ != "PROPN"


_MISREAD: dict[str, Callable[[Statement, Clause], bool]] = {
    "studies_in": lambda found, _: lemma(found.head) in words("languages"),
    "member_of": _is_no_group,
    "saves_for": lambda found, clause: (
        clause.verb.tag_ != "VBG" or found.head.pos_ not in {"NOUN", "PROPN"}
    ),
    "closed_on": lambda _, clause: not _is_of_us(clause),
    "eats": _is_meal,
    "drinks": _is_meal,
    "income": _was_earned,
    "uses": _is_no_tool,
    "is_aged": _is_no_age,
    "is_from": lambda _, clause: any(each.lower_ == "back" for each in clause.verb.children),
    "works_as": _is_to_speaker,
    "works_on": _is_stage,
    "works_at": lambda found, clause: (
        _is_of_somebody(found, clause) or _is_begun_study(found, clause)
    ),
    "health": _is_no_state,
    "struggles_with": _is_at_hand,
    "manages": lambda _, clause: _is_tried(clause.verb),
    "lives_in": _is_no_home,
    "has": _is_no_illness,
    "teaches": lambda found, clause: clause.verb.tag_ == "VB" or not _is_subject(found.head),
    "learns": lambda found, _: _is_no_skill(found.head),
    "skilled_in": lambda found, _: any(each.like_num for each in found.head.subtree),
    "marital_status": lambda _, clause: _is_to_thing(clause.verb),
    "has_pet": _is_for_listener,
    "owns": _is_for_listener,
    "has_relative": lambda _, clause: clause.verb.tag_ == "VBG",
}


def is_another_matter(found: Statement, clause: Clause) -> bool:
    """True for "play some guitar", the job of who "isn't my manager any more", "quit Feedzai".

    "I'm not a big cook" is said of a habit and of no job.
    """
    some = any(each.lower_ == "some" for each in found.head.children)
    over = clause.reading.change is Change.END and is_mine(found.head)
    held = found.head
    firm = held.pos_ == "PROPN" or lemma(held) in words("livelihoods") | words("workplaces")
    firm = firm and lemma(clause.verb) == "quit" and not is_switched(clause.verb)
    habit = clause.reading.negated and lemma(held) in words("characters")
    apart = {
        "works_at": lemma(clause.verb) in {"quit", "leave"} and is_switched(clause.verb),
        "plays": some,
        "works_as": over or habit,
        "gave_up": firm,
    }
    return apart.get(found.predicate, False)


def is_by_the_way(found: Statement, clause: Clause) -> bool:
    """True for the food of "I teach them, using food as an example": it is no tool of theirs.

    Nor is what is tried on the way, "by using semantic tags", unless it has a name.
    """
    bare = clause.verb.tag_ == "VBG" and not children(clause.verb, "nsubj", "aux")
    joined = clause.verb.dep_ == "conj" and bare
    below = joined or clause.verb.dep_ in {"advcl", "xcomp", "pcomp", "acl"}
    return found.predicate == "uses" and below and not is_named(found.head)


def names_other(verb: Token) -> bool:
    """True for "I named her Tilly", and not for "call me Bo"."""
    held = [
        each.lower_
        for each in children(verb, "dobj", "nsubj")
        if each.i > verb.i or each.dep_ == "dobj"
    ]
    passive = bool(children(verb, "auxpass")) or verb.dep_ in {"acl", "relcl"}
    passive = passive and all(each.lower_ != "we" for each in children(verb, "nsubjpass"))
    mine = held == ["me"] or (passive and not held)
    return lemma(verb) in {"call", "name"} and not mine


def leads_in(clause: Clause) -> bool:
    """True for "in terms of health, I am Fine": what somebody is in a respect is no name."""
    start = clause.verb.i if clause.subject is None else clause.subject.i
    return any(each.i < start for each in children(clause.verb, "prep", "advcl"))


def is_of_other(found: Statement) -> bool:
    """True for what somebody is to another: "Joanna's assistant" is no job but a tie."""
    owner = possessor(found.head)
    return owner is not None and owner.pos_ == "PROPN" and is_role(found.head)


def _is_of_us(clause: Clause) -> bool:
    """True for "we are": a house that somebody speaks for."""
    return clause.subject is not None and clause.subject.lower_ == "we"


def _is_tried(verb: Token) -> bool:
    """True for "I'm trying to be a manager", "to have a baby": so they are not."""
    return verb.dep_ == "xcomp" and lemma(verb.head) == "try"


def _is_study(found: Statement, clause: Clause) -> bool:
    """True for the firm of "I'm a student at Brunn College": it is no employer."""
    student = any(lemma(each) == "student" for each in children(clause.verb, "attr"))
    return student and found.predicate == "works_at"
