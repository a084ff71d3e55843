"""The time of a clause: its own words of time, resolved against when it was said."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.tree import children, is_verbal, lemma, own
from anamnesis_ingestion.learning.english.values import spelled
from anamnesis_ingestion.learning.english.vocabulary import words
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound, TimePhrase

_LEADS = frozenset(
    {
        "in",
        "on",
        "since",
        "from",
        "until",
        "till",
        "at",
        "between",
        "by",
        "to",
        "of",
        "back",
        "just",
        "over",
        "during",
        "within",
        "about",
        "around",
        "roughly",
    }
)


@dataclass(frozen=True, slots=True)
class When:
    """The bounds that words of time give; both None where there are none.

    `ranged` says that both were told: from then until then.
    """

    since: datetime | None = None
    until: datetime | None = None
    precision: str = ""
    open_end: bool = False
    ranged: bool = False


NEVER_TOLD = When()


class Times:
    """The phrases of time of a sentence, and the tokens that spell them."""

    def __init__(
        self,
        sentence: Span,
        said_at: datetime | None,
        ranged: Token | None = None,
        range_told: When = NEVER_TOLD,
    ) -> None:
        """Read the phrases; of the clause of the verb `ranged`, a range was told besides."""
        self._ranged, self._range, self._said_at = ranged, range_told, said_at
        found = find_times(sentence.text, said_at) if said_at else ()
        spelt = [(phrase, self._of(phrase, sentence)) for phrase in found]
        told = [(phrase, tokens) for phrase, tokens in spelt if not _tells_of_name(tokens)]
        self._phrases = tuple(phrase for phrase, _ in told)
        self._tokens = [tokens for _, tokens in told]
        spelled = {
            inner.i
            for tokens in self._tokens
            for each in tokens
            for inner in (each, *children(each, "case"))
        }
        self.tokens = frozenset(spelled | _leading(sentence, spelled))

    def of(self, verb: Token) -> When:
        """The time that a clause tells: the first phrase, and the end of a range."""
        if self._ranged is not None and verb == self._ranged:
            return self._range
        inside = {each.i for each in own(verb, with_objects=True)}
        told = [
            phrase
            for phrase, spelled in zip(self._phrases, self._tokens, strict=True)
            if any(each.i in inside for each in spelled)
        ]
        return _when(told)

    def is_ahead(self, verb: Token) -> bool:
        """True if the time that a clause tells had not come when it was told."""
        since = self.of(verb).since
        return since is not None and self._said_at is not None and since > self._said_at

    def ends_ahead(self, verb: Token) -> bool:
        """True if the time of a clause was yet to come or to end: "tomorrow", "until May"."""
        when = self.of(verb)
        if when.since is not None:
            return self.is_ahead(verb)
        return when.until is not None and self._said_at is not None and when.until > self._said_at

    def _of(self, phrase: TimePhrase, sentence: Span) -> Sequence[Token]:
        start = sentence.start_char
        return [
            each
            for each in sentence
            if each.idx - start < phrase.end and each.idx - start + len(each) > phrase.start
        ]


def _tells_of_name(tokens: Sequence[Token]) -> bool:
    """True for the decade of "a novel set in 1920s Trieste", which is no time of the clause."""
    last = tokens[-1] if tokens else None
    if last is None or not last.lower_.endswith("0s") or last.i + 1 >= len(last.doc):
        return False
    behind = last.nbor()
    return behind.pos_ == "PROPN" and behind in {last.head, *children(last.head, "pobj")}


def ranged_verb(sentence: Span, at: int) -> Token | None:
    """The verb of a range that stood at a character: the last one before it, else the first."""
    if not sentence.start_char <= at <= sentence.end_char + 1:
        return None
    verbs = [each for each in sentence if is_verbal(each)]
    before = [each for each in verbs if each.idx < at]
    return before[-1] if before else next(iter(verbs), None)


def _leading(sentence: Span, spelled: Collection[int]) -> set[int]:
    """The prepositions before words of time, with their article: "over the" next quarter."""
    found: set[int] = set()
    for each in sentence:
        if each.i in spelled or each.lower_ not in _LEADS:
            continue
        behind = each.i + 1
        if behind < sentence.end and sentence.doc[behind].lower_ == "the":
            behind += 1
        if behind in spelled:
            found |= set(range(each.i, behind))
    return found


def _when(told: Sequence[TimePhrase]) -> When:
    if not told:
        return NEVER_TOLD
    first = told[0]
    precision = str(first.precision.value)
    if first.bound is Bound.SINCE:
        end = told[1].until if len(told) > 1 and told[1].bound is Bound.UNTIL else None
        return When(first.since, end, precision, end is None)
    if first.bound is Bound.UNTIL:
        return When(None, first.until, precision)
    if first.bound is Bound.AT:
        return When(first.since, first.until, precision)
    return NEVER_TOLD


def limit_of(verb: Token) -> str:
    """The time of the day at which alone something stops: "no coffee after lunch"."""
    for prep in (*children(verb, "prep"), *children(verb.head, "prep"), *_of_objects(verb)):
        times = (lemma(each) for each in children(prep, "pobj"))
        if prep.lower_ not in {"since", "for"} and any(each in words("dayparts") for each in times):
            return spelled(prep.subtree)
    return ""


def _of_objects(verb: Token) -> Iterator[Token]:
    for held in children(verb, "dobj"):
        yield from children(held, "prep")
