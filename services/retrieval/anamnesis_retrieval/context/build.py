"""The verb behind `BuildContext`: two calls to memory, and one that counts what is shown.

The first asks for candidates, by the prompt's words and, where callers ask about themselves, by
words of the same relation of life; beside it what was learned of a life is read, where the prompt
asks for that; the second asks for the texts of the best. What is chosen, cut and written is
decided by pure functions over these.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from anamnesis_libs.errors.root import AnamnesisError
from anamnesis_libs.index.analysis import is_question
from anamnesis_libs.index.analysis import tokens as terms_of
from anamnesis_libs.talk.asking import asks_of_person
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import LIKING
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.context.already import (
    ShownAlready,
    digest_of,
    is_apart,
    was_laid_down,
    was_told,
)
from anamnesis_retrieval.context.asked import PromptReading, read_prompt
from anamnesis_retrieval.context.doubt import is_doubted
from anamnesis_retrieval.context.evidence import Evidence, EvidenceJudge, judge_of
from anamnesis_retrieval.context.excerpts import Excerpt, told
from anamnesis_retrieval.context.find import find
from anamnesis_retrieval.context.gist import forms_of
from anamnesis_retrieval.context.hits import context_hits, in_order, wanted_ids
from anamnesis_retrieval.context.known_facts import asks_of_then, told_first, without_outdated
from anamnesis_retrieval.context.likings import (
    dated_liking,
    likings_told,
)
from anamnesis_retrieval.context.model import CitationReason, Context, Empty, Entry
from anamnesis_retrieval.context.packing import Prospect, Prospects, folded, pack, told_whole
from anamnesis_retrieval.context.progress import newest_report
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.standing import concerns, is_standing, standing_sentences
from anamnesis_retrieval.context.steps import steps_first
from anamnesis_retrieval.context.versions import Replacement, newer_first, replaced, without_ended
from anamnesis_retrieval.context.voices import is_asked_run
from anamnesis_retrieval.context.worth import SMALL_SCOPE, by_worth
from anamnesis_retrieval.context.writing import (
    CLOSING,
    FACTS,
    KNOWN,
    LEARNED,
    OPENING,
    Style,
    write,
)
from anamnesis_retrieval.model import CandidateSet, Mode, Ranked, Ranking, Remembered
from anamnesis_retrieval.ports import Memories
from anamnesis_retrieval.ranking.language import is_cjk
from anamnesis_retrieval.ranking.newest import is_about_past
from anamnesis_retrieval.ranking.relevance import coverage
from anamnesis_retrieval.reranking.rerank import Reranking, reread

TOOL_COVERAGE_MIN = 0.25
"""The share of the prompt's words, by rarity, from which a tool's output is shown."""
TOKENS_DEFAULT = 1024
LIKINGS_LEFT = 3
"""Of the best so many, a liking that answers the prompt is told as an answer, whole."""
ANSWER_TERMS_MAX = 5
"""A text of no more terms may not be understood without the question before it."""
QUESTION_TOKENS_MAX = 40
"""A longer question is not repeated for its answer."""
BY_FACT = ("fact",)
"""How a fact that is told first was found."""
STRENGTH_MIN = 0.05
"""The strength from which a memory is shown in a small scope even without a matched word."""


@dataclass(frozen=True, slots=True)
class Built:
    """A context, what memory answered for it, and the tokens that it might have had."""

    context: Context
    found: CandidateSet
    budget: int


async def build_context(
    memories: Memories,
    wanted: ContextRequest,
    tokens: TokenCounter,
    already: ShownAlready | None = None,
    reranking: Reranking | None = None,
) -> Built:
    """Find what concerns a prompt, write it within its budget, count what is shown.

    Uses that cannot be counted are told as degraded: the context is good all the same.
    """
    revision = wanted.at_least_revision
    query, found, known = await find(
        memories, wanted.query, wanted.mode, revision, wanted.own_session, wanted.asked_at
    )
    wanted = replace(wanted, query=query, asked_at=found.on_clock(wanted.asked_at))
    budget = wanted.budget or found.context_tokens or TOKENS_DEFAULT
    wanted = replace(wanted, budget=budget)
    hits = context_hits(found, wanted)
    first = told_first(known, wanted.query, wanted.as_of or wanted.asked_at)
    ids = wanted_ids(hits, wanted)
    told_in = [source for fact in first for source in fact.source_ids]
    fetched = await memories.fetch(list(dict.fromkeys((*ids, *told_in))), found.revision)
    if reranking is not None and hits:
        read = await reread(reranking, found.query, hits, fetched)
        hits = in_order(read.hits, found, wanted) if read.order else read.hits
        found = found.degraded_by(*read.degraded)
    had = already.of(wanted.session) if already and wanted.session else ()
    context = await asyncio.to_thread(
        write_context, found, hits, fetched, wanted, tokens, had, first
    )
    return Built(context, await counted(memories, context, found, wanted, already), budget)


async def counted(
    memories: Memories,
    context: Context,
    found: CandidateSet,
    wanted: ContextRequest,
    already: ShownAlready | None,
) -> CandidateSet:
    """Note what a context shows; what memory answered, degraded where uses are not counted."""
    if already and wanted.session:
        already.add(wanted.session, context.whole)
    try:
        await memories.report_shown([one.memory_id for one in context.citations])
    except AnamnesisError as error:
        return found.degraded_by(f"uses were not counted: {error.message}")
    return found


def write_context(
    found: CandidateSet,
    hits: Sequence[Ranked],
    memories: Sequence[Remembered],
    wanted: ContextRequest,
    tokens: TokenCounter,
    had: Collection[bytes] = (),
    known: Sequence[Remembered] = (),
) -> Context:
    """Choose among fetched memories what the prompt is to be told, and write it down.

    What has one of the digests in `had` was shown already. `known` are facts that are told first.
    """
    if not found.scope.size:
        return Context(empty=Empty.NOTHING_VISIBLE)
    builder = _Builder(found, hits, {one.memory_id: one for one in memories}, wanted, tokens.count)
    chosen = builder.choose(known)
    if chosen.is_empty:
        return Context(empty=Empty.NOTHING_RELEVANT)
    chosen = builder.not_had(chosen, had)
    if chosen.is_empty:
        return Context(empty=Empty.ALREADY_SHOWN)
    style = _style(wanted)
    prospects = builder.prospects(chosen)

    def packed(room: int) -> tuple[list[Entry], int]:
        return pack(prospects, room, wanted.limit, style, tokens.count)

    return within(wanted.budget, packed, style, tokens, chosen.older)


def within(
    budget: int,
    packed: Callable[[int], tuple[list[Entry], int]],
    style: Style,
    tokens: TokenCounter,
    older: Mapping[str, Replacement],
    whole_of: Callable[[Sequence[Entry]], tuple[Remembered, ...]] = told_whole,
) -> Context:
    """Write the entries that `packed` gives for some room, within a budget of tokens.

    What entries cost is only known once they are written: where that is too much, they are packed
    again into as much less room. `older` is folded under what replaced it, and `whole_of` says
    which memories are told whole.
    """
    room = budget - tokens.count(f"{OPENING}\n") - tokens.count(CLOSING)
    while True:
        entries, left_out = packed(room)
        if not entries:
            return Context(left_out=left_out, empty=Empty.BUDGET_TOO_SMALL)
        context = write(folded(entries, older), style, tokens)
        if context.token_count <= budget:
            return replace(context, left_out=left_out, whole=whole_of(entries))
        room -= context.token_count - budget


def _style(wanted: ContextRequest) -> Style:
    past = is_about_past(wanted.query)
    year = wanted.asked_at.year if wanted.asked_at else 0
    return Style(wanted.written, is_cjk(wanted.query), past, wanted.pointers, year)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The memories to show, best first; `older` has the replacement of each that was replaced.

    `strong` are those that answer the prompt by themselves; `speaks` says if some are enough, and
    those `apart` may be told without the others: strong, of what is asked about, or said then.
    """

    asked: PromptReading
    standing: Sequence[Ranked]
    answering: Sequence[Ranked]
    older: Mapping[str, Replacement]
    strong: frozenset[str]
    speaks: Callable[[Collection[str]], bool]
    apart: frozenset[str]
    known: Sequence[Remembered] = ()
    """Facts about whom the prompt asks, which are told first."""
    had: Collection[bytes] = ()
    """The digests of what was shown already."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not (self.standing or self.answering or self.known)


@dataclass(frozen=True, slots=True)
class _Builder:
    found: CandidateSet
    hits: Sequence[Ranked]
    by_id: Mapping[str, Remembered]
    wanted: ContextRequest
    count: Callable[[str], int]

    def choose(self, known: Sequence[Remembered]) -> _Chosen:
        """Return the memories worth showing, best first, and the replacements among them."""
        scope = self.found.scope
        asked = read_prompt(self.wanted.query, scope, self.wanted.asked_at)
        there = [hit for hit in self.hits if hit.candidate.memory_id in self.by_id]
        doubted = self._ranks_as_learned and is_doubted(asked, scope, self.hits)
        judge = judge_of(asked, scope, list(self.by_id.values()), doubted=doubted)
        told_of = judge.all_evidence([(hit.candidate, self._memory(hit)) for hit in there])
        evidence = {hit.candidate.memory_id: own for hit, own in zip(there, told_of, strict=True)}
        standing = [hit for hit in there if self._concerns(hit, evidence, asked, judge)]
        best = {hit.candidate.memory_id for hit in there[:LIKINGS_LEFT]}
        standing += [
            hit
            for hit in likings_told([(hit, self._memory(hit)) for hit in there], asked)
            if hit.candidate.memory_id not in best
            or evidence[hit.candidate.memory_id].strength < judge.floor
        ]
        stands = {hit.candidate.memory_id for hit in standing}
        speaking = judge.speaks(told_of)
        others = [hit for hit in there if speaking and hit.candidate.memory_id not in stands]
        answering = [hit for hit in others if asked.recalls_time or self._fits(hit, evidence)]
        ordered = newest_report(self._by_worth(answering, evidence, asked), self._memory)
        strong = {key for key, one in evidence.items() if one.strength >= judge.floor}
        apart = frozenset(key for key, one in evidence.items() if is_apart(one, judge.floor))
        ordered = steps_first(ordered, self._memory, asked, strong)
        rest = [] if asked.is_request else self._rest(others, answering)
        ordered += self._by_worth(rest, evidence, asked)
        then = asked.about_past or asked.recalls_time
        then = then or asks_of_then(self.wanted.query, self.wanted.asked_at)
        if not (then or self.wanted.as_of):
            known = without_outdated(known, self.by_id.values(), asked.topics.relations)
        ordered = _without(ordered, known, self._memory)
        told_of_all = [*reversed(known), *(self._memory(hit) for hit in (*standing, *ordered))]
        older = {} if then else replaced(told_of_all, asked, scope.kind)
        told = newer_first(ordered, older)
        once = {self._laid_down(self._memory(hit), strong): hit for hit in reversed(standing)}
        laid_down = sorted(once.values(), key=standing.index)

        def speaks(memory_ids: Collection[str]) -> bool:
            return judge.speaks([evidence[one] for one in memory_ids])

        newest = without_ended(told, older)
        return _Chosen(asked, laid_down, newest, older, frozenset(strong), speaks, apart, known)

    @property
    def _ranks_as_learned(self) -> bool:
        """True where scores are those by which doubt was learned."""
        by_all = self.wanted.mode not in (Mode.SEMANTIC, Mode.STRUCTURED)
        return by_all and self.wanted.ranking is Ranking.RELEVANCE

    def not_had(self, chosen: _Chosen, had: Collection[bytes]) -> _Chosen:
        """The chosen without what was shown already: each that is left answers by itself."""
        if not had:
            return chosen
        chosen = replace(chosen, had=had)
        standing = [
            hit
            for hit in chosen.standing
            if (stands := self._as_standing(hit, chosen)).content
            and not was_told(had, stands, self._memory(hit))
        ]
        left = [one for one in chosen.answering if not was_told(had, *forms_of(self._memory(one)))]
        speaks = chosen.speaks([hit.candidate.memory_id for hit in left])
        answering = [hit for hit in left if speaks and hit.candidate.memory_id in chosen.apart]
        facts = [one for one in chosen.known if digest_of(one) not in had]
        return replace(chosen, standing=standing, answering=answering, known=facts)

    def prospects(self, chosen: _Chosen) -> Prospects:
        """The chosen as they may be shown; read once, when they are asked for."""
        return Prospects(
            [cache(partial(self._standing, hit, chosen)) for hit in chosen.standing],
            [cache(partial(self._answering, hit, chosen.asked)) for hit in chosen.answering],
            [partial(self._known, fact) for fact in chosen.known],
        )

    def _by_worth(
        self, hits: Sequence[Ranked], evidence: Mapping[str, Evidence], asked: PromptReading
    ) -> list[Ranked]:
        """The hits, best first; as they come where the caller chose the ranking, or for a time."""
        if self.wanted.ranking is not Ranking.RELEVANCE or asked.recalls_time:
            return list(hits)
        return by_worth(hits, evidence, asked, self.found.scope.size)

    def _memory(self, hit: Ranked) -> Remembered:
        return self.by_id[hit.candidate.memory_id]

    def _concerns(
        self,
        hit: Ranked,
        evidence: Mapping[str, Evidence],
        asked: PromptReading,
        judge: EvidenceJudge,
    ) -> bool:
        memory = self._memory(hit)
        return is_standing(memory) and concerns(memory, evidence[memory.memory_id], asked, judge)

    def _fits(self, hit: Ranked, evidence: Mapping[str, Evidence]) -> bool:
        """True where something speaks for a memory: in a small scope its rank says nothing."""
        own = evidence[hit.candidate.memory_id]
        if hit.candidate.role == "tool" and not is_asked_run(self.wanted.query, hit.candidate):
            covered = coverage(hit.candidate, self.found.scope)
            return covered >= TOOL_COVERAGE_MIN and not asks_of_person(self.wanted.query)
        if self.found.scope.size > SMALL_SCOPE:
            return True
        return own.strength >= STRENGTH_MIN or own.same_matter or bool(hit.candidate.matched_terms)

    def _rest(self, others: Sequence[Ranked], answering: Sequence[Ranked]) -> list[Ranked]:
        """The rest that a person told in a small scope, rules apart: it may fill a budget."""
        if self.found.scope.size > SMALL_SCOPE:
            return []
        there = {hit.candidate.memory_id for hit in answering}
        return [
            hit
            for hit in others
            if hit.candidate.role == "user"
            and not hit.candidate.is_standing
            and hit.candidate.memory_id not in there
        ]

    def _standing(self, hit: Ranked, chosen: _Chosen) -> Prospect | None:
        """A standing memory: by its standing sentences, unless all of it answers the prompt."""
        memory = self._as_standing(hit, chosen)
        return self._prospect(hit, memory, chosen.asked, CitationReason.STANDING)

    def _as_standing(self, hit: Ranked, chosen: _Chosen) -> Remembered:
        memory = self._memory(hit)
        told = [one for one in standing_sentences(memory) if was_laid_down(chosen.had, one)]
        text = self._laid_down(memory, chosen.strong)
        if told:
            text = "\n".join(one for one in standing_sentences(memory) if one not in told)
        return dated_liking(replace(memory, content=text))

    def _laid_down(self, memory: Remembered, strong: Collection[str]) -> str:
        """The text to show of a standing memory: whole if it answers, else its standing parts."""
        if memory.memory_id in strong and memory.category != LIKING:
            return memory.content
        return "\n".join(standing_sentences(memory))

    def _known(self, fact: Remembered) -> Prospect:
        """A fact that is told first, whole."""
        units = units_of(fact.content)
        costs = [self.count(f" {unit.text}") for unit in units]
        said = Excerpt(units, costs, range(len(units)), len(units))
        return Prospect(fact, said, routes=BY_FACT, heading=KNOWN)

    def _answering(self, hit: Ranked, asked: PromptReading) -> Prospect | None:
        memory = self._memory(hit)
        heading = _heading_of(memory)
        told = replace(memory, speaker="") if heading == FACTS else memory
        return self._prospect(hit, told, asked, CitationReason.ANSWERS, heading)

    def _prospect(
        self,
        hit: Ranked,
        memory: Remembered,
        asked: PromptReading,
        reason: CitationReason,
        heading: str = "",
    ) -> Prospect | None:
        names = frozenset(word for name in self.found.scope.names for word in name.lower().split())
        stands = reason is CitationReason.STANDING
        said = told(memory, hit.candidate, asked, names, self.count, by_parts=stands)
        if said is None:
            return None
        question = self._question(hit) if reason is CitationReason.ANSWERS else None
        return Prospect(
            *(memory, said, reason, hit.score, hit.routes, question),
            heading=heading,
            is_asked_for=asked.about_agent and hit.candidate.role == "assistant",
        )

    def _question(self, hit: Ranked) -> Entry | None:
        """The question before a short answer, where it is there."""
        before = self.by_id.get(hit.candidate.previous_id)
        if before is None or len(terms_of(self._memory(hit).content)) > ANSWER_TERMS_MAX:
            return None
        asking = [unit.text for unit in units_of(before.content) if is_question(unit.text)]
        if not asking or self.count(asking[-1]) > QUESTION_TOKENS_MAX:
            return None
        return Entry(before, asking[-1], CitationReason.ASKED)


def _without(
    hits: Sequence[Ranked],
    known: Sequence[Remembered],
    memory_of: Callable[[Ranked], Remembered],
) -> list[Ranked]:
    """The hits without those that are told first, and facts that say the same."""
    first = {fact.memory_id for fact in known}
    said = {fact.content for fact in known}
    return [
        hit
        for hit in hits
        if hit.candidate.memory_id not in first
        and not ((memory := memory_of(hit)).fact_line and memory.content in said)
    ]


def _heading_of(memory: Remembered) -> str:
    """The heading of a procedure, and of a fact that no day of telling leads; "" of all else."""
    if memory.learned and memory.learned.steps:
        return LEARNED
    return FACTS if memory.fact_line and memory.event_time_us is None else ""
