"""Facts that only tell a secret, or what redaction left of one: they are not learned.

"My password is <REDACTED_CREDENTIAL>" says nothing worth keeping, and a password that redaction
did not know is not kept by being called one. Who reads a sentence may part a tag from its
brackets, so that its name alone counts as well.
"""

import re

from anamnesis_ingestion.learning.knowledge import LearnedFact
from anamnesis_ingestion.learning.spelling import PSEUDONYM
from anamnesis_libs.redaction.policy import KINDS, PERSON, TAG

_TAG_NAMES = frozenset(kind.tag.strip("<>") for name, kind in KINDS.items() if name != PERSON)
# Their tags stand within something worth knowing: where mail is sent, in which folder work lies.
_PERSONAL = frozenset(
    KINDS[name].tag
    for name in (
        *("USER_PATH", "UUID", "EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS"),
        *("CREDIT_CARD", "IBAN_CODE", "US_SSN", "CN_ID"),
    )
)
_NAMED_SECRET = re.compile(
    r"(?:^|[\s_'-])(?:pass(?:word|wd|phrase|code)|pwd|pin(?:[ _-](?:code|number))?|cvv|cvc|otp"
    r"|(?:api|secret|access|private|encryption|recovery|wifi)[ _-]?(?:key|token|secret)"
    r"|(?:gate|door|alarm|entry|access|security|garage|lock|lockbox|safe|verification|backup)"
    r"[ _-](?:code|combination)|seed[ _-]phrase)(?:_is)?$"
    r"|(?:密码|口令|密钥|令牌|门禁码|验证码|授权码)$",
    re.IGNORECASE,
)
_SECRET_WORD = re.compile(
    r"(?:the |a |my )?(?:password|passphrase|passcode|pin|token|secret|key|credentials?)",
    re.IGNORECASE,
)


def tells_secret(fact: LearnedFact) -> bool:
    """True if a fact is about a secret, or its object is one, or a tag took a secret's place."""
    if _NAMED_SECRET.search(fact.predicate) or _NAMED_SECRET.search(fact.subject):
        return True
    tagged = any(not PSEUDONYM.fullmatch(tag) for tag in TAG.findall(fact.statement))
    return any(_is_left_of_one(part, tagged=tagged) for part in (fact.subject, fact.object))


def _is_left_of_one(part: str, *, tagged: bool) -> bool:
    """True if a subject or an object is left of redaction; `tagged`: the statement has a tag."""
    tags = set(TAG.findall(part))
    if any(tag not in _PERSONAL and not PSEUDONYM.fullmatch(tag) for tag in tags):
        return True
    rest = TAG.sub("", part) if tags <= _PERSONAL else part
    plain = rest.strip("<>\"'.,;:!? \t")
    if plain in _TAG_NAMES:
        return True
    bare = not any(char.isalnum() for char in plain) or bool(_SECRET_WORD.fullmatch(plain))
    return tagged and bare and part != ""
