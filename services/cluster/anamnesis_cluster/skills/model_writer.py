"""The writer of skills that asks a chat model: one call writes, a second checks, a third judges."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath

from anamnesis_cluster.skill_model import Advice, Evidence, Path, Skill, Step
from anamnesis_cluster.skills.gates import statements_of, unheard
from anamnesis_cluster.skills.wording import slug
from anamnesis_cluster.skills.words import shared_terms
from anamnesis_cluster.skills.writers import Assignment, Checked, Spent, Written
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.tokens import TokenCounter

PROMPTS = FilePath(__file__).parent / "prompts"
OUTPUT_TOKENS_MAX = 4096
PATHS_MAX = 20
"""Ways that are shown beside the lessons."""
DECLINED = "the model found too little in common"
_TERMS_MAX = 6
_TERMS_SHARE = 0.5

Entry = Mapping[str, Json]


class ModelWriter:
    """A `Writer` over a chat model; closing the model is its owner's."""

    def __init__(self, model: ChatModel, counter: TokenCounter, budget_tokens: int) -> None:
        """`budget_tokens` is what the lessons of one question may take."""
        self._model = model
        self._counter = counter
        self._budget_tokens = budget_tokens
        self._skill = Prompt.load(PROMPTS, "crystallise_skill")
        self._check = Prompt.load(PROMPTS, "crystallise_check")
        self._judge = Prompt.load(PROMPTS, "crystallise_judge")

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def write(self, task: Assignment, spent: Spent) -> Written:
        """Ask for a skill."""
        lessons, paths = self._shown(task)
        request = self._skill.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            label=task.label,
            count=str(len(lessons)),
            lessons=_numbered([one.said for one in lessons]),
            ways=_numbered([_way(one) for one in paths], len(lessons)),
            known=task.known.text if task.known else "",
        )
        answer = await self._ask(request, spent)
        sources = [*(one.memory_id for one in lessons), *(one.memory_id for one in paths)]
        if answer.get("declined") is True:
            return Written(None, DECLINED)
        return Written(self._mapped(task, lessons, answer, sources))

    async def check(self, skill: Skill, task: Assignment, spent: Spent) -> Checked:
        """Ask which statements the lessons bear out.

        A command or figure that stands in no lesson is not borne out, whatever the model says.
        """
        statements = statements_of(skill)
        lessons, paths = self._shown(task)
        evidence = [*(one.said for one in lessons), *map(_way, paths)]
        request = self._check.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            count=str(len(statements)),
            lessons=_numbered(evidence),
            statements=_numbered(statements),
        )
        answer = await self._ask(request, spent)
        said = {_number(one, "statement"): one.get("verdict") for one in _each(answer, "verdicts")}
        everything = "\n".join(evidence)
        grounded = [
            said.get(number) == "grounded" and not unheard(statement, everything)
            for number, statement in enumerate(statements, 1)
        ]
        contradicted = sum(verdict == "contradicted" for verdict in said.values())
        share = sum(grounded) / len(grounded) if grounded else 0.0
        return Checked(_only(skill, grounded), share, contradicted)

    async def prefers(self, text: str, task: Assignment, spent: Spent) -> bool:
        """Ask which version is better, the known one first; a draw is no preference."""
        if task.known is None or not task.held_out:
            return True
        request = self._judge.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            count=str(len(task.held_out)),
            tasks=_numbered([one.said for one in task.held_out]),
            first=task.known.text,
            second=text,
        )
        return (await self._ask(request, spent)).get("better") == "second"

    async def _ask(self, request: ChatRequest, spent: Spent) -> Entry:
        answer = await self._model.ask(request)
        spent.tokens += answer.usage.tokens
        return answer.data if isinstance(answer.data, dict) else {}

    def _shown(self, task: Assignment) -> tuple[list[Evidence], list[Path]]:
        """The lessons that fit the model's budget, from the first on, then ways of their tasks."""
        segments = {one.segment_id for one in task.lessons if one.segment_id}
        near = [one for one in task.paths if one.segment_id in segments][:PATHS_MAX]
        left = self._budget_tokens
        lessons: list[Evidence] = []
        for lesson in task.lessons:
            left -= self._counter.count(lesson.said)
            if left < 0:
                return lessons, []
            lessons.append(lesson)
        paths: list[Path] = []
        for path in near:
            left -= self._counter.count(_way(path))
            if left < 0:
                break
            paths.append(path)
        return lessons, paths

    def _mapped(
        self,
        task: Assignment,
        lessons: Sequence[Evidence],
        answer: Entry,
        sources: Sequence[str],
    ) -> Skill:
        """The skill of an answer; what cites no lesson that was shown is left out."""
        title = _text(answer, "title") or task.label
        steps = (
            Step(
                _text(one, "do"),
                _text(one, "done_when"),
                _text(one, "on_failure"),
                _cited(one, sources),
            )
            for one in _each(answer, "steps")
        )
        advice = (
            Advice(_text(one, "when"), _text(one, "do"), sources=_cited(one, sources))
            for one in _each(answer, "failures")
        )
        avoid = answer.get("avoid")
        return Skill(
            name=slug(title, task.label),
            title=title,
            trigger=_text(answer, "trigger"),
            steps=tuple(one for one in steps if one.do and one.sources),
            advice=tuple(one for one in advice if one.do and one.sources),
            avoid=tuple(str(one) for one in avoid) if isinstance(avoid, list) else (),
            terms=tuple(shared_terms([one.said for one in lessons], _TERMS_SHARE)[:_TERMS_MAX]),
            model=self.name,
            read_ids=tuple(sources),
        )


def _only(skill: Skill, grounded: Sequence[bool]) -> Skill:
    """A skill without the statements that nothing bears out."""
    steps = [one for one, kept in zip(skill.steps, grounded, strict=False) if kept]
    rest = grounded[len(skill.steps) :]
    advice = [one for one, kept in zip(skill.advice, rest, strict=True) if kept]
    return Skill(
        name=skill.name,
        title=skill.title,
        trigger=skill.trigger,
        steps=tuple(steps),
        advice=tuple(advice),
        avoid=skill.avoid,
        terms=skill.terms,
        model=skill.model,
        read_ids=skill.read_ids,
    )


def _way(path: Path) -> str:
    told = (f"{number}. {step.do}" for number, step in enumerate(path.steps, 1))
    return "\n".join([f"{path.name}: {path.goal}", *told])


def _numbered(texts: Sequence[str], after: int = 0) -> str:
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, after + 1))


def _each(answer: Entry, name: str) -> Iterator[Entry]:
    entries = answer.get(name)
    for one in entries if isinstance(entries, list) else ():
        if isinstance(one, dict):
            yield one


def _text(entry: Entry, name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(entry: Entry, name: str) -> int:
    value = entry.get(name)
    return value if isinstance(value, int) else 0


def _cited(entry: Entry, sources: Sequence[str]) -> tuple[str, ...]:
    """The memories that an entry cites by number; none where it cites what was not shown."""
    numbers = entry.get("lessons")
    named = numbers if isinstance(numbers, list) else []
    cited = [sources[n - 1] for n in named if isinstance(n, int) and 0 < n <= len(sources)]
    return tuple(dict.fromkeys(cited)) if len(cited) == len(named) else ()
