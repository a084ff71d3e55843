"""Skills as folders in the open agent-skills format: a SKILL.md of front matter and instructions.

The format's rules (agentskills.io): `name` and `description` are required. A name has 1 to 64 small
letters, digits and single hyphens, begins and ends with none, and is that of its folder; a
description has 1 to 1,024 characters. Values of `metadata` are texts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_cli.failures import WrongUsage

FILE = "SKILL.md"
SOURCES = Path("references") / "sources.md"
NAME_CHARS_MAX = 64
DESCRIPTION_CHARS_MAX = 1024
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_STEP = re.compile(r"^\d+[.)]\s+(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ground:
    """A memory that a skill rests on, with the places of the drawers that it was taken from."""

    memory_id: str
    told: str
    drawers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkillFile:
    """A SKILL.md that was read: `text` is all of it, `steps` are the numbered lines in it."""

    name: str
    description: str
    text: str
    steps: tuple[str, ...]
    left_out: tuple[str, ...]
    """Other files of its folder, which are not kept."""


def read_folder(folder: Path) -> SkillFile:
    """The skill of a folder.

    Raises:
        WrongUsage: there is no SKILL.md, or it breaks a rule of the format; the message says which.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WrongUsage(
            f"cannot read {path}: {error.strerror}", "name a folder that holds a SKILL.md"
        ) from error
    except UnicodeDecodeError as error:
        raise WrongUsage(f"{path} is no UTF-8 text", "save it as UTF-8") from error
    front, body = _parts(text, path)
    name, description = _said(front, "name"), _said(front, "description")
    _check(name, description, folder.resolve().name, path)
    rest = sorted(
        str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file() and one != path
    )
    return SkillFile(name, description, text, tuple(_STEP.findall(body)), tuple(rest))


def folder_files(memory: Memory, name: str, sources: Sequence[Ground]) -> dict[Path, str]:
    """The files of a skill's folder, by their paths in it.

    One that was imported is written as it was; of any other the lessons are told that it rests on,
    with the drawers that they were taken from.
    """
    if _FRONT_MATTER.match(memory.content):
        return {Path(FILE): memory.content}
    front = {
        "name": name,
        "description": description_of(memory),
        "metadata": {
            "anamnesis-memory": memory.memory_id,
            "anamnesis-written-by": memory.provenance.model or "a person",
            "anamnesis-revision": str(memory.revision),
        },
    }
    head = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=10_000)
    body = memory.content.strip()
    files = {}
    if sources:
        body += f"\n\nWhat this rests on: [sources]({SOURCES.as_posix()})"
        files[SOURCES] = _sources(sources)
    return {Path(FILE): f"---\n{head}---\n\n{body}\n", **files}


def description_of(memory: Memory) -> str:
    """The description of a skill: what it is about, and when to use it."""
    part = memory.procedure
    about = f"{part.name.replace('-', ' ').capitalize()}. " if part.name else ""
    told = " ".join(f"{about}Use when {part.goal}".split()) if part.goal else about.strip()
    return told[:DESCRIPTION_CHARS_MAX] or "A skill."


def unused_name(wanted: str, taken: Iterable[str]) -> str:
    """A name as the format wants it, and none of those that are taken."""
    plain = "-".join(re.findall(r"[a-z0-9]+", wanted.lower()))[:NAME_CHARS_MAX].strip("-")
    name, number = plain or "skill", 1
    while name in {*taken}:
        number += 1
        name = f"{(plain or 'skill')[: NAME_CHARS_MAX - 4].strip('-')}-{number}"
    return name


def _parts(text: str, path: Path) -> tuple[object, str]:
    found = _FRONT_MATTER.match(text)
    if found is None:
        raise WrongUsage(
            f"{path} has no front matter",
            "begin it with ---, `name:` and `description:`, and --- on a line",
        )
    try:
        return yaml.safe_load(found[1]), text[found.end() :]
    except yaml.YAMLError as error:
        told = " ".join(str(error).split())
        raise WrongUsage(f"the front matter of {path} is no YAML: {told}", "mend it") from error


def _said(front: object, field: str) -> str:
    value = front.get(field) if isinstance(front, dict) else None
    return " ".join(value.split()) if isinstance(value, str) else ""


def _check(name: str, description: str, folder: str, path: Path) -> None:
    if not name:
        raise WrongUsage(f"{path} has no name", "add `name:`, the name of its folder")
    if not _NAME.fullmatch(name) or len(name) > NAME_CHARS_MAX:
        raise WrongUsage(
            f"{path}: the name {name!r} is none of 1 to {NAME_CHARS_MAX} small letters, digits and "
            "single hyphens",
            "give it another name, and its folder too",
        )
    if name != folder:
        raise WrongUsage(
            f"{path}: the name {name!r} is not that of its folder, {folder!r}", "rename one of them"
        )
    if not 0 < len(description) <= DESCRIPTION_CHARS_MAX:
        raise WrongUsage(
            f"{path}: the description has {len(description)} characters",
            f"say in 1 to {DESCRIPTION_CHARS_MAX} characters what it does and when to use it",
        )


def _sources(sources: Sequence[Ground]) -> str:
    lines = ["# What this skill rests on", ""]
    for one in sources:
        lines.append(f"- {' '.join(one.told.split())} (memory `{one.memory_id}`)")
        if one.drawers:
            lines.append(f"  - from {', '.join(one.drawers)}")
    return "\n".join(lines) + "\n"
