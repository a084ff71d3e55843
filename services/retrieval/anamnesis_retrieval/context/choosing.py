"""The memories that a context shows: those that stand, those that answer, and what they replace.

Nothing here is cut or written: what is chosen is told whole or in part by `telling.py`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import asks_in_general, asks_of_person, is_request
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import LIKING
from anamnesis_retrieval.context.already import (
    digest_of,
    is_apart,
    was_laid_down,
    was_told,
)
from anamnesis_retrieval.context.asked import PromptReading, read_prompt
from anamnesis_retrieval.context.doubt import is_doubted
from anamnesis_retrieval.context.evidence import Evidence, EvidenceJudge, asks, judge_of
from anamnesis_retrieval.context.gist import forms_of
from anamnesis_retrieval.context.known_facts import asks_of_then, without_outdated
from anamnesis_retrieval.context.likings import dated_liking, likings_told
from anamnesis_retrieval.context.progress import newest_report
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.context.standing import (
    concerns,
    is_healed,
    is_standing,
    standing_sentences,
)
from anamnesis_retrieval.context.steps import steps_first
from anamnesis_retrieval.context.versions import Replacement, newer_first, replaced, without_ended
from anamnesis_retrieval.context.voices import is_asked_run
from anamnesis_retrieval.context.worth import SMALL_SCOPE, by_worth
from anamnesis_retrieval.model import (
    CandidateSet,
    ConversationKind,
    Mode,
    Ranked,
    Ranking,
    Remembered,
    ScopeShape,
)
from anamnesis_retrieval.ranking.agenda import due, still_due
from anamnesis_retrieval.ranking.facts_asked import relations_of_facts
from anamnesis_retrieval.ranking.relevance import coverage

TOOL_COVERAGE_MIN = 0.25
"""The share of the prompt's words, by rarity, from which a tool's output is shown."""
LIKINGS_LEFT = 3
"""Of the best so many, a liking that answers the prompt is told as an answer, whole."""
PORTRAIT_FACTS = 6
"""So many facts say who somebody is, without the lines from which they were learned."""
NEAR_SHARE = 0.5
"""Of the strength of the best that what an agent said must have to be told with it."""
RESPONSE_TERMS_MAX = 5
"""Of so few terms is what an agent only says to be polite."""
STRENGTH_MIN = 0.05
"""The strength from which a memory is shown in a small scope even without a matched word."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The memories to show, best first; `older` has the replacement of each that was replaced.

    `strong` are those that answer the prompt by themselves; `speaks` says if some are enough, and
    those `apart` may be told without the others: strong, of what is asked about, or said then.
    `known` are facts about whom the prompt asks, which are told first.
    """

    asked: PromptReading
    standing: Sequence[Ranked]
    answering: Sequence[Ranked]
    older: Mapping[str, Replacement]
    strong: frozenset[str]
    speaks: Callable[[Collection[str]], bool]
    apart: frozenset[str]
    known: Sequence[Remembered]
    by_id: Mapping[str, Remembered]
    had: Collection[bytes] = ()
    """The digests of what was shown already."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not (self.standing or self.answering or self.known)

    def memory(self, hit: Ranked) -> Remembered:
        """The memory of a hit."""
        return self.by_id[hit.candidate.memory_id]

    def as_standing(self, hit: Ranked) -> Remembered:
        """A memory that stands, with the text that is shown of it, and a liking's day."""
        memory = self.memory(hit)
        text = self._left_of(memory) if self.had else None
        return dated_liking(
            replace(memory, content=_laid_down(memory, self.strong) if text is None else text)
        )

    def _left_of(self, memory: Remembered) -> str | None:
        """The standing sentences that were not told before; None where none of them was."""
        sentences = standing_sentences(memory)
        left = [one for one in sentences if not was_laid_down(self.had, one)]
        return "\n".join(left) if len(left) < len(sentences) else None

    def without(self, had: Collection[bytes]) -> "Chosen":
        """The chosen without what was shown already: each that is left answers by itself."""
        if not had:
            return self
        here = replace(self, had=had)
        standing = [
            hit
            for hit in self.standing
            if (stands := here.as_standing(hit)).content
            and not was_told(had, stands, self.memory(hit))
        ]
        left = [one for one in self.answering if not was_told(had, *forms_of(self.memory(one)))]
        speaks = self.speaks([hit.candidate.memory_id for hit in left])
        answering = [hit for hit in left if speaks and hit.candidate.memory_id in self.apart]
        facts = [one for one in self.known if digest_of(one) not in had]
        return replace(here, standing=standing, answering=answering, known=facts)


def choose(
    found: CandidateSet,
    hits: Sequence[Ranked],
    by_id: Mapping[str, Remembered],
    wanted: ContextRequest,
    known: Sequence[Remembered],
) -> Chosen:
    """Return the memories worth showing, best first, and the replacements among them.

    Args:
        found: what memory answered.
        hits: its candidates in the order of their ranking.
        by_id: the memories that were fetched.
        wanted: the request.
        known: facts about whom the prompt asks.
    """
    weighed = _weighed(found, hits, by_id, wanted)
    asked = weighed.asked
    standing = weighed.standing()
    answering = weighed.answering({hit.candidate.memory_id for hit in standing})
    of_then = weighed.is_of_then
    if not (of_then or wanted.as_of or asked.portrays or asked.changed):
        known = without_outdated(known, by_id.values(), relations_of_facts(wanted.query))
    answering = _without(answering, known, weighed.memory)
    if asked.portrays and len(known) >= PORTRAIT_FACTS:
        answering = []
    told = [*reversed(known), *(weighed.memory(hit) for hit in (*standing, *answering))]
    older = {} if of_then else replaced(told, asked, weighed.scope.kind)
    return Chosen(
        asked=asked,
        standing=weighed.once(standing),
        answering=without_ended(newer_first(answering, older), older),
        older=older,
        strong=weighed.strong,
        speaks=weighed.speaks,
        apart=weighed.apart,
        known=known,
        by_id=by_id,
    )


def _weighed(
    found: CandidateSet,
    hits: Sequence[Ranked],
    by_id: Mapping[str, Remembered],
    wanted: ContextRequest,
) -> "_Weighed":
    asked = read_prompt(wanted.query, found.scope, wanted.asked_at)
    there = [hit for hit in hits if hit.candidate.memory_id in by_id]
    doubted = _ranks_as_learned(wanted) and is_doubted(asked, found.scope, hits)
    judge = judge_of(asked, found.scope, list(by_id.values()), doubted=doubted)
    told_of = judge.all_evidence([(hit.candidate, by_id[hit.candidate.memory_id]) for hit in there])
    evidence = {hit.candidate.memory_id: own for hit, own in zip(there, told_of, strict=True)}
    return _Weighed(found.scope, wanted, by_id, asked, there, judge, evidence)


def _ranks_as_learned(wanted: ContextRequest) -> bool:
    """True where scores are those by which doubt was learned."""
    by_all = wanted.mode not in (Mode.SEMANTIC, Mode.STRUCTURED)
    return by_all and wanted.ranking is Ranking.RELEVANCE


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The hits whose memories are there, best first, with what speaks for each by its id."""

    scope: ScopeShape
    wanted: ContextRequest
    by_id: Mapping[str, Remembered]
    asked: PromptReading
    there: Sequence[Ranked]
    judge: EvidenceJudge
    evidence: Mapping[str, Evidence]

    def memory(self, hit: Ranked) -> Remembered:
        """The memory of a hit."""
        return self.by_id[hit.candidate.memory_id]

    def standing(self) -> list[Ranked]:
        """The rules that concern the prompt, and likings that are told as such."""
        best = {hit.candidate.memory_id for hit in self.there[:LIKINGS_LEFT]}
        likings = likings_told([(hit, self.memory(hit)) for hit in self.there], self.asked)
        return [
            *(hit for hit in self.there if self._concerns(hit)),
            *(
                hit
                for hit in likings
                if hit.candidate.memory_id not in best
                or self._evidence(hit).strength < self.judge.floor
            ),
        ]

    def answering(self, standing: Collection[str]) -> list[Ranked]:
        """The hits that answer, without those that stand; none where nothing speaks enough."""
        if not self.judge.speaks(list(self.evidence.values())):
            return []
        others = [hit for hit in self.there if hit.candidate.memory_id not in standing]
        fitting = self._of_relation([hit for hit in others if self._fits(hit)])
        fitting = self._still_due(self._near_the_best(fitting))
        ordered = newest_report(self._by_worth(fitting), self.memory)
        ordered = steps_first(ordered, self.memory, self.asked, self.strong)
        asked = self.asked
        of_one_kind = asked.is_request or asked.portrays or asked.ahead or asked.changed
        rest = [] if of_one_kind else self._rest(others, fitting)
        return [*ordered, *self._by_worth(rest)]

    def once(self, standing: Sequence[Ranked]) -> list[Ranked]:
        """Those that stand, each text once: the first that has it."""
        by_text = {_laid_down(self.memory(hit), self.strong): hit for hit in reversed(standing)}
        return sorted(by_text.values(), key=standing.index)

    @property
    def is_of_then(self) -> bool:
        """True where the prompt asks how things were, so that nothing is left out as replaced."""
        looks_back = self.asked.about_past or self.asked.recalls_time
        return looks_back or asks_of_then(self.wanted.query, self.wanted.asked_at)

    @property
    def strong(self) -> frozenset[str]:
        """The memories that answer the prompt by themselves."""
        floor = self.judge.floor
        return frozenset(key for key, one in self.evidence.items() if one.strength >= floor)

    @property
    def apart(self) -> frozenset[str]:
        """The memories that may be told without the others."""
        floor = self.judge.floor
        return frozenset(key for key, one in self.evidence.items() if is_apart(one, floor))

    def speaks(self, memory_ids: Collection[str]) -> bool:
        """True if these memories are enough to speak at all."""
        return self.judge.speaks([self.evidence[one] for one in memory_ids])

    @property
    def _least_score(self) -> float:
        """The score of the last hit that did not come just because it stands."""
        return min((hit.score for hit in self.there if not hit.candidate.is_standing), default=0.0)

    def _evidence(self, hit: Ranked) -> Evidence:
        return self.evidence[hit.candidate.memory_id]

    def _by_worth(self, hits: Sequence[Ranked]) -> list[Ranked]:
        """The hits, best first; as they come where the caller chose the ranking, or for a time.

        Of what lies ahead the soonest comes first.
        """
        ahead = self.asked.ahead
        if ahead:
            return sorted(hits, key=lambda hit: due(self.memory(hit), ahead) or ahead.until)
        if self.wanted.ranking is not Ranking.RELEVANCE or self.asked.recalls_time:
            return list(hits)
        return by_worth(hits, self.evidence, self.asked, self.scope.size)

    def _concerns(self, hit: Ranked) -> bool:
        memory = self.memory(hit)
        if not is_standing(memory) or is_healed(memory, self.wanted.asked_at):
            return False
        return concerns(memory, self._evidence(hit), self.asked, self.judge)

    def _fits(self, hit: Ranked) -> bool:
        """True where something speaks for a memory: in a small scope its rank says nothing."""
        if self.asked.ahead:
            return due(self.memory(hit), self.asked.ahead) is not None
        if self.asked.recalls_time or self.asked.portrays or self.asked.changed:
            return self.asked.recalls_time or self._evidence(hit).same_relation
        if hit.candidate.role == "tool" and not is_asked_run(self.wanted.query, hit.candidate):
            covered = coverage(hit.candidate, self.scope)
            return covered >= TOOL_COVERAGE_MIN and not asks_of_person(self.wanted.query)
        own = self._evidence(hit)
        if self.scope.size > SMALL_SCOPE:
            came_unasked = hit.candidate.is_standing and hit.score < self._least_score
            return own.strength >= self.judge.standing_floor or not came_unasked
        return own.strength >= STRENGTH_MIN or own.same_matter or bool(hit.candidate.matched_terms)

    def _of_relation(self, hits: Sequence[Ranked]) -> Sequence[Ranked]:
        """Of a large scope where nothing answers by itself: what tells of the relation asked for.

        That is all where it is what makes the context speak.
        """
        if self.scope.size <= SMALL_SCOPE or self.strong:
            return hits
        if self.asked.surveys:
            return [hit for hit in hits if self._evidence(hit).same_relation]
        if not self.judge.speaks_by_relation_alone(list(self.evidence.values())):
            return hits
        return [hit for hit in hits if self.judge.tells_of_relation(self._evidence(hit))]

    def _near_the_best(self, hits: Sequence[Ranked]) -> Sequence[Ranked]:
        """The hits without what an agent said, or somebody asked it, that is far from the prompt.

        Every line of a chat is near some line that answers. What people state is told all the same:
        of an answer in other words it may be the only one. So is what the agent said to a near
        line, where its own words are asked for; elsewhere its few words to what somebody told say
        nothing ("Good luck!").
        """
        of_agent = self.scope.kind is ConversationKind.ROLES and self.scope.size > SMALL_SCOPE
        asked = self.asked
        of_time = asked.ahead or asked.recalls_time or asked.changed
        if not of_agent or of_time or asked.portrays:
            return hits
        if asked.for_rules:
            return [hit for hit in hits if self._lays_down(hit)]
        least = NEAR_SHARE * max((self._evidence(hit).strength for hit in hits), default=0.0)
        near = {key for key, own in self.evidence.items() if own.strength >= least}
        answered = near if asked.about_agent else frozenset[str]()
        return [
            hit
            for hit in hits
            if self._states(hit)
            or hit.candidate.previous_id in answered
            or (hit.candidate.memory_id in near and not self._only_responds(hit))
        ]

    def _states(self, hit: Ranked) -> bool:
        """True for what a person says and does not ask, nor wants done of no life."""
        candidate = hit.candidate
        stated = candidate.role == "user" and not candidate.is_question
        return stated and not asks_in_general(self.memory(hit).content)

    def _lays_down(self, hit: Ranked) -> bool:
        """True for what a person says that is no task: where rules are asked for."""
        return self._states(hit) and not is_request(self.memory(hit).content)

    def _only_responds(self, hit: Ranked) -> bool:
        """True for a few words of an agent to a line that asks it nothing."""
        before = self.by_id.get(hit.candidate.previous_id)
        if hit.candidate.role != "assistant" or before is None:
            return False
        if len(tokens(self.memory(hit).content)) > RESPONSE_TERMS_MAX:
            return False
        return not any(asks(unit.text) for unit in units_of(before.content))

    def _still_due(self, hits: Sequence[Ranked]) -> Sequence[Ranked]:
        """The hits without plans that came to nothing, where what lies ahead is asked for."""
        if not self.asked.ahead:
            return hits
        left = still_due([self.memory(hit) for hit in hits], map(self.memory, self.there))
        ids = {one.memory_id for one in left}
        return [hit for hit in hits if hit.candidate.memory_id in ids]

    def _rest(self, others: Sequence[Ranked], answering: Sequence[Ranked]) -> list[Ranked]:
        """The rest that a person told in a small scope, rules apart: it may fill a budget."""
        if self.scope.size > SMALL_SCOPE:
            return []
        there = {hit.candidate.memory_id for hit in answering}
        return [
            hit
            for hit in others
            if hit.candidate.role == "user"
            and not hit.candidate.is_standing
            and hit.candidate.memory_id not in there
        ]


def _laid_down(memory: Remembered, strong: Collection[str]) -> str:
    """The text to show of a standing memory: whole if it answers, else its standing parts."""
    if memory.memory_id in strong and memory.category != LIKING:
        return memory.content
    return "\n".join(standing_sentences(memory))


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
