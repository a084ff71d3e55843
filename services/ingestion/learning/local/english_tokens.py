"""English words one by one: tokens with contractions taken apart, and base forms of verbs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.ingestion.learning.local import english_words as words

_TOKEN = re.compile(r"[A-Za-zÀ-ɏ]+(?:-[A-Za-zÀ-ɏ]+)*|['’][a-zA-Z]+|\d+(?:[.,:/]\d+)*|[^\w\s]|\w")
_OTHER_VERBS = words.words_of(
    "add delete remove create update copy store cache merge rename replace restart install upgrade "
    "configure disable enable generate invite arrange organise organize schedule cancel postpone "
    "close complete receive prepare donate explore visit hope place face race trace phrase use"
    " cause "
    "argue bathe believe breathe change chase compare compose continue damage dance decide"
    " declare define deliver "
    "describe design divide escape examine exchange exercise force guide hire ignore include"
    " increase "
    "introduce invest involve issue judge live lose manage measure move name note notice oppose "
    "organise owe please praise produce promise prove provide purchase raise realise reduce"
    " remove rescue "
    "reserve retire rule sacrifice save score separate share shave solve squeeze store struggle"
    " suffer "
    "surprise taste tease tire tune type urge value volunteer vote waste welcome whistle wipe"
    " assemble odd egg"
)
# Verbs that no rule asks for, so that their base form is known.
_CONTRACTIONS = {
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "isnt": ("is", "not"),
    "wasnt": ("was", "not"),
    "cannot": ("can", "not"),
    "hes": ("he", "is"),
    "shes": ("she", "is"),
    "havent": ("have", "not"),
    "ill": ("ill",),
    "id": ("id",),
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark as written, with its form for look-up."""

    text: str
    low: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Words and marks, contractions taken apart."""
    return _mended([token for match in _TOKEN.finditer(text) for token in _tokens(match)])


def _tokens(match: re.Match[str]) -> Iterator[Token]:
    text, start, end = match.group(), match.start(), match.end()
    low = text.lower().replace("’", "'")
    if low in _CONTRACTIONS:
        for part in _CONTRACTIONS[low]:
            yield Token(text if part == low else part, part, start, end)
    elif low == "'t":
        yield Token(text, "not", start, end)
    else:
        yield Token(text, low, start, end)


def _mended(tokens: list[Token]) -> list[Token]:
    """`don 't` and `ca n't` as do and can with not."""
    out: list[Token] = []
    for token in tokens:
        if token.low == "not" and out and out[-1].low.endswith("n") and out[-1].end == token.start:
            last = out[-1]
            base = {"can": "can", "won": "will", "shan": "shall"}.get(last.low, last.low[:-1])
            out[-1] = Token(last.text, base, last.start, last.end)
        out.append(token)
    return out


def lemma(low: str) -> str:
    """The base form of a verb, by the lexicon and the rules of spelling."""
    if low in words.IRREGULAR:
        return words.IRREGULAR[low]
    for base in _bases(low):
        if base in words.VERBS or base in words.MENTAL or base in _OTHER_VERBS:
            return base
    return next(_bases(low), low)


def _bases(low: str) -> Iterator[str]:
    for ending in ("ing", "ed", "es", "s"):
        if low.endswith(ending) and len(low) > len(ending) + 1 and not low.endswith("ss"):
            stem = low[: -len(ending)]
            if stem.endswith("i") and ending in {"ed", "es"}:
                yield stem[:-1] + "y"
            if ending in {"ing", "ed"} and len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]
            yield stem
            if ending != "s":
                yield stem + "e"
    if not low.endswith(("ing", "ed")):
        yield low


def is_past(low: str) -> bool:
    """Whether a form is, or may be, the past of a verb."""
    return (
        low.endswith("ed") and len(low) > 3 and low not in {"need", "feed", "speed", "bed", "red"}
    ) or (
        low in words.IRREGULAR
        and words.IRREGULAR[low] != low
        and not low.endswith(("ing", "goes", "does", "has", "is", "are", "am"))
    )


def is_participle(low: str) -> bool:
    """Whether a form may follow `have`."""
    return is_past(low) or low in {"been", "come", "become", "run"} or low in words.SAME_IN_PAST
