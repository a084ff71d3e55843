"""The marks of a clause's mood, polarity and tense: questions, conditions, doubt, denial, ends."""

from enum import StrEnum

from spacy.tokens import Doc, Span, Token

from anamnesis_ingestion.learning.english.tree import (
    child,
    children,
    is_mine,
    is_negated,
    is_verbal,
    lemma,
    own,
)
from anamnesis_ingestion.learning.english.vocabulary import words


class Mood(StrEnum):
    """The mood of a clause: told as a fact, a plan, a wish or an order."""

    FACT = "fact"
    PLAN = "plan"
    WISH = "wish"
    CONSIDER = "consider"
    DUTY = "duty"
    CAN = "can"
    ORDER = "order"
    REFUSED = "refused"


class Tense(StrEnum):
    """The tense in which a clause is told."""

    PRESENT = "present"
    PERFECT = "perfect"
    PAST = "past"


_MODAL = {
    "will": Mood.PLAN, "'ll": Mood.PLAN, "wo": Mood.PLAN, "shall": Mood.PLAN,
    "can": Mood.CAN, "ca": Mood.CAN, "must": Mood.DUTY,
}  # fmt: skip
_WISHED = frozenset({"like", "love", "prefer", "want", "need", "hate"})
OPEN_SUBJECT = frozenset({"someone", "somebody", "person"})
"""Whom "as someone who ..." leaves open: the speaker."""


def is_asked(verb: Token, sentence: Span) -> bool:
    """True for a question; what stands beside one, with a subject of its own, is none."""
    if _is_inverted(verb):
        return True
    return sentence.text.rstrip("\"') ").endswith("?") and not _stands_beside(verb, sentence)


def _stands_beside(verb: Token, sentence: Span) -> bool:
    """True for a clause of a question that tells something before or beside what is asked."""
    subject = child(verb, "nsubj", "nsubjpass")
    before = verb.i < sentence.root.i and subject is not None
    mark = child(verb, "mark")
    match verb.dep_:
        case "ROOT":
            asks = any(_is_inverted(each) for each in children(verb, "conj", "ccomp"))
            return subject is not None and asks
        case "advcl":
            return mark is not None and mark.lower_ in {"because", "since", "as"}
        case "relcl" | "acl":
            return lemma(verb.head) in OPEN_SUBJECT
        case "parataxis" | "dep":
            return False
    if before and (verb.dep_ == "conj" or (verb.dep_ == "ccomp" and mark is None)):
        return True
    head = verb.head
    plain = verb.dep_ != "ccomp" and is_verbal(head) and head != verb
    return plain and not is_asked(head, sentence)


def is_dictated(verb: Token, sentence: Span) -> bool:
    """True behind an order or an example and a colon: "Translate this: I live in Lyon."."""
    colons = [each.i for each in sentence if each.text == ":" and each.i < verb.i]
    lead = [each for each in sentence if colons and each.i < colons[0]]
    ordered = bool(lead) and (lead[0].tag_ == "VB" or lemma(lead[0]) in words("orders"))
    return ordered or any(lemma(each) in words("samples") for each in lead)


def _is_inverted(verb: Token) -> bool:
    subject = child(verb, "nsubj", "nsubjpass")
    if subject is None or subject.tag_ in {"WP", "WDT"}:
        return subject is not None and subject.tag_ == "WP" and verb.dep_ == "ROOT"
    first = min((each.i for each in children(verb, "aux", "auxpass")), default=None)
    if lemma(verb) == "be" and first is None:
        first = verb.i
    return first is not None and first < subject.i


def is_supposed(verb: Token) -> bool:
    """True under `if`, `unless`, `whether`; or with such a clause beside it."""
    marks = [verb, *children(verb, "advcl")]
    for each in marks:
        if each is not verb and _goes_on(verb, each):
            continue
        if any(m.lower_ in words("conditional") for m in children(each, "mark", "advmod")):
            return each is verb or lemma(verb) not in {"prefer", "avoid", "hate"}
    return False


def _goes_on(verb: Token, aside: Token) -> bool:
    """True where "so" or "and" lies between: "I'm allergic to nuts, so if you cook, ..."."""
    return any(
        verb.i < each.i < aside.left_edge.i and each.lower_ in {"so", "and", "but"}
        for each in verb.children
    )


def is_doubted(verb: Token) -> bool:
    """True beside "maybe", "apparently", "almost", and for what is so in a story."""
    return _is_of_fiction(verb) or any(
        each.lower_ in words("doubt") and each.dep_ in {"advmod", "acomp", "npadvmod"}
        for each in verb.children
    )


def _is_of_fiction(verb: Token) -> bool:
    """True for "in the sketch I'm a baker", before what is said."""
    led = [each for each in children(verb, "prep") if each.lower_ == "in" and each.i < verb.i]
    where = (each for prep in led for each in children(prep, "pobj"))
    return any(lemma(each) in words("fictions") for each in where)


def modal_mood(verb: Token) -> Mood | None:
    """The mood that the auxiliaries give; None if the clause is unreal."""
    for each in children(verb, "aux"):
        if each.tag_ != "MD":
            continue
        if each.lower_ in {"would", "'d"} and lemma(verb) in _WISHED:
            return Mood.WISH if lemma(verb) != "prefer" else Mood.FACT
        if is_rather(verb):
            return Mood.WISH
        mood = _MODAL.get(each.lower_)
        guessed = each.lower_ == "must" and any(a.lower_ == "have" for a in children(verb, "aux"))
        if mood is None or guessed:
            return None
        stands = each.lower_ in {"ca", "can"} and lemma(verb) == "stand"
        return Mood.FACT if stands else mood
    return Mood.FACT


def is_bygone(verb: Token) -> bool:
    """True for what is told of a time that is over: "we never use tabs at my old job"."""
    return any(
        each.dep_ == "pobj"
        and is_mine(each)
        and lemma(each) in words("posts") | words("schools")
        and any(lemma(told) in words("former") for told in children(each, "amod"))
        for each in own(verb)
    )


def is_rather(verb: Token) -> bool:
    """True for "I'd rather take the tram": what somebody prefers."""
    rather = any(each.lower_ == "rather" for each in children(verb, "advmod"))
    return rather and any(each.lower_ in {"would", "'d"} for each in children(verb, "aux"))


def is_pretended(said: Doc) -> bool:
    """True for "say I'm a plumber and I earn 60k" and "let's say we live in Oslo"."""
    opens = next((each.i for each in said if not each.is_punct and not each.is_space), 0)
    lead = said[opens]
    if lead.lower_ == "let" and opens + 2 < len(said) and lead.nbor().lower_ in {"'s", "us"}:
        lead = lead.nbor(2)
    if lead.lower_ not in words("pretends") or lead.i + 1 >= len(said):
        return False
    return lead.nbor().text not in {",", "!"} and lead.tag_ not in {"NN", "NNP"}


def is_disclaimed(verb: Token) -> bool:
    """True for "it's not like I hate my boss"."""
    subject = child(verb, "nsubj", "nsubjpass")
    start = verb.i if subject is None else subject.left_edge.i
    before = [each.lower_ for each in verb.doc[max(start - 2, 0) : start]]
    return before[-1:] in (["like"], ["that"]) and before[0] in {"not", "n't"}


def is_joked(sentence: Span) -> bool:
    """True where the speaker takes back what they said: "but I was joking"."""
    return any(
        lemma(each) in {"joke", "kid"}
        and any(of.lower_ == "i" for of in children(each, "nsubj"))
        and not is_negated(each)
        for each in sentence
    )


def is_infinitive(verb: Token) -> bool:
    """True for a verb with "to"."""
    return any(each.tag_ == "TO" for each in children(verb, "aux"))


def is_asserted(verb: Token) -> bool:
    """True for a side clause that says something is so: because, since, while.

    So it is where "it's like I've found a new love for it".
    """
    mark = child(verb, "mark")
    if is_infinitive(verb):
        return False
    if mark is None:
        when = [each.lower_ for each in children(verb, "advmod")]
        happened = tense_of(verb) is Tense.PAST and tense_of(verb.head) is Tense.PAST
        return "whenever" not in when and ("when" not in when or happened)
    if mark.lower_ == "like":
        held = children(verb, "dobj")
        return lemma(verb.head) == "be" and any(lemma(each) in words("tastes") for each in held)
    return mark.lower_ in words("asserted") and mark.lower_ not in {"for", "that"}


def is_over(verb: Token) -> bool:
    """True for "no longer", "any more", "any longer": an end, not a denial."""
    text = " ".join(each.lower_ for each in sorted(_near(verb), key=lambda each: each.i))
    denied = is_negated(verb)
    more = any(each in text for each in ("any more", "anymore", "any longer"))
    own_words = " ".join(each.lower_ for each in sorted(own(verb), key=lambda each: each.i))
    over = "no longer" in own_words or "no more" in own_words
    return over or (denied and more)


def _near(verb: Token) -> list[Token]:
    return [
        each
        for each in verb.subtree
        if each.dep_ in {"neg", "advmod", "amod", "npadvmod", "det"}
        and each.head in (verb, *verb.subtree)
    ]


def has_denied_argument(verb: Token) -> bool:
    """True for "nobody plays", "I have no dog", "I have zero interest"."""
    denied = {"nsubj", "dobj", "nsubjpass"}
    if child(verb, "acomp") is None:
        denied.add("attr")
    goes_on = next((each.i for each in children(verb, "cc") if each.lower_ == "so"), len(verb.doc))
    places = [each for each in verb.children if each.dep_ in denied and each.i < goes_on]
    none = {"no", "zero"}
    return any(
        each.lower_ in words("no") or any(d.lower_ in none for d in children(each, "det", "nummod"))
        for each in places
    )


def tense_of(verb: Token) -> Tense:
    """The tense that a verb and its auxiliaries tell."""
    auxiliaries = children(verb, "aux", "auxpass")
    if verb.lower_ == "been" and not auxiliaries:
        return Tense.PERFECT
    if any(
        each.lower_ in {"have", "has", "'ve", "'s"} and lemma(each) == "have"
        for each in auxiliaries
    ):
        return Tense.PERFECT
    below = [inner for each in auxiliaries for inner in each.children if inner.dep_ == "aux"]
    if any(each.lower_ in {"did", "was", "were", "had", "got"} for each in auxiliaries + below):
        return Tense.PAST
    if any(each.lower_ == "getting" for each in auxiliaries):
        return Tense.PRESENT
    if auxiliaries and any(each.tag_ in {"VBP", "VBZ", "MD"} for each in auxiliaries):
        return Tense.PRESENT
    past = verb.tag_ == "VBD" or (verb.tag_ == "VBN" and verb.dep_ not in {"acl", "relcl"})
    return Tense.PAST if past else Tense.PRESENT


def was_usual(verb: Token) -> bool:
    """True for "I used to go riding with my father"."""
    return verb.dep_ == "xcomp" and lemma(verb.head) == "use" and verb.head.tag_ in {"VBD", "VBN"}


def was_forced(verb: Token) -> bool:
    """True for "we had to sell the house": so it was done."""
    had = verb.dep_ == "xcomp" and lemma(verb.head) == "have" and verb.head.tag_ == "VBD"
    return had and child(verb.head, "aux", "neg") is None


def is_tended(verb: Token) -> bool:
    """True for "I tend to work late"."""
    return verb.dep_ == "xcomp" and lemma(verb.head) == "tend"


def is_no_sentence(verb: Token) -> bool:
    """True for the Leslie calling of "that was Leslie calling"."""
    return bool(verb.tag_ == "VBG" and child(verb, "nsubj") and not children(verb, "aux"))


def is_never(verb: Token) -> bool:
    """True for "I never eat after eight": a habit by its denial."""
    never = any(each.lower_ == "never" for each in children(verb, "neg", "advmod"))
    plain = verb.tag_ == "VBP" and child(verb, "aux") is None
    by_speaker = any(each.lower_ in {"i", "we"} for each in children(verb, "nsubj"))
    return by_speaker and ((never and plain) or _is_abstained(verb))


def _is_abstained(verb: Token) -> bool:
    """True for "I don't wear perfume": never any of a kind, and not only now."""
    helped = [each.lower_ for each in children(verb, "aux")] == ["do"]
    barred = words("idle_verbs") | words("states_of_things") | words("carriers")
    barred |= words("encounters") | words("findings")
    held = [each for each in children(verb, "dobj") if each.tag_ in {"NN", "NNS"}]
    bare = bool(held) and all(next(each.children, None) is None for each in held)
    return helped and bare and lemma(verb) not in barred and child(verb, "advcl") is None


def is_at_first(word: Token) -> bool:
    """True for "initially" and "at first", and not for "a first version"."""
    return word.lower_ in words("initial") and word.dep_ != "amod"


def is_of_interest(verb: Token) -> bool:
    """True for "I have no interest in opera": that is no dislike of it."""
    told = children(verb, "dobj", "acomp")
    return any(lemma(each) in {"interest", "interested"} for each in told)
