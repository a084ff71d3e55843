"""English clauses retold in the third person, so that a statement reads by itself.

Where the grammar is sure, `I` becomes the speaker's name and the verb follows; where it is not,
the clause stays as it was said, after the name and a colon.
"""

import re

from services.ingestion.learning.local.english_grammar import Predication, Tense
from services.ingestion.learning.local.scene import UNNAMED, Scene

_AFTER_I = (
    (re.compile(r"^(?:am|'m)\b", re.IGNORECASE), "is"),
    (re.compile(r"^(?:have|'ve|ve)\b", re.IGNORECASE), "has"),
    (re.compile(r"^(?:do|don)(?=\b|n['’]t)", re.IGNORECASE), "does"),
    (re.compile(r"^dont\b", re.IGNORECASE), "doesn't"),
    (re.compile(r"^'ll\b", re.IGNORECASE), "will"),
    (re.compile(r"^'d\b", re.IGNORECASE), "would"),
)
_PLAIN = re.compile(
    (
        r"^(?:(?:was|were|had|did|does|will|would|can|could|must|should|shall|may|might|has|is"
        r"|used|cannot|cant|didnt|wont|ought)\b|'s\b)"
    ),
    re.IGNORECASE,
)
_PRESENT_VERB = re.compile(
    (
        r"^((?:\w+ly |always |often |never |just |also |still |now |only |mostly |sometimes "
        r"|rarely |currently )*)([a-z]+)(\b.*)$"
    ),
    re.IGNORECASE | re.DOTALL,
)
_MINE = (
    (re.compile(r"\bmy\b", re.IGNORECASE), "their"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "theirs"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\b(?:i['’]m|im)\b", re.IGNORECASE), "they are"),
    (re.compile(r"\b(?:i['’]ve)\b", re.IGNORECASE), "they have"),
    (re.compile(r"\bme\b", re.IGNORECASE), "them"),
    (re.compile(r"\bi was\b", re.IGNORECASE), "they were"),
    (re.compile(r"\bi am\b", re.IGNORECASE), "they are"),
    (re.compile(r"\bI\b"), "they"),
    (re.compile(r"\bi\b(?![.'’/-])"), "they"),
)


def retold(text: str, said: Predication, subject: str, scene: Scene) -> str:
    """The clause as a statement about `subject`."""
    group = text[said.verb_start :].replace("’", "'").strip()
    if said.subject.lower() == "we":
        return quoted(text[said.subject_start :], scene)
    if said.subject.lower() in {"i", ""} and subject == scene.speaker:
        group = _conjugated(group, said)
        return f"{scene.written} {in_third_person(group)}" if group else quoted(text, scene)
    if said.subject.lower() in {"he", "she", "they"} or not said.subject:
        group = re.sub(
            r"^'s(?= \w+(?:ed|en|n)\b)", "has" if said.tense is Tense.PERFECT else "is", group
        )
        group = re.sub(r"^'s\b", "is", re.sub(r"^'re\b", "are", re.sub(r"^'ve\b", "has", group)))
        return f"{_owned(subject, scene)} {in_third_person(group)}"
    return f"{_owned_text(text, said, subject, scene)} {in_third_person(group)}".replace(
        " 's ", " is "
    )


def quoted(text: str, scene: Scene) -> str:
    """The clause verbatim, after who said it."""
    if not scene.speaker:
        return text.strip()
    return f"{'User' if scene.speaker == UNNAMED else scene.speaker}: {text.strip()}"


def with_subject(subject: str, rest: str, scene: Scene) -> str:
    """A statement put together from a subject and what is said of it."""
    head = scene.written if subject == scene.speaker else _owned(subject, scene)
    return f"{head} {in_third_person(rest)}"


def possessive(scene: Scene) -> str:
    """`The user's`, or the name's."""
    return f"{scene.written}'s"


def _owned(subject: str, scene: Scene) -> str:
    """A relative without a name is the speaker's."""
    if not subject.islower() or subject == "we":
        return subject
    return f"{possessive(scene)} {subject}" if scene.speaker else f"The {subject}"


def _owned_text(text: str, said: Predication, subject: str, scene: Scene) -> str:
    if subject[:1].isupper():
        return subject
    if not scene.speaker:
        return text[said.subject_start : said.subject_end]
    written = text[said.subject_start : said.subject_end]
    return re.sub(r"^(?:my|our)\b", possessive(scene), written, flags=re.IGNORECASE)


def _conjugated(group: str, said: Predication) -> str:
    for pattern, form in _AFTER_I:
        if pattern.match(group):
            return pattern.sub(form, group, count=1)
    if (
        _PLAIN.match(group)
        or said.tense in {Tense.PAST, Tense.PERFECT}
        or (said.modal and said.modal not in {"need", "have"})
    ):
        return group
    match = _PRESENT_VERB.match(group)
    return f"{match[1]}{_with_s(match[2])}{match[3]}" if match else ""


def _with_s(verb: str) -> str:
    if verb.endswith("s") and not verb.endswith("ss"):
        return verb
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def in_third_person(text: str) -> str:
    """What the speaker says of themselves, as others would say it."""
    for pattern, form in _MINE:
        text = pattern.sub(form, text)
    return text.strip()
