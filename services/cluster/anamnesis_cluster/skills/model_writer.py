"""The writer of skills that asks a chat model: one call writes, a second checks, a third judges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath

from anamnesis_cluster.skill_model import Advice, Evidence, KeptSkill, Path, Skill, Step
from anamnesis_cluster.skills.gates import statements_of, unheard
from anamnesis_cluster.skills.wording import slug
from anamnesis_cluster.skills.words import shared_terms
from anamnesis_cluster.skills.writers import Checked, Material, Spent, Written
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

    async def write(self, task: Material, spent: Spent) -> Written:
        """Ask for a skill."""
        lessons, paths = self._shown(task)
        answer = await self._ask(self.skill_request(task), spent)
        sources = [*(one.memory_id for one in lessons), *(one.memory_id for one in paths)]
        if answer.get("declined") is True:
            return Written(None, DECLINED)
        return Written(self._mapped(task, lessons, answer, sources))

    async def check(self, skill: Skill, task: Material, spent: Spent) -> Checked:
        """Ask which statements the lessons bear out.

        A command or figure that stands in no lesson is not borne out, whatever the model says.
        """
        claims = _claims(skill)
        answer = await self._ask(self.check_request(skill, task), spent)
        said = {_number(one, "statement"): one.get("verdict") for one in _each(answer, "verdicts")}
        everything = "\n".join(self._evidence(task))
        grounded = [
            said.get(number) == "grounded" and not unheard(claim, everything)
            for number, claim in enumerate(claims, 1)
        ]
        contradicted = sum(verdict == "contradicted" for verdict in said.values())
        share = sum(grounded) / len(grounded)
        return Checked(_only(skill, grounded, task.label), share, contradicted)

    async def prefers(self, text: str, task: Material, spent: Spent) -> bool:
        """Ask which version is better, the known one first; a draw is no preference."""
        if task.known is None or not task.held_out:
            return True
        request = self.judge_request(task.known, text, task)
        return (await self._ask(request, spent)).get("better") == "second"

    def skill_request(self, task: Material) -> ChatRequest:
        """The question for a skill."""
        lessons, paths = self._shown(task)
        return self._skill.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            label=task.label,
            count=str(len(lessons)),
            lessons=_numbered([one.said for one in lessons]),
            ways=_numbered([_way(one) for one in paths], len(lessons)),
            known=task.known.text if task.known else "",
        )

    def check_request(self, skill: Skill, task: Material) -> ChatRequest:
        """The question about all that a skill claims."""
        claims = _claims(skill)
        return self._check.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            count=str(len(claims)),
            lessons=_numbered(self._evidence(task)),
            statements=_numbered(claims),
        )

    def judge_request(self, known: KeptSkill, text: str, task: Material) -> ChatRequest:
        """The question about two versions, the known one first."""
        return self._judge.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            count=str(len(task.held_out)),
            tasks=_numbered([one.said for one in task.held_out]),
            first=known.text,
            second=text,
        )

    async def _ask(self, request: ChatRequest, spent: Spent) -> Entry:
        answer = await self._model.ask(request)
        spent.tokens += answer.usage.tokens
        return answer.data if isinstance(answer.data, dict) else {}

    def _evidence(self, task: Material) -> list[str]:
        """The lessons and ways that the model is shown."""
        lessons, paths = self._shown(task)
        return [*(one.said for one in lessons), *map(_way, paths)]

    def _shown(self, task: Material) -> tuple[list[Evidence], list[Path]]:
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
        task: Material,
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
        return Skill(
            name=slug(title, task.label),
            title=title,
            trigger=_text(answer, "trigger"),
            steps=tuple(one for one in steps if one.do and one.sources),
            advice=tuple(one for one in advice if one.do and one.sources),
            avoid=_lines(answer, "avoid"),
            terms=tuple(shared_terms([one.said for one in lessons], _TERMS_SHARE)[:_TERMS_MAX]),
            model=self.name,
            read_ids=tuple(sources),
        )


def _claims(skill: Skill) -> list[str]:
    """All that a skill says: its steps, advice and what to avoid, its title, and when to use it."""
    avoid = (f"Avoid: {one}" for one in skill.avoid)
    return [*statements_of(skill), *avoid, skill.title, f"Use this when {skill.trigger}"]


def _only(skill: Skill, grounded: Sequence[bool], label: str) -> Skill:
    """A skill without the claims that nothing bears out.

    Its topic's label stands for such a title, and the words that its lessons share for such a
    trigger.
    """
    kept = iter(grounded)
    steps = tuple(one for one in skill.steps if next(kept))
    advice = tuple(one for one in skill.advice if next(kept))
    avoid = tuple(one for one in skill.avoid if next(kept))
    titled, triggered = next(kept), next(kept)
    about = ", ".join(skill.terms) or label
    return replace(
        skill,
        name=skill.name if titled else slug(label),
        title=skill.title if titled else label,
        trigger=skill.trigger if triggered else f"the work is about {about}.",
        steps=steps,
        advice=advice,
        avoid=avoid,
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


def _lines(entry: Entry, name: str) -> tuple[str, ...]:
    """The texts of a list, each once."""
    lines = entry.get(name)
    told = (
        one.strip() for one in (lines if isinstance(lines, list) else ()) if isinstance(one, str)
    )
    return tuple(dict.fromkeys(filter(None, told)))


def _number(entry: Entry, name: str) -> int:
    value = entry.get(name)
    return value if isinstance(value, int) else 0


def _cited(entry: Entry, sources: Sequence[str]) -> tuple[str, ...]:
    """The memories that an entry cites by number; none where it cites what was not shown."""
    numbers = entry.get("lessons")
    named = numbers if isinstance(numbers, list) else []
    cited = [sources[n - 1] for n in named if isinstance(n, int) and 0 < n <= len(sources)]
    return tuple(dict.fromkeys(cited)) if len(cited) == len(named) else ()
