"""Ways of saying that go round about, made plain: "what I want is to sail", "I bake, you know?".

Each is a sentence that tells something plainly and looks like another: like a question, like what
the speaker says of saying it, like an owner. They are put right as text, before the parser.
"""

import re

from anamnesis_ingestion.learning.english.vocabulary import words

_ANNOUNCED = re.compile(
    r"(?:^|(?<=, ))(?:i )?(?:just )?want(?:ed)? to (?:let you know|tell you|mention)(?: that)? "
    r"(?=(?:i|we|my|our)\b)",
    re.IGNORECASE,
)
"""Words that only say that something follows: "I wanted to let you know I moved"."""
_TURNED_OUT = re.compile(
    r"(?:^|(?<=, )|(?<=\band ))(?:it )?turns out(?: that)?,? (?=\w)"
    r"|,? (?:as )?it turns out(?=[.,;!?]|$)",
    re.IGNORECASE,
)
"""Words that only say how one came to know: "it turns out I'm allergic to cats"."""
_REMINDED = re.compile(
    r"(?:^|(?<=, ))(?:did|have) i (?:ever |already )?(?:mention(?:ed)?|(?:tell|told) you) "
    r"(?:that )?"
    r"(?P<told>(?:i|we|my|our)\b[^?]{1,300})\?$",
    re.IGNORECASE,
)
"""A question that takes for granted what it asks about: "did I tell you that I moved?"."""
_TAGGED = re.compile(
    r"(?<=[a-z])(?:,? (?:you know|y'know)(?:,? what i mean)?"
    r"|(?<!\byou), (?:remember|innit|mate|eh))\s*\?$",
    re.IGNORECASE,
)
"""What makes no question of what was told: "I bake, you know?", "I'm a baker, remember?"."""
_BEHIND_IS = (
    r"(?=(?:an?|the|in|at|from|not|called|named|currently|allergic|vegan|vegetarian|pregnant|married"
    r"|divorced|retired|studying|living|moving|learning|getting|starting|turning|training"
    r"|recovering)\b|\d{2,3}(?= (?:years|next|this|now|and)\b|[,.;!]|$))"
)
"""What stands behind a contracted "is", and behind no owner."""
_CONTRACTED = re.compile(rf"\b([Mm]y|[Oo]ur) ((?:[a-z]+ )?[A-Za-z]+)'s {_BEHIND_IS}")
"""A verb that the parser takes for an owner: "my car's a Volvo", "my son's allergic to nuts"."""
_KIN_IS = re.compile(
    r"(?:^|(?<=[,;] )|(?<=\band )|(?<=\bbut ))"
    rf"([Mm]om|[Mm]um|[Dd]ad|[Gg]ran|[Gg]randma|[Gg]randpa)'s {_BEHIND_IS}"
)
"""The same of kin: "Dad's 71"."""
_UNDER_WAY = re.compile(
    r"(?<=\w)('m|'re|'s| am| are| is) (?:currently )?in the (?:process|middle) of (?=\w{2,20}ing\b)"
)
"""What is under way: "I'm in the process of getting divorced"."""
_COLON = re.compile(r"^(My|Our) ([a-z]{3,20}(?: [a-z]{3,20})?): (?=[\w\"])")
"""What is told behind a colon: "my stack: Django and Postgres"."""
_THE_ONE = re.compile(
    r"^[Tt]he (?P<thing>(?:[a-z]+ ){1,3}?)(?:that |which |where )?(?P<who>[Ii]|[Ww]e) "
    r"(?P<does>(?:currently |now |usually )?[a-z]{2,20})(?P<at> (?:for|at|in|with|on|to))?"
    r"(?P<how>(?: (?:for|at|in|to|with|from|on) (?:[a-z]+ ){0,3}?[a-z]+)?) (?:is|are) "
    r"(?:called |named |actually |now )?"
    r"(?P<what>(?:(?:an?|my|our|two|three) )?(?=[\w\"'])[^,;:.!?]{1,80})",
)
"""What somebody uses or is part of, told as what it is: "the car I drive is a Saab"."""
_NO_THING = re.compile(
    r"(?:reason|way|time|day|moment|place|thing|problem|point|part|question|issue|one|idea|best"
    r"|last|only|first|next|year|more|fact|help) $"
)
"""Words behind which no thing is told: "the reason I ask is a bug"."""
_MY_WORK = re.compile(
    r"^(?:my (?:job|work|role) is (?:basically |mainly |mostly |really )?to"
    r"|what i do(?: for (?:a living|work))? is(?: basically)?(?: to)?) (?=[a-z]+(?:ing)? )",
    re.IGNORECASE,
)
"""What somebody does, told as their work: "my job is to inspect bridges"."""
_WITH_ME = re.compile(
    r"(?:^|(?<=, )|(?<=\band ))(?P<whose>[Mm]y|[Oo]ur) (?P<who>(?:[a-z-]+ ){0,2}[a-z-]+?) "
    r"(?:still |now |also )?lives? with (?:me|us)\b"
)
"""Whom somebody lives with, told from the other's side."""
_HAVE_CALLED = re.compile(
    r"\b(?:I|[Ww]e)(?: have|'ve got) an? (?P<who>(?:[a-z]+ ){0,2}?(?P<what>[a-z-]+))"
    r"(?: (?:called|named)|, (?:(?:his|her|their) )?name(?:'s| is)) (?=[A-Z])"
)
"""Whom somebody knows, told as what they have: "we have a nanny called Beatriz"."""
_DIVORCE = re.compile(r"\bgetting a divorce\b", re.IGNORECASE)
_GOT = re.compile(r"\b([Mm]y|[Oo]ur) ([a-z]+)'s got (?!to\b)")
"""What one's own have: "my dad's got asthma"."""
_WILL_NOT_EAT = re.compile(
    r"\b(?:(?P<own>I|[Ww]e)|(?P<other>(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?[a-z]+)) (?:just )?won't "
    r"(?:eat|touch|drink) (?=[a-z]+(?: [a-z]+)?(?:[.,;!]|$))"
)
"""What somebody leaves: "my son won't touch broccoli"."""
_TALL = re.compile(
    r"\b(?:I'm|I am) (?P<high>(?:about |around |nearly )?(?:[3-7]'(?: ?\d{1,2})?\"?|1[.,]\d\d ?m\b"
    r"|1\d\d ?cm\b|(?:[3-7]|four|five|six|seven) (?:foot|feet|ft)(?: (?:\d{1,2}|\w+))?))"
    r"(?=[,.;]| and\b|$)"
)
"""One's height by its figures: "I'm five foot three"."""
_BRED = re.compile(r"\bborn and (?:raised|bred) in\b", re.IGNORECASE)
_GO_TO = re.compile(r"\b([Mm]y) go-to (?=\w+(?: \w+)? (?:is|are)\b)")
"""What one takes as a rule: "my go-to breakfast is porridge"."""
_RENT_IS = re.compile(
    r"(?:^|(?<=, )|(?<=and ))(?:the )?rent(?:'s| is) (?=(?:now |up to |about |around )?[$£€]?\d)",
    re.IGNORECASE,
)
"""Whose rent it is, where nobody is named: "rent's 1400 now"."""
_STARTS = re.compile(r"\b(I|[Ww]e) start (?=(?:at|as|with)\b[^,.;]{2,60}\b(?:in|on|next|this)\b)")
"""What is fixed for a day ahead: "I start at Veltrix in May"."""
_MENDED = re.compile(
    r"^(?:(?:sorry|oops|whoops|wait|no|correction|actually|my (?:mistake|bad)|scratch that"
    r"|I (?:mistyped|misspoke|was wrong|made a mistake|got that wrong))[,.:;!]? ){1,3}"
    r"(?=(?:my|I|I'm|we|our)\b)",
    re.IGNORECASE,
)
"""What leads to the right version: "Sorry, I mistyped, my birthday is May 12"."""
_NOT_THE_OLD = re.compile(
    r"(?<=\w), (?:and )?not (?:on |the |until |at |for )?[^,.;!?]{0,20}\d[^,.;!?]{0,20}(?=[.!]?$)"
)
"""The figure or date that it is not: ", not May 10"."""
_MEANT = re.compile(
    r"^I (?:said|wrote|told you)(?: that)? [^?!;]{3,160}?,? but I (?:actually |really )?meant ",
    re.IGNORECASE,
)
"""What was said by mistake: "I said two kids, but I meant two cats"."""
_HEADS = re.compile(
    r"\b(I'm|I am) (?P<role>(?:(?:the|a|an) )?(?:(?:co-?)?founder|owner|director|president|head"
    r"|CEO|CTO|CFO|COO)(?: and (?:CEO|CTO|owner|founder))?) of (?=[A-Z])"
)
"""Who leads a firm works at it: "I'm the CTO of Veltrix"."""
_TYPE = re.compile(r"\btype (?=(?:1|2|one|two)\b)")
"""A kind of diabetes, which the parser takes for a verb."""
_GLUTEN = re.compile(
    r"\b(?P<not>can't|cannot|can not|don't|do not|never) have (?=gluten\b)", re.IGNORECASE
)
"""What the parser takes for a verb."""
_NAME_IS = re.compile(r"\b([Mm]y) name's (?=[A-Z])")
_HALF = re.compile(r"\b([Mm]y) (?:other|better) half\b")
"""Whom one lives with: "my other half is a paramedic"."""
_TASTES = r"love|like|hate|prefer|enjoy|can't stand"
_DEGREE = r"(?: most| best| the most| right now)?"
_WHAT_IS = re.compile(
    rf"^what i (?:really |absolutely |truly |just )?(?P<verb>want|need|{_TASTES}){_DEGREE} "
    r"(?:is|are) (?=\w)",
    re.IGNORECASE,
)
"""The head of "what I really want is to open a shop"."""
_IS_WHAT = re.compile(
    r"(?:^|(?<=, so )|(?<=, but ))"
    r"(?P<thing>(?!(?:i|we|this|that|it|these|those|which|here|he|she|they|you|who|what)\b)[^?]{3,80}?)"
    rf" (?:is|are) (?:exactly |just |really )?what i (?:really )?(?P<verb>want|need|{_TASTES})"
    rf"{_DEGREE}(?P<end>[.!]*)$",
    re.IGNORECASE,
)
"""Its mirror: "clear lists are what I like best"."""
_CHOSEN = frozenset({"want", "need"})


def is_tagged(text: str) -> bool:
    """True for what only looks like a question: "I bake, you know?"."""
    return _TAGGED.search(text.rstrip()) is not None


def made_plain(text: str) -> str:
    """The text as its speaker might have said it plainly."""
    text = _COLON.sub(_told, _UNDER_WAY.sub(r"\1 ", text))
    text = _NOT_THE_OLD.sub("", _MENDED.sub("", _MEANT.sub("", text)))
    text = _GOT.sub(r"\1 \2 has ", _DIVORCE.sub("getting divorced", text))
    text = _WILL_NOT_EAT.sub(_left, _HAVE_CALLED.sub(_known, text))
    text = _TYPE.sub("Type ", _HEADS.sub(r"\1 \g<role> at ", text))
    text = _GLUTEN.sub(r"\g<not> eat ", text)
    text = _RENT_IS.sub("my rent is ", _BRED.sub("born in", text))
    text = _STARTS.sub(
        lambda found: f"{found[1]} {'am' if found[1] == 'I' else 'are'} starting ", text
    )
    text = _THE_ONE.sub(_used, _TALL.sub(r"my height is \g<high>", text))
    text = _WITH_ME.sub(lambda found: f"I live with {found['whose'].lower()} {found['who']}", text)
    text = _MY_WORK.sub("I ", text)
    text = _HALF.sub(
        r"\1 partner", _GO_TO.sub(r"\1 favourite ", _NAME_IS.sub(r"\1 name is ", text))
    )
    text = _KIN_IS.sub(r"\1 is ", _CONTRACTED.sub(r"\1 \2 is ", text))
    text = _TAGGED.sub(".", _REMINDED.sub(r"\g<told>.", text))
    text = _ANNOUNCED.sub("", _TURNED_OUT.sub("", text))
    if text.endswith("?"):
        return text
    return _IS_WHAT.sub(_mirrored, _WHAT_IS.sub(lambda found: f"I {found['verb']} ", text))


def _told(found: re.Match[str]) -> str:
    """The "my stack is" of "my stack:"."""
    several = found[2].endswith("s") and not found[2].endswith("ss")
    return f"{found[1]} {found[2]} {'are' if several else 'is'} "


def _known(found: re.Match[str]) -> str:
    """The "my nanny is called" of "we have a nanny called"."""
    known = found["what"] in words("acquaintances")
    return f"my {found['who']} is called " if known else found[0]


def _left(found: re.Match[str]) -> str:
    """The "I don't eat" of "I won't touch"."""
    return f"{found['own']} don't eat " if found["own"] else f"{found['other']} doesn't eat "


def _used(found: re.Match[str]) -> str:
    """The "I drive a Saab to work" of "the car I drive to work is a Saab"."""
    where = found["does"].rpartition(" ")[2] in {"work", "live", "study", "teach", "play", "train"}
    if _NO_THING.search(found["thing"]) or (where and not (found["at"] or found["how"])):
        return found[0]
    return f"{found['who']} {found['does']}{found['at'] or ''} {found['what']}{found['how']}"


def _mirrored(found: re.Match[str]) -> str:
    """The taste of "clear lists are what I like"; what one needs so is what one prefers."""
    verb = "prefer" if found["verb"].lower() in _CHOSEN else found["verb"].lower()
    first, *more = found["thing"].split()
    named = first[1:] != first[1:].lower() or any(each[:1].isupper() for each in more)
    plain = (more or first.endswith("ing")) and not named
    return f"I {verb} {' '.join([first.lower() if plain else first, *more])}{found['end']}"
