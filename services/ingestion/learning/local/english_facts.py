"""English clauses to facts: by what the verb is, who the subject is, and the tense.

`_phrases` reads set phrases, `_of_be` what somebody is, `_of_verb` the rest by verb class.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.english_bounds import BOUND_FRAMES
from services.ingestion.learning.local.english_findings import (
    PERSONAL,
    about_the_thing,
    found_about,
)
from services.ingestion.learning.local.english_frame import framed
from services.ingestion.learning.local.english_grammar import (
    Predication,
    Tense,
    read,
    read_elided,
    read_plain,
)
from services.ingestion.learning.local.english_lists import LISTED, continued, listed
from services.ingestion.learning.local.english_people import known_role, relations
from services.ingestion.learning.local.english_phrases import set_phrases
from services.ingestion.learning.local.english_reading import Reading, Said
from services.ingestion.learning.local.english_skills import SKILL_FRAMES
from services.ingestion.learning.local.english_statements import (
    in_third_person,
    retold,
    with_subject,
)
from services.ingestion.learning.local.english_states import read_be
from services.ingestion.learning.local.english_tastes import TASTE_FRAMES
from services.ingestion.learning.local.english_turns import TURN_FRAMES
from services.ingestion.learning.local.english_vague import is_vague
from services.ingestion.learning.local.english_verbs import read_verb
from services.ingestion.learning.local.english_whom import named
from services.ingestion.learning.local.english_wishes import ordered, standing_wish
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate
_FRAMES = (*BOUND_FRAMES, *TASTE_FRAMES, *SKILL_FRAMES, *TURN_FRAMES)
_ORGANISATIONS = re.compile(
    r"^(?:my|our|the|their) (?:\w+ ){0,2}(?:client|customer|company|firm|employer|team"
    r"|landlord|school|university|insurance|insurer|contract|lease|visa|policy|bank|clinic"
    r"|hospital"
    r"|doctor|boss|manager|building|council|vendor|supplier|office|department|board|club"
    r"|gym|airline|budget)s?$",
    re.IGNORECASE,
)
_AGE = re.compile(r"^(?P<n>\d{1,2}|[a-z]+ty(?:-\w+)?)(?: years? old| yo| y/o)?$", re.IGNORECASE)
_GERUND = re.compile(r"^\w+ing\b", re.IGNORECASE)
_PARTICIPLE = re.compile(
    (
        r"^(?:now |currently |originally )?(?P<p>based|born|raised|married|trained|retired"
        r"|living|working|originally from|from)\b (?P<o>.+)$"
    ),
    re.IGNORECASE,
)


def english_facts(clause: Clause, scene: Scene) -> list[Draft]:
    """The facts of one clause; the scene learns who was spoken of."""
    return [_retold(draft) for draft in _found(clause, scene) if not is_vague(draft)]


def _retold(draft: Draft) -> Draft:
    """With an object as others would say it; what is wished of the agent stays as it was put."""
    if draft.predicate is _P.PREFERS or draft.subject == "we":
        return draft
    return replace(draft, object=in_third_person(draft.object))


def _found(clause: Clause, scene: Scene) -> list[Draft]:
    found = list(relations(clause, scene))
    phrases = [*ordered(clause, scene), *map(about_the_thing, set_phrases(clause, scene))][:1]
    phrases = phrases or list(standing_wish(clause, scene))
    if phrases:
        scene.listing = None
        return found + phrases
    more = continued(clause, scene) if not clause.opens else []
    if more:
        return found + more
    scene.listing = None
    frames = _framed(clause, scene, found)
    if frames:
        last = frames[-1]
        if last.predicate in LISTED:
            scene.listing = (last.predicate, last.kind, last.subject)
        return found + frames
    return found + list(_told(clause, scene, found))


def _framed(clause: Clause, scene: Scene, found: list[Draft]) -> list[Draft]:
    """What a set way to say a thing tells; who is related to whom is told once."""
    drafts = framed(clause, scene, _FRAMES, lambda written: named(written, scene, found))
    known = {name for draft in found for name in draft.persons}
    return [
        about_the_thing(item)
        for draft in drafts
        if not (draft.predicate is _P.KNOWS and any(name in draft.object for name in known))
        for item in listed(draft)
    ]


def _told(clause: Clause, scene: Scene, found: list[Draft]) -> Iterator[Draft]:
    """What the clause says besides who is related to whom."""
    said = read(clause.text)
    if said is None:
        elided = _elided if scene.carried and not clause.opens else _elided_opening
        yield from elided(clause, scene)
        return
    subject = named(said.subject, scene, found)
    scene.carried = subject
    related = any(name in said.rest for draft in found for name in draft.persons)
    if subject and not related:
        yield from _drafts(clause, said, subject, scene)


def _drafts(clause: Clause, said: Predication, subject: str, scene: Scene) -> Iterator[Draft]:
    if said.modal == "used":
        scene.formerly = _formerly(said.rest)
        return
    person = _is_person(said, subject, scene)
    reading = _reading(said, person)
    if reading is None or not reading.object:
        reading = _instead(said, scene)
    if reading is None or not reading.object:
        return
    if reading.predicate is _P.DISCOVERED:
        subject = found_about(reading.object, subject)
        yield _draft(clause, reading, subject, retold(clause.text, said, scene.speaker, scene))
        return
    statement = retold(clause.text, said, subject, scene)
    if said.first_person and (group := _GROUP.match(said.rest)):
        subject = group["group"]
    yield from listed(_draft(clause, reading, subject, statement))
    if reading.predicate in LISTED:
        scene.listing = (reading.predicate, reading.kind, subject)


def _reading(said: Predication, person: bool) -> Reading | None:
    """What the rules for being or for doing make of a clause."""
    rest = said.rest.strip(" .,!")
    organisation = bool(_ORGANISATIONS.match(said.subject))
    read_as = read_be if said.verb == "be" else read_verb
    return read_as(Said(said, person, organisation, rest))


def _formerly(rest: str) -> str:
    """The thing that somebody used to do something with: what `it` is when they do it otherwise."""
    match = re.match(
        (
            r"(?:my|our|the)? ?(?P<thing>[a-z]+(?: [a-z]+)?)(?= (?:with|in|at|by|on|without"
            r"|black)\b|$)"
        ),
        rest,
    )
    return match["thing"] if match else ""


def _instead(said: Predication, scene: Scene) -> Reading | None:
    """`but now I drink it black`, after `I used to take my coffee with sugar`."""
    other = re.match(r"(?:it|them) (?P<how>.+)$", said.rest)
    if (
        not other
        or not scene.formerly
        or said.verb not in words.CONSUME | words.LIKE | words.PRESENT
    ):
        return None
    return Reading(_P.PREFERS, f"{scene.formerly} {other['how']}", _K.PREFERENCE, 0.7, dated=False)


_GROUP = re.compile(
    (
        r"(?:a|an) (?:\w+ )?(?P<group>team|family|company|startup|couple|band|club|agency"
        r"|group|household|shop|crew) of\b"
    ),
    re.IGNORECASE,
)


def _is_person(said: Predication, subject: str, scene: Scene) -> bool:
    return (
        said.subject.lower() in PERSONAL
        or not said.subject
        or subject in scene.persons
        or bool(known_role(subject))
    )


def _draft(clause: Clause, reading: Reading, subject: str, statement: str) -> Draft:
    return Draft(
        clause=clause,
        subject=subject,
        predicate=reading.predicate,
        object=reading.object,
        statement=statement,
        kind=reading.kind,
        location=reading.location,
        confidence=reading.confidence,
        dated=reading.dated,
    )


def _elided(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A clause that goes on with the subject before it: `based in Leeds`, `41`."""
    subject, text = scene.carried, clause.text
    age, participle = _AGE.match(text), _PARTICIPLE.match(text)
    if age and (age["n"].isdigit() or words_number(age["n"])):
        reading: Reading | None = Reading(_P.IS_AGED, text, _K.IDENTITY, 0.8, dated=False)
        statement = with_subject(subject, f"is {text}", scene)
    elif participle:
        predicate = _P.LIVES_IN if participle["p"].lower() in {"based", "living"} else _P.IS
        reading = Reading(predicate, participle["o"], _K.IDENTITY, 0.75, dated=False)
        statement = with_subject(subject, f"is {text}", scene)
    else:
        said = read_elided(text)
        if said is None and subject == scene.speaker and not _GERUND.match(text):
            said = read_plain(text)
            text = f"I {text}" if said else text
        if said is None:
            return
        reading = _reading(said, _is_one(subject, scene))
        statement = retold(text, said, subject, scene)
    if reading is not None and reading.object:
        yield _draft(clause, reading, subject, statement)


def _is_one(subject: str, scene: Scene) -> bool:
    """Whether a subject of before is a person."""
    persons = {scene.speaker, "we", *scene.persons}
    return subject in persons or bool(known_role(subject))


def words_number(text: str) -> bool:
    """Whether a word such as `forty-two` is a number."""
    return bool(re.match(r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty", text, re.IGNORECASE))


def _elided_opening(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A message that begins in the past without its `I`: `Just moved to Leeds`."""
    text = re.sub(
        r"^(?:just|finally|only|recently|yesterday|today)\s+", "", clause.text, flags=re.IGNORECASE
    )
    said = read_elided(text)
    if not clause.opens or said is None or said.tense is not Tense.PAST or said.modal:
        return
    if said.verb in words.SAME_IN_PAST or said.verb in words.REPORT | {"be", "make"}:
        return
    scene.carried = scene.speaker
    reading = _reading(said, person=True)
    if reading is not None and reading.object:
        yield _draft(clause, reading, scene.speaker, retold(text, said, scene.speaker, scene))
