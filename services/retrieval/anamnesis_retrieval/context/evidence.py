"""Evidence for a memory, and whether anything of a scope belongs into a prompt.

Standardised scores rank well and say nothing by themselves: the best of a dozen strangers stands
out as far as an answer does. So two plain measures decide: the cosine, and the share of the
question's words, weighed by rarity, that one memory has. Their sum (`strength`) is compared with a
floor that grows with the scope, since the best of many strangers is closer than the best of few.

Measured with MiniLM on questions with answers and on questions about other people's lives, asked
of scopes of 12 to 690 turns (LoCoMo and its first sessions, BEAM, MemoryBank, short profiles):
the floor lies between the 2nd to 5th percentile of the first and the 90th to 95th of the second.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anamnesis_libs.index.analysis import is_question
from anamnesis_libs.talk.asking import asks_in_general, is_request, tells
from anamnesis_libs.talk.topics import Topics, topics_of
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.model import Candidate, ConversationKind, Remembered, ScopeShape
from anamnesis_retrieval.ranking.named_time import nearness
from anamnesis_retrieval.ranking.portrait import introduces, tells_of_life
from anamnesis_retrieval.ranking.relevance import coverage
from anamnesis_retrieval.ranking.turns import tells_turn

COVERAGE_SHARE, WORDS_ALONE_SHARE = 0.5, 1.3
"""The weight of the words beside a cosine, and where there is none: with .5 alone, contexts of nine
of ten answered questions were empty on LoCoMo as long as no memory had its vector, now of one in
eight, and three of four strangers' questions still are."""
FLOOR_AT_ONE, FLOOR_PER_DECADE, FLOOR_MAX = 0.10, 0.145, 0.60
STRANGER_PENALTY = 0.2
"""Added to the floor where the question is about people whom the scope does not know."""
RECORD_LENIENCY = 0.15
"""Taken off the floor in a log of work whose question names who takes part in it."""
STANDING_STRENGTH, STANDING_LENIENCY = 0.25, 0.15
"""The strength of what stands that counts: in a small scope; so much below a larger one's floor."""
SMALL_SCOPE_MAX = 100
"""Up to this size it is enough that something is of the question's relation."""
RELATION_STRENGTH = 0.2
"""By so much less may speak for what is of the question's relation in a larger scope."""
NARROW = frozenset(
    {
        *("home", "family", "pets", "health", "work.job", "work.colleague", "devices.vehicle"),
        "sport.exercise",
    }
)
"""Matters and relations of which a life has so little that each statement may be the answer."""
WEAK_RELATIONS = frozenset(
    {"names.name", "schedule.date", "schedule.time", "money.unit", "writing.text", "shopping.buy"}
)
"""Relations of too many things: a name, a date."""
GENERAL_COVERAGE_MIN = 0.5
"""What an agent was asked in general has so many of the words asked for, or no vector counts."""
GENERAL_AGAIN_MIN = 0.8
"""The same where the prompt, too, speaks of no caller: less is another such question."""
# Chinese: most pairs of characters straddle two words, and an English embedder's cosine tells
# nothing; one that reads Chinese finds any two lines a little alike.
CJK_CHARACTERS_SHARE = 0.5
CJK_FLOOR_AT_ONE, CJK_FLOOR_PER_DECADE = 0.14, 0.04
CJK_COSINE_SHARE, CJK_COSINE_MIN, CJK_COSINE_FLOOR = 1.5, 0.25, 0.12
"""Weight of a cosine above the least that counts; the floor rises where cosines are read."""
CJK_LENIENCY, FEW_CHATS_MAX = 0.1, 50
"""Taken off it, where cosines are read, for the caller's life; none in scopes of so many."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for one memory.

    `strength` is by words and vector; `same_relation` says that the memory is about the relation of
    life that is asked for (`family.partner`), `same_matter` that it is of the same corner of life;
    `said_then` is 1 for what was said on a day that is asked for, less for what was said after it;
    `tells_particular` says that a person tells something of the sort that is asked for: a name.
    """

    strength: float
    same_relation: bool = False
    same_matter: bool = False
    said_then: float = 0.0
    tells_particular: bool = False
    states_relation: bool = False
    """True where a person tells something of the relation, and asks for nothing."""


@dataclass(frozen=True, slots=True)
class EvidenceJudge:
    """Says what speaks for the memories of one answer; made by `judge_of`."""

    asked: PromptReading
    scope: ScopeShape
    rarity: Mapping[str, float]
    """The weight of each of the question's meaningful characters, by its rarity in the answer."""
    untold: bool = False
    """True in a small scope without a word of the caller's relative, or particular, asked about."""
    doubted: bool = False
    """True where what was learned tells the question apart from what is answered (`doubt.py`)."""

    def all_evidence(self, found: Sequence[tuple[Candidate, Remembered]]) -> Sequence[Evidence]:
        """The evidence for each memory whose text is known.

        In a large scope relations are read only where nothing else makes the context speak.
        """
        wanted = Topics(self.asked.topics.matters, self.asked.relations)
        topics = wanted if self.is_small or self._is_of_a_life else Topics()
        plainly = [self._evidence(*one, topics) for one in found]
        if topics == Topics() != wanted and self.asked.about_caller and not self.speaks(plainly):
            return [self._evidence(*one, wanted) for one in found]
        return plainly

    @property
    def _is_of_a_life(self) -> bool:
        """True where no line need have a word of the prompt: "Who am I?", "my hobbies"."""
        return self.asked.portrays or (self.asked.surveys and not self.is_small)

    def _evidence(self, candidate: Candidate, memory: Remembered, topics: Topics) -> Evidence:
        held = topics_of(memory.content) if topics != Topics() else topics
        same = bool((topics.relations & held.relations) - WEAK_RELATIONS)
        told = memory.role == "user" and any(
            tells(one, memory.content) for one in self.asked.particulars
        )
        if self.asked.changed:
            then = nearness([self.asked.changed], memory.event_time_us) == 1.0
            same = then and memory.role == "user" and tells_turn(memory.content)
        elif self.asked.surveys and not self.is_small:
            same = same and memory.role == "user" and tells_of_life(memory.content)
        elif self.asked.portrays:
            same = same and memory.role == "user" and introduces(memory.content)
        return Evidence(
            self._strength(candidate, memory.content),
            same,
            bool(topics.matters & held.matters),
            nearness(self.asked.times, memory.event_time_us),
            tells_particular=told,
            states_relation=_is_narrow(topics.relations & held.relations)
            and same
            and memory.role == "user"
            and not asks(memory.content),
        )

    @property
    def floor(self) -> float:
        """The strength that something must have before a context speaks."""
        return (self._cjk_floor if self.asked.is_cjk else self._english_floor) + self.scope.stricter

    @property
    def _cjk_floor(self) -> float:
        decades = math.log10(max(self.scope.size, 1))
        at_one = CJK_FLOOR_AT_ONE + CJK_COSINE_FLOOR * self.scope.reads_cjk
        floor = at_one + CJK_FLOOR_PER_DECADE * decades
        floor -= CJK_LENIENCY * self._smallness * self.scope.reads_cjk
        return floor + STRANGER_PENALTY * self._asks_of_strangers

    @property
    def _english_floor(self) -> float:
        floor = self._plain_floor
        if self.asked.about_record and self.scope.kind is ConversationKind.PLAIN:
            floor -= RECORD_LENIENCY
        return floor + STRANGER_PENALTY * self._asks_of_strangers

    @property
    def is_small(self) -> bool:
        """True in a scope of few memories."""
        return self.scope.size <= SMALL_SCOPE_MAX

    @property
    def standing_floor(self) -> float:
        """The strength from which a standing memory is of the prompt's matter by its words."""
        if self.is_small:
            return STANDING_STRENGTH
        return max(STANDING_STRENGTH, self._plain_floor - STANDING_LENIENCY)

    @property
    def _plain_floor(self) -> float:
        return floor_of_size(self.scope.size)

    @property
    def _asks_of_strangers(self) -> bool:
        return self.untold or bool(self.asked.strangers)

    @property
    def _is_of_own_life(self) -> bool:
        """True for a question of the asker's own life in a small scope: all of it may be told.

        Words and vectors of a few dozen lines miss one in seven of such questions, and what is told
        besides does no harm: an agent reads that the answer is not there.
        """
        return self.asked.about_caller and self.is_small

    @property
    def _smallness(self) -> float:
        """1 for a question of the caller's life in the smallest scope, 0 in one of many chats."""
        of_life = self.asked.about_caller or bool(self.asked.topics.matters)
        return max(0.0, 1 - self.scope.size / FEW_CHATS_MAX) if of_life else 0.0

    def speaks(self, found: Sequence[Evidence]) -> bool:
        """True if something in the scope answers so much of the prompt that it belongs there."""
        if self.asked.is_talk or self.doubted:
            return False
        if self.asked.portrays or self.asked.changed:
            return any(one.same_relation for one in found)
        if self.asked.ahead:
            return bool(found)
        if any(self.asked.recalls_time or one.strength >= self.floor for one in found):
            return True
        if self.asked.is_request or self._asks_of_strangers:
            return False
        return (self.is_small or self.asked.about_caller) and self._speaks_of_life(found)

    def _speaks_of_life(self, found: Sequence[Evidence]) -> bool:
        """True if less evidence is enough: of the asker's life, of a day, of a relation."""
        if self._is_of_own_life or any(one.said_then == 1.0 for one in found):
            return True
        if any(one.tells_particular or self._surveys(one) for one in found):
            return True
        return self._answers_relation(found) or self.speaks_by_relation_alone(found)

    def _answers_relation(self, found: Sequence[Evidence]) -> bool:
        needed = self.scope.stricter if self.is_small else self.floor - RELATION_STRENGTH
        return any(one.same_relation and one.strength >= needed for one in found)

    def speaks_by_relation_alone(self, found: Sequence[Evidence]) -> bool:
        """True in a larger scope where nothing but what is told of the relation answers."""
        told = not self.is_small and any(map(self.tells_of_relation, found))
        return told and not self._answers_relation(found)

    def tells_of_relation(self, one: Evidence) -> bool:
        """True for what a person states of the relation, however little its words are alike."""
        return one.states_relation and one.strength >= self.scope.stricter

    def _surveys(self, one: Evidence) -> bool:
        return self.asked.surveys and one.same_relation

    def _strength(self, candidate: Candidate, content: str) -> float:
        if not self.asked.is_cjk:
            strength = strength_of(candidate, self.scope)
            general = self._asks_in_general(candidate, content)
            return strength - max(0.0, candidate.cosine) if general else strength
        covered = coverage(candidate, self.scope)
        whole = sum(self.rarity.values())
        shared = sum(weight for character, weight in self.rarity.items() if character in content)
        near = max(0.0, candidate.cosine - CJK_COSINE_MIN) if self.scope.reads_cjk else 0.0
        if self._asks_in_general(candidate, content):
            if not self.asked.about_caller:
                return 0.0  # what two tasks share is the words of any task: 写一首关于
            near = 0.0
        characters = shared / whole if whole else 0.0
        return covered + CJK_CHARACTERS_SHARE * characters + CJK_COSINE_SHARE * near

    def _asks_in_general(self, candidate: Candidate, content: str) -> bool:
        """True for a question to an agent that is of nobody's life and of another matter.

        "Can you explain how a heat pump works?" is near to whatever else one may ask how it works.
        """
        if self.is_small or self.scope.kind is not ConversationKind.ROLES:
            return False
        if candidate.role != "user" or self.asked.about_agent or self.asked.recalls_time:
            return False
        least = GENERAL_COVERAGE_MIN if self.asked.about_caller else GENERAL_AGAIN_MIN
        if coverage(candidate, self.scope) >= least:
            return False
        return asks_in_general(content)


def _is_narrow(relations: frozenset[str]) -> bool:
    """True for a relation of which a life has little: a home, a partner; not for its pastimes."""
    return any(each in NARROW or each.partition(".")[0] in NARROW for each in relations)


def asks(content: str) -> bool:
    """True for what asks a question, or for something to be done."""
    return is_question(content) or is_request(content)


def floor_of_size(size: int) -> float:
    """The strength that an English question wants in a scope of so many memories."""
    return min(FLOOR_AT_ONE + FLOOR_PER_DECADE * math.log10(max(size, 1)), FLOOR_MAX)


def strength_of(candidate: Candidate, scope: ScopeShape) -> float:
    """The cosine, and the share of an English question's words, by rarity, that a memory has.

    Where a memory was compared by no vector, the words count for both.
    """
    share = COVERAGE_SHARE if candidate.cosine else WORDS_ALONE_SHARE
    return max(0.0, candidate.cosine) + share * coverage(candidate, scope)


def judge_of(
    asked: PromptReading,
    scope: ScopeShape,
    memories: Sequence[Remembered],
    *,
    doubted: bool = False,
) -> EvidenceJudge:
    """The judge of an answer; characters are weighed by their rarity among its memories.

    Of a small scope these are all, or the best: what has the very word of a tie is among them. So
    a relative whom none of them names is untold, and so is a birthday that is in none. Of a user's
    chats with an agent the best are enough to tell so of a relative.
    """
    count = len(memories)
    rarity = {}
    for character in asked.characters:
        holding = sum(character in memory.content for memory in memories)
        rarity[character] = math.log(1 + (count - holding + 0.5) / (holding + 0.5))
    texts = [memory.content for memory in memories]
    untold = False
    if scope.size <= SMALL_SCOPE_MAX or scope.kind is ConversationKind.ROLES:
        untold = _without_relative(asked, texts)
    if scope.size <= SMALL_SCOPE_MAX:
        untold = untold or _without_particulars(asked, texts)
    return EvidenceJudge(asked, scope, rarity, untold, doubted)


def _without_relative(asked: PromptReading, texts: Sequence[str]) -> bool:
    """True where one of the caller's relatives is asked about, of whom no text speaks."""
    relatives = frozenset[str]() if asked.surveys else asked.relatives
    return bool(relatives) and not any(relatives & topics_of(text).relations for text in texts)


def _without_particulars(asked: PromptReading, texts: Sequence[str]) -> bool:
    """True where a particular of the caller is asked for, and no text tells one."""
    particulars = asked.particulars
    return bool(particulars) and not any(tells(one, text) for one in particulars for text in texts)
