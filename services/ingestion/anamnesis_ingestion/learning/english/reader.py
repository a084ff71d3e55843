"""From what somebody said to the facts that it states."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from spacy.tokens import Doc, Span, Token

from anamnesis_ingestion.learning.english.as_read import as_read
from anamnesis_ingestion.learning.english.between import ties_between
from anamnesis_ingestion.learning.english.bounds import bounds_of, is_long_ago
from anamnesis_ingestion.learning.english.claims import Claim, Turn, once
from anamnesis_ingestion.learning.english.clauses import Clause, clauses
from anamnesis_ingestion.learning.english.couples import told_of_both
from anamnesis_ingestion.learning.english.denials import denied
from anamnesis_ingestion.learning.english.doings import judged
from anamnesis_ingestion.learning.english.esteem import demanded, esteemed, suited
from anamnesis_ingestion.learning.english.fragments import in_fragments
from anamnesis_ingestion.learning.english.frames import (
    Statement,
    attribute,
    generic,
    stated,
    worded,
)
from anamnesis_ingestion.learning.english.idle import is_empty
from anamnesis_ingestion.learning.english.kinds import names_place, names_technology
from anamnesis_ingestion.learning.english.marks import (
    Mood,
    Tense,
    is_never,
    is_no_sentence,
    is_rather,
    is_tended,
    was_forced,
    was_usual,
)
from anamnesis_ingestion.learning.english.mending import mended
from anamnesis_ingestion.learning.english.misread import (
    is_another_matter,
    is_misread,
    is_of_other,
    leads_in,
    names_other,
)
from anamnesis_ingestion.learning.english.others import meant_instead, told_by_others
from anamnesis_ingestion.learning.english.presupposed import presupposed
from anamnesis_ingestion.learning.english.projects import project_of
from anamnesis_ingestion.learning.english.ranges import Ranged, without_range
from anamnesis_ingestion.learning.english.respects import (
    affected,
    called,
    dated,
    driven_by,
    fallen_ill,
    in_a_respect,
    moved,
    run_on,
)
from anamnesis_ingestion.learning.english.reversals import (
    ended_by,
    phased_out,
    struck_by,
    turned,
    under_way,
    unexpected,
)
from anamnesis_ingestion.learning.english.subjects import Subject, Subjects, name_of
from anamnesis_ingestion.learning.english.telling import (
    ECHOES,
    Made,
    is_kept,
    is_of_speaker,
    points_back,
    told_after,
    with_after,
    with_what_follows,
)
from anamnesis_ingestion.learning.english.times import Times, ranged_verb
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    coordinated,
    is_person,
    lemma,
)
from anamnesis_ingestion.learning.english.turns_of_life import as_employed
from anamnesis_ingestion.learning.english.values import AFTER, BEFORE, MEANT, SPORT, spelled
from anamnesis_ingestion.learning.english.vocabulary import Change, Effect, frames, governors, words
from anamnesis_ingestion.learning.english.weights import parser
from anamnesis_ingestion.learning.english.wording import statement
from anamnesis_ingestion.learning.english.worth import KEPT_FROM, least_worth, worth

BATCH_SENTENCES = 64
SENTENCE_TOKENS_MAX = 70
_OF_THINGS = 0.15
"""The worth taken off a statement about somebody's things instead of themselves."""
_OF_PETS = frozenset(
    {"has", "is_allergic_to", "is_aged", "uses", "likes", "dislikes", "eats", "is"}
)
_MOODS = {
    Mood.PLAN: frozenset({"plans"}),
    Mood.WISH: frozenset({"wants", "prefers"}),
    Mood.CONSIDER: frozenset({"considers"}),
    Mood.CAN: frozenset({"can", "speaks", "plays", "eats", "does_not_eat", "drinks", "dislikes"}),
    Mood.DUTY: frozenset({"must", "avoids", "follows_diet"}),
}


def read(turns: Sequence[Turn]) -> list[list[Claim]]:
    """The claims of each turn."""
    sentences = [(place, each) for place, turn in enumerate(turns) for each in turn.sentences]
    claims: list[list[Claim]] = [[] for _ in turns]
    subjects = [Subjects(turn) for turn in turns]
    cut = [without_range(text, turns[place].said_at) for place, text in sentences]
    parsed = parser().pipe((each.text for each in cut), batch_size=BATCH_SENTENCES)
    told, sports = -1, dict[str, Token]()
    behind = [*sentences[1:], (-1, "")]
    for (place, _), doc, ranged, after in zip(sentences, parsed, cut, behind, strict=True):
        speaker = turns[place].subject
        said_on = after[1] if after[0] == place else ""
        doc.user_data |= {SPORT: sports.get(speaker), AFTER: said_on}
        found = once(_of_doc(mended(doc), turns[place], subjects[place], ranged))
        sports.update((speaker, word) for word in doc if lemma(word) in words("sports"))
        echoes = [each for each in found if each.predicate in ECHOES and points_back(doc)]
        tells_on = told == place and len(echoes) == len([*filter(is_kept, found)])
        last = claims[place][-1] if tells_on else None
        if last is not None and last.subject != speaker and is_of_speaker(doc):
            last = None
        more = "" if last is None else told_after(doc, turns[place].said_at, last)
        if last is not None and more:
            claims[place][-1] = with_after(last, more)
            found = echoes
        claims[place] += chain.from_iterable(map(as_employed, found))
        tells_more = bool(more) and not found
        told = place if tells_more or any(map(_may_be_told_on, found[-1:])) else -1
    return [list(filter(is_kept, each)) for each in claims]


def _may_be_told_on(claim: Claim) -> bool:
    """True for a claim of which the next sentence may say more."""
    return not (claim.ended or claim.presupposed)


def _of_doc(doc: Doc, turn: Turn, subjects: Subjects, ranged: Ranged) -> Iterator[Claim]:
    for sentence in doc.sents:
        if len(sentence) <= SENTENCE_TOKENS_MAX:
            yield from _of_sentence(sentence, turn, subjects, ranged)


def _of_sentence(sentence: Span, turn: Turn, subjects: Subjects, ranged: Ranged) -> Iterator[Claim]:
    times = Times(sentence, turn.said_at, ranged_verb(sentence, ranged.at), ranged.when)
    subjects.note(sentence)
    sentence.doc.user_data |= {MEANT: subjects.meant_in(sentence), BEFORE: subjects.before}
    ties: list[Claim] = []
    if turn.subject:
        for each in presupposed(sentence, subjects, times):
            subjects.tie(each.persons)
            yield each
        ties = list(ties_between(sentence, turn))
        yield from ties
        yield from in_fragments(sentence, subjects.speaker)
    done: set[int] = set()
    made: list[Made] = []
    for clause in clauses(sentence, subjects.before):
        if clause.reading.mood in {Mood.REFUSED, Mood.ORDER} or clause.verb.i in done:
            continue
        found = list(_of_speaker(clause, times, turn)) if turn.subject else []
        subject = subjects.speaker if found else subjects.of(clause)
        if subject is None or not subject.key:
            continue
        found = found or list(_facts(clause, subject, times))
        done |= {each.i for each in _consumed(clause, found)}
        claims = [_claim(*_of_project(each, clause, subject), subjects, times) for each in found]
        made += [
            Made(claim, each, clause)
            for claim, each in zip(claims, found, strict=True)
            if not _is_told_by(ties, claim)
        ]
        made += _of_others_too(found, clause, subjects, times)
        made += _denied_of(subject, clause, subjects, times)
        if clause.by_speaker:
            other = _of_another(clause, subjects, times)
            made += [Made(claim, None, clause) for claim in other]
    yield from with_what_follows(made, sentence, times.tokens)
    subjects.before = sentence


def _denied_of(
    subject: Subject, clause: Clause, subjects: Subjects, times: Times
) -> Iterator[Made]:
    """The denials about somebody, which end what is held of them."""
    for each in denied(clause, times.tokens) if subject.sort != "thing" else ():
        ended = _claim(each, clause, subject, subjects, times)
        yield Made(replace(ended, ends_only=True), each, clause)


def _of_others_too(
    found: Sequence[Statement], clause: Clause, subjects: Subjects, times: Times
) -> Iterator[Made]:
    """The same of who is joined to the subject: "mum and dad live in Spain"."""
    first = clause.subject
    if first is None or clause.reading.teller is not None or not is_person(first):
        return
    others = [each for each in coordinated(first) if each != first and is_person(each)]
    for other in others if not any(each.lower_ in FIRST for each in coordinated(first)) else ():
        subject = subjects.noun(other)
        if subject is None or subject.sort != "person":
            continue
        for each in found:
            if not (each.generic or each.said):
                yield Made(_claim(each, clause, subject, subjects, times), each, clause)


def _is_told_by(ties: Sequence[Claim], claim: Claim) -> bool:
    """True for "one of Ross's best friends", where Ross is known to be their friend by now."""
    named = (tie.object for tie in ties if tie.object in claim.object)
    return claim.predicate in {"is", "works_as"} and any(named)


def _of_another(clause: Clause, subjects: Subjects, times: Times) -> Iterator[Claim]:
    """The claims denied of the speaker that are said to be true of somebody else."""
    other = meant_instead(clause)
    subject = None if other is None else subjects.noun(other)
    if subject is None:
        return
    told = replace(clause, reading=replace(clause.reading, negated=False))
    for each in stated(told, times.tokens):
        said = replace(each, said=worded(each.predicate, each.object))
        yield _claim(said, told, subject, subjects, times)


def _of_speaker(clause: Clause, times: Times, turn: Turn) -> Iterator[Statement]:
    """The claims of a clause about something else that tell of the speaker."""
    struck = struck_by(clause)
    if struck is not None:
        yield struck
        return
    yield from told_of_both(clause, turn.listener)
    yield from told_by_others(clause)
    yield from unexpected(clause)
    yield from under_way(clause)
    yield from phased_out(clause)
    yield from affected(clause)
    yield from fallen_ill(clause)
    yield from driven_by(clause)
    yield from demanded(clause) if turn.to_agent else ()
    yield from suited(clause)
    for each in esteemed(clause):
        if _worth(each, clause, times, to_agent=turn.to_agent) >= KEPT_FROM:
            yield each
    for each in judged(clause, times.tokens):
        if turn.to_agent and each.predicate != "did":
            continue
        if _worth(each, clause, times, to_agent=turn.to_agent) >= KEPT_FROM:
            yield each


def _consumed(clause: Clause, found: Iterable[Statement]) -> Iterator[Token]:
    """Verbs that are the object of a fact and say nothing by themselves."""
    for each in found:
        if each.head != clause.verb and each.head.pos_ == "VERB":
            yield each.head
        if each.generic or each.kind == "preference":
            below = children(clause.verb, "xcomp", "ccomp")
            yield from (verb for verb in below if child(verb, "nsubj", "nsubjpass") is None)


def _facts(clause: Clause, subject: Subject, times: Times) -> Iterator[Statement]:
    for each in () if _is_tie(clause, subject) else _found(clause, subject, times):
        read = as_read(each, clause, ahead=times.is_ahead(clause.verb))
        least = KEPT_FROM if subject.to_agent or read is None else least_worth(read)
        if read is not None and _worth(read, clause, times, to_agent=subject.to_agent) >= least:
            yield read
            yield from ended_by(read, clause)


def _found(clause: Clause, subject: Subject, times: Times) -> list[Statement]:
    """The statements of a clause: by its frames, else of a respect, a move or in general."""
    said_of_time = times.tokens
    if subject.sort == "thing" and _is_pet(clause):
        found = [each for each in stated(clause, said_of_time) if each.predicate in _OF_PETS]
        if found:
            return found
    if subject.sort == "thing":
        found = [*dated(clause, said_of_time), *called(clause)]
        found = found or list(attribute(clause, said_of_time))
        found = found or list(run_on(clause, said_of_time))
        if not subject.owner:
            found = found or list(turned(clause)) or moved(clause, said_of_time)
    else:
        found = [each for each in stated(clause, said_of_time) if _allowed(each, clause, subject)]
        found = [each for each in found if each.predicate != "has" or not is_empty(each)]
    if subject.sort == "speaker" and not found:
        told = in_a_respect(clause)
        found = moved(clause, said_of_time) if told is None else [told]
    if not found and not subject.owner and _may_be_generic(clause) and _is_theirs(clause, subject):
        found = _in_general(clause, subject, times)
    return found


def _in_general(clause: Clause, subject: Subject, times: Times) -> list[Statement]:
    """The whole verb phrase as a fact; what is fixed for a day ahead is a plan."""
    whole = None if _is_for_now(clause, times) else generic(clause, times.tokens)
    if whole is None or is_of_other(whole):
        return []
    if whole.predicate == "does" and times.is_ahead(clause.verb):
        whole = replace(whole, predicate="plans", kind="goal")
    if _is_of_things(subject):
        whole = replace(whole, worth=whole.worth - _OF_THINGS)
    return [whole]


def _is_pet(clause: Clause) -> bool:
    """True for "my cat Tofu has asthma"."""
    return clause.subject is not None and lemma(clause.subject) in words("pets")


def _is_for_now(clause: Clause, times: Times) -> bool:
    """True for "I'd rather stay home tonight" and "we're eating breakfast": it is soon over."""
    held = children(clause.verb, "dobj") if clause.verb.tag_ == "VBG" else []
    if lemma(clause.verb) == "eat" and any(lemma(each) in words("dayparts") for each in held):
        return True
    return is_rather(clause.verb) and times.of(clause.verb).since is not None


def _is_of_things(subject: Subject) -> bool:
    """True for somebody's things; and for a name told to an agent, which may be a thing's."""
    named = subject.sort == "person" and "'s " not in subject.key
    return subject.sort == "thing" or (named and subject.to_agent)


def _may_be_generic(clause: Clause) -> bool:
    """True where the whole verb phrase may be a fact: a clause with a subject of its own."""
    verb, reading = clause.verb, clause.reading
    if was_usual(verb) or was_forced(verb) or is_tended(verb):
        return reading.teller is None and reading.mood is Mood.FACT and not reading.negated
    no_fact = _leads_on(clause) or is_no_sentence(verb)
    if no_fact or reading.teller is not None or reading.change is not None:
        return False
    if reading.negated:
        return reading.mood is Mood.WISH or lemma(verb) == "be" or is_never(verb)
    if lemma(verb) in words("minds") and child(verb, "ccomp") is not None:
        return False
    if reading.mood is not Mood.FACT:
        return True
    told = child(verb, "nsubj", "nsubjpass") is not None or verb.dep_ == "ROOT"
    shared = verb.dep_ == "conj" and verb.tag_ in {"VBD", "VBZ", "VBP"}
    told = told and verb.dep_ in {"ROOT", "conj", "ccomp", "advcl", "parataxis"}
    return told or shared or _is_told_beside(verb)


def _is_told_beside(verb: Token) -> bool:
    """True for "my sister Ana, who teaches maths, ...": a sentence of its own between commas."""
    who = child(verb, "nsubj")
    beside = verb.dep_ == "relcl" and who is not None and who.lower_ == "who"
    return beside and who is not None and who.i > 0 and who.nbor(-1).text == ","


def _is_theirs(clause: Clause, subject: Subject) -> bool:
    """True if the clause is about a person, or about a deed of something that a person owns.

    What anything can do is knowledge of the world, and nobody's.
    """
    if subject.sort == "speaker":
        return True
    if clause.reading.mood is not Mood.FACT:
        return False
    if subject.sort == "person":
        passive = child(clause.verb, "auxpass") is not None
        placed = names_place(subject.key) and not passive
        return not (placed or names_technology(subject.key))
    thought = clause.subject is not None and lemma(clause.subject) in {"idea", "dream", "thought"}
    return bool(lemma(clause.verb) != "be" and not clause.reading.negated and not thought)


def _leads_on(clause: Clause) -> bool:
    """True for a verb whose infinitive or gerund tells the fact: "I hope to", "I've come to"."""
    verb = clause.verb
    below = child(verb, "xcomp")
    if below is None:
        return False
    if lemma(verb) in {"use", "go"}:
        return lemma(verb) == "use" or below.tag_ != "VBG"
    effects = {effect for _, effect in governors().get(lemma(verb), ())}
    if effects & {Effect.BEGUN, Effect.ENDED}:
        taste = (each for each in frames().get(lemma(below), ()) if not each.needs)
        return any(each.kind == "preference" for each in taste)
    return bool(effects) and clause.reading.tense is Tense.PRESENT


def _allowed(found: Statement, clause: Clause, subject: Subject) -> bool:
    """True where the mood allows it; "our CI is Foo" gives nobody a name."""
    if is_misread(found, clause):
        return False
    if found.predicate == "is_named" and clause.reading.change is Change.END:
        return False
    if found.predicate == "is_named" and lemma(clause.verb) == "be":
        named = subject.sort != "person" and not leads_in(clause)
        named = named and found.object.casefold() not in words("discourse")
        return named and clause.reading.mood is Mood.FACT
    if found.predicate == "is_named" and subject.sort == "person" and "'s " not in subject.key:
        return False
    if found.predicate == "is_named" and names_other(clause.verb):
        return False
    mood = clause.reading.mood
    may = mood is Mood.FACT or found.predicate in _MOODS.get(mood, ())
    return may and not is_another_matter(found, clause)


def _is_tie(clause: Clause, subject: Subject) -> bool:
    """True for who somebody is to the speaker, told as a tie: "my new manager is Priya"."""
    told = child(clause.verb, "attr")
    owned = subject.sort == "person" and "'s " in subject.key
    return owned and lemma(clause.verb) == "be" and told is not None and told.pos_ == "PROPN"


def _worth(found: Statement, clause: Clause, times: Times, *, to_agent: bool) -> float:
    when = times.of(clause.verb)
    dated = when.since is not None or when.until is not None
    return worth(found, dated=dated, to_agent=to_agent)


def _claim(
    found: Statement, clause: Clause, subject: Subject, subjects: Subjects, times: Times
) -> Claim:
    when = times.of(clause.verb)
    speaker = subjects.speaker
    predicate, key, shown = found.predicate, subject.key, subject.shown
    of_pet = found.predicate in _OF_PETS and _is_pet(clause)
    thing = subject.sort == "thing" and not found.generic and not of_pet
    named = name_of(clause.subject) if of_pet and clause.subject is not None else ""
    key, shown = named or key, named or shown
    if thing:
        key = subject.owner or speaker.key
    since, until, ended = bounds_of(found, when, clause, ends_ahead=times.ends_ahead(clause.verb))
    keeps_time = thing or found.head.i in times.tokens
    dropped: frozenset[int] = frozenset() if keeps_time else times.tokens
    return Claim(
        subject=key,
        predicate=predicate,
        object=found.object,
        statement=_told(found, clause).format((subject.owner or speaker.shown) if thing else shown)
        or statement(clause, shown, dropped),
        kind=found.kind,
        worth=_worth(found, clause, times, to_agent=subject.to_agent),
        since=since,
        until=until,
        precision=when.precision if since or until else "",
        ended=ended,
        begins=found.change is Change.BEGIN and not is_long_ago(clause.verb),
        persons=_persons(subject),
        single_valued=found.single or (thing and _has_one(found, clause)),
    )


def _told(found: Statement, clause: Clause) -> str:
    """The wording that a statement brings; "I'm Mara, a baker" tells two things, each by itself."""
    beside_it = children(clause.verb, "attr", "acomp")
    named = [
        each for each in beside_it if each.pos_ == "PROPN" and each.lower_ not in words("jobs")
    ]
    beside = found.head.head in named if found.head.dep_ == "appos" else bool(named)
    listed = any(each.dep_ == "conj" for each in (found.head, *found.head.children))
    if found.said or not beside or listed or found.head in named or lemma(clause.verb) != "be":
        return found.said
    was = "was" if clause.reading.tense is Tense.PAST else "is"
    return f"{{}} {was} {spelled(found.head.subtree).replace('{', '').replace('}', '')}"


def _persons(subject: Subject) -> tuple[str, ...]:
    """The name of the person that a statement is about, where it is not the speaker."""
    if subject.owner:
        return (subject.owner,)
    return (subject.key,) if subject.sort == "person" and "'s " not in subject.key else ()


def _of_project(
    found: Statement, clause: Clause, subject: Subject
) -> tuple[Statement, Clause, Subject]:
    """The same, about the project where "we" use something in a project that is named."""
    project = ""
    if subject.sort == "speaker" and found.predicate == "uses":
        project = project_of(clause)
    if not project:
        return found, clause, subject
    said = worded(found.predicate, found.object)
    return replace(found, said=said), clause, replace(subject, key=project, shown=project)


def _has_one(found: Statement, clause: Clause) -> bool:
    """True for an attribute that has one value at a time: "my major is physics".

    "My interest in jazz has faded" tells of a taste, and tastes add up.
    """
    subject = clause.subject
    single = subject is not None and subject.tag_ == "NN"
    return single and not found.listed and found.kind != "preference"
