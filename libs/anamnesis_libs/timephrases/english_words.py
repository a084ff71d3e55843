"""Words of English that name units, months, weekdays and years, and how they are read."""

import re

S = r"\s{1,3}"
"""The space between words of a phrase."""

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
SURE_MONTH = (
    r"(?:january|february|april|june|july|august|september|october|november|december"
    r"|(?-i:May|March|Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))"
)
"""A month that is no other word, as its letters stand."""

WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|(?-i:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b)"
)
PART = r"(?:morning|afternoon|evening|night)"

UNIT = (
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|quarters?"
    r"|years?|yrs?)"
)

_FUNCTION_WORDS = (
    "a|about|after|again|ago|all|already|also|although|an|and|are|as|at|because|been|before|but|by"
    "|came|can|could|did|do|does|due|during|each|everyone|everything|for|from|get|got|had|has"
    "|have|he|her|here|his|how|if|in|into|is|it|its|just|last|left|like|made|met|my|new|next|no"
    "|not|nobody|now|of|on|once|only|onwards?|or|our|out|people|please|said|saw|she|since|so|some"
    "|somewhere|still|than|that|the|their|then|there|these|they|this|those|though|through|till|to"
    "|together|too|took|until|up|used|was|we|went|were|what|when|where|whether|which|while|who|will"
    "|with|without|would|yet|you|your|[a-z]{2,20}(?:ed|ly|ing)"
)
SENTENCE_GOES_ON = (
    r"(?![\w%:/+*=°]|[.,-]\d|\s?[%:/+*=°]|'\w\w"
    rf"|[ \t]{{1,3}}(?!(?:{_FUNCTION_WORDS})\b)(?-i:[a-z]))"
)
"""After a bare number or a bare name: not a thing that is counted or described by it."""

YEAR = r"(?:1[5-9]\d\d|20\d\d)"
OF_YEAR = (
    rf"(?:,?{S}(?:(?:of|in){S})?"
    rf"(?:(?P<year>{YEAR})(?![\w%]|[.,-]\d)|(?P<near>last|this|next){S}year\b))"
)
"""The year that follows a month or a day."""

_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_SHORT_UNITS = {"sec": "second", "min": "minute", "hr": "hour", "wk": "week", "yr": "year"}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}


def weekday(text: str) -> int:
    """0 for "Mon" or "monday"."""
    return _WEEKDAYS.index(text[:3].lower())


def unit(text: str) -> str:
    """The unit's name in the singular."""
    word = text.lower().removesuffix("s")
    return _SHORT_UNITS.get(word, word)


def step(text: str) -> int:
    """-1 for "last", 0 for "this", 1 for "next"; the last word decides."""
    return _STEPS[text.split()[-1].lower()]


def year_of(match: re.Match[str], this_year: int) -> int | None:
    """The year that a phrase names in its groups `year` or `near`, if it does."""
    if match["year"]:
        return int(match["year"])
    return this_year + step(match["near"]) if match["near"] else None
