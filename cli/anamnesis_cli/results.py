"""The look of search results: a table, or blocks if it is narrow; `--explain` tells each score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anamnesis.memory.v1.memory_pb2 import Memory, MemoryKind
from anamnesis.retrieval.v1.retrieval_pb2 import SEARCH_MODE_GRAPH, Factor, SearchResult
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis_cli.best_line import best_line
from anamnesis_cli.clocks import said_at
from anamnesis_cli.output import (
    console,
    is_narrow,
    new_table,
    note,
    one_line,
    print_below,
    role_word,
)
from anamnesis_cli.paging import note_more
from anamnesis_cli.scope import in_sight
from anamnesis_libs.rpc.enums import enum_word

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_PLACES_MAX = 3
_SPEAKER_CHARS_MAX = 28


@dataclass(frozen=True, slots=True)
class SearchHits:
    """The hits of a search; `bodies` are their memories with all their text, if it is known."""

    answer: SearchResponse
    bodies: Mapping[str, Memory]
    asked: SearchRequest


@dataclass(frozen=True, slots=True)
class _Hit:
    """A result as it is told, and the other places where the same was said."""

    score: str
    pointer: str
    time: str
    speaker: str
    text: str
    places: list[str] = field(default_factory=list)

    @property
    def also(self) -> str:
        """The other places in a few words."""
        if not self.places:
            return ""
        more = len(self.places) - _PLACES_MAX
        return f"also in {', '.join(self.places[:_PLACES_MAX])}" + (f" +{more}" * (more > 0))


def print_results(found: SearchHits, explain: bool) -> None:
    """Prints a page of results and, beside it, what one should know about it."""
    answer = found.answer
    all_count = explain or found.asked.mode == SEARCH_MODE_GRAPH
    relevant = answer.results if all_count else _with_points(answer.results)
    if not relevant:
        note(f"nothing relevant {in_sight(found.asked.namespace, found.asked.caller)}")
    elif explain:
        _print_explained(console(), found)
    elif is_narrow(console()):
        _print_blocks(console(), _merged(relevant, found))
    else:
        console().print(_table(_merged(relevant, found)))
    if left_out := len(answer.results) - len(relevant):
        note(f"{left_out:,} with a score of zero or less are not shown; --explain shows them")
    note_degraded(answer.degraded)
    note_more(answer.next_page_token)


def note_degraded(reasons: Iterable[str]) -> None:
    """Tells what could not take part in an answer."""
    for reason in dict.fromkeys(reasons):
        note(f"degraded: {reason}")


def _with_points(results: Sequence[SearchResult]) -> Sequence[SearchResult]:
    """The results up to the last that anything speaks for: a reranker may put others before it.

    Scores tell one memory from the others. Where there is one alone, or all say the same, they are
    zero, and its words speak for it.
    """
    speaks = (one.score > 0 or (one.score == 0 and "text" in one.routes) for one in results)
    last = max((place for place, told in enumerate(speaks) if told), default=-1)
    return results[: last + 1]


def _merged(results: Iterable[SearchResult], found: SearchHits) -> list[_Hit]:
    """A hit for each thing that was said by somebody, however often."""
    hits: dict[tuple[str, ...], _Hit] = {}
    for result in results:
        hit = _hit(result, found)
        body = found.bodies.get(result.memory.memory_id, result.memory)
        said = " ".join((body.content or body.summary).casefold().split())
        first = hits.setdefault((hit.speaker, said), hit)
        if first is not hit:
            first.places.append(hit.pointer)
    return list(hits.values())


def _print_blocks(to: "Console", hits: Iterable[_Hit]) -> None:
    for rank, hit in enumerate(hits, start=1):
        head = f"[bold]{rank}.[/] {hit.score}  {hit.pointer}  {hit.time}  {hit.speaker}"
        to.print(head, no_wrap=True, overflow="ellipsis")
        print_below(to, hit.text, f"[dim]{hit.also}[/]" if hit.also else "")


def _table(hits: Sequence[_Hit]) -> "Table":
    table = new_table("#", "score", "pointer", "time", "speaker", "memory")
    for column in table.columns[:-1]:
        column.no_wrap = True
    if any(len(hit.speaker) > _SPEAKER_CHARS_MAX for hit in hits):
        # A path of headings; what it heads needs the room.
        speaker = table.columns[-2]
        speaker.no_wrap, speaker.width = False, _SPEAKER_CHARS_MAX
    for rank, hit in enumerate(hits, start=1):
        text = f"{hit.text}  [dim]({hit.also})[/]" if hit.also else hit.text
        table.add_row(str(rank), hit.score, hit.pointer, hit.time, hit.speaker, text)
    return table


def _print_explained(to: "Console", found: SearchHits) -> None:
    profile = one_line(found.answer.profile)
    to.print(f"profile {profile}: a score is the sum of its contributions\n")
    for rank, result in enumerate(found.answer.results, start=1):
        hit = _hit(result, found)
        routes = one_line(", ".join(result.routes))
        to.print(
            f"[bold]{rank}. {hit.score}[/]  {hit.pointer}  {hit.time}  {hit.speaker}: {hit.text}"
        )
        to.print(f"   found by {routes}")
        to.print(_factor_table(result.factors))


def _factor_table(factors: Iterable[Factor]) -> "Table":
    table = new_table("factor", "value", "weight", "contribution")
    for column in table.columns[1:]:
        column.justify = "right"
    for factor in sorted(factors, key=lambda f: abs(f.contribution), reverse=True):
        numbers = (factor.value, factor.weight, factor.contribution)
        table.add_row(one_line(factor.name), *(f"{number:.4f}" for number in numbers))
    return table


def _hit(result: SearchResult, found: SearchHits) -> _Hit:
    memory = result.memory
    return _Hit(
        f"{result.score:.3f}",
        one_line(memory.pointer or memory.memory_id),
        said_at(memory) if memory.HasField("event_time") else "-",
        one_line(_speaker(memory)),
        one_line(" ".join((_line(memory, found), *_distance(result), *_caveats(memory)))),
    )


def _line(memory: Memory, found: SearchHits) -> str:
    """The overview where it was asked for, else the line that answers, else the summary."""
    body = found.bodies.get(memory.memory_id)
    if memory.overview or body is None or body.content == memory.summary:
        return memory.overview or memory.summary
    return best_line(body.content, found.asked.query) or memory.summary


def _distance(result: SearchResult) -> Iterator[str]:
    """The edges between a result and where a walk of the graph began."""
    if edges := result.graph_distance:
        yield f"[{edges} edge{'s' * (edges > 1)} away]"


def _caveats(memory: Memory) -> Iterator[str]:
    """Reasons not to rely on a memory as it stands."""
    flags = {
        "retracted": memory.fact.retracted,
        "superseded": memory.fact.superseded,
        "contradicted": memory.fact.contradicted,
        "needs review": memory.needs_review,
    }
    yield from (f"[{word}]" for word, told in flags.items() if told)


def _speaker(memory: Memory) -> str:
    """The speaker's name, else the role; of a memory that nobody said, its kind."""
    if memory.episode.name:
        return memory.episode.name
    if memory.episode.role:
        return role_word(memory.episode.role)
    return enum_word(MemoryKind, memory.kind)
