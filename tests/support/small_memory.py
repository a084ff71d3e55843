"""A memory of a few lines, as retrieval sees it: a real index behind the real conversions.

    memory = SmallMemory(Said("We live in Lisbon.", "2026-01-05"), Said("Ok.", role="assistant"))
    context = await memory.context("Where do I live?", budget=200)

Ids count from `m000`, in the order in which lines are given. There are no vectors: words decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import FindCandidatesResponse
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Happened, Query, SearchScope, Standing
from anamnesis_libs.index.port import FeatureWeights as IndexWeights
from anamnesis_libs.rpc.enums import enum_word
from anamnesis_libs.talk.standing import LIKING, STANDING_CATEGORIES, standing_kind
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.api.convert.search import from_hit, from_statistics
from anamnesis_retrieval.context.already import SessionKey, ShownAlready
from anamnesis_retrieval.context.brief import build_brief
from anamnesis_retrieval.context.build import build_context
from anamnesis_retrieval.context.model import Context, Format
from anamnesis_retrieval.context.request import ContextRequest
from anamnesis_retrieval.convert.narrowing import part_of
from anamnesis_retrieval.convert.search import to_found
from anamnesis_retrieval.model import (
    NOTHING_BEHIND,
    Behind,
    CandidateSet,
    Joined,
    KnownFact,
    Learned,
    Part,
    Remembered,
    Weights,
)

TOKENS = load_counter("o200k_base")
LIMIT = 100
FAR = -0.01
"""The cosine of every line, as if it had been compared: what has none speaks by its words alone."""
DIMENSION = 8
ASKED_AT = datetime(2026, 6, 1, tzinfo=UTC)
_US_PER_S = 1_000_000


@dataclass(frozen=True, slots=True)
class Said:
    """One line; `fact` names the subject and predicate of a fact, `learned` is a lesson's.

    A fact holds from its day on, up to `until` where that is said.

    What was learned names the lines that it was taken from.
    """

    text: str
    day: str = ""
    session: str = "s"
    role: str = "user"
    name: str = ""
    fact: str = ""
    superseded: bool = False
    until: str = ""
    pointer: str = ""
    caveats: tuple[str, ...] = ()
    learned: Learned | None = None
    category: str = ""
    sources: tuple[str, ...] = ()
    value: str = ""
    """Of a fact its object."""


@dataclass
class SmallMemory:
    """Keeps lines; what was shown of them is in `shown`."""

    said: Sequence[Said]
    shown: list[str] = field(default_factory=list)

    def __init__(self, *said: Said) -> None:
        self.said = said
        self.shown = []
        self._index = MemoryIndex(DIMENSION)
        self._index.put([_document(number, one) for number, one in enumerate(said)])

    async def find(
        self,
        query: str,
        weights: Weights,
        at_least_revision: str,
        related_words: str = "",
        behind: Behind = NOTHING_BEHIND,
        memory_ids: Sequence[str] = (),
    ) -> CandidateSet:
        """What the index finds, over the wire's own messages."""
        found = self._index.find(
            Query(
                query,
                None,
                SearchScope(memory_ids=tuple(memory_ids) or None),
                weights=IndexWeights(weights.text, weights.text_window, 0.0, 0.0),
                limit=LIMIT,
                related_words=related_words,
                standing=(
                    Standing(STANDING_CATEGORIES, behind.standing_max),
                    Standing((LIKING,), behind.likings_max),
                ),
                happened=_happened(behind),
                ended_max=behind.ended_max,
            )
        )
        candidates = [from_hit(hit._replace(cosine=FAR)) for hit in found.hits]
        return to_found(
            FindCandidatesResponse(candidates=candidates, scope=from_statistics(found.scope, ""))
        )

    async def newest(self, part: Part, count: int, at_least_revision: str) -> CandidateSet:
        """The newest of a part, over the wire's own messages."""
        where = part_of(MemoryFilter(), part)
        assert where is not None
        scope = SearchScope(
            kinds=tuple(enum_word(MemoryKind, kind) for kind in where.kinds),
            categories=tuple(where.categories),
        )
        found = self._index.find(Query("", None, scope, limit=count, newest_first=True))
        candidates = [
            from_hit(hit, self.said[int(hit.memory_id[1:])].sources) for hit in found.hits
        ]
        return to_found(
            FindCandidatesResponse(
                candidates=candidates, scope=from_statistics(found.scope, ""), revision="r"
            )
        )

    async def joined(self, memory_ids: Sequence[str], revision: str) -> Joined:
        """These alone: lines have no edges."""
        return Joined(dict.fromkeys(memory_ids, 0))

    async def known_facts(
        self, subjects: Sequence[str], predicates: Sequence[str], at_least_revision: str
    ) -> Sequence[KnownFact]:
        """The facts with one of the predicates about who asks, who is Ada, or somebody by name."""
        facts = [(one.fact.split()[-1], at, one) for at, one in enumerate(self.said) if one.fact]
        return [
            KnownFact(remembered(at, one), predicate, _us_of(one.day), _us_of(one.until), one.value)
            for predicate, at, one in facts
            if predicate in predicates and _subject_of(one) in map(str.casefold, subjects)
        ]

    async def own_names(self, at_least_revision: str) -> Sequence[str]:
        """The one name of the lines that people said: all are of who asks."""
        names = {one.name for one in self.said if one.role == "user"}
        return [*filter(None, names)] if len(names) == 1 else []

    async def fetch(self, memory_ids: Sequence[str], revision: str) -> Sequence[Remembered]:
        """The lines as they are shown."""
        return [remembered(int(one[1:]), self.said[int(one[1:])]) for one in memory_ids]

    async def fetch_of_page(
        self, memory_ids: Sequence[str], page: Sequence[str], revision: str
    ) -> Sequence[Remembered]:
        """See `Memories.fetch_of_page`."""
        return await self.fetch(memory_ids, revision)

    async def report_shown(self, memory_ids: Sequence[str]) -> None:
        """Keeps them."""
        self.shown += memory_ids

    async def context(
        self,
        query: str,
        budget: int = 300,
        written: Format = Format.MARKDOWN,
        limit: int | None = None,
        *,
        pointers: bool = False,
        own_session: str = "",
        asked_at: datetime | None = None,
    ) -> Context:
        """The context of a prompt."""
        wanted = ContextRequest(
            query,
            budget,
            written,
            limit,
            pointers=pointers,
            own_session=own_session,
            asked_at=asked_at,
        )
        return (await build_context(self, wanted, TOKENS)).context

    async def brief(
        self, budget: int = 600, already: ShownAlready | None = None, own_session: str = ""
    ) -> Context:
        """The brief of a session that begins."""
        session = SessionKey("n", "ada", "", "now") if already else None
        wanted = ContextRequest(
            "", budget, asked_at=ASKED_AT, session=session, own_session=own_session
        )
        return (await build_brief(self, wanted, TOKENS, already)).context

    async def text(self, query: str, budget: int = 300, asked_at: datetime | None = None) -> str:
        """The block of a prompt, without its tags."""
        context = await self.context(query, budget, asked_at=asked_at)
        return "\n".join(context.text.split("\n")[1:-1])


def remembered(number: int, said: Said) -> Remembered:
    """A line as a memory that is shown."""
    return Remembered(
        memory_id=f"m{number:03}",
        pointer=said.pointer,
        speaker=said.name or said.role,
        overview=said.text[:100],
        content=said.text,
        event_time_us=_us_of(said.day),
        caveats=said.caveats,
        role=said.role,
        session_id=said.session,
        event_index=number,
        category=_category(said),
        fact_line=said.fact,
        superseded=said.superseded,
        source_ids=said.sources,
        learned=said.learned,
    )


def _happened(behind: Behind) -> Happened:
    if behind.happened is None:
        return Happened()
    since_us, until_us = (int(one.timestamp() * _US_PER_S) for one in behind.happened)
    return Happened(since_us, until_us, LIMIT)


def _document(number: int, said: Said) -> Document:
    return Document(
        memory_id=f"m{number:03}",
        text=said.text,
        kind="semantic" if said.fact else "learning" if said.learned else "episodic",
        role=said.role,
        name=said.name,
        session_id=said.session,
        position=number,
        event_time_us=_us_of(said.day),
        create_time_us=number,
        category=_category(said),
    )


def _category(said: Said) -> str:
    return said.category or standing_kind(said.text, said.role)


def _subject_of(fact: Said) -> str:
    subject = fact.fact.split()[0]
    return "" if subject in ("ada", "user") else subject


def _us_of(day: str) -> int | None:
    if not day:
        return None
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return int(moment.timestamp()) * _US_PER_S
