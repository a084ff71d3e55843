"""The text of a value: a noun with what belongs to it, without time, place and role beside it."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import dropwhile

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.cleaning import as_written
from anamnesis_ingestion.learning.english.tree import child, children, is_clause_child, lemma, own
from anamnesis_ingestion.learning.english.vocabulary import words

_LEFT = frozenset(
    {
        "compound",
        "amod",
        "nmod",
        "nummod",
        "quantmod",
        "advmod",
        "poss",
        "punct",
        "npadvmod",
        "predet",
    }
)
_PRONOUNS = {
    "my": "their", "our": "their", "me": "them", "us": "them", "i": "they", "we": "they",
    "myself": "themselves", "ourselves": "themselves", "mine": "theirs", "ours": "theirs",
}  # fmt: skip
MEANT = "meant"
"""Where a document keeps who "her" and "him" mean in it, if anybody knows."""
BEFORE = "before"
"""Where a document keeps the sentence that was said before it."""
AFTER = "after"
"""Where a document keeps the text that the same speaker says right after it."""
SPORT = "sport"
"""Where a document keeps the sport that its speaker named last before it."""
_OF_THEM = {"was": "were", "am": "are", "'m": "'re"}
_ANYTHING = frozenset({"anything", "everything", "those"})
_LOOSE = re.compile(
    r"(?:[ ,.;:-]+(?:and|or|but|plus|so|starting|-))+$|^(?:and|or|but|especially|particularly)\s+"
)
_ONES = re.compile(r"\b(?:ones|those)\b")
_OPENED = re.compile(r"(?:^|[\s(])\"\w")
"""A quote whose end was cut off, and not its beginning."""
_INITIALS = re.compile(r"(?<!\w)(?:[A-Z]\.){1,5}[A-Z]$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COMMAS = re.compile(r",(?:\s*,)+")
_TAILS = {
    "name": frozenset({"of"}),
    "noun": frozenset(
        {
            "of",
            "with",
            "for",
            "in",
            "from",
            "about",
            "without",
            "on",
            "to",
            "at",
            "by",
            "between",
            "like",
        }
    ),
}
_TAILS["full"] = _TAILS["noun"]


def spelled(tokens: Iterable[Token]) -> str:
    """The tokens as text, in their order; the speaker's pronouns become those of a third person."""
    ordered = sorted(set(tokens), key=lambda each: each.i)
    parts: list[str] = []
    for place, each in enumerate(ordered):
        parts.append(_word(each, ordered[place - 1] if place else None))
        following = ordered[place + 1] if place + 1 < len(ordered) else None
        if following is not None and (each.whitespace_ or following.i != each.i + 1):
            parts.append(" ")
    return _tidy("".join(parts))


def _word(token: Token, before: Token | None) -> str:
    """A word as it is said of a third person: "when they were", not "when I was"."""
    if token.tag_ == "PRP" and token.lower_ in {"her", "him"}:
        return str(token.doc.user_data.get(MEANT) or token.text)
    if token.pos_ == "PRON":
        return _PRONOUNS.get(token.lower_, str(token.text))
    if before is not None and before.lower_ == "i":
        return _OF_THEM.get(token.lower_, str(token.text))
    opens = token.i == token.sent.start and token.tag_.startswith("VB")
    return str(token.lower_ if opens else token.text)


def _tidy(text: str) -> str:
    text = _COMMAS.sub(",", as_written(text))
    for sign in (",", ".", ";", ":", "!", "?", ")"):
        text = text.replace(f" {sign}", sign)
    text = _LOOSE.sub("", text.strip(' ,.;:!?-"(')).strip(' ,.;:!?-"(')
    text = text.replace("`", "") if text.count("`") % 2 else text
    if text.count('"') % 2:
        text = f'{text}"' if _OPENED.search(text) else text.replace('"', "")
    return f"{text}." if _INITIALS.search(text) else text


def value(head: Token, mode: str, times: Collection[int]) -> str:
    """The text of the noun: its own words, and the tails that its mode keeps."""
    tokens = list(_core(head))
    for each in _behind(head):
        if _is_tail(each, mode):
            tokens += _without_time(
                own(each, with_objects=True) if each.dep_ == "prep" else each.subtree, times
            )
    text = spelled(each for each in tokens if each.i not in times or each == head)
    meant = _meant_by_ones(head)
    if meant is None:
        return text
    return _ONES.sub(kind_of(meant, told=bool(children(head, "compound"))), text, count=1)


def _behind(head: Token) -> list[Token]:
    """The words behind a noun that belong to it; "reptiles and animals with fur" have it last."""
    joined = children(head, "conj")
    mine = [each for each in head.children if each.i > head.i and not _is_beyond(each, joined)]
    if head.dep_ != "conj" or joined:
        return mine
    first = head
    while first.dep_ == "conj":
        first = first.head
    return [*mine, *(each for each in children(first, "prep") if each.i > head.i)]


def _is_beyond(tail: Token, joined: list[Token]) -> bool:
    return tail.dep_ == "prep" and any(each.i < tail.i for each in joined)


def _meant_by_ones(head: Token) -> Token | None:
    """The games of "board games are fun, but I avoid fantasy-themed ones"."""
    if head.lower_ != "ones" and not (head.lower_ == "those" and children(head, "prep", "relcl")):
        return None
    before = [
        each
        for each in head.sent
        if each.i < head.left_edge.i
        and (each.tag_ == "NNS" or (each.tag_ == "NN" and each.dep_ == "dobj"))
        and each.dep_ != "compound"
    ]
    held = [each for each in before if each.dep_ == "dobj"]
    return (held or before)[-1] if before else _meant_before(head)


def _meant_before(head: Token) -> Token | None:
    """The one thing of which the sentence before asked for some: "any backpacks?"."""
    asked: list[Token] = [*(head.doc.user_data.get(BEFORE) or ())]
    several = [each for each in asked if each.tag_ == "NNS" and each.dep_ in {"dobj", "pobj"}]
    last = several[-1:] if head.lower_ == "ones" else []
    return last[0] if last and last[0].right_edge.i >= asked[-1].i - 1 else None


def kind_of(noun: Token, *, told: bool = False) -> str:
    """The noun, with the nouns that it is compounded of where its kind is not `told` again."""
    beside = [] if told else children(noun, "compound")
    opens = noun.left_edge.i == noun.sent.start and noun.pos_ != "PROPN"
    text = spelled(each for each in [*beside, noun] if not _is_dashed(each))
    return text.lower() if opens else text


def _is_dashed(token: Token) -> bool:
    """True for the "school" of "old-school", whose adjective goes."""
    return any(each.dep_ == "punct" and each.text == "-" for each in token.children)


def core(head: Token) -> str:
    """The noun with its left words alone."""
    return spelled(_core(head))


def _core(head: Token) -> Iterator[Token]:
    """The noun and the unbroken run of its own words before it."""
    left = [each for each in head.children if each.i < head.i and each.dep_ in _LEFT]
    kept = [each for each in left if not _is_dropped(each)]
    start = min((_edge(each) for each in kept), default=head.i)
    dropped = {inner.i for each in left if _is_dropped(each) for inner in each.subtree} | {
        each.i for each in head.children if each.dep_ in {"det", "case", "cc", "neg"}
    }
    yield from (each for each in head.doc[start : head.i + 1] if each.i not in dropped)
    yield from _after_hyphen(head)
    yield from _whose(head)
    yield from (each for each in head.children if each.dep_ == "nummod" and each.i == head.i + 1)


def _whose(head: Token) -> list[Token]:
    """The "'s" of "I have Parkinson's" and "I work at Sainsbury's", where nothing is owned."""
    named = head.pos_ == "PROPN" and head.dep_ not in {"poss", "compound"}
    return [each for each in children(head, "case") if named and each.lower_ == "'s"]


def _edge(token: Token) -> int:
    return min(each.i for each in token.subtree)


def _after_hyphen(head: Token) -> Iterator[Token]:
    """Tokens that are joined to the noun without a blank: "Q-7", "C++"."""
    at = head.i
    while at + 1 < len(head.doc) and not head.doc[at].whitespace_ and not head.doc[at + 1].is_punct:
        if head.doc[at + 1].tag_ in {"POS", "RB", "VBZ", "VBP", "MD"}:
            return
        at += 1
        yield head.doc[at]


def _is_dropped(token: Token) -> bool:
    if token.dep_ == "poss":
        return token.pos_ == "PRON"
    if token.dep_ == "punct":
        return token.text not in {"-", "$", "/", "#"}
    whole = token.lower_ in {"whole", "entire"} and child(token.head, "poss") is not None
    own = token.lower_ == "own" and child(token.head, "poss") is not None
    if token.lower_ == "longer" or whole or own:
        return True
    return token.dep_ == "advmod" and token.lower_ in words("discourse")


def _is_tail(token: Token, mode: str) -> bool:
    if token.dep_ == "prep":
        if mode != "full" and _is_of_days(token):
            return False
        return token.lower_ in _TAILS.get(mode, _TAILS["noun"]) and any(
            each.dep_ in {"pobj", "pcomp"} for each in token.children
        )
    if mode != "full":
        return False
    if token.dep_ in {"relcl", "acl"}:
        return len(list(token.subtree)) <= 9
    return False


def _is_of_days(prep: Token) -> bool:
    """True for "on Saturdays": when one is there, which is no part of a name."""
    return any(each.lower_.rstrip("s") in words("days") for each in children(prep, "pobj"))


def _without_time(tokens: Iterable[Token], times: Collection[int]) -> list[Token]:
    found = list(tokens)
    if any(each.i in times for each in found):
        return []
    return found


def phrase(verb: Token, times: Collection[int], *, auxiliaries: bool = False) -> str:
    """A verb with its objects: what is liked, planned or done."""
    return spelled(phrase_tokens(verb, times, auxiliaries=auxiliaries))


def phrase_tokens(verb: Token, times: Collection[int], *, auxiliaries: bool = False) -> list[Token]:
    """The tokens of a verb phrase, without subject, time and talk."""
    gone: set[int] = set()
    for each in verb.children:
        subject = each.dep_ in {
            "nsubj",
            "nsubjpass",
            "expl",
            "mark",
            "intj",
            "preconj",
            "csubj",
        }
        subject = subject or (each.dep_ == "cc" and not _joins_objects(each))
        helper = each.dep_ in {"aux", "auxpass"} and not auxiliaries
        aside = (
            each.dep_ in {"advmod", "npadvmod"}
            and each.lower_ in words("discourse")
            and each.lower_ != "back"
        )
        lead = (
            each.i < verb.i
            and each.dep_ in {"prep", "advcl", "advmod", "npadvmod"}
            and _first_is_before(each, verb)
        )
        apart = each.dep_ in {"ccomp", "xcomp"} and _is_apart(each, verb)
        other = apart or (is_clause_child(each) and each.dep_ not in {"xcomp", "ccomp"})
        denied = each.dep_ == "neg" and not auxiliaries
        excepted = each.dep_ == "prep" and (bool(children(each, "neg")) or _is_of_time(each, times))
        if subject or helper or aside or lead or other or denied or excepted:
            gone |= {inner.i for inner in each.subtree}
    kept = [
        each for each in own(verb, with_objects=True) if each.i not in gone and each.i not in times
    ]
    first = min(
        (each.i for each in kept if each == verb or each.dep_ in {"aux", "auxpass"}), default=verb.i
    )
    start = min(first, verb.i)
    helpers = {"aux", "auxpass", "neg", "advmod"} if auxiliaries else set()
    return [
        each
        for each in kept
        if each.i >= start
        or (each.dep_ in helpers and (each.head == verb or each.head.dep_ == "advmod"))
    ]


def _is_of_time(prep: Token, times: Collection[int]) -> bool:
    """True for the "for" of "for the past month" and the "as" of "as of today": the object goes."""
    held = [each for holder in (prep, *children(prep, "prep")) for each in _led(holder)]
    return bool(held) and all(each.i in times for each in held)


def _led(prep: Token) -> list[Token]:
    return children(prep, "pobj", "pcomp")


def _joins_objects(joint: Token) -> bool:
    """True for the "and" between the objects of a verb."""
    joined = [each for each in children(joint.head, "conj") if each.i > joint.i]
    return joint.i > joint.head.i and bool(joined) and not is_clause_child(joined[0])


def _is_apart(clause: Token, verb: Token) -> bool:
    """True for a clause before the verb, or behind a dash or a colon: a sentence of its own."""
    if clause.i < verb.i:
        return True
    return clause.left_edge.i > 0 and clause.doc[clause.left_edge.i - 1].text in {
        "-",
        ":",
        ";",
        ",",
    }


def _first_is_before(token: Token, verb: Token) -> bool:
    """True for what stands before the subject: "Last week I ..."."""
    subject = next(iter(children(verb, "nsubj", "nsubjpass")), None)
    return subject is None or token.i < subject.i


def is_amount(head: Token) -> bool:
    """True for a figure, and for what is counted or paid by one."""
    return (
        head.like_num
        or head.tag_ == "CD"
        or any(each.like_num for each in children(head, "nummod", "compound"))
    )


def is_year(token: Token) -> bool:
    """True for a year in figures."""
    return _YEAR.fullmatch(token.text) is not None


def make_of(head: Token) -> str:
    """The "Skoda Fabia" of "an old Skoda Fabia"."""
    parts = value(head, "name", ()).split()
    return " ".join(dropwhile(lambda part: not part[:1].isupper(), parts))


def is_vague(head: Token) -> bool:
    """True for a noun that says nothing without what was said around it."""
    if (head.pos_ == "PRON" and head.lower_ not in _ANYTHING) or head.tag_ in {"WP", "WDT", "EX"}:
        return True
    if head.lower_ in {"ones", "those"} and _meant_by_ones(head) is not None:
        return False
    if head.lower_ == "ones" or any(each.lower_ == "same" for each in head.children):
        return True
    described = any(
        each.dep_ in {"compound", "amod", "nmod"} and lemma(each) not in words("plain")
        for each in head.children
    )
    restricted = any(
        each.dep_ in {"prep", "relcl", "acl"} for each in head.children if each.i > head.i
    )
    vague = lemma(head) in words("vague") or head.lower_ in _ANYTHING
    return vague and not described and not restricted
