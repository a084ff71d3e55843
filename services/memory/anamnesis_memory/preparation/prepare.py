"""Making what callers send ready to be stored: redacted, counted, summarised, digested.

This is the one gate into the store: nothing is kept, indexed or embedded that did
not pass it. The work is plain computing; callers run it on a thread, but for a short question.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from anamnesis_libs.categories import category_of
from anamnesis_libs.index.port import Rows
from anamnesis_libs.redaction.policy import (
    DEFAULT_POLICY,
    PERSON,
    PSEUDONYM_HEX,
    RedactionAction,
    RedactionPolicy,
)
from anamnesis_libs.redaction.ports import Redactor
from anamnesis_libs.talk.own_blocks import without_own_blocks
from anamnesis_libs.talk.standing import standing_kind
from anamnesis_libs.tokens import TokenCounter
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.ledger.append import AppendEvents, NewEvent
from anamnesis_memory.ledger.cut import SegmentPiece
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.memory_details import Fact, Lesson, Part, Procedure, ProcedureStep, Role
from anamnesis_memory.model.session import ToolCall
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.preparation.json_redaction import JsonRedaction, written
from anamnesis_memory.preparation.levels import summarise

QUICK_CHARS_MAX = 500
"""A text so long is cleaned in a tenth of a millisecond, less than a change of threads takes."""
_ROLES = frozenset(Role)
_PSEUDONYM = re.compile(f"<{PERSON}_[0-9a-f]{{{PSEUDONYM_HEX}}}>")


@dataclass(frozen=True, slots=True)
class Preparer:
    """Redacts by a namespace's policy and measures; holds no state."""

    redactor: Redactor
    tokens: TokenCounter
    policy: RedactionPolicy = DEFAULT_POLICY

    def under(self, policy: RedactionPolicy) -> "Preparer":
        """The same under a namespace's policy."""
        return replace(self, policy=policy)

    def asking(self, policy: RedactionPolicy) -> "Preparer":
        """The preparer that redacts what the policy refuses to keep, instead of refusing it."""
        return replace(self, policy=replace(policy, action=RedactionAction.REDACT))

    def clean(self, text: str, names: Sequence[str] = ()) -> str:
        """The text without what must not be kept; `names` are of people who are known to occur.

        Raises:
            RedactionBlocked: the policy refuses such a text.
        """
        return self.redactor.redact(text, self.policy, names).text if text else text

    async def clean_query(self, text: str) -> str:
        """A question, cleaned: here where it is short, on a thread where it may take long.

        Raises:
            RedactionBlocked: the policy refuses such a text.
        """
        if len(text) <= QUICK_CHARS_MAX:
            return self.clean(text)
        return await asyncio.to_thread(self.clean, text)

    def event(self, event: NewEvent, speakers: Sequence[str] = ()) -> NewEvent:
        """An event as it will be stored; a vector of a text that changed is let go.

        Blocks of memories that the suite itself wrote into a prompt are left out.

        `speakers` are those of its session who are known to be people. Ids stay as they are: they
        join events, and are their callers' to choose.
        """
        clean = partial(self.clean, names=speakers)
        content = clean(without_own_blocks(event.content))
        calls = tuple(
            ToolCall(call.call_id, clean(call.name), JsonRedaction(clean).text(call.arguments))
            for call in event.tool_calls
        )
        ready = replace(
            event,
            content=content,
            name=clean(event.name),
            tool_calls=calls,
            reasoning=clean(event.reasoning),
            modality=clean(event.modality),
            vectors=event.vectors if content == event.content else None,
            token_count=self.tokens.count(content),
        )
        place = ready.name if event.role is Role.FILE else ""
        summary, overview = summarise(content, self.tokens, place)
        return replace(
            ready,
            summary=summary,
            overview=overview,
            digest=_digest(ready),
            category=standing_kind(content, event.role.value),
        )

    def append(self, write: AppendEvents) -> AppendEvents:
        """A session's events as they will be stored; label and project may have a name in them."""
        speakers = speakers_of(event.speaker for event in write.events)
        events = [self.event(event, speakers) for event in write.events]
        clean = partial(self.clean, names=speakers)
        return write.ready(clean(write.label), clean(write.project), events)

    async def appended(self, write: AppendEvents) -> AppendEvents:
        """An append as it will be stored, made here where it says little, else on a thread.

        Raises:
            RedactionBlocked: the policy refuses such a text.
        """
        if sum(map(_chars, write.events)) <= QUICK_CHARS_MAX:
            return self.append(write)
        return await asyncio.to_thread(self.append, write)

    def memory(
        self, memory: Memory, vectors: Rows | None, owners: Sequence[str] = ()
    ) -> tuple[Memory, Rows | None]:
        """A stated memory as it will be stored, with its vector unless its text changed."""
        names = memory.part.persons if isinstance(memory.part, Fact) else ()
        content = self.clean(memory.content, names)
        summary, overview = summarise(content, self.tokens)
        ready = replace(
            memory,
            content=content,
            summary=summary,
            overview=overview,
            tags=unite_tags([self.clean(tag) for tag in memory.tags]),
            entities=tuple(
                dict.fromkeys(self.owned(name, names, owners) for name in memory.entities)
            ),
            part=self._part(memory.part, owners),
            category=memory.category or _category_of(memory.kind, content),
        )
        return ready, vectors if content == memory.content else None

    def memories(
        self, memories: Sequence[tuple[Memory, Rows | None]], owners: Sequence[str] = ()
    ) -> list[tuple[Memory, Rows | None]]:
        """Stated memories as they will be stored; facts about `owners` keep their ids."""
        return [self.memory(memory, vectors, owners) for memory, vectors in memories]

    def owned(self, text: str, names: Sequence[str], owners: Sequence[str]) -> str:
        """A name without what must not be kept; the id of an owner stays, as elsewhere.

        Where a policy gives people pseudonyms the owner has one too.
        """
        clean = self.clean(text, names)
        kept = next((each for each in owners if each and text.startswith(each)), "")
        if clean == text or not kept or _PSEUDONYM.search(clean) is not None:
            return clean
        return kept + self.clean(text[len(kept) :], names)

    def named(self, named: Iterable[Named], owners: Sequence[str] = ()) -> tuple[Named, ...]:
        """The entities that a text names, as they will be stored, people's names as people's."""
        return tuple(self._name(each, owners) for each in named)

    def _name(self, named: Named, owners: Sequence[str]) -> Named:
        names = (named.name, *named.aliases) if named.kind is EntityKind.PERSON else ()
        aliases = (self.clean(one, names) for one in named.aliases)
        return replace(named, name=self.owned(named.name, names, owners), aliases=tuple(aliases))

    def pieces(self, pieces: Sequence[SegmentPiece]) -> list[SegmentPiece]:
        """Segments as they will be stored."""
        return [
            replace(piece, topic=self.clean(piece.topic), summary=self.clean(piece.summary))
            for piece in pieces
        ]

    def summaries(self, summaries: Mapping[str, str]) -> dict[str, str]:
        """Summaries of drawers as they will be stored."""
        return {memory_id: self.clean(text) for memory_id, text in summaries.items()}

    def document(self, text: str, names: Sequence[str] = ()) -> str:
        """A JSON document with each text in it cleaned, whatever its depth.

        Raises:
            ValueError: the text is no JSON.
            RecursionError: the JSON is nested too deeply.
        """
        return written(JsonRedaction(partial(self.clean, names=names)).value(json.loads(text)))

    def _part(self, part: Part, owners: Sequence[str]) -> Part:
        match part:
            case Fact():
                return replace(
                    part,
                    subject=self.owned(part.subject, part.persons, owners),
                    predicate=self.clean(part.predicate),
                    object=self.clean(part.object, part.persons),
                    persons=tuple(self.clean(name, part.persons) for name in part.persons),
                    location=self.clean(part.location),
                    topic=self.clean(part.topic),
                    source=self.clean(part.source),
                )
            case Lesson():
                return replace(
                    part,
                    title=self.clean(part.title),
                    context=self.clean(part.context),
                    resolution=self.clean(part.resolution),
                )
            case Procedure():
                return replace(
                    part,
                    name=self.clean(part.name),
                    goal=self.clean(part.goal),
                    steps=tuple(self._step(step) for step in part.steps),
                    avoid=tuple(map(self.clean, part.avoid)),
                    trigger_tags=tuple(map(self.clean, part.trigger_tags)),
                )
            case _:
                return part

    def _step(self, step: ProcedureStep) -> ProcedureStep:
        return ProcedureStep(
            action=self.clean(step.action),
            spec=self.clean(step.spec),
            success_criteria=self.clean(step.success_criteria),
            on_failure=self.clean(step.on_failure),
            retries_max=step.retries_max,
        )


def _category_of(kind: Kind, content: str) -> str:
    """The category of a lesson whose caller states none, by its text; empty for other kinds."""
    return category_of(content) if kind is Kind.LEARNING else ""


def speakers_of(names: Iterable[str]) -> tuple[str, ...]:
    """The names that are people's, each once; "user" and "assistant" are roles."""
    return tuple(dict.fromkeys(name for name in names if name and name.lower() not in _ROLES))


def _chars(event: NewEvent) -> int:
    """The length of what is read of an event."""
    calls = sum(len(call.arguments) for call in event.tool_calls)
    return len(event.content) + len(event.reasoning) + calls


def _digest(event: NewEvent) -> bytes:
    """Says whether two events are the same; their time and line are not part of it."""
    held = [
        event.role.value,
        event.name,
        event.content,
        [(call.call_id, call.name, call.arguments) for call in event.tool_calls],
        event.tool_call_id,
        event.reasoning,
        event.modality,
    ]
    return hashlib.sha256(json.dumps(held, ensure_ascii=False).encode()).digest()[:16]
