"""Filling a budget: as much of the best memories as fits, each told in whole sentences.

Entries come in the order of their worth. A long one first gets a share of the room, by its best
sentences; what is left at the end goes to those that were cut, the best first. Standing things have
a part of the room for themselves, so that they never push out the answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from anamnesis_libs.chunking import DOCUMENT_ROLE
from anamnesis_libs.index.analysis import is_question
from anamnesis_libs.talk.asking import is_about_caller, is_request
from anamnesis_libs.tokens import ELLIPSIS
from anamnesis_retrieval.context.excerpts import Excerpt, fitted, shown
from anamnesis_retrieval.context.model import CitationReason, Entry
from anamnesis_retrieval.context.pages import best_lines, path_after
from anamnesis_retrieval.context.versions import Replacement
from anamnesis_retrieval.context.writing import STANDING, Style, address, day_of, written_day
from anamnesis_retrieval.model import Remembered

SHARE, WIDE_SHARE, STEPS_SHARE = 0.25, 0.5, 0.7
"""Of the room that a long entry gets at first, one whose parts belong together, and steps,"""
SHARE_TOKENS_MIN, ASKED_TOKENS_MAX = 80, 160
"""and at least so much, as a line of a chat is told whole as a rule; what the agent said and is
asked for has up to so much of the larger share: a recipe, a list of books."""
ENTRY_TOKENS_MIN = 8
"""Less room than this is left free."""
STANDING_SHARE, KNOWN_SHARE = 0.4, 0.3
"""Of the room that standing things may take, and facts that answer the question,"""
KNOWN_TOKENS_MIN = 40
"""which have room for one or two in any case."""
REPEATING_ROLES = frozenset({"assistant", "tool"})
"""Roles that say the same at each step of a task: once is enough."""

REPEATED_SHARE = 0.5
"""Of the units for which such an entry would be shown: if so many stand there, it says no more."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A memory that may be shown; `question` is the one that it answers, where it needs it."""

    memory: Remembered
    told: Excerpt
    reason: CitationReason = CitationReason.ANSWERS
    score: float = 0.0
    routes: tuple[str, ...] = ()
    question: Entry | None = None
    heading: str = ""
    """The heading under which it stands; empty means its day's."""
    is_asked_for: bool = False
    """True for what the agent said where that is asked for: its parts belong together."""


Read = Callable[[], Prospect | None]
"""Reads a memory when it is its turn; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """Prospects for a context, each sequence the best first."""

    standing: Sequence[Read]
    answering: Sequence[Read]
    known: Sequence[Read] = ()
    """Facts that answer the question, before all else."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Prospects of one kind, the best first, which leave so many tokens to those of other kinds."""

    read: Sequence[Read]
    kept: int = 0


@dataclass(slots=True)
class _Packed:
    """The prospects chosen so far, with the units shown of each."""

    chosen: list[tuple[Prospect, tuple[int, ...]]] = field(default_factory=list)
    left: int = 0
    left_out: int = 0
    headings: set[object] = field(default_factory=set)
    paths: dict[str, list[str]] = field(default_factory=dict)
    """The names of the passages that are shown, by their document."""
    said: set[str] = field(default_factory=set)
    """The texts of the units that are shown."""
    runs: set[str] = field(default_factory=set)
    """The speakers that are shown: of a tool what it was called with, too."""

    def enter(self, one: Prospect) -> None:
        """Note what leads an entry, since it need not be said again."""
        self.runs |= {one.memory.speaker}
        self.headings |= {_heading(one), _year(one)}
        if one.memory.role == DOCUMENT_ROLE:
            self.paths.setdefault(one.memory.session_id, []).append(one.memory.speaker)


def pack(
    prospects: Prospects, room: int, limit: int | None, style: Style, count: Count
) -> tuple[list[Entry], int]:
    """The entries that fit, and how many prospects do not; at most `limit`, where it is set."""
    known = max(int(room * KNOWN_SHARE), KNOWN_TOKENS_MIN)
    others = max(0, room - known) if prospects.answering or prospects.standing else 0
    kept = room - int(room * STANDING_SHARE) if prospects.answering else 0
    portions = (
        Portion(prospects.known, others),
        Portion(prospects.standing, kept),
        Portion(prospects.answering),
    )
    return pack_portions(portions, room, limit, style, count)


def pack_portions(
    portions: Sequence[Portion],
    room: int,
    limit: int | None,
    style: Style,
    count: Count,
    memory_max: int | None = None,
) -> tuple[list[Entry], int]:
    """The entries of several portions that fit, and how many prospects do not.

    What a portion does not need is left to those behind it. No memory has more tokens than
    `memory_max`, lines that lead it apart.
    """
    packer = _Packer(style, count, room if memory_max is None else memory_max)
    packed = _Packed(left=room, headings={style.year})
    for portion in portions:
        packer.fill(packed, portion.read, limit, portion.kept)
    packer.grow(packed)
    return packer.entries(packed), packed.left_out


@dataclass(frozen=True, slots=True)
class _Packer:
    style: Style
    count: Count
    memory_max: int

    def fill(self, packed: _Packed, read: Sequence[Read], limit: int | None, kept: int) -> None:
        """Choose entries as long as there is room, `kept` tokens of which stay free.

        What only repeats an agent's or a tool's words, or is said again word for word, comes last;
        what was asked again, or answered again, word for word is not told twice.
        """
        whole = packed.left
        repeating: list[Prospect] = []
        pages: list[Prospect] = []
        for at, prospect in enumerate(read):
            if _is_full(packed, limit, kept):
                packed.left_out += len(read) - at + len(repeating)
                return
            one = prospect()
            if one is None or _is_asked_again(one, packed):
                continue
            if one.told.worths:
                pages.append(one)
                continue
            self._add_lines(packed, pages, limit, kept, whole)
            pages = []
            if _repeats(one, packed):
                repeating.append(one)
            else:
                self._add(packed, one, packed.left - kept, _share(one, whole))
        self._add_lines(packed, pages, limit, kept, whole)
        for at, one in enumerate(repeating):
            if _is_full(packed, limit, kept):
                packed.left_out += len(repeating) - at
                return
            self._add(packed, one, packed.left - kept, _share(one, whole))

    def _add(self, packed: _Packed, one: Prospect, room: int, share: int) -> None:
        """Choose an entry by as many of its units as fit."""
        around = self._around(packed, one)
        most = min(room - around, self.memory_max)
        numbers = fitted(one.told, min(most, share)) or fitted(one.told, most)
        if not numbers:
            packed.left_out += 1
            return
        packed.chosen.append((one, numbers))
        packed.left -= around + _cost(one, numbers)
        packed.said |= _texts(one, numbers)
        packed.enter(one)

    def _add_lines(
        self, packed: _Packed, pages: Sequence[Prospect], limit: int | None, kept: int, whole: int
    ) -> None:
        """Choose the best lines of some passages, each with the lines that lead it."""
        room = min(packed.left - kept, sum(_share(page, whole) for page in pages))
        lines: dict[int, set[int]] = {}
        for at, number in best_lines(
            [page.told.worths for page in pages], [page.score for page in pages]
        ):
            one, had = pages[at], lines.get(at, set())
            if not had and limit is not None and len(packed.chosen) + len(lines) >= limit:
                continue
            more = {*one.told.units[number].leads, number} - had
            cost = _cost(one, list(more)) + (0 if had else self._around(packed, one))
            if not more or cost > room:
                continue
            if not had:
                packed.enter(one)
            lines[at] = had | more
            room -= cost
            packed.left -= cost
        for at in sorted(lines):
            numbers = tuple(sorted(lines[at]))
            packed.said |= _texts(pages[at], numbers)
            packed.chosen.append((pages[at], numbers))
        packed.left_out += len(pages) - len(lines)

    def grow(self, packed: _Packed) -> None:
        """Show more of what was cut, the best first."""
        for at, (one, numbers) in enumerate(packed.chosen):
            if len(numbers) < len(one.told.order) and packed.left > 0:
                spent = _cost(one, numbers)
                having = numbers if one.told.worths else ()
                more = fitted(one.told, min(spent + packed.left, self.memory_max), having)
                packed.chosen[at] = (one, more)
                packed.left -= _cost(one, more) - spent

    def entries(self, packed: _Packed) -> list[Entry]:
        """The chosen as they are shown; a question whose memory is shown itself is left out."""
        shown_ids = {one.memory.memory_id for one, _ in packed.chosen}
        entries: list[Entry] = []
        for one, numbers in packed.chosen:
            if one.question is not None and one.question.memory.memory_id not in shown_ids:
                entries.append(one.question)
                shown_ids.add(one.question.memory.memory_id)
            text = shown(one.told, numbers)
            entries.append(
                Entry(one.memory, text, one.reason, one.score, one.routes, heading=one.heading)
            )
        return entries

    def _around(self, packed: _Packed, one: Prospect) -> int:
        """Tokens of what leads an entry: its heading, unless it stands already, its speaker."""
        speaker = _speaker(packed, one)
        around = self.count(f"{', '.join((speaker, *one.memory.caveats))}:\n")
        if self.style.pointers:
            around += self.count(f"[{address(one.memory)}] ")
        if _heading(one) not in packed.headings:
            around += self.count(f"{self._written_heading(packed, one)}\n")
        if one.question is not None:
            around += self.count(f"{one.question.memory.speaker}: {one.question.text}\n")
        return around

    def _written_heading(self, packed: _Packed, one: Prospect) -> str:
        day = day_of(one.memory)
        if one.heading or one.reason is CitationReason.STANDING or day is None:
            return one.heading or STANDING
        return written_day(day, cjk=self.style.cjk, year=_year(one) not in packed.headings)


def _is_full(packed: _Packed, limit: int | None, kept: int) -> bool:
    """True where no further entry has room, or is wanted."""
    full = limit is not None and len(packed.chosen) >= limit
    return full or packed.left - kept < ENTRY_TOKENS_MIN


def _is_asked_again(one: Prospect, packed: _Packed) -> bool:
    """True for a question, a request or an agent's answer that is shown already word for word.

    What a person told of themselves again may be of another day: "I had a migraine today".
    """
    if one.told.worths or not _texts(one, one.told.order) <= packed.said:
        return False
    if one.memory.role in REPEATING_ROLES:
        return True
    return all(
        is_question(unit.text) or is_request(unit.text) or not is_about_caller(unit.text)
        for unit in one.told.units
    )


def _repeats(one: Prospect, packed: _Packed) -> bool:
    """True where an agent or a tool says again what is shown already, or anybody word for word."""
    if one.memory.role not in REPEATING_ROLES:
        return _texts(one, one.told.order) <= packed.said
    if ":" in one.memory.speaker and one.memory.speaker in packed.runs:
        return True
    needed = _texts(one, one.told.order[: one.told.needed])
    return len(needed & packed.said) >= REPEATED_SHARE * len(needed)


def _speaker(packed: _Packed, one: Prospect) -> str:
    """The speaker, or what the passages shown of the same document leave to be named."""
    shown_of_it = packed.paths.get(one.memory.session_id, ())
    speaker = one.memory.speaker
    return min((path_after(speaker, path) for path in shown_of_it), key=len, default=speaker)


def _texts(one: Prospect, numbers: Sequence[int]) -> set[str]:
    return {one.told.units[number].text.strip() for number in numbers}


def _share(one: Prospect, room: int) -> int:
    """Tokens that an entry gets at first: what answers in a document stands together, too."""
    share, wide = int(SHARE * room), int(WIDE_SHARE * room)
    if one.memory.role == DOCUMENT_ROLE:
        share = wide
    elif one.memory.learned and one.memory.learned.steps:
        share = int(STEPS_SHARE * room)
    elif one.is_asked_for:
        share = max(share, min(wide, ASKED_TOKENS_MAX))
    return max(SHARE_TOKENS_MIN, share)


def _cost(one: Prospect, numbers: Sequence[int]) -> int:
    return sum(one.told.costs[number] for number in numbers)


def _heading(one: Prospect) -> object:
    if one.reason is CitationReason.STANDING:
        return STANDING
    return one.heading or day_of(one.memory)


def _year(one: Prospect) -> object:
    heading = _heading(one)
    return heading.year if isinstance(heading, date) else None


def told_whole(entries: Sequence[Entry]) -> tuple[Remembered, ...]:
    """The memories of which nothing was left out."""
    return tuple(one.memory for one in entries if ELLIPSIS not in one.text)


def folded(entries: Sequence[Entry], replaced: Mapping[str, Replacement]) -> list[Entry]:
    """The entries with each that was replaced folded under what replaced it, if that is shown.

    An entry that also says what still holds stays where it is.
    """
    by_id = {entry.memory.memory_id: entry for entry in entries}
    under: dict[str, list[Entry]] = {}
    for older_id, replacement in replaced.items():
        newer_id = replacement.newer_id
        while newer_id in replaced and replaced[newer_id].newer_id in by_id:
            newer_id = replaced[newer_id].newer_id
        if newer_id in by_id and _is_gone(by_id.get(older_id), replacement):
            under.setdefault(newer_id, []).append(by_id[older_id])
    hidden = {one.memory.memory_id for older in under.values() for one in older}
    return [
        _with_older(entry, under.get(entry.memory.memory_id, ()))
        for entry in entries
        if entry.memory.memory_id not in hidden
    ]


def _is_gone(entry: Entry | None, replacement: Replacement) -> bool:
    """True where nothing that is shown of an entry still holds."""
    if entry is None:
        return False
    rest = entry.text
    for sentence in replacement.sentences:
        rest = rest.replace(sentence, "")
    return not rest.strip(f" \n{ELLIPSIS}")


def _with_older(entry: Entry, older: Sequence[Entry]) -> Entry:
    if not older:
        return entry
    newest_first = sorted(older, key=lambda one: -(one.memory.event_time_us or 0))
    held = tuple(
        Entry(one.memory, one.text, CitationReason.BEFORE, one.score, one.routes)
        for one in newest_first
    )
    return replace(entry, before=held)
