"""Sentences that a comma joins, as people type them: "I drive an old Volvo, what may it cost?".

Read as one they are a question, and a question states nothing. A statement before a question, and
one behind it, are sentences of their own.
"""

import re
from collections.abc import Iterator, Sequence

_SAID_WORDS_MIN = 4
_FIRST = r"(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our)"
_ASKS = (
    r"(?:(?:and|but|so) )?(?:what|what's|how|how's|where|where's|when|who|who's|which|why|any|can"
    r"|could|would|should|do|does|did|is|are|shall|will|may)"
)
_LEANS = frozenset(
    [
        *(
            "if",
            "when",
            "whenever",
            "while",
            "because",
            "since",
            "as",
            "although",
            "though",
            "once",
        ),
        *("unless", "until", "before", "after", "given", "with", "for", "in", "on", "at", "even"),
        *(
            "considering",
            "regarding",
            "about",
            "based",
            "assuming",
            "suppose",
            "supposing",
            "being",
        ),
        *("besides", "whether", "instead", "despite", "knowing", "during"),
    ]
)
"""Words by which a part leans on what follows: it is no sentence alone."""
_ASKING = frozenset(
    [
        *("what", "how", "where", "when", "who", "which", "why"),
        *("can", "could", "would", "should", "do", "does", "is"),
    ]
)
_STATED_THEN_ASKED = re.compile(
    rf"^(?P<first>(?=[^?]*\b{_FIRST}\b)[^?]{{12,400}}?), "
    rf"(?P<then>{_ASKS}\b[^?]{{3,160}}\?|any (?:ideas?|tips|suggestions|advice|thoughts|"
    r"recommendations)\b[^?,.]{0,60}\??)$",
    re.IGNORECASE,
)
"""What somebody tells of themselves, and a question behind a comma."""
_ASKED_THEN_STATED = re.compile(
    r"^(?P<first>[^?,]{12,300}), "
    r"(?P<then>(?:i|i'm|i've|we|we're|we've|he|he's|she|she's|they|they're|my|our|his|her)\b"
    r"[^?]{8,300})$",
    re.IGNORECASE,
)
"""A question, and what its asker tells behind a comma."""
_INTRODUCED = re.compile(
    r"^(?P<first>(?:(?:hi|hey|hello)[,!]? )?(?:I'm|I am|my name is) "
    r"(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)), "
    r"(?P<then>an? (?-i:[a-z])[^,.!?]{3,80}\b(?:at|for|from|in) (?-i:[A-Z])[^,.!?]{1,60})"
    r"(?P<end>[,.!].*|)$",
    re.IGNORECASE,
)
"""Who somebody is, and what: "I'm Ana, a baker at Veltrix"."""
_STATED_THEN_WANTED = re.compile(
    rf"^(?P<first>(?=.*\b{_FIRST}\b)[^?]{{8,300}}?),? so (?P<then>(?:please |always |never |just )?"
    r"(?:keep|avoid|skip|use|give|make|answer|write|reply|stick|remember|don't|do not)\b.{3,200})$",
    re.IGNORECASE,
)
"""What somebody tells of themselves, and what an agent is to do for it."""
_LEFT_WORK = re.compile(
    r"\bwork(?:ed|ing)? (?:at|for|there)\b|\bjobs?\b|\b(?:resigned|quit|laid off|got fired)\b",
    re.IGNORECASE,
)
_AT_NOW = re.compile(
    r"(?:^|(?<=, )|(?<=and )|(?<=but ))(?:I'm|I am) (?:now |currently )?(?:at|with) "
    r"(?P<firm>[A-Z][\w&.-]{1,30}(?: [A-Z][\w&.-]{1,30}){0,3})(?: now)?(?=[.,!]|$)"
)


def unspliced(sentence: str) -> list[str]:
    """The sentences that commas join to a question, or the sentence alone."""
    opening = sentence.split(maxsplit=1)[0].casefold().strip(",") if sentence.strip() else ""
    introduced = _INTRODUCED.match(sentence)
    if introduced is not None:
        return [f"{introduced['first']}.", f"I'm {introduced['then']}{introduced['end']}"]
    wanted = _STATED_THEN_WANTED.match(sentence)
    if wanted is not None:
        return [f"{wanted['first']}.", wanted["then"]]
    asks_first = opening in _ASKING
    found = (_ASKED_THEN_STATED if asks_first else _STATED_THEN_ASKED).match(sentence)
    if found is None or opening in _LEANS or len(found["first"].split()) < _SAID_WORDS_MIN:
        return [sentence]
    return [f"{found['first']}{'?' if asks_first else '.'}", found["then"]]


def with_new_employer(parts: Sequence[str]) -> Iterator[str]:
    """The sentences, where "I'm at Veltrix now" behind a job that was left says where one works."""
    left = False
    for part in parts:
        found = _AT_NOW.search(part)
        told = found is not None and (left or _LEFT_WORK.search(part[: found.start()]) is not None)
        yield _AT_NOW.sub(r"I work at \g<firm>", part) if told else part
        left = _LEFT_WORK.search(part) is not None
