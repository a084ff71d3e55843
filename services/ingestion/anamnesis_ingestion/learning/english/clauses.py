"""Clauses and their reading: who says what of whom, and whether it is said to be so.

The reading is made before any frame speaks: mood, polarity, tense, subject and who is told to have
said it. What cannot be decided is REFUSED, and so is every clause under a governor that
`governors.tsv` does not know.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spacy.tokens import Span, Token

from anamnesis_ingestion.learning.english.marks import (
    OPEN_SUBJECT,
    Mood,
    Tense,
    has_denied_argument,
    is_asked,
    is_asserted,
    is_bygone,
    is_dictated,
    is_disclaimed,
    is_doubted,
    is_infinitive,
    is_joked,
    is_over,
    is_pretended,
    is_supposed,
    modal_mood,
    tense_of,
)
from anamnesis_ingestion.learning.english.tree import (
    FIRST,
    child,
    children,
    is_mine,
    is_negated,
    is_verbal,
    lemma,
)
from anamnesis_ingestion.learning.english.vocabulary import Change, Effect, governors, words


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a clause apart from its content: mood, negation, change, tense, teller."""

    mood: Mood = Mood.FACT
    negated: bool = False
    change: Change | None = None
    tense: Tense = Tense.PRESENT
    teller: Token | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb, its subject (None: the speaker, who is not named), and its reading.

    `before` is the sentence that was said before it, where there is one.
    """

    verb: Token
    subject: Token | None
    reading: Reading
    before: Span | None = None

    @property
    def by_speaker(self) -> bool:
        """True if the clause is about the speaker."""
        return self.subject is None or self.subject.lower_ in FIRST


REFUSED = Reading(Mood.REFUSED)
_MOODS = {
    Effect.PLAN: Mood.PLAN,
    Effect.WISH: Mood.WISH,
    Effect.LONG: Mood.WISH,
    Effect.CONSIDER: Mood.CONSIDER,
    Effect.DUTY: Mood.DUTY,
    Effect.CAN: Mood.CAN,
}


def clauses(sentence: Span, before: Span | None = None) -> Iterator[Clause]:
    """Every clause of a sentence that has a subject and may be read."""
    for token in sentence:
        if not is_verbal(token) or token.tag_ == "TO":
            continue
        found, subject = _subject(token)
        if found and not _is_of_another(token, subject):
            yield Clause(token, subject, _reading(token, sentence), before)


def _is_of_another(verb: Token, subject: Token | None) -> bool:
    """True for the passes of "I check that it is fast and passes", hung on the speaker."""
    far = subject is not None and subject.lower_ in {"i", "we"} and subject.head != verb
    return far and verb.tag_ == "VBZ"


def _subject(verb: Token, depth: int = 8) -> tuple[bool, Token | None]:
    """True with the subject, None for a speaker who is left out; False where there is none."""
    own = _nearest_subject(verb)
    if own is not None or depth == 0:
        return own is not None, None if own is None else _resolved(own, verb)
    head = verb.head
    if verb.dep_ in {"conj", "xcomp", "advcl", "pcomp"}:
        holder = head if is_verbal(head) else head.head
        return _subject(holder, depth - 1) if holder != verb else (False, None)
    if verb.dep_ in {"relcl", "acl"}:
        told = _is_predicate(head) or _is_urge(verb)
        return _subject(head.head, depth - 1) if told else (True, head)
    if verb.dep_ in {"ROOT", "ccomp", "parataxis"}:
        return _is_left_out(verb), None
    return False, None


def _nearest_subject(verb: Token) -> Token | None:
    """The subject right before the verb: the "we" of "thanks for asking, we got a cat"."""
    found = children(verb, "nsubj", "nsubjpass", "expl", "csubj")
    before = [each for each in found if each.i < verb.i]
    return before[-1] if before else next(iter(found), None)


def _is_left_out(verb: Token) -> bool:
    """True for a verb that opens its sentence without the speaker: "Started at Ocado"."""
    if any(map(_is_torn, verb.sent)):
        return False
    if verb.i == verb.sent.start and lemma(verb) in words("taste_verbs"):
        return verb.tag_ in {"VB", "VBP"}
    opens = next((each for each in verb.sent if each.lower_ not in words("discourse")), verb)
    if opens == verb and verb.lower_ == "been":
        return child(verb, "attr", "acomp") is None
    been = verb.tag_ == "VBG" and opens.lower_ == "been" and opens.head == verb
    told = verb.tag_ in {"VBD", "VBG"} and child(verb, "aux", "auxpass", "agent") is None
    told = told or (been and len(children(verb, "aux")) == 1)
    return told and verb.i <= verb.sent.start + 2 and verb.lower_ not in words("openers")


def _is_torn(token: Token) -> bool:
    """True for the "'s" of "finding a flat's a pain", which was taken for an owner's."""
    ends = token.i + 1 == len(token.doc)
    return token.tag_ == "POS" and not ends and token.nbor().pos_ == "DET"


def _is_predicate(noun: Token) -> bool:
    """True for what a subject is said to be: "I'm an engineer based in Oslo"."""
    return noun.dep_ == "attr" and lemma(noun.head) == "be"


def _is_urge(verb: Token) -> bool:
    """True for the serve of "I feel a strong urge to serve my country"."""
    noun = verb.head
    felt = noun.dep_ == "dobj" and lemma(noun.head) in {"have", "feel"}
    return felt and lemma(noun) in words("urges") and is_infinitive(verb)


def _resolved(subject: Token, verb: Token) -> Token:
    """The noun that a relative pronoun stands for, or whoever is meant by "as someone who"."""
    if subject.tag_ not in {"WP", "WDT"} or verb.dep_ != "relcl":
        return subject
    noun = verb.head
    if lemma(noun) in OPEN_SUBJECT and noun.dep_ == "pobj" and noun.head.lower_ == "as":
        found, main = _subject(noun.head.head) if is_verbal(noun.head.head) else (False, None)
        return main if found and main is not None else noun
    return noun


def _reading(verb: Token, sentence: Span) -> Reading:
    if (
        is_asked(verb, sentence)
        or is_supposed(verb)
        or is_doubted(verb)
        or is_dictated(verb, sentence)
        or is_joked(sentence)
        or is_pretended(verb.doc)
        or is_disclaimed(verb)
    ):
        return REFUSED
    tense = Tense.PAST if is_bygone(verb) else tense_of(verb)
    base = Reading(tense=tense, negated=is_negated(verb) or has_denied_argument(verb))
    if is_over(verb):
        base = replace(base, negated=False, change=Change.END)
    mood = modal_mood(verb)
    if mood is None:
        return REFUSED
    return _above(verb, replace(base, mood=mood), sentence)


def _above(verb: Token, read: Reading, sentence: Span) -> Reading:
    """The reading after what governs the clause."""
    head = verb.head
    if verb.dep_ in {"ROOT", "parataxis", "dep"}:
        return _order(verb, read)
    if verb.dep_ in {"relcl", "acl"}:
        return _of_noun(verb, read, sentence)
    if verb.dep_ == "advcl":
        return _beside(verb, read, sentence)
    if verb.dep_ == "conj":
        return _joined(verb, read, sentence) if is_verbal(head) else read
    if verb.dep_ in {"ccomp", "xcomp", "pcomp"}:
        return _governed(verb, read, sentence)
    return REFUSED


def _of_noun(verb: Token, read: Reading, sentence: Span) -> Reading:
    """The reading of a clause that a noun has behind it."""
    noun = verb.head
    if _is_urge(verb):
        return _meant(Effect.WISH, read, _reading(noun.head, sentence))
    infinitive = child(verb, "aux") is not None and is_infinitive(verb)
    aside = verb.dep_ == "acl" and verb.tag_ == "VBG" and not _is_told_of(noun, sentence)
    return REFUSED if infinitive or aside else read


def _is_told_of(noun: Token, sentence: Span) -> bool:
    """True for a noun in a clause that tells a fact: not of "I may visit the man selling it"."""
    above = next((each for each in noun.ancestors if is_verbal(each)), None)
    return above is None or _reading(above, sentence).mood in {Mood.FACT, Mood.ORDER}


def _beside(verb: Token, read: Reading, sentence: Span) -> Reading:
    """A side clause; a participle that shares the subject shares the mood: "plan to, using"."""
    if not is_asserted(verb):
        return REFUSED
    shares = verb.tag_ == "VBG" and child(verb, "nsubj", "aux", "mark") is None
    if not shares or not is_verbal(verb.head):
        return read
    above = verb.head
    mood = _reading(above, sentence).mood
    if _effect(above, above, _subject(above)[1]) is Effect.CONSIDER:
        mood = Mood.CONSIDER
    return read if mood in {Mood.FACT, Mood.ORDER} else replace(read, mood=mood)


def _order(verb: Token, read: Reading) -> Reading:
    taste = lemma(verb) in words("taste_verbs")
    if verb.tag_ == "VB" and not taste and child(verb, "nsubj", "nsubjpass") is None:
        return replace(read, mood=Mood.ORDER)
    return read


def _joined(verb: Token, read: Reading, sentence: Span) -> Reading:
    """A clause joined to another shares its mood, unless it has a subject of its own."""
    head = verb.head
    if child(verb, "nsubj", "nsubjpass") is not None:
        return REFUSED if is_supposed(head) else read
    if not _subject(head)[0]:
        return REFUSED
    first = _reading(head, sentence)
    if first.mood is Mood.ORDER and verb.tag_ != "VB":
        return read
    cc = child(head, "cc")
    joins = cc is not None and cc.lower_ in {"or", "nor"}
    shared = verb.tag_ in {"VB", "VBG", "VBN"} and child(verb, "aux") is None
    mood = (
        first.mood
        if read.mood is Mood.FACT and (shared or first.mood is Mood.REFUSED)
        else read.mood
    )
    change = first.change if shared else read.change
    tense = first.tense if shared else read.tense
    return replace(
        read,
        mood=mood,
        negated=read.negated or (first.negated and (joins or shared)),
        change=read.change or change,
        tense=tense,
        teller=first.teller,
    )


def _governed(verb: Token, read: Reading, sentence: Span) -> Reading:
    """The reading of a clause under a verb, an adjective or a preposition."""
    head = verb.head
    own_subject = child(verb, "nsubj", "nsubjpass") is not None
    if verb.dep_ == "ccomp" and own_subject and child(verb, "mark") is None and verb.i < head.i:
        return _before_its_governor(read, head)
    governor = head.head if head.pos_ == "ADP" and is_verbal(head.head) else head
    found, subject = _subject(governor) if is_verbal(governor) else _subject(governor.head)
    above = governor if is_verbal(governor) else governor.head
    effect = _effect(governor, head, subject, verb)
    thought = effect is Effect.BELIEF and (read.mood is Mood.WISH or _is_past(above))
    if not found or effect is Effect.REFUSE or thought or _is_unsaid(above):
        return REFUSED
    speaks = lemma(above) in words("speech_acts")
    mild = _subject_of(above) in FIRST and modal_mood(above) is None
    over = Reading() if speaks and (mild or _is_longed(above)) else _reading(above, sentence)
    if over.mood in {Mood.REFUSED, Mood.ORDER} or _is_open(verb, above, over):
        return REFUSED
    return _with(effect, read, over, verb, subject)


def _is_open(verb: Token, above: Token, over: Reading) -> bool:
    """True for "I'm not sure how to use it" and "I have to decide how to put it"."""
    asks = [each for each in verb.children if each.tag_ in {"WRB", "WP"} and each.i < verb.i]
    unsure = over.negated or lemma(above) in words("decides")
    return bool(asks) and is_infinitive(verb) and unsure


def _is_longed(verb: Token) -> bool:
    """True for the telling of "I'm so excited to tell you I got the job"."""
    return verb.dep_ == "xcomp" and f"{lemma(verb.head)}_to" in governors()


def _is_unsaid(verb: Token) -> bool:
    """True for "I wouldn't say I live here": it denies what would be said."""
    return lemma(verb) in {"say", "claim"} and is_negated(verb)


def _is_past(verb: Token) -> bool:
    """True for "I thought I was allergic": what was believed is told because it was wrong."""
    return tense_of(verb) is Tense.PAST


def _before_its_governor(read: Reading, head: Token) -> Reading:
    """A sentence of its own ("I live here, people say"), unless somebody is told to say it."""
    told = {"say", "tell", "ask", "claim", "joke", "think", "guess", "believe", "hope", "wish"}
    if lemma(head) in told and _subject_of(head) not in FIRST:
        return REFUSED
    return read


def _subject_of(verb: Token) -> str:
    found = child(verb, "nsubj", "nsubjpass")
    return "" if found is None else str(found.lower_)


def _effect(
    governor: Token, head: Token, subject: Token | None, below: Token | None = None
) -> Effect:
    name = lemma(governor)
    if head != governor:
        name = f"{name}_{head.lower_}"
    particle = child(governor, "prt")
    if particle is not None:
        name = f"{name}_{particle.lower_}"
    aimed = below is not None and (below.dep_, below.tag_) == ("xcomp", "VB")
    aimed = aimed and f"{name}_to" in governors()
    name = f"{name}_to" if aimed else name
    speaker = subject is None or subject.lower_ in FIRST
    named = subject is not None and subject.pos_ == "PROPN" and not is_mine(subject)
    for who, effect in governors().get(name, ()):
        if name == "use" and governor.tag_ not in {"VBD", "VBN", "VB"}:
            continue
        if name == "go" and governor.tag_ != "VBG":
            continue
        if who == "any" or (who == "I" and speaker):
            return effect
        if who == "named" and named:
            return Effect.TOLD
    return Effect.REFUSE


def _meant(effect: Effect, read: Reading, over: Reading) -> Reading:
    """The reading of what is planned, wished or possible.

    "Can't wait to" is a wish by its no; what somebody had to do is done.
    """
    if effect is Effect.DUTY and over.tense is Tense.PAST and not over.negated:
        return replace(read, mood=over.mood, tense=over.tense)
    longs = effect is Effect.LONG
    past = Tense.PAST in {over.tense, read.tense}
    refused = past or (longs and not over.negated)
    mood = Mood.REFUSED if refused else _MOODS[effect]
    return replace(read, mood=mood, negated=read.negated and not longs, tense=over.tense)


def _with(
    effect: Effect, read: Reading, over: Reading, verb: Token, subject: Token | None
) -> Reading:
    negated = (
        read.negated != over.negated if effect is Effect.BELIEF else read.negated or over.negated
    )
    mood = over.mood if read.mood is Mood.FACT else read.mood
    if effect in _MOODS:
        return _meant(effect, replace(read, negated=negated), over)
    if effect is Effect.TOLD:
        return replace(read, mood=mood, teller=subject)
    if effect is Effect.PASS:
        finite = verb.dep_ == "ccomp"
        if finite and over.negated:
            return REFUSED
        tense = read.tense if finite else over.tense
        return replace(read, mood=mood, tense=tense, negated=negated, teller=over.teller)
    change = {Effect.BEGUN: Change.BEGIN, Effect.ENDED: Change.END}.get(effect, read.change)
    if effect is Effect.ENDED and over.negated:
        return REFUSED
    tense = read.tense if effect is Effect.BELIEF else over.tense
    return replace(read, mood=mood, change=change, tense=tense, negated=negated, teller=over.teller)
