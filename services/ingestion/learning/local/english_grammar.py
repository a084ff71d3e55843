"""A light reading of an English clause: who, in which tense, whether negated, does what.

No parser and no model: a subject is a pronoun, a possessed or definite noun, or a capitalised
name that a verb group follows. What cannot be read so gives nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_subjects import GENERIC, PRONOUNS, subject_ends
from services.ingestion.learning.local.english_tokens import (
    Token,
    is_participle,
    is_past,
    lemma,
    tokens_of,
)

_ADVERBIAL_WORDS_MAX = 6
_ADVERBIAL = words.words_of("in on at after before during when")
_WITH_BE = frozenset({"going", "able", "supposed", "allowed"})
_WILL = frozenset({"will", "'ll", "shall"})
_NEVER_VERBS = words.words_of("to and or the a of in on at for with but both too")
_CLAUSE_OPENERS = words.words_of(
    "a an the not in at on from allergic based been coming getting going moving called named"
)


class Tense(StrEnum):
    """When the verb is."""

    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    FUTURE = "future"
    PROGRESSIVE = "progressive"


_NO_VERB = ("", Tense.PRESENT, 0)


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


def read(text: str) -> Predication | None:
    """Read a clause by its first subject that a verb group follows."""
    tokens = tokens_of(text)
    for at in range(len(tokens)):
        for end in subject_ends(tokens, at):
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
        or (tokens[at].low in {"i", "we"} and _is_adverbial(tokens[:at]))
    )


def _is_adverbial(tokens: Sequence[Token]) -> bool:
    """`In my twenties`, `After measuring it twice`: no verb of its own, so nobody did it yet."""
    told = any(is_past(token.low) or token.low in words.ARE for token in tokens)
    return tokens[0].low in _ADVERBIAL and len(tokens) <= _ADVERBIAL_WORDS_MAX and not told


def read_elided(text: str) -> Predication | None:
    """Read a clause that begins with its verb group: the subject was named before."""
    tokens = tokens_of(text)
    return _verb_group(text, tokens, 0, 0)


def read_plain(text: str) -> Predication | None:
    """As `read_elided`, of the speaker: the verb may stand in its base form."""
    found = read(f"I {text}")
    return None if found is None or found.subject != "I" else found


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
        elif (
            (low in {"do", "does", "did"} and _verb_follows(tokens, i))
            or low in words.MODALS
            or low in words.ARE
            or (low in {"have", "has", "had", "'ve"})
        ):
            aux.append(low)
        else:
            break
        i += 1
    return _predication(text, tokens, (at, end, i), aux, negated, have_to)


def _verb_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether `do` helps another verb here."""
    rest = [token.low for token in tokens[at + 1 : at + 4]]
    return bool(rest) and (
        rest[0] in words.NEGATIONS or lemma(rest[0]) in words.VERBS | words.MENTAL
    )


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
        spoken=_spoken(tokens[end : i + used], verb),
    )


def _spoken(group: Sequence[Token], verb: str) -> str:
    """The verb as it was said: `had` of `had a fall`, not its base form."""
    last = group[-1] if group else None
    said = last is not None and lemma(last.low) == verb and last.text[:1].isalpha()
    return last.text if last is not None and said else verb


def _verb(
    tokens: Sequence[Token], i: int, aux: list[str], subject: str, have_to: str
) -> tuple[str, Tense, int]:
    """The lemma, its tense and how many tokens it takes; "" where there is no verb."""
    low = tokens[i].low if i < len(tokens) else ""
    be, have = set(aux) & words.ARE, set(aux) & {"have", "has", "had", "'ve"}
    if have_to in _WITH_BE:
        be = set()
    pronoun = subject.lower() in PRONOUNS | GENERIC
    if "'s" in aux and not pronoun and not _is_clause(tokens, i):
        return _NO_VERB
    if aux == ["'s"] and is_participle(low) and subject.lower() in {"he", "she", "it"}:
        be, have = (be, have) if low in {"married", "retired"} else (set(), {"has"})
    if be:
        future = bool(set(aux) & _WILL) or have_to == "going"
        return _after_be(low, aux, have, future)
    if have and not have_to:
        return _after_have(low, aux)
    return _main_verb(low, aux, subject, have_to)


def _after_have(low: str, aux: list[str]) -> tuple[str, Tense, int]:
    """`has moved`, or `has a dog`."""
    if not low:
        return _NO_VERB
    if is_participle(low):
        return lemma(low), Tense.PERFECT, 1
    return "have", Tense.PAST if "had" in aux else Tense.PRESENT, 0


def _main_verb(low: str, aux: list[str], subject: str, have_to: str) -> tuple[str, Tense, int]:
    """A full verb; after a noun, or without a subject, only one that is known as such."""
    base, helped = lemma(low), bool(aux or have_to)
    pronoun = subject.lower() in PRONOUNS
    known = pronoun or helped or base in words.VERBS or is_past(low)
    finite = subject or helped or is_past(low) or low.endswith("s")
    if not low[:1].isalpha() or not known or not finite or low in _NEVER_VERBS:
        return _NO_VERB
    # One name takes `helps`: in `Strong support helps` no Strong supports.
    agrees = helped or is_past(low) or low.endswith("s") or low in words.SAME_IN_PAST
    named = subject[:1].isupper() and subject.isalpha() and not pronoun
    if named and not agrees and not subject.endswith("s"):
        return _NO_VERB
    if set(aux) & _WILL or have_to == "going":
        return base, Tense.FUTURE, 1
    past = "did" in aux or (not helped and is_past(low)) or have_to == "used"
    return base, Tense.PAST if past else Tense.PRESENT, 1


def _after_be(low: str, aux: list[str], have: set[str], future: bool) -> tuple[str, Tense, int]:
    if low.endswith("ing") and len(low) > 4 and lemma(low) in words.VERBS | words.MENTAL:
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
        rest[0] in _CLAUSE_OPENERS
        or rest[0].isdigit()
        or (rest[0].endswith("ing") and lemma(rest[0]) in words.VERBS)
        or bool(words.STATES.match(rest[0]))
    )
