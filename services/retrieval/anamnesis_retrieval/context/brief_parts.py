"""The parts of a brief: which memories tell what stands, is known, was learned and was said last.

Pure functions over what memory answered, the newest first. A thing is told once.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from anamnesis_libs.index.analysis import tokens as terms_of
from anamnesis_libs.talk.filler import is_marker, is_small_talk, only_went_well
from anamnesis_libs.talk.phrases import pattern
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import announced_rules, lays_down
from anamnesis_retrieval.context.gist import as_gist
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.standing import standing_sentences
from anamnesis_retrieval.model import Candidate, Part, Remembered
from anamnesis_retrieval.ranking.recency import weightiest_first

SAID_MAX = 8
"""So many of the last things said tell where one stopped."""
SAID_CHARS_MAX = 10_000
"""Of a longer text its beginning is read."""
LINE_CHARS_MAX = 160
RULE_CHARS_MAX = 200
"""What is to last is said in fewer; a longer sentence asks for something."""
LEAD_CHARS_MAX = 20
"""A shorter sentence that leads to code says nothing besides."""
ALIKE_SHARE = 0.7
"""Of the words of the shorter of two rules or facts that say the same."""
LEARNED_PARTS = (Part.STANDING, Part.KNOWN, Part.LEARNED)
AT_WORK = ("tool", "assistant")
"""Roles of what is said and printed within a turn of an agent."""
HAPPENED = frozenset({"event", "experience"})
"""Facts of these categories tell what happened once."""
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~).{0,200}$", re.MULTILINE)

Told = tuple[Candidate, Remembered]
"""A candidate, and its memory as it is told."""


def candidates_of(
    part: Part, found: Sequence[Candidate], wanted: ContextRequest
) -> Sequence[Candidate]:
    """The candidates of a part that are worth reading, the best first."""
    others = [one for one in found if not (own := wanted.own_session) or one.session_id != own]
    match part:
        case Part.SAID:
            return list(_prompts_and_reports(others))
        case Part.KNOWN:
            return [one for one in others if not (one.is_standing or one.category in HAPPENED)]
        case Part.LEARNED if wanted.asked_at is not None:
            return weightiest_first(others, wanted.asked_at)
    return others


def _prompts_and_reports(newest_first: Sequence[Candidate]) -> Iterator[Candidate]:
    """The words of people, and an agent's last ones before it was spoken to again.

    Its words between its tools are of steps that are done, and those of its subagents, whose
    sessions are named after the one that they work for, are a part of its work.
    """
    sessions = {one.session_id for one in newest_first} - {""}
    behind: dict[str, str] = {}
    for one in newest_first:
        if one.session_id.rpartition(".")[0] in sessions:
            continue
        ends_turn = behind.get(one.session_id) not in AT_WORK
        if one.role == "user" or (one.role == "assistant" and ends_turn):
            yield one
        behind[one.session_id] = one.role


def parts_of(
    chosen: Mapping[Part, Sequence[Candidate]], by_id: Mapping[str, Remembered]
) -> dict[Part, list[Told]]:
    """The memories of each part as they are told, each thing once."""
    there = {
        part: [(one, by_id[one.memory_id]) for one in held if one.memory_id in by_id]
        for part, held in chosen.items()
    }
    learned = [one for part in LEARNED_PARTS for one in chosen[part] if not one.role]
    standing = list(_standing(there[Part.STANDING], learned))
    laid_down = {source for one, _ in standing for source in (one.memory_id, *one.source_ids)}
    said = list(islice(_said(there[Part.SAID], laid_down), SAID_MAX))
    known = [(one, replace(memory, speaker="")) for one, memory in there[Part.KNOWN]]
    return {
        Part.STANDING: standing,
        Part.SAID: said,
        Part.KNOWN: list(_once(known, [*standing, *filter(_is_short, said)])),
        Part.LEARNED: list(_learned(there[Part.LEARNED])),
    }


def _was_read(said: Candidate, learned: Sequence[Candidate]) -> bool:
    """True where something was learned later from a session, or from all that is newer."""
    until = [one.create_time_us for one in learned if one.session_id == said.session_id]
    oldest = min((one.create_time_us for one in learned), default=-1)
    return said.create_time_us <= max(until, default=oldest)


def _standing(held: Sequence[Told], learned_since: Sequence[Candidate]) -> Iterator[Told]:
    """Rules that were learned, then what was said and is none of these.

    Where a session was learned from since, what was said counts if it is to last by its words.
    """
    learned = [(one, replace(memory, speaker="")) for one, memory in held if not one.role]
    rules = [_words(memory.content) for _, memory in learned]
    said = [
        (one, _laid_down(memory, rules, lasting=_was_read(one, learned_since)))
        for one, memory in held
        if one.role and not is_marker(memory.content)
    ]
    return _once([*learned, *(told for told in said if told[1].content)])


def _is_short(told: Told) -> bool:
    """True for a line of a person that there is room for in any case."""
    one, memory = told
    return one.role == "user" and len(memory.content) <= LINE_CHARS_MAX


def _once(held: Sequence[Told], others: Sequence[Told] = ()) -> Iterator[Told]:
    """The memories without those that say what others, or one before them, say."""
    kept = [_words(memory.content) for _, memory in others]
    for one, memory in held:
        words = _words(memory.content)
        if not any(_alike(words, each) for each in kept):
            kept.append(words)
            yield one, memory


def _words(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    shorter = min(len(words), len(others))
    return shorter > 0 and len(words & others) >= ALIKE_SHARE * shorter


def _laid_down(
    memory: Remembered, learned: Sequence[frozenset[str]], *, lasting: bool
) -> Remembered:
    """The memory by the sentences that lay something down, or those that do so for ever.

    What was learned as a rule is left out.
    """
    announced = announced_rules(memory.content)
    sentences = standing_sentences(memory)
    kept = [one for one in sentences if not lasting or one in announced or _is_to_last(one)]
    told = [one for one in kept if not any(_alike(_words(one), rule) for rule in learned)]
    return replace(memory, content="\n".join(told))


def _is_to_last(sentence: str) -> bool:
    is_short = len(sentence) <= RULE_CHARS_MAX and not sentence.endswith(("?", "？"))
    return is_short and bool(pattern("lasting").search(sentence))


def _said(held: Sequence[Told], laid_down: Collection[str]) -> Iterator[Told]:
    """The last things said, the newest first, without code and without rules that stand already.

    An agent's offers are told where nobody has answered them.
    """
    spoken: set[str] = set()
    for place, (one, memory) in enumerate(held):
        text = _without_code(memory.content[:SAID_CHARS_MAX])
        if one.memory_id in laid_down:
            text = "\n".join(_not_laid_down(text, memory.role))
        if one.role == "assistant":
            text = _without_offers(text) if one.session_id in spoken else text
            says_nothing = only_went_well(text)
        else:
            says_nothing = is_small_talk(text) and not _answers(place, held)
        spoken.add(one.session_id)
        if text.strip() and not says_nothing:
            yield one, replace(memory, content=text)


def _not_laid_down(text: str, role: str) -> Iterator[str]:
    """The sentences of a text that are no rules."""
    announced = announced_rules(text)
    for unit in units_of(text):
        if unit.text not in announced and not lays_down(unit.text, role):
            yield unit.text


def _without_offers(text: str) -> str:
    for unit in units_of(text):
        if unit.text.endswith(("?", "？")) and pattern("offer").search(unit.text):
            text = text.replace(unit.text, "")
    return text


def _answers(place: int, held: Sequence[Told]) -> bool:
    """True for what was said right after a question: "do it" tells what was decided then."""
    session = held[place][0].session_id
    before = next((memory for one, memory in held[place + 1 :] if one.session_id == session), None)
    return before is not None and before.content.rstrip().endswith(("?", "？"))


def _without_code(text: str) -> str:
    """A text without its blocks of code."""
    *before, last = _FENCE.split(text)[::2]
    return "\n".join([*map(_without_lead, before), last])


def _without_lead(text: str) -> str:
    """A text that code follows, without the sentence that leads to it; a first one says more."""
    units = units_of(text)
    leads = bool(units) and units[-1].text.endswith((":", "："))
    leads = leads and (len(units) > 1 or len(text) <= LEAD_CHARS_MAX)
    return text.rstrip().removesuffix(units[-1].text) if leads else text


def _learned(held: Sequence[Told]) -> Iterator[Told]:
    """Lessons and procedures by their gist; of those with one title the first."""
    seen: set[str] = set()
    for one, memory in held:
        by_gist = as_gist(memory)
        title, _, rest = by_gist.content.partition("\n")
        key = " ".join(word for word in title.casefold().split() if word.isalpha()) or title
        if key not in seen and not _alike(_words(title), _words(rest)):
            yield one, by_gist
        seen.add(key)
