"""How search results look: one table, or with `--explain` each score taken apart."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table

from anamnesis.memory.v1.event_pb2 import Role
from anamnesis.memory.v1.memory_pb2 import Memory, MemoryKind
from anamnesis.retrieval.v1.retrieval_pb2 import Factor, SearchResult
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchResponse
from libs.cli.output import console, moment, new_table, note, one_line
from libs.cli.paging import note_more

_SPEAKER = 3
_SPEAKER_CHARS_MAX = 28


def print_results(answer: SearchResponse, namespace: str, explain: bool) -> None:
    """Prints a page of results and, beside it, what one should know about it."""
    if not answer.results:
        note(f"nothing relevant in namespace {namespace}")
    elif explain:
        _print_explained(console(), answer)
    else:
        console().print(_table(answer.results))
    note_degraded(answer.degraded)
    note_more(answer.next_page_token)


def note_degraded(reasons: Iterable[str]) -> None:
    """Tells what could not take part in an answer."""
    for reason in dict.fromkeys(reasons):
        note(f"degraded: {reason}")


def _table(results: Iterable[SearchResult]) -> Table:
    table = new_table("#", "score", "pointer", "time", "speaker", "memory")
    for column in table.columns[:-1]:
        column.no_wrap = True
    rows = [_cells(result) for result in results]
    if any(len(row[_SPEAKER]) > _SPEAKER_CHARS_MAX for row in rows):
        # A path of headings; what it heads needs the room.
        speaker = table.columns[_SPEAKER + 1]
        speaker.no_wrap, speaker.width = False, _SPEAKER_CHARS_MAX
    for rank, row in enumerate(rows, start=1):
        table.add_row(str(rank), *row)
    return table


def _print_explained(to: Console, answer: SearchResponse) -> None:
    to.print(f"profile {one_line(answer.profile)}: a score is the sum of its contributions\n")
    for rank, result in enumerate(answer.results, start=1):
        score, pointer, time, speaker, text = _cells(result)
        routes = one_line(", ".join(result.routes))
        to.print(f"[bold]{rank}. {score}[/]  {pointer}  {time}  {speaker}: {text}")
        to.print(f"   found by {routes}")
        to.print(_factor_table(result.factors))


def _factor_table(factors: Iterable[Factor]) -> Table:
    table = new_table("factor", "value", "weight", "contribution")
    for column in table.columns[1:]:
        column.justify = "right"
    for factor in sorted(factors, key=lambda f: abs(f.contribution), reverse=True):
        numbers = (factor.value, factor.weight, factor.contribution)
        table.add_row(one_line(factor.name), *(f"{number:.4f}" for number in numbers))
    return table


def _cells(result: SearchResult) -> tuple[str, str, str, str, str]:
    memory = result.memory
    return (
        f"{result.score:.3f}",
        one_line(memory.pointer or memory.memory_id),
        moment(memory.event_time) if memory.HasField("event_time") else "-",
        one_line(_speaker(memory)),
        one_line(" ".join((memory.overview or memory.summary, *_caveats(memory)))),
    )


def _caveats(memory: Memory) -> Iterator[str]:
    """Why not to rely on it as it stands."""
    flags = {
        "retracted": memory.fact.retracted,
        "superseded": memory.fact.superseded,
        "contradicted": memory.fact.contradicted,
        "needs review": memory.needs_review,
    }
    yield from (f"[{word}]" for word, told in flags.items() if told)


def _speaker(memory: Memory) -> str:
    """Who said it: by name, else by role; of what nobody said, its kind."""
    if memory.episode.name:
        return memory.episode.name
    if memory.episode.role:
        return Role.Name(memory.episode.role).removeprefix("ROLE_").lower()
    return MemoryKind.Name(memory.kind).removeprefix("MEMORY_KIND_").lower()
