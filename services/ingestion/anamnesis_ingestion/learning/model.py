"""The extractor that asks a chat model; its answer is mapped, and judged by the gate like any.

Events are shown by number, without system prompts and without what was injected. The model copies
the words that tell a time; which time they mean is resolved by `model_facts`. An
entry that cites nothing, or a number that was not shown, is counted as malformed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import (
    EntityKind,
    ExtractionInput,
    FactKind,
    Held,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Refused,
    Step,
)
from anamnesis_ingestion.learning.model_facts import in_time
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt

PROMPTS = Path(__file__).parent / "prompts"
HELD_MAX = 60
"""So many of the facts that hold are shown."""
UNKNOWN_KIND = "unknown"
"""The model's word for a name of which it does not know the kind."""
_Learned = TypeVar("_Learned")

Entry = Mapping[str, Json]


class _Malformed(ValueError):
    """An entry that cannot be mapped."""


class ModelExtractor:
    """An Extractor over a chat model; closing the model is its owner's."""

    def __init__(self, model: ChatModel, output_tokens_max: int = 4096) -> None:
        self._model = model
        self._output_tokens_max = output_tokens_max
        self._prompt = Prompt.load(PROMPTS, "extract")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def reads_held(self) -> bool:
        """True: the model sees the facts that hold, and so can tell a change."""
        return True

    async def learn(self, lecture: ExtractionInput) -> Knowledge:
        """Return the knowledge in the model's answer; the model is not asked if no event is shown.

        Raises:
            AnamnesisError: the model gave no answer that fits; see `ChatModel.ask`.
        """
        shown = [event for event in lecture.events if _is_shown(event)]
        if not shown:
            return Knowledge()
        answer = await self._model.ask(self.request(lecture))
        return _Mapping(lecture, shown).knowledge(answer.data)

    def request(self, lecture: ExtractionInput) -> ChatRequest:
        """The request to the model about the events."""
        shown = filter(_is_shown, lecture.events)
        return self._prompt.request(
            output_tokens_max=self._output_tokens_max,
            person=lecture.user or "user",
            agent=lecture.agent or "assistant",
            lessons="yes" if lecture.lessons else "no",
            facts="yes" if lecture.facts else "no",
            held="\n".join(map(_held_line, lecture.held[:HELD_MAX])),
            context="\n".join(_line("-", event) for event in lecture.context if _is_shown(event)),
            events="\n".join(_line(str(at), event) for at, event in enumerate(shown, 1)),
        )


def _held_line(one: Held) -> str:
    return f"- {one.subject} | {one.predicate} | {one.object}"


def _is_shown(event: LedgerEvent) -> bool:
    told = bool(learnable_text(event).strip() or event.tool_calls)
    return told and event.role is not Role.SYSTEM


def _line(number: str, event: LedgerEvent) -> str:
    """One event as the model sees it."""
    calls = "".join(f"\n  call {each.name} {each.arguments}" for each in event.tool_calls)
    speaker = f"{event.role} {event.name}".strip()
    return f"[{number}] {speaker}: {learnable_text(event).strip()}{calls}"


class _Mapping:
    """From one answer to knowledge; counts what cannot be mapped."""

    def __init__(self, lecture: ExtractionInput, shown: Sequence[LedgerEvent]) -> None:
        self._lecture = lecture
        self._shown = shown
        self._malformed = 0

    def knowledge(self, data: Json) -> Knowledge:
        """The answer, which fits its schema, as knowledge."""
        answer = data if isinstance(data, dict) else {}
        facts: tuple[LearnedFact, ...] = ()
        mentions: tuple[LearnedMention, ...] = ()
        if self._lecture.facts:
            told = self._each(answer.get("facts"), self._fact)
            facts = tuple(fact for each in told for fact in each)
            mentions = tuple(self._each(answer.get("entities"), self._mention))
        lessons: tuple[LearnedLesson, ...] = ()
        procedures: tuple[LearnedProcedure, ...] = ()
        if self._lecture.lessons:
            lessons = tuple(self._each(answer.get("lessons"), self._lesson))
            procedures = tuple(self._each(answer.get("procedures"), self._procedure))
        refusals = Counter({Refused.MALFORMED: self._malformed} if self._malformed else {})
        return Knowledge(facts, lessons, procedures, refusals, mentions)

    def _each(self, entries: Json, read: Callable[[Entry], _Learned]) -> Iterator[_Learned]:
        for entry in entries if isinstance(entries, list) else ():
            try:
                learned = read(entry if isinstance(entry, dict) else {})
            except _Malformed:
                self._malformed += 1
            else:
                yield learned

    def _fact(self, entry: Entry) -> Sequence[LearnedFact]:
        """The fact of an entry, with the end of another fact; none if the fact is only denied."""
        cited = self._cited(entry)
        fact = LearnedFact(
            statement=_text(entry, "statement"),
            subject=_text(entry, "subject"),
            predicate=_text(entry, "predicate"),
            object=str(entry.get("object", "")).strip(),
            kind=_kind(entry),
            sources=_indices(cited),
            persons=_texts(entry, "persons"),
            location=str(entry.get("location", "")).strip(),
            topic=self._lecture.topic,
            confidence=_share(entry, "confidence"),
            importance=_share(entry, "importance"),
        )
        try:
            return list(in_time(fact, entry, cited, self._lecture.held))
        except ValueError:
            raise _Malformed from None

    def _mention(self, entry: Entry) -> LearnedMention:
        return LearnedMention(
            name=_text(entry, "name"),
            kind=_entity_kind(entry),
            sources=_indices(self._cited(entry)),
            aliases=tuple(alias.strip() for alias in _texts(entry, "aliases") if alias.strip()),
        )

    def _lesson(self, entry: Entry) -> LearnedLesson:
        return LearnedLesson(
            title=_text(entry, "title"),
            context=str(entry.get("context", "")).strip(),
            resolution=_text(entry, "resolution"),
            category=_text(entry, "category"),
            sources=_indices(self._cited(entry)),
            tags=_texts(entry, "tags"),
            impact=_share(entry, "impact"),
            confidence=_share(entry, "confidence"),
            importance=_share(entry, "importance"),
        )

    def _procedure(self, entry: Entry) -> LearnedProcedure:
        steps = entry.get("steps")
        return LearnedProcedure(
            name=_text(entry, "name"),
            goal=_text(entry, "goal"),
            steps=tuple(_step(each) for each in (steps if isinstance(steps, list) else ())),
            sources=_indices(self._cited(entry)),
            trigger_tags=_texts(entry, "trigger_tags"),
            avoid=_texts(entry, "avoid"),
            confidence=_share(entry, "confidence"),
            importance=_share(entry, "importance"),
        )

    def _cited(self, entry: Entry) -> list[tuple[int, LedgerEvent]]:
        """The events cited, each with its index in the session."""
        numbers = entry.get("sources")
        if not isinstance(numbers, list) or not numbers:
            raise _Malformed
        cited = []
        for number in dict.fromkeys(str(each) for each in numbers):
            if not number.isdecimal() or not 1 <= int(number) <= len(self._shown):
                raise _Malformed
            event = self._shown[int(number) - 1]
            at = list(self._lecture.events).index(event)
            cited.append((at if event.index is None else event.index, event))
        return cited


def _indices(cited: Iterable[tuple[int, LedgerEvent]]) -> tuple[int, ...]:
    return tuple(sorted(index for index, _ in cited))


def _step(entry: Json) -> Step:
    if not isinstance(entry, dict):
        raise _Malformed
    return Step(
        action=_text(entry, "action"),
        spec=str(entry.get("spec", "")),
        success_criteria=str(entry.get("success_criteria", "")),
        on_failure=str(entry.get("on_failure", "")),
    )


def _kind(entry: Entry) -> FactKind:
    try:
        return FactKind(str(entry.get("kind")))
    except ValueError:
        raise _Malformed from None


def _entity_kind(entry: Entry) -> EntityKind:
    kind = str(entry.get("kind"))
    try:
        return EntityKind("" if kind == UNKNOWN_KIND else kind)
    except ValueError:
        raise _Malformed from None


def _text(entry: Entry, name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _Malformed
    return value.strip()


def _texts(entry: Entry, name: str) -> tuple[str, ...]:
    values = entry.get(name)
    return tuple(str(each) for each in values if each) if isinstance(values, list) else ()


def _share(entry: Entry, name: str) -> float:
    value = entry.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Malformed
    return float(value)
