"""Versions of a statement: a later memory among the best replaces an earlier one.

Facts decide where there are some: two of a subject and a predicate, of which one was superseded.
Before anything is learned, lines decide: both are one statement with another ending; or both are a
user's, with about the same of the question's words or of one relation of life, and the later has a
word of change.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from anamnesis_libs.cjk import CHARACTER
from anamnesis_libs.index.analysis import is_question
from anamnesis_libs.talk.asking import RELATIVES, is_about_caller
from anamnesis_libs.talk.changes import tells_change, tells_plan
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import topics_of
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.model import ConversationKind, Ranked, Remembered
from anamnesis_retrieval.ranking.restated import Statement, restates, statement_of

COMPARED_MAX = 16
"""So many of the best are compared with each other."""
COMPARED_CHARS_MAX = 1_000
LIGHT_TERMS = frozenset(
    [
        "get",
        "got",
        "go",
        "come",
        "know",
        "tell",
        "say",
        "like",
        "want",
        "need",
        "make",
        "take",
        "use",
        "thing",
        "time",
        "day",
        "new",
        "old",
        "now",
        "today",
        "last",
        "current",
        "still",
        "first",
        "drop",
        "switch",
        "chang",
        "replac",
        "cancel",
        "stop",
        "decid",
        "start",
        "began",
        "begin",
        "end",
        "finish",
    ]
)
"""Terms that two sentences may share without being about one thing."""
_LIGHT_CJK = re.compile(
    r"[我你他她它们們的是在有用什么麼哪里裡谁誰怎样樣现現这這那个個了吗嗎呢吧]+"
)
"""Terms of Chinese that say as little: 我们, 什么."""
_WITH = re.compile(r"[和跟与與同]")
_OPENING_CHARS = 4
_OF_SOMEBODY = re.compile(
    r"[他她](?![们們])|认识了|認識了|保姆|护工|護工|租客|房客|同事|朋友|邻居|鄰居"
)
"""Somebody else, where a sentence does not speak of its speaker: 他老倒班."""
_ELDERS = r"(?:mum|mom|dad|grandma|grandpa|granny|nana|papa|mama)"
_OWN_RELATIVE = re.compile(rf"\s*(?:(?:my|our) \w+(?: \w+)?|{_ELDERS}\b)", re.IGNORECASE)
_AS_SPEAKER = re.compile(rf"\s*(?:(?:my|our) \w+(?: \w+)?|{_ELDERS}) and I\b", re.IGNORECASE)
_NAMES_ANOTHER = re.compile(r"^(?:[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")
"""The opening of a sentence about somebody else."""
_OF_ANOTHER = re.compile(r"\s*(?:his|her|their)\b", re.IGNORECASE)
LIKENESS_MIN = 0.5
"""Two lines match the same words of a question by this Jaccard index, weighed by rarity."""
RELATIONS = frozenset(
    {"home.residence", "home.rent", "work.job", "devices.phone", "devices.vehicle"}
)
"""Relations of which a person has one answer at a time, as a rule."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The later memory that replaces one, and the sentences of the older that no longer hold."""

    newer_id: str
    sentences: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, what it has of the question, and whether it tells of a change."""

    text: str
    statement: Statement
    terms: frozenset[str]
    relations: frozenset[str]
    changes: bool


@dataclass(frozen=True, slots=True)
class _Line:
    """A memory with those of its sentences that have anything of the question."""

    memory: Remembered
    sentences: Sequence[_Sentence]


def replaced(
    memories: Sequence[Remembered], asked: PromptReading, kind: ConversationKind
) -> Mapping[str, Replacement]:
    """Return the replacement of each memory that a later one of the best replaces, by its id.

    People who talk to each other tell of changes in every other line: there facts alone decide.
    Each step of a session of work tells of changes too: within a session only a line that is said
    again replaces.
    """
    facts_alone = kind is ConversationKind.PEOPLE
    by_session = kind is ConversationKind.PLAIN
    compared = ("",) if facts_alone else ("", "user")
    memories = [one for one in memories[:COMPARED_MAX] if one.fact_line or one.role in compared]
    relations = asked.topics.relations & RELATIONS
    terms = {term for term in asked.terms if not _is_light(term)}
    ties = asked.topics.relations & RELATIVES
    by_age = sorted(memories, key=moment)
    lines = [_Line(one, list(_sentences(one, terms, relations, ties))) for one in by_age]
    found: dict[str, Replacement] = {}
    for place, older in enumerate(lines):
        for newer in lines[place + 1 :]:
            gone = _gone(newer, older, asked.terms, by_session=by_session)
            if gone:
                found[older.memory.memory_id] = Replacement(newer.memory.memory_id, gone)
                break
    return found


def without_ended(hits: Sequence[Ranked], older: Mapping[str, Replacement]) -> list[Ranked]:
    """The hits without facts that had ended, but for those that another of the hits replaced."""
    told = {hit.candidate.memory_id for hit in hits}
    return [
        hit
        for hit in hits
        if not hit.candidate.ended
        or ((new := older.get(hit.candidate.memory_id)) and new.newer_id in told)
    ]


def newer_first(hits: Sequence[Ranked], older: Mapping[str, Replacement]) -> list[Ranked]:
    """The hits, with each replaced memory behind the memory that replaced it."""
    places = {hit.candidate.memory_id: place for place, hit in enumerate(hits)}

    def place(hit: Ranked) -> tuple[float, bool]:
        memory_id = hit.candidate.memory_id
        best = min(
            (
                places[old]
                for old, new in older.items()
                if new.newer_id == memory_id and old in places
            ),
            default=places[memory_id],
        )
        return min(best, places[memory_id]), memory_id in older

    return sorted(hits, key=place)


def moment(memory: Remembered) -> tuple[int, str, int]:
    """The sort key of a memory by time: when it was said, its session, its place in the session."""
    return (memory.event_time_us or 0, memory.session_id, memory.event_index)


def _is_light(term: str) -> bool:
    return term in LIGHT_TERMS or _LIGHT_CJK.fullmatch(term) is not None


def is_of_another(sentence: str, ties: AbstractSet[str]) -> bool:
    """True for a sentence about another relative than the question: 老婆调到市医院了."""
    opening = sentence.lstrip()[:_OPENING_CHARS]
    if CHARACTER.search(opening):
        if not ties and _OF_SOMEBODY.search(sentence) and "我" not in sentence:
            return True
        with_speaker = _WITH.search(opening)
    else:
        found = _OWN_RELATIVE.match(sentence)
        opening, with_speaker = found[0] if found else "", _AS_SPEAKER.match(sentence)
    told = topics_of(opening).relations & RELATIVES
    return bool(told - ties) and not with_speaker


def _sentences(
    memory: Remembered,
    terms: AbstractSet[str],
    relations: frozenset[str],
    ties: AbstractSet[str],
) -> Iterator[_Sentence]:
    for unit in units_of(memory.content[:COMPARED_CHARS_MAX]):
        if is_of_another(unit.text, ties):
            continue
        said = statement_of(unit.text)
        held = topics_of(unit.text).relations if relations else relations
        strange = bool(ties) and not held & ties and CHARACTER.search(unit.text) is not None
        shared = frozenset() if strange else relations & held
        if said.terms & terms or shared:
            changes = tells_change(unit.text) and not tells_plan(unit.text)
            yield _Sentence(unit.text, said, said.terms & terms, shared, changes)


def _gone(
    newer: _Line, older: _Line, weights: Mapping[str, float], *, by_session: bool
) -> frozenset[str]:
    """The sentences of the older line that the newer one replaces; empty where there are none."""
    new, old = newer.memory, older.memory
    if new.fact_line or old.fact_line:
        closed = new.fact_line == old.fact_line and old.superseded and not new.superseded
        return frozenset({old.content} if closed else ())
    if (new.role, new.speaker) != (old.role, old.speaker):
        return frozenset()
    terms = weights.keys()
    again = frozenset(
        earlier.text
        for earlier in older.sentences
        if any(restates(later.statement, earlier.statement, terms) for later in newer.sentences)
    )
    one_session = by_session and new.session_id and new.session_id == old.session_id
    if again or one_session or moment(new)[:2] == moment(old)[:2]:
        return again
    changing = [one for one in newer.sentences if one.changes]
    return frozenset(
        earlier.text
        for earlier in older.sentences
        if any(_of_one_thing(later, earlier, weights) for later in changing)
    )


def _are_of_one_person(later: str, earlier: str) -> bool:
    """False where English speaks of its speaker in one sentence alone: "Theo got a new job".

    "His teacher is Mrs. Faria" is of somebody else again.
    """
    if CHARACTER.search(later) or CHARACTER.search(earlier):
        return True
    if is_question(earlier) and not is_about_caller(earlier):
        return False
    if _OF_ANOTHER.match(later) or _OF_ANOTHER.match(earlier):
        return False
    return is_about_caller(later) or not _NAMES_ANOTHER.search(later)


def _of_one_thing(later: _Sentence, earlier: _Sentence, weights: Mapping[str, float]) -> bool:
    """True where two sentences answer the question with different words.

    What asks states nothing, unless it tells of a relation of life in passing.
    """
    if later.statement.terms >= earlier.statement.terms:
        return False
    if later.relations & earlier.relations:
        return _are_of_one_person(later.text, earlier.text)
    if is_question(later.text) or is_question(earlier.text):
        return False
    shared = sum(weights[term] for term in later.terms & earlier.terms)
    either = sum(weights[term] for term in later.terms | earlier.terms)
    return shared > 0 and shared >= LIKENESS_MIN * either
