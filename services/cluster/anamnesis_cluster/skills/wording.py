"""The text of a skill, as it is searched, shown, and written into a SKILL.md."""

import re
from collections.abc import Iterable, Iterator

from anamnesis_cluster.skill_model import Advice, Skill, Step

NAME_CHARS_MAX = 64
_NOT_IN_NAME = re.compile(r"[^a-z0-9]+")


def slug(*texts: str) -> str:
    """A name in small letters, digits and hyphens, of the first text that leaves one."""
    for text in texts:
        name = _NOT_IN_NAME.sub("-", text.lower()).strip("-")[:NAME_CHARS_MAX].rstrip("-")
        if name:
            return name
    return "skill"


def text_of(skill: Skill) -> str:
    """The skill in Markdown."""
    return "\n".join(_lines(skill)) + "\n"


def _lines(skill: Skill) -> Iterator[str]:
    yield f"# {skill.title}"
    yield f"\nUse this when {skill.trigger}"
    rules = [one for one in skill.advice if not one.is_failure]
    yield from _under("Steps", (_step(at, one) for at, one in enumerate(skill.steps, 1)))
    yield from _under("When it fails", map(_advice, skill.failures))
    yield from _under("Remember", map(_advice, rules))
    yield from _under("Avoid", (f"- {one}" for one in skill.avoid))


def _under(heading: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines under a heading; nothing where there are none."""
    told = [*lines]
    if told:
        yield f"\n## {heading}\n"
    yield from told


def _step(number: int, step: Step) -> str:
    lines = [f"{number}. {step.do}"]
    if step.done_when:
        lines.append(f"   - Done when: {step.done_when}")
    if step.on_failure:
        lines.append(f"   - If it fails: {step.on_failure}")
    return "\n".join(lines)


def _advice(one: Advice) -> str:
    """An advice, its condition set apart; what could end the mark is left out."""
    when = one.when.replace("**", "").strip()
    return f"- **{when}**: {one.do}" if when else f"- {one.do}"
