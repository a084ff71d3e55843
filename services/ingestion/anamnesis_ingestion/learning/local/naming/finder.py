"""Whom and what the events of a lecture name: each name once, with the events that spell it.

What one event tells of a name (its kind, another name) holds for all: the surest sighting tells
the kind. Speakers are named by their events, and wherever a text spells them. Read is what people,
the assistant and files say; what tools answer is not, nor code, logs and quotations. What redaction
left behind is no name, but a person's pseudonym is one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import EntityKind, ExtractionInput, LearnedMention
from anamnesis_ingestion.learning.local.naming.aliases import aliases_in
from anamnesis_ingestion.learning.local.naming.chinese_names import chinese_names
from anamnesis_ingestion.learning.local.naming.english_names import english_names
from anamnesis_ingestion.learning.local.naming.sightings import Evidence, Sighting, apart, kinds_of
from anamnesis_ingestion.learning.spelling import PSEUDONYM, is_name
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.redaction.policy import TAG

EVENT_CHARS_MAX = 20_000
_READ = frozenset({Role.USER, Role.ASSISTANT, Role.FILE})
_OPAQUE = re.compile(r"`[^`\n]+`|https?://\S+|(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}\.\w+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ALIASES_MAX = 20


@dataclass(slots=True)
class _Told:
    """The sources and aliases of a name, which is kept as it was first spelled."""

    name: str
    sources: list[int] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)

    def add(self, index: int, aliases: Iterable[str] = ()) -> None:
        """One more event that spells it."""
        self.sources += [index] if index not in self.sources else []
        self.aliases += [each for each in aliases if each not in self.aliases]


def mentions_of(lecture: ExtractionInput) -> tuple[LearnedMention, ...]:
    """Each name of the lecture's events, in order of the first event that spells it."""
    speakers = _speakers(lecture)
    seen: list[tuple[int, LedgerEvent, list[Sighting]]] = []
    for at, event in enumerate(lecture.events):
        if event.role in _READ:
            index = at if event.index is None else event.index
            seen.append((index, event, _sightings(event, speakers)))
    sure = {one.name.casefold() for _, _, found in seen for one in found if _is_sure(one)}
    told: dict[str, _Told] = {}
    for index, event, found in seen:
        if event.speaker in speakers:
            told.setdefault(event.speaker.casefold(), _Told(event.speaker)).add(index)
        kept = [one for one in found if one.name.casefold() in sure]
        for name, aliases in _with_aliases(event.content, kept):
            told.setdefault(name.casefold(), _Told(name)).add(index, aliases)
    kinds = kinds_of(one for _, _, found in seen for one in found if _is_sure(one))
    kinds |= {name.casefold(): kind for name, kind in speakers.items()}
    return tuple(_mention(each, kinds) for each in told.values())


def _mention(told: _Told, kinds: Mapping[str, EntityKind]) -> LearnedMention:
    return LearnedMention(
        name=told.name,
        kind=kinds.get(told.name.casefold(), EntityKind.UNKNOWN),
        sources=tuple(told.sources),
        aliases=tuple(told.aliases[:_ALIASES_MAX]),
    )


def _speakers(lecture: ExtractionInput) -> dict[str, EntityKind]:
    """The names of the speakers, each a person or the agent."""
    agents = {lecture.agent.casefold()} - {""}
    found: dict[str, EntityKind] = {}
    for event in (*lecture.context, *lecture.events):
        if event.role in {Role.USER, Role.ASSISTANT} and is_name(event.name):
            agent = event.name.casefold() in agents
            found[event.name] = EntityKind.AGENT if agent else EntityKind.PERSON
    return found


def _sightings(event: LedgerEvent, speakers: Mapping[str, EntityKind]) -> list[Sighting]:
    """The names of one event, none over another."""
    content = own_words(event)[:EVENT_CHARS_MAX]
    text = _OPAQUE.sub(_blank, TAG.sub(_blank, content))
    found = list(english_names(text))
    if _HAN.search(text):
        found += chinese_names(text)
    for match in PSEUDONYM.finditer(content):
        found.append(Sighting(*match.span(), match.group(), EntityKind.PERSON, Evidence.FORMED))
    for name, kind in speakers.items():
        spelled = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        found += (
            Sighting(*match.span(), name, kind, Evidence.SPOKEN) for match in spelled.finditer(text)
        )
    return apart(found)


def _with_aliases(text: str, found: list[Sighting]) -> Iterator[tuple[str, list[str]]]:
    """Each name with its other names; what stands only as another name is none by itself."""
    others = aliases_in(text, found)
    told = {start for aliases in others.values() for start, _ in aliases}
    for one in found:
        if one.start not in told:
            yield one.name, [alias for _, alias in others.get(one, [])]


def _is_sure(one: Sighting) -> bool:
    return one.evidence is not Evidence.DOUBTFUL and is_name(one.name)


def _blank(match: re.Match[str]) -> str:
    """Spaces in the place of the match, so that positions stay."""
    return " " * len(match.group())
