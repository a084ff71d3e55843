"""The support of a text by other texts.

Its names, numbers and quotations have to occur there, and enough of its words; and it must not
deny what they affirm, nor affirm what they deny.
"""

import re
from collections.abc import Iterable, Iterator

from anamnesis_ingestion.learning.local.english_words import words_of

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
# A name may stand against Chinese on either side, and ends there.
_NAME = re.compile(r"(?<![^\W\u3400-\u9fff])[A-Z](?:[^\W\u3400-\u9fff]|['’-])*")
_QUOTED = re.compile(r"[\"“「『]([^\"”」』\n]{2,})[\"”」』]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+(?:['’][a-z]+)?", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_STEM_CHARS = 5
_CUT = re.compile(
    r"[.!?;:,()\n—]+| [-–] |[。！？；：，、（）]|\b(?:but|and|because|so|which)\b"
    r"|但(?!愿)是?|不过|所以"
)

# Words of the frame of a statement, and of grammar; they support nothing and need no support.
_FRAME = words_of(
    "the a an user user's users i my me we our us he she they them their his her it its is "
    "are was were be been being am has have had having do does did done will would can "
    "could may might must shall should to of in on at for from with by as and or but that "
    "this these those who whom which what when where why how not no never don't doesn't "
    "didn't isn't aren't wasn't can't cannot won't very also just now currently there here "
    "some any all more most than then so if about into own one person people assistant "
    "speaker themselves himself herself likes like prefers prefer wants want needs need "
    "named called lives works rule"
)
_OTHERWISE = {
    "decea": re.compile(r"\b(?:died|dead|passed (?:away|on)|lost|late|death)\b", re.IGNORECASE)
}
"""How a word of ours is said by people, by its stem."""
_FRAME_HAN = frozenset(
    "用户的是在了和与也就都有不没会要我他她它们这那一个说从到对把被让叫为于喜欢想人"
)
_NOT_NAMES = words_of(
    "the user user's a an in on at he she they it his her their this that these those there and but"
)
_NEGATIVE = re.compile(
    (
        r"\b(?:not|never|no|nor|cannot|cant|dont|doesnt|didnt|isnt|wont|none|nobody|nothing"
        r"|neither|without)\b|n['’]t\b|不(?!过|错|同|断|仅|但|好意思|管|论|知不觉|客气)|没(?!想到)|別(?!人|的)|别(?!人|的|墅)|勿"
        r"|无(?!线|锡)|從未|从未"
    ),
    re.IGNORECASE,
)
_ADVERSE = re.compile(
    r"\b(?:hat(?:e|es|ed)|dislikes?|avoid\w*|stop(?:s|ped)?|quit|refus\w+|allerg\w+"
    r"|intoleran\w+|free|except|unable|hardly|rarely|barely|against|instead|only|rather|less"
    r"|off|lacks?|fails?|stand|banned|forbid\w*|until|before|un\w+)\b"
    r"|讨厌|討厭|避|忌|戒|禁|拒|反感|过敏|過敏|只|少|难|除了|缺|怕|非",
    re.IGNORECASE,
)


def missing(statement: str, evidence: str, known: Iterable[str]) -> Iterator[str]:
    """Names, numbers and quotations of the statement that neither the evidence nor `known` has."""
    low = evidence.casefold()
    familiar = {word.casefold() for name in known for word in [name, *name.split()]}
    for number in _NUMBER.findall(statement):
        if (
            not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", evidence)
            and number not in familiar
        ):
            yield number
    for match in _NAME.finditer(statement):
        name = re.sub(r"['’]s?$", "", match.group()).casefold()
        if (
            name not in low
            and name not in familiar
            and name not in _NOT_NAMES
            and not _is_plain(match, low)
        ):
            yield match.group()
    for quoted in _QUOTED.findall(statement):
        if quoted.casefold() not in low:
            yield quoted


def shared_words(statement: str, evidence: str) -> float:
    """The share of the statement's telling words that the evidence has; 1 where it has none.

    English words are compared by their first five letters, Chinese ones by character.
    """
    stems = {word[:_STEM_CHARS] for word in _telling(evidence)}
    wanted = [word[:_STEM_CHARS] for word in _telling(statement)]
    held = [stem in stems or _is_said_otherwise(stem, evidence) for stem in wanted]
    held += [char in evidence for char in _HAN.findall(statement) if char not in _FRAME_HAN]
    return sum(held) / len(held) if held else 1.0


def _is_said_otherwise(stem: str, evidence: str) -> bool:
    """True for what nobody says by that word: who is deceased has "passed away"."""
    ways = _OTHERWISE.get(stem)
    return ways is not None and ways.search(evidence) is not None


def telling_words(text: str) -> int:
    """Number of words that say something: neither grammar nor the frame of a statement."""
    return (
        len(list(_telling(text)))
        + sum(char not in _FRAME_HAN for char in _HAN.findall(text)) // 2
        + len(_NUMBER.findall(text))
    )


def contradicts(statement: str, evidence: str) -> bool:
    """True if a clause of a statement negates what the closest one affirms, or the reverse.

    Clauses with words such as `avoid` or `only` may be put either way and contradict nothing.
    """
    return any(_denies(clause, evidence) for clause in _CUT.split(statement))


def _denies(statement: str, evidence: str) -> bool:
    closest = max(_CUT.split(evidence), key=lambda clause: _overlap(statement, clause), default="")
    if not closest.strip() or _overlap(statement, closest) == 0:
        return False
    ours, theirs = bool(_NEGATIVE.search(statement)), bool(_NEGATIVE.search(closest))
    if ours == theirs:
        return False
    return not _ADVERSE.search(closest) and not _ADVERSE.search(statement)


def _overlap(statement: str, clause: str) -> float:
    words = {word[:_STEM_CHARS] for word in _telling(clause)}
    shared = sum(word[:_STEM_CHARS] in words for word in _telling(statement))
    han = set(_HAN.findall(clause)) - _FRAME_HAN
    return shared + 0.5 * sum(char in han for char in _HAN.findall(statement))


def _telling(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        low = word.casefold().replace("’", "'").removesuffix("'s")
        if low not in _FRAME and len(low) > 1:
            yield low


def _is_plain(match: re.Match[str], evidence: str) -> bool:
    """The first word of a statement is capitalised whatever it is: its stem is enough."""
    return match.start() == 0 and (
        match.group().casefold()[:_STEM_CHARS] in evidence or match.group().casefold() in _FRAME
    )
