"""One run: every turn in through the API, every question asked, and the baselines beside it.

Each conversation is a namespace. The suite is asked for its 50 best in its default mode, a few
questions at once; the baselines rank in this process, with vectors of the same embedder.
"""

import collections
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anamnesis_libs.models.ports import Matrix
from benchmarks.recall.baselines import NAMES as BASELINES
from benchmarks.recall.baselines import Baselines
from benchmarks.recall.client import Answer, Client, Place
from benchmarks.recall.contexts import Ranked, measure_contexts
from benchmarks.recall.conversations import Conversation, Dataset, Question
from benchmarks.recall.embedding import Vectors
from benchmarks.recall.loading import Loaded, RunFailed, check_model, each, load
from benchmarks.recall.metrics import LEARNED, RANKING_MAX, Judged, Ranking, judge
from benchmarks.recall.progress import Advance, stage
from benchmarks.recall.results import OURS, SetResult

_TEXTS_AT_ONCE_MAX = 256


@dataclass(frozen=True, slots=True)
class Options:
    """The measures of one run.

    Attributes:
        budgets: tokens that contexts may have.
        learn: the pipeline runs before questions are asked; what was learned takes its place
            among the hits, and counts as no evidence.
        with_baselines: the plain rankings are measured too.
    """

    budgets: Sequence[int]
    learn: bool = False
    with_baselines: bool = True


async def measure(
    client: Client, vectors: Vectors, dataset: Dataset, options: Options
) -> SetResult:
    """Run one data set through the suite and the baselines.

    Raises:
        RunFailed: indexing stalls, models differ, or a search answers what was never put in.
        AnamnesisError: a call fails.
    """
    loaded = await load(client, dataset, learn=options.learn)
    await check_model(client, vectors, [one.namespace for one in loaded])
    answers = await _ask(client, dataset, loaded)
    ranked = [
        Ranked(one, question, ranking_of(one.conversation, answer.places))
        for one, question, answer in answers
    ]
    contexts = await measure_contexts(client, dataset, ranked, options.budgets)
    judged: dict[str, Sequence[Judged]] = {OURS: [_judged(one) for one in ranked]}
    if options.with_baselines:
        judged |= await _rank_plainly(vectors, dataset)
    return SetResult(
        name=dataset.name,
        sha256=dataset.sha256,
        conversations=len(dataset.conversations),
        turns=dataset.turn_count,
        questions=dataset.question_count,
        judged=judged,
        latencies_ms=[answer.latency_ms for _, _, answer in answers],
        profiles=collections.Counter(answer.profile for _, _, answer in answers),
        degraded=sorted({reason for _, _, answer in answers for reason in answer.degraded}),
        contexts=contexts,
    )


async def _ask(
    client: Client, dataset: Dataset, loaded: Sequence[Loaded]
) -> list[tuple[Loaded, Question, Answer]]:
    """Ask every question of its namespace."""
    asked = [(one, question) for one in loaded for question in one.conversation.questions]
    with stage(f"{dataset.name}: questions asked", dataset.question_count) as advance:

        async def ask(pair: tuple[Loaded, Question]) -> tuple[Loaded, Question, Answer]:
            one, question = pair
            answer = await client.search(
                one.namespace, question.text, one.asked_at, one.revision, RANKING_MAX
            )
            advance(1)
            return one, question, answer

        return await each(asked, ask)


def _judged(one: Ranked) -> Judged:
    conversation = one.loaded.conversation
    return judge(one.question, one.ranking, conversation.session_of, conversation.conversation_id)


def ranking_of(conversation: Conversation, places: Sequence[Place]) -> Ranking:
    """The turns at these places.

    Raises:
        RunFailed: there is no turn at a place, or a place came twice.
    """
    turns = {
        Place(session.session_id, index): turn.turn_id
        for session in conversation.sessions
        for index, turn in enumerate(session.turns)
    }
    said = [place for place in places if not place.learned]
    unknown = [place for place in said if place not in turns]
    if unknown or len(set(said)) < len(said):
        raise RunFailed(
            f"{conversation.conversation_id}: a search answers "
            + (f"{unknown[0]}, which is no turn" if unknown else "the same turn twice")
        )
    return [LEARNED if place.learned else turns[place] for place in places]


async def _rank_plainly(vectors: Vectors, dataset: Dataset) -> Mapping[str, Sequence[Judged]]:
    """Judge the baselines on every question, in the order of `_ask`."""
    judged: dict[str, list[Judged]] = {name: [] for name in BASELINES}
    count = dataset.turn_count + dataset.question_count
    with stage(f"{dataset.name}: texts embedded for the baselines", count) as advance:
        for conversation in dataset.conversations:
            turns, questions = conversation.turns, conversation.questions
            rows = await _embed(vectors, [turn.text for turn in turns], advance)
            asked = await _embed(vectors, [question.text for question in questions], advance)
            baselines = Baselines(turns, rows)
            session_of, name = conversation.session_of, conversation.conversation_id
            for question, vector in zip(questions, asked, strict=True):
                for system, ranking in baselines.rank(question.text, vector).items():
                    judged[system].append(judge(question, ranking, session_of, name))
    return dict(judged)


async def _embed(vectors: Vectors, texts: Sequence[str], advance: Advance) -> Matrix:
    parts = []
    for start in range(0, len(texts), _TEXTS_AT_ONCE_MAX):
        part = texts[start : start + _TEXTS_AT_ONCE_MAX]
        parts.append(await vectors.of(part))
        advance(len(part))
    return np.concatenate(parts)
