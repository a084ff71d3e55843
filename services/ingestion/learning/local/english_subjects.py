"""Where the subject of an English clause may end: a pronoun, a noun with its owner, a name."""

from collections.abc import Iterator, Sequence

from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_tokens import Token, lemma

PRONOUNS = frozenset(["i", "we", "he", "she", "they", "it"])
GENERIC = words.words_of(
    "it this that these those there everyone everybody people someone somebody nobody you "
    "one what who"
)
_NOT_NAMES = words.words_of(
    "the a an and but or so if when while because yes no yep nope ok okay well oh hi hey "
    "hello thanks please what who where why how it that this there these those also then "
    "now still maybe just only since after before until although though as at in on by for "
    "from with of to sorry sure right monday tuesday wednesday thursday friday saturday "
    "sunday january february march april may june july august september october november "
    "december you your my our his her their fyi btw lol haha not never always let remember "
    "everyone everybody people nobody some most many all both each every"
)
_NO_OPENING_NAMES = _NOT_NAMES | words.ADVERBS | words.MODALS | words.ARE | {"have", "has", "had"}
_NOUN_WORDS_MAX = 6
_FINITE = words.words_of(
    "is are was were has have had will can cannot must need needs do does close closes open opens "
    "start starts take takes cost costs run runs go goes end ends last lasts arrive arrives leave"
    " leaves"
)
_POSSESSIVES = frozenset(["my", "our", "his", "her", "their", "the", "this", "your"])


def subject_ends(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """Where a subject that begins here may end."""
    token = tokens[at]
    if token.low in PRONOUNS or token.low in GENERIC:
        yield at + 1
    elif token.low in _POSSESSIVES or token.low in {"mum", "mom", "dad", "grandma", "grandpa"}:
        yield from _noun_ends(tokens, at)
    elif _may_be_name(tokens, at):
        yield from _name_ends(tokens, at)
    elif at == 0 and _is_plural_noun(tokens):
        yield 1
        if tokens[1].low in {"at", "in", "from", "for", "of", "on"}:
            yield from range(4, min(6, len(tokens)))


def _noun_ends(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """A noun with its owner or article: up to the first mark or pronoun."""
    shortest = at + (2 if tokens[at].low in _POSSESSIVES else 1)
    for end in range(shortest, min(at + _NOUN_WORDS_MAX, len(tokens)) + 1):
        last = tokens[end - 1]
        if last.low in PRONOUNS or not (last.text[0].isalnum() or last.low in {"'s", "&"}):
            return
        yield end


def _name_ends(tokens: Sequence[Token], at: int) -> Iterator[int]:
    """A name of one or more words, with a noun that goes on with it, or what is its own."""
    end = at + 1
    while end < len(tokens) and tokens[end].text[0].isupper() and tokens[end].low not in PRONOUNS:
        end += 1
    if end + 1 < len(tokens) and _is_compound(tokens, end):
        yield end + 1
    yield end
    if end + 1 < len(tokens) and tokens[end].low == "and" and tokens[end + 1].text[0].isupper():
        yield end + 2
    if end < len(tokens) and tokens[end].low == "'s":
        yield from range(end + 2, min(end + 4, len(tokens)))


def _is_compound(tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun goes on with the name: the verb comes after it, as in `Acme orders close`."""
    noun = tokens[at].low.endswith("s") and lemma(tokens[at].low) in words.VERBS
    return noun and tokens[at + 1].low in _FINITE


def _is_plural_noun(tokens: Sequence[Token]) -> bool:
    """`Orders close at six`, `Visitors have to leave`: a plural opens, a known verb follows."""
    first, then = tokens[0], [token.low for token in tokens[1:5]]
    plural = first.text[0].isupper() and first.low.endswith("s") and not first.low.endswith("ss")
    followed = bool(then) and (then[0] in _FINITE or then[0] in {"at", "in", "from", "for", "of"})
    return plural and len(first.low) > 4 and first.low not in _NOT_NAMES and followed


def _may_be_name(tokens: Sequence[Token], at: int) -> bool:
    """A capitalised word; one that opens the clause may be any word, and is no verb then."""
    token = tokens[at]
    if not token.text[0].isupper() or token.low in _NO_OPENING_NAMES:
        return False
    if at > 0 or not token.text[1:].islower():
        return True
    return not (
        token.low.endswith("ing")
        or lemma(token.low) in words.VERBS | words.MENTAL
        or token.low in words.OPENERS
    )
