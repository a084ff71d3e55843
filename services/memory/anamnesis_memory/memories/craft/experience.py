"""Collective experience: lessons and procedures of several users, without what fewer of them say.

Users do not see each other's lessons. Those that are alike are told to all as one, in words that
the lessons of at least `USERS_MIN` users have: whatever fewer say, a name, a place, a figure or any
other word, is left out ("…"). What little is left then is not told at all.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.participants import is_of_several
from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.dedup.semantic_diff import differences
from anamnesis_memory.dedup.words import FUNCTION_WORDS
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Status, Visibility
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStatus

USERS_MIN = 3
ALIKE_MIN = 0.5
"""The words that two lessons share, of those that either has, from which they are alike."""
KEPT_MIN = 0.75
"""The part of its words, but for those of grammar, that a lesson must keep to be told."""
WORDS_MIN = 4
"""Of such words, how many must be left."""
CHARS_MAX = 4_000
"""Longer texts are nobody's lesson but their owner's."""
_RARE_WORDS = 12
EXPERIENCE_OF = "experience of "
"""The prefix of an experience's provenance; the number of users behind it follows."""
_OPPOSED = {Aspect.NEGATION, Aspect.DIRECTION, Aspect.CONDITION, Aspect.ORDER}
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_](?:[\w'’]|[-.:/@\\=+](?=\w))*")
_LEFT_OUT = re.compile(r"…(?:[\W_]*…)+")


@dataclass(frozen=True, slots=True)
class Experience:
    """A memory to be told to all, not yet stamped; how many users bear it out, and by what.

    `revision` is the latest of those memories': what has a later one was changed since.
    """

    memory: Memory
    users: int
    source_ids: tuple[str, ...]
    revision: int


def is_experience(memory: Memory) -> bool:
    """True if a memory tells what several users bear out."""
    return memory.provenance.model.startswith(EXPERIENCE_OF)


def may_count(memory: Memory) -> bool:
    """True if a memory is one user's own, and may bear out what all are told."""
    own = memory.visibility is Visibility.PRIVATE_TO_USER and not is_of_several(memory.user_id)
    part = memory.part
    given_up = isinstance(part, Procedure) and part.status is ProcedureStatus.DEPRECATED
    return (
        own
        and bool(memory.user_id)
        and memory.status is Status.ACTIVE
        and memory.kind in {Kind.LEARNING, Kind.PROCEDURAL}
        and len(memory.content) <= CHARS_MAX
        and not given_up
    )


def experiences(memories: Iterable[Memory]) -> tuple[Experience, ...]:
    """The experiences that can be told from memories that count; the same make the same."""
    told = (_told(group) for group in _groups(sorted(memories, key=lambda one: one.memory_id)))
    return tuple(one for one in told if one is not None)


@dataclass(slots=True)
class _Group:
    """Memories that are alike; the first is what others are compared with."""

    members: list[Memory]
    words: frozenset[str]
    of_users: dict[str, set[str]] = field(default_factory=dict)

    def add(self, memory: Memory, words: frozenset[str]) -> None:
        self.members.append(memory)
        self.of_users.setdefault(memory.user_id, set()).update(words)

    def takes(self, memory: Memory, words: frozenset[str]) -> bool:
        first = self.members[0]
        alike = len(self.words & words) >= ALIKE_MIN * len(self.words | words)
        if not alike or memory.kind is not first.kind:
            return False
        said = differences(first.content, memory.content)
        return all(one.aspect not in _OPPOSED for one in said)


def _groups(memories: Sequence[Memory]) -> list[_Group]:
    """Each memory with a group that takes it, found by its rarest words that several have."""
    words = {one.memory_id: frozenset(_words_of(one)) for one in memories}
    common = Counter(word for each in words.values() for word in each)
    groups: list[_Group] = []
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for memory in memories:
        own = words[memory.memory_id]
        shared = sorted((common[word], word) for word in own if common[word] >= USERS_MIN)
        near = {at: None for _, word in shared[:_RARE_WORDS] for at in by_word[word]}
        place = next((at for at in near if groups[at].takes(memory, own)), None)
        if place is None:
            place = len(groups)
            groups.append(_Group([], own))
            for _, word in shared:
                by_word[word].append(place)
        groups[place].add(memory, own)
    return groups


def _told(group: _Group) -> Experience | None:
    """The experience of a group, told by the member that loses least; None if it is little."""
    if len(group.of_users) < USERS_MIN:
        return None
    said_by = Counter(word for words in group.of_users.values() for word in words)
    kept = frozenset(word for word, users in said_by.items() if users >= USERS_MIN)
    teller = max(group.members, key=lambda one: _share_kept(one.content, kept))
    content = _without(teller.content, kept)
    if _share_kept(teller.content, kept) < KEPT_MIN or len(set(_speaking(content))) < WORDS_MIN:
        return None
    users = len(group.of_users)
    memory = Memory(
        memory_id="",
        kind=teller.kind,
        content=content,
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.GENERATED, model=f"{EXPERIENCE_OF}{users} users"),
        category=teller.category if _all_kept(teller.category, kept) else "",
        tags=tuple(tag for tag in teller.tags if _all_kept(tag, kept)),
        importance=max(one.importance for one in group.members),
        confidence=min(one.confidence for one in group.members),
        part=_part_of(teller, kept),
    )
    latest = max(one.revision for one in group.members)
    return Experience(memory, users, tuple(one.memory_id for one in group.members), latest)


def _part_of(memory: Memory, kept: frozenset[str]) -> Lesson | Procedure | None:
    def clean(text: str) -> str:
        return _without(text, kept)

    match memory.part:
        case Lesson() as lesson:
            return Lesson(
                title=clean(lesson.title),
                context=clean(lesson.context),
                resolution=clean(lesson.resolution),
                impact=lesson.impact,
            )
        case Procedure() as procedure:
            return _procedure(procedure, clean)
        case _:
            return None


def _procedure(procedure: Procedure, clean: Callable[[str], str]) -> Procedure:
    steps = tuple(
        replace(
            step,
            action=clean(step.action),
            spec=clean(step.spec),
            success_criteria=clean(step.success_criteria),
            on_failure=clean(step.on_failure),
        )
        for step in procedure.steps
    )
    return Procedure(
        name=clean(procedure.name),
        goal=clean(procedure.goal),
        steps=steps,
        avoid=tuple(map(clean, procedure.avoid)),
        trigger_tags=tuple(tag for tag in procedure.trigger_tags if clean(tag) == tag),
        status=procedure.status,
    )


def _without(text: str, kept: frozenset[str]) -> str:
    """A text without the words that are not kept."""
    told = _WORD.sub(lambda found: found[0] if found[0].casefold() in kept else "…", text)
    return _LEFT_OUT.sub("…", told)


def _words(text: str) -> list[str]:
    return [found.casefold() for found in _WORD.findall(text)]


def _words_of(memory: Memory) -> Iterator[str]:
    yield from _words(memory.content)
    yield from (word for text in _texts_of(memory) for word in _words(text))


def _texts_of(memory: Memory) -> Iterator[str]:
    """The texts of a memory besides its content."""
    yield memory.category
    yield from memory.tags
    match memory.part:
        case Lesson() as lesson:
            yield from (lesson.title, lesson.context, lesson.resolution)
        case Procedure() as procedure:
            yield from (procedure.name, procedure.goal, *procedure.avoid, *procedure.trigger_tags)
            for step in procedure.steps:
                yield from (step.action, step.spec, step.success_criteria, step.on_failure)


def _speaking(text: str) -> list[str]:
    """The words that are more than grammar."""
    return [word for word in _words(text) if word not in FUNCTION_WORDS]


def _share_kept(text: str, kept: frozenset[str]) -> float:
    words = _speaking(text)
    return sum(word in kept for word in words) / len(words) if words else 0.0


def _all_kept(text: str, kept: frozenset[str]) -> bool:
    return all(word in kept for word in _words(text))
