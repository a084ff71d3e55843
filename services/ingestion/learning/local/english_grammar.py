"""A light reading of an English clause: who, in which tense, whether negated, does what.

No parser and no model: a subject is a pronoun, a possessed or definite noun, or a capitalised
name that a verb group follows. What cannot be read so gives nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.ingestion.learning.local import english_words as words

_TOKEN = re.compile(r"[A-Za-zÀ-ɏ]+(?:-[A-Za-zÀ-ɏ]+)*|['’][a-zA-Z]+|\d+(?:[.,:/]\d+)*|[^\w\s]|\w")
_PRONOUNS = frozenset("i we he she they it".split())
_GENERIC = frozenset(
    "it this that these those there everyone everybody people someone somebody nobody you one what who".split()
)
_POSSESSIVES = frozenset("my our his her their the this your".split())
_NOT_NAMES = frozenset(
    "the a an and but or so if when while because yes no yep nope ok okay well oh hi hey hello thanks please what who where why how it that this there "
    "these those also then now still maybe just only since after before until although though as at in on by for from with of to sorry sure right "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "you your my our his her their fyi btw lol haha not never always let remember everyone everybody people nobody some most many all both each every".split()
)
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
_NOUN_WORDS_MAX = 6


class Tense(StrEnum):
    """When the verb is."""

    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    FUTURE = "future"
    PROGRESSIVE = "progressive"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark as written, with its form for look-up."""

    text: str
    low: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Predication:
    """Who does what. Positions count in the clause.

    `verb` is the lemma; `modal` the first modal or `used`, `need`, `have` (to); `rest` what
    follows the verb, `spoken` the verb as it was said. An elided subject is "".
    """

    subject: str
    subject_start: int
    subject_end: int
    verb: str
    tense: Tense
    negated: bool
    modal: str
    rest: str
    verb_start: int
    rest_start: int
    head: str = ""
    spoken: str = ""

    @property
    def first_person(self) -> bool:
        """Whether the speaker is the subject, or one of it."""
        return self.subject.lower() in {"i", "we", ""}


def tokens_of(text: str) -> list[Token]:
    """Words and marks, contractions taken apart."""
    return [token for match in _TOKEN.finditer(text) for token in _tokens(match)]


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


def read(text: str) -> Predication | None:
    """Read a clause by its first subject that a verb group follows."""
    tokens = _mended(tokens_of(text))
    for at in range(len(tokens)):
        for end in _subject_ends(tokens, at):
            found = _verb_group(text, tokens, at, end)
            if found is not None:
                return found if _opens(tokens, at) else None
    return None


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether the subject begins its clause: a noun before it makes it `the house I bought`."""
    before = tokens[at - 1].low if at else ""
    return (
        not before
        or not before[0].isalpha()
        or before in words.BEFORE_SUBJECTS
        or before in words.ADVERBS
        or before.endswith("ly")
    )


def read_elided(text: str) -> Predication | None:
    """Read a clause that begins with its verb group: the subject was named before."""
    tokens = _mended(tokens_of(text))
    return _verb_group(text, tokens, 0, 0)


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


def _subject_ends(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """Where a subject that begins here may end."""
    token = tokens[at]
    if token.low in _PRONOUNS or token.low in _GENERIC:
        yield at + 1
    elif token.low in _POSSESSIVES or (token.low in {"mum", "mom", "dad", "grandma", "grandpa"}):
        first = at
        shortest = first + (2 if token.low in _POSSESSIVES else 1)
        for end in range(shortest, min(first + _NOUN_WORDS_MAX, len(tokens)) + 1):
            if not (tokens[end - 1].text[0].isalnum() or tokens[end - 1].low in {"'s", "&"}):
                break
            yield end
    elif _may_be_name(tokens, at):
        end = at + 1
        while (
            end < len(tokens) and tokens[end].text[0].isupper() and tokens[end].low not in _PRONOUNS
        ):
            end += 1
        yield end
        if end + 1 < len(tokens) and tokens[end].low == "and" and tokens[end + 1].text[0].isupper():
            yield end + 2


def _may_be_name(tokens: Sequence[Token], at: int) -> bool:
    """A capitalised word; one that opens the clause may be any word, and is no verb then."""
    token = tokens[at]
    if not token.text[0].isupper() or token.low in _NOT_NAMES | words.ADVERBS:
        return False
    if at > 0 or not token.text[1:].islower():
        return True
    return not (token.low.endswith("ing") or lemma(token.low) in words.VERBS | words.MENTAL or token.low in words.OPENERS)


def _verb_group(text: str, tokens: Sequence[Token], at: int, end: int) -> Predication | None:
    """Auxiliaries, adverbs, negation and the verb that follow the subject."""
    aux: list[str] = []
    i, negated, have_to = end, False, ""
    while i < len(tokens):
        low = tokens[i].low
        if low in words.NEGATIONS:
            negated = True
        elif low in words.ADVERBS and not (low in {"rather", "like"} and not aux):
            pass
        elif (
            low
            in {
                "used",
                "need",
                "needs",
                "has",
                "have",
                "had",
                "going",
                "got",
                "gotta",
                "supposed",
                "allowed",
                "able",
            }
            and i + 1 < len(tokens)
            and tokens[i + 1].low == "to"
        ):
            have_to = {"needs": "need", "has": "have", "had": "had"}.get(low, low)
            i += 1
        elif low in {"do", "does", "did"} and _verb_follows(tokens, i):
            aux.append(low)
        elif low in words.MODALS or low in words.ARE or (low in {"have", "has", "had", "'ve"}):
            aux.append(low)
        else:
            break
        i += 1
    return _predication(text, tokens, (at, end, i), aux, negated, have_to)


def _verb_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether `do` helps another verb here."""
    rest = [token.low for token in tokens[at + 1 : at + 4]]
    return bool(rest) and (rest[0] in words.NEGATIONS or lemma(rest[0]) in words.VERBS | words.MENTAL)


def _predication(
    text: str,
    tokens: Sequence[Token],
    at: tuple[int, int, int],
    aux: list[str],
    negated: bool,
    have_to: str,
) -> Predication | None:
    first, end, i = at
    subject = text[tokens[first].start : tokens[end - 1].end] if end > first else ""
    verb, tense, used = _verb(tokens, i, aux, subject, have_to)
    if not verb:
        return None
    rest_at = i + used
    start = tokens[rest_at].start if rest_at < len(tokens) else len(text)
    be = set(aux) & words.ARE
    if verb == "be" and have_to and not be:
        return None
    modal = have_to or next((each for each in aux if each in words.MODALS), "")
    return Predication(
        subject=subject,
        subject_start=tokens[first].start if end > first else tokens[0].start,
        subject_end=tokens[end - 1].end if end > first else tokens[0].start,
        verb=verb,
        tense=tense,
        negated=negated,
        modal=modal,
        rest=text[start:].strip(),
        verb_start=tokens[end].start if end < len(tokens) else len(text),
        rest_start=start,
        head=text[: tokens[first].start],
        spoken=tokens[i].text if used else verb,
    )


def _verb(
    tokens: Sequence[Token], i: int, aux: list[str], subject: str, have_to: str
) -> tuple[str, Tense, int]:
    """The lemma, its tense and how many tokens it takes; "" where there is no verb."""
    low = tokens[i].low if i < len(tokens) else ""
    be, have = set(aux) & words.ARE, set(aux) & {"have", "has", "had", "'ve"}
    if have_to in {"going", "able", "supposed", "allowed"}:
        be = set()
    future = bool(set(aux) & {"will", "'ll", "shall"}) or have_to == "going"
    if "'s" in aux and subject.lower() not in _PRONOUNS | _GENERIC and not _is_clause(tokens, i):
        return "", Tense.PRESENT, 0
    if (
        "'s" in aux
        and len(aux) == 1
        and (_is_participle(low))
        and subject.lower() in {"he", "she", "it"}
        and low not in {"married", "retired"}
    ):
        be, have = set(), {"has"}
    if be:
        return _after_be(low, aux, have, future)
    if have and not have_to:
        if _is_participle(low):
            return lemma(low), Tense.PERFECT, 1
        return (
            ("have", Tense.PAST if "had" in aux else Tense.PRESENT, 0)
            if low
            else ("", Tense.PRESENT, 0)
        )
    base = lemma(low)
    helped = bool(aux or have_to)
    pronoun = subject.lower() in _PRONOUNS
    if (
        not low
        or not low[0].isalpha()
        or (not pronoun and not helped and base not in words.VERBS and not _is_past(low))
    ):
        return "", Tense.PRESENT, 0
    if not pronoun and not helped and not subject and not (_is_past(low) or low.endswith("s")):
        return "", Tense.PRESENT, 0
    if low in {
        "to",
        "and",
        "or",
        "the",
        "a",
        "of",
        "in",
        "on",
        "at",
        "for",
        "with",
        "but",
        "both",
        "too",
    }:
        return "", Tense.PRESENT, 0
    if future:
        return base, Tense.FUTURE, 1
    past = "did" in aux or (not helped and _is_past(low)) or have_to == "used"
    return base, Tense.PAST if past else Tense.PRESENT, 1


def _after_be(low: str, aux: list[str], have: set[str], future: bool) -> tuple[str, Tense, int]:
    if (
        low.endswith("ing")
        and len(low) > 4
        and lemma(low)
        in words.VERBS | words.MENTAL | {lemma(g) for g in words.GOAL_GERUNDS} | {"go"}
    ):
        return lemma(low), Tense.PERFECT if have else Tense.PROGRESSIVE, 1
    past = bool(set(aux) & {"was", "were"})
    tense = (
        Tense.FUTURE if future else Tense.PERFECT if have else Tense.PAST if past else Tense.PRESENT
    )
    return ("be", tense, 0) if low or have else ("", tense, 0)


def _is_clause(tokens: Sequence[Token], i: int) -> bool:
    """Whether `X's` is `X is` here: an article, an adjective of state or an -ing form follows."""
    rest = [token.low for token in tokens[i : i + 2]]
    return bool(rest) and (
        rest[0]
        in {
            "a",
            "an",
            "the",
            "not",
            "in",
            "at",
            "on",
            "from",
            "allergic",
            "based",
            "been",
            "coming",
            "getting",
            "going",
            "moving",
            "called",
            "named",
        }
        or rest[0].isdigit()
        or (rest[0].endswith("ing") and lemma(rest[0]) in words.VERBS)
        or bool(words.STATES.match(rest[0]))
    )


def lemma(low: str) -> str:
    """The base form of a verb, by the lexicon and the rules of spelling."""
    if low in words.IRREGULAR:
        return words.IRREGULAR[low]
    for base in _bases(low):
        if base in words.VERBS or base in words.MENTAL:
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


def _is_past(low: str) -> bool:
    return (
        low.endswith("ed") and len(low) > 3 and low not in {"need", "feed", "speed", "bed", "red"}
    ) or (
        low in words.IRREGULAR
        and words.IRREGULAR[low] != low
        and not low.endswith(("ing", "goes", "does", "has", "is", "are", "am"))
    )


def _is_participle(low: str) -> bool:
    return _is_past(low) or low in {"been", "come", "become", "run"} or low in words.SAME_IN_PAST
