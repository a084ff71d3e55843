"""The policy of redaction: kinds, levels, and a namespace's choice of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

PERSON = "PERSON"
PSEUDONYM_HEX = 8


class RedactionLevel(Enum):
    """The level of redaction."""

    OFF = "off"
    DEFAULT = "default"
    """Secrets and personal data; people, places, organisations and dates stay."""
    STRICT = "strict"
    """The kinds of `DEFAULT`, and people become pseudonyms."""


class RedactionAction(Enum):
    """The action on a text in which something was found."""

    REDACT = "redact"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class RedactionKind:
    """A kind of secret or personal data: the tag it leaves, and the mildest level it goes under."""

    tag: str
    level: RedactionLevel = RedactionLevel.DEFAULT


def _named(*names: str) -> dict[str, RedactionKind]:
    return {name: RedactionKind(f"<{name}>") for name in names}


KINDS: Mapping[str, RedactionKind] = MappingProxyType(
    {
        **_named("PRIVATE_KEY", "LLM_API_KEY", "GITHUB_TOKEN", "GITLAB_TOKEN"),
        **_named("AWS_ACCESS_KEY", "AWS_SECRET_KEY", "GOOGLE_API_KEY", "AZURE_KEY"),
        **_named("SLACK_TOKEN", "STRIPE_KEY", "NPM_TOKEN", "PYPI_TOKEN", "JWT"),
        "AUTH_HEADER": RedactionKind("<REDACTED_TOKEN>"),
        "CREDENTIAL": RedactionKind("<REDACTED_CREDENTIAL>"),
        "USER_PATH": RedactionKind("<USER>"),
        **_named("UUID", "EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS"),
        **_named("CREDIT_CARD", "IBAN_CODE", "US_SSN", "CN_ID"),
        PERSON: RedactionKind("<PERSON>", RedactionLevel.STRICT),
    }
)
"""Every kind by its name. A person's tag is a pseudonym: `<PERSON_3f9a1c07>`."""

TAG = re.compile(
    "|".join([*(kind.tag for kind in KINDS.values()), f"<PERSON_[0-9a-f]{{{PSEUDONYM_HEX}}}>"])
)
"""Matches what redaction leaves behind, which it never touches again."""


@dataclass(frozen=True, slots=True)
class RedactionPolicy:
    """A namespace's rules: how much goes, and what becomes of the text.

    `kinds` names those of `KINDS` that go, of the level's; None is all of them. `pseudonym_key`
    is the namespace's own: the same person has another pseudonym under another key.

    Raises:
        ValueError: `kinds` names one that is not in `KINDS`.
    """

    level: RedactionLevel = RedactionLevel.DEFAULT
    action: RedactionAction = RedactionAction.REDACT
    kinds: frozenset[str] | None = None
    pseudonym_key: bytes = b""

    def __post_init__(self) -> None:
        """Refuse kinds that are not known."""
        unknown = (self.kinds or frozenset()) - KINDS.keys()
        if unknown:
            raise ValueError(f"unknown kinds: {', '.join(sorted(unknown))}")

    def covers(self, kind: str) -> bool:
        """True if the policy redacts `kind`."""
        if self.level is RedactionLevel.OFF or (self.kinds is not None and kind not in self.kinds):
            return False
        return self.level is RedactionLevel.STRICT or KINDS[kind].level is self.level


DEFAULT_POLICY = RedactionPolicy()
