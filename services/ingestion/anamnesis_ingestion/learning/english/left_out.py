"""Sentences that leave out the speaker, said whole: "Based in Gdansk", "Two cats here".

People who type drop "I am" and "I have". What stands at the head of a sentence and is said of
nobody but the speaker is put right as text, before the parser; an order ("Live a little") and a
remark ("Been a while") stay as they are.
"""

import re

from anamnesis_ingestion.learning.english.vocabulary import words

_OPENS = r"^(?P<lead>(?:(?:and|also|plus|oh|so|well|yes|yeah|hi|hey|hello)\b[,!]? )?)"
_COUNTS = r"(?:two|three|four|five|six|[2-9])"
_HAD = r"(?:cats?|dogs?|kids|children|boys|girls|sons|daughters|brothers|sisters|siblings)"
_IN_A_STATE = (
    r"(?:allergic to|based in|married to|engaged to|divorced from|fluent in|addicted to"
    r"|obsessed with|originally from|(?:currently )?(?:living in|working (?:at|for|as)|studying at"
    r"|training for))"
)
_RESTORED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"{_OPENS}{pattern}", re.IGNORECASE), told)
    for pattern, told in (
        (
            r"(?P<rest>not (?:(?:really|exactly|much of) )?(?:an? )?"
            r"(?:(?:big|huge|massive|great) )?(?:fan of|into|keen on|fond of) )",
            "I'm ",
        ),
        (r"(?:an? )?(?P<rest>(?:big|huge|massive|lifelong) fan of )", "I'm a "),
        (r"(?:an? )?(?:big|huge|massive) (?P<rest>[\w' -]{3,40}) fan here", "I'm a fan of "),
        (rf"(?P<rest>{_IN_A_STATE} )", "I'm "),
        (r"(?P<rest>born (?:and (?:raised|bred) )?in )", "I was "),
        (rf"(?:have|got) (?P<rest>{_COUNTS} (?:\w+ )?{_HAD})(?: here| at home)?", "I have "),
        (rf"(?P<rest>{_COUNTS} (?:\w+ )?{_HAD}) (?:here|at home)(?=[,.;:!]|$)", "I have "),
        (r"(?P<rest>(?:live|work) (?:in|at|for) (?-i:(?=[A-Z])))", "I "),
        (r"(?P<rest>work as an? )", "I "),
        (r"(?P<rest>going to [a-z]+ )", "I'm "),
        (r"(?P<rest>(?:got|booked) (?:tickets|flights) )", "I "),
        (r"(?P<rest>(?:can't|cannot) (?:eat|have|stand|drink|tolerate) )", "I "),
        (r"(?P<rest>never (?:been to|learned to|learnt to|liked) )", "I've "),
        (r"(?P<rest>don't (?:really )?(?:like|own) )", "I "),
    )
)
_OF_OTHER = re.compile(
    r"^[^,]{3,80}, (?:(?:the|my|our|his|her|its|this|that|these|it|he|she|they)\b|that's\b"
    r"|(?:[A-Z]\w+ ){1,3}(?:is|was|has|had|\w+ed|[a-z]{2,}s)\b)"
)
"""A sentence whose head tells of somebody else: "Based in Paris, the company sells hats"."""
_HERE = re.compile(
    r"^(?:an? )?(?P<who>[A-Za-z-]{3,30}(?: [A-Za-z-]{3,30}){0,2}) here(?= and\b|[,.;:!]| -|$)",
    re.IGNORECASE,
)
"""Who writes: "Vegetarian here", "Night nurse here"."""


_BEEN = re.compile(
    r"^been (?P<who>an? [A-Za-z-]{3,30}(?: [A-Za-z-]{3,30}){0,2}?)"
    r"(?= (?:since|for|all|at|in|my)\b|[,.;!]|$)",
    re.IGNORECASE,
)
"""What somebody has been: "Been a vegetarian since I was twelve", and not "been a while"."""


_STATE = re.compile(
    r"^(?P<how>lactose[ -]intolerant|[a-z]+(?:-[a-z]+)?)"
    r"(?=(?:, (?:so|but|if|sadly|i|btw|which)| so)\b(?! (?:to speak|what)\b))",
    re.IGNORECASE,
)
"""How somebody is, at the head of a sentence: "Vegan, so no cheese"."""
_NONE_FOR_ME = re.compile(
    r"^no (?P<one>[a-z]+)(?: (?:and|or) (?:no )?(?P<two>[a-z]+))? for me\b", re.IGNORECASE
)


def with_speaker(text: str) -> str:
    """The text with the speaker whom it leaves out at its head; the same where it names one."""
    if text.endswith("?") or _OF_OTHER.search(text):
        return text
    for pattern, told in _RESTORED:
        found = pattern.match(text)
        if found is not None:
            rest = found["rest"]
            head = rest[:1] if told.endswith(" of ") else rest[:1].lower()
            return f"{found['lead']}{told}{head}{rest[1:]}{text[found.end() :]}"
    text = _NONE_FOR_ME.sub(_of_food, _STATE.sub(_of_adjective, text))
    return _BEEN.sub(_of_state, _HERE.sub(_of_writer, text))


def _of_writer(found: re.Match[str]) -> str:
    """The "I'm a nurse" of "nurse here"."""
    who = found["who"].lower()
    article = "an" if who[0] in "aeiou" else "a"
    return f"I'm {article} {who}" if _is_somebody(who) else found.group()


def _of_state(found: re.Match[str]) -> str:
    """The "I've been a nurse" of "been a nurse"."""
    return f"I've been {found['who']}" if _is_somebody(found["who"].lower()) else found.group()


def _of_adjective(found: re.Match[str]) -> str:
    """The "I'm vegan" of "vegan, so no cheese"."""
    known = words("diets") | words("states") | words("marital") | words("employment")
    return f"I'm {found['how'].lower()}" if found["how"].lower() in known else found.group()


def _of_food(found: re.Match[str]) -> str:
    """The "I can't have dairy" of "no dairy for me"."""
    foods = [each for each in (found["one"], found["two"]) if each]
    known = all(each.lower().removesuffix("s") in words("allergens") for each in foods)
    return f"I can't have {' or '.join(foods)}" if known else found.group()


def _is_somebody(who: str) -> bool:
    known = words("jobs") | words("parents") | words("diets") | words("states")
    return who.split()[-1] in known
