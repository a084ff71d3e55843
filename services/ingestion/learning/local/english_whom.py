"""Who the subject of an English clause is: a pronoun's person, a relative, a name, a thing."""

import re

from services.ingestion.learning.local.drafts import Draft
from services.ingestion.learning.local.english_findings import NO_SUBJECTS
from services.ingestion.learning.local.english_people import is_kin_or_pet, known_role
from services.ingestion.learning.local.scene import Scene

_PLURAL_NOUN = re.compile(
    r"(?<!^Lar)(?<!^Nil)(?<!^Han)(?<!^Jen)(?<!^Iri)(?<!^Chri)(?<!^Jame)(?<!^Agne)(?<!^Ine)(?<!^Ch"
    r"arle)"
    r"(?<!^Mercede)(?:[bcdfgklmnprtvwy]|e)s$"
)


def named(written: str, scene: Scene, found: list[Draft]) -> str:
    """Who it is; "" where nobody can say, or where it is nobody in particular."""
    low = written.lower()
    pronouns = {
        "i": scene.speaker,
        "we": "we",
        "he": scene.third,
        "she": scene.third,
        "they": scene.third_plural,
    }
    if low in pronouns:
        return pronouns[low]
    if NO_SUBJECTS.match(low):
        return ""
    persons = (name for draft in found for name in draft.persons if name in written)
    return next(persons, "") or _noun(written, scene, found)


def _noun(written: str, scene: Scene, found: list[Draft]) -> str:
    """A relative by role, a person by name, a thing by its noun."""
    low = written.lower()
    bare = re.sub(r"^(?:my|our|his|her|their|the)\s+", "", written, flags=re.IGNORECASE)
    role = known_role(bare)
    related = next((each for each in found if role and each.object.startswith(f"{role} ")), None)
    if related is not None:
        return related.persons[0]
    if role and low.startswith("the ") and is_kin_or_pet(role) and bare not in scene.persons:
        return ""
    owned = re.match(r"(?:the|my|our|his|her|their)\b", low)
    if _PLURAL_NOUN.search(written) and not owned and " " not in written:
        return written
    if (role and not bare[:1].isupper()) or (written[:1].isupper() and not owned):
        scene.mention(bare)
    return bare if role or owned or written[:1].isupper() else ""
