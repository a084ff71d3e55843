"""One run: each question's history into a namespace of its own, then the question.

As many questions as calls are worked on at once; of the file no more is in memory.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis_libs.tokens import TokenCounter, load_counter
from benchmarks.longmemeval.answering import Answered, Examiner
from benchmarks.longmemeval.dataset import Case
from benchmarks.longmemeval.recall import recall
from benchmarks.recall.client import Block, Client
from benchmarks.recall.contexts import judge_block, plain_block, shown, turns_of
from benchmarks.recall.lines import PLAIN_LINES
from benchmarks.recall.loading import Loaded, await_vectors, each
from benchmarks.recall.metrics import Judged, Ranking
from benchmarks.recall.progress import stage
from benchmarks.recall.readable import Passages
from benchmarks.recall.results import OURS
from benchmarks.recall.run import ranking_of

# So many turns are searched for a session among the first k.
TURNS_A_SESSION = 10

_NAMESPACE_CHARS_MAX = 63
_NOT_IN_NAMESPACES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Options:
    """The measures of one run.

    Attributes:
        name: of the file; leads the names of namespaces.
        depths: of recall.
        budgets: tokens that contexts may have.
        answer_budget: the budget of the contexts that answers are taken from.
        learn: the pipeline runs before the question is asked.
        at_once_max: questions that are worked on at once.
    """

    name: str
    depths: Sequence[int]
    budgets: Sequence[int]
    answer_budget: int
    learn: bool
    at_once_max: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it went.

    Attributes:
        question_id: as the file has it.
        turn_count: turns of its history.
        recall: its scores of sessions and turns.
        contexts: its scores by budget and system.
        degraded: reasons why anything could not take part, normally none.
        answered: its answer; None where no models were named.
    """

    question_id: str
    turn_count: int
    recall: Judged
    contexts: Mapping[int, Mapping[str, Judged]]
    degraded: Sequence[str]
    answered: Answered | None

    @property
    def category(self) -> str:
        """The type of the question, or that it cannot be answered."""
        return self.recall.category


async def measure(
    client: Client, cases: Iterable[Case], options: Options, examiner: Examiner | None
) -> list[Asked]:
    """Run the questions through the suite, in the order of the file.

    Raises:
        DataMissing, FileInvalid: as the file is read.
        RunFailed: indexing stalls, or a search answers what was never put in.
        AnamnesisError: a call to the suite fails.
    """
    tokens = load_counter("o200k_base")
    with stage(f"{options.name}: questions asked", None) as advance:

        async def one(case: Case) -> Asked:
            run = _Run(client, case, options, tokens)
            asked = await run.ask(await run.load(), examiner)
            advance(1)
            return asked

        return await each(cases, one, options.at_once_max)


def namespace_of(name: str, question_id: str) -> str:
    """The namespace of a question; the files have the same questions with other histories."""
    plain = _NOT_IN_NAMESPACES.sub("-", f"{name}-{question_id}".lower()).strip("-")
    return plain[-_NAMESPACE_CHARS_MAX:].strip("-")


@dataclass(frozen=True, slots=True)
class _Run:
    """One question on its way."""

    client: Client
    case: Case
    options: Options
    tokens: TokenCounter

    async def load(self) -> Loaded:
        """Put the history into the question's namespace, and wait until all is indexed."""
        conversation, revision = self.case.conversation, ""
        namespace = namespace_of(self.options.name, self.case.question_id)
        for session in conversation.sessions:
            revision = await self.client.append(namespace, session)
        if self.options.learn:
            async for _ in self.client.learn(namespace):
                pass
        count = len(conversation.turns)
        await await_vectors(self.client, namespace, [namespace], count, lambda _: None)
        return Loaded(conversation, namespace, revision)

    async def ask(self, loaded: Loaded, examiner: Examiner | None) -> Asked:
        """Search, build the contexts, and have the question answered where there is an examiner."""
        case, question = self.case, self.case.question
        limit = TURNS_A_SESSION * max(self.options.depths)
        found = await self.client.search(
            loaded.namespace, question.text, self._now, loaded.revision, limit
        )
        ranking = ranking_of(loaded.conversation, found.places)
        scores = recall(case, ranking, self.options.depths)
        blocks = {budget: await self._block(loaded, budget) for budget in self.options.budgets}
        context = blocks[self.options.answer_budget].text
        degraded = {*found.degraded, *(why for each in blocks.values() for why in each.degraded)}
        return Asked(
            case.question_id,
            len(case.conversation.turns),
            Judged(question.category, scores, case.question_id),
            await self._judged(loaded, ranking, blocks),
            sorted(degraded),
            await examiner.examine(case, context) if examiner else None,
        )

    async def _block(self, loaded: Loaded, budget: int) -> Block:
        question = self.case.question.text
        return await self.client.build_context(
            loaded.namespace, question, budget, loaded.revision, now=self._now
        )

    async def _judged(
        self, loaded: Loaded, ranking: Ranking, blocks: Mapping[int, Block]
    ) -> Mapping[int, Mapping[str, Judged]]:
        """The scores of the blocks, and of plain lines at the same budgets."""
        question, name = self.case.question, self.case.question_id
        passages = Passages(loaded.conversation).of(question)
        turn_of = await turns_of(self.client, loaded)
        judged = {}
        for budget, block in blocks.items():
            ours = shown(block, turn_of, self.tokens)
            plain = plain_block(loaded.conversation, ranking, budget, self.tokens)
            judged[budget] = {
                OURS: judge_block(question, passages, ours, budget, name),
                PLAIN_LINES: judge_block(question, passages, plain, budget, name),
            }
        return judged

    @property
    def _now(self) -> Timestamp:
        """The date of the question."""
        stamp = Timestamp()
        stamp.FromDatetime(self.case.asked_at)
        return stamp
