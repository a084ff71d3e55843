"""The ways that a query takes, and why: what `RouteQuery` tells, read as the search reads it.

Ways add to each other and none takes the place of another: what one does not find, another may.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import (
    asks_advice,
    asks_for_history,
    asks_for_last_talk,
    asks_for_portrait,
    asks_for_rules,
    asks_leave,
    asks_steps,
    is_about_caller,
    is_request,
    wants_likings,
)
from anamnesis_libs.talk.filler import is_small_talk
from anamnesis_libs.talk.topics import relations_asked, topics_of
from anamnesis_retrieval.model import Mode
from anamnesis_retrieval.ranking.agenda import time_ahead
from anamnesis_retrieval.ranking.facts_asked import facts_asked_for
from anamnesis_retrieval.ranking.first_person import in_first_person
from anamnesis_retrieval.ranking.language import is_cjk
from anamnesis_retrieval.ranking.named_time import (
    Window,
    named_times,
    time_asked_of,
    time_recalled,
    window_of,
)
from anamnesis_retrieval.ranking.newest import asks_for_now, is_about_past
from anamnesis_retrieval.ranking.rank import candidate_weights
from anamnesis_retrieval.ranking.searched import as_searched
from anamnesis_retrieval.ranking.turns import time_of_changes


@dataclass(frozen=True, slots=True)
class Route:
    """A way, the reason for it, and the words or times that decided."""

    name: str
    reason: str
    words: Sequence[str] = ()
    times: Sequence[Window] = ()


def routes_of(query: str, mode: Mode, asked_at: datetime) -> list[Route]:
    """The ways that a query takes, in the order in which they count."""
    own = in_first_person(query)
    routes = [*_of_scores(own, mode)]
    if mode is not Mode.SEMANTIC:
        routes += [*_of_times(own, mode, asked_at), *_of_life(own, asked_at)]
    if own != query:
        routes.append(Route("asker", "speaks of who asks: looked for as they would say it", [own]))
    return routes


def _of_scores(query: str, mode: Mode) -> Iterator[Route]:
    """The ways that score every memory of the scope."""
    weights = candidate_weights(query, mode)
    terms = list(dict.fromkeys(tokens(as_searched(query))))
    if weights.text:
        yield Route("text", f"words, weight {weights.text:g}: by how rare each is", terms)
    if weights.dense:
        reason = f"meaning, weight {weights.dense:g}: the nearest vector of each memory"
        yield Route("dense", f"{reason}, less for Chinese" if is_cjk(query) else reason)
    if weights.text_window or weights.dense_window:
        sums = f"{weights.text_window:g} for words, {weights.dense_window:g} for meaning"
        yield Route("window", f"the turns around a memory: {sums}")


def _of_times(query: str, mode: Mode, asked_at: datetime) -> Iterator[Route]:
    """The ways that times take: those that are named, the present and the past."""
    window = window_of(query, asked_at)
    if mode is Mode.TEMPORAL and window:
        yield Route("temporal", "only what happened in this time", times=[window])
    elif asks_for_last_talk(query):
        yield Route("temporal", "all of the last talk is asked for: a context tells of it evenly")
    elif recalled := time_recalled(query, asked_at):
        reason = "all that was said in this time is asked for: a context tells of it evenly"
        yield Route("temporal", reason, times=[Window(recalled.since, recalled.until)])
    elif named := named_times(query, asked_at):
        which = ", in whatever year" if any(one.any_year for one in named) else ""
        reason = f"what was said in this time{which}, or just after it, comes before other things"
        yield Route("temporal", reason, times=[one.latest(asked_at) for one in named])
    if is_about_past(query):
        yield Route("past", "asks how things were: facts of all times, and nothing is folded")
    elif asks_for_now(query):
        yield Route("present", "asks how things are now: of versions the newest is first")


def _of_life(query: str, asked_at: datetime) -> Iterator[Route]:
    """The ways that contexts take besides, by whose life a prompt asks about."""
    changed = time_of_changes(query, asked_at)
    if asks_for_portrait(query):
        reason = "asks who its asker is: looked for in the words in which people say that"
        yield Route("portrait", reason)
    elif changed:
        reason = "asks what changed: a context tells what began or ended in this time"
        yield Route("changes", reason, times=[Window(changed.since, changed.until)])
    elif ahead := time_ahead(query, asked_at):
        reason = "asks what lies ahead: a context tells what names a time in this one"
        yield Route("agenda", reason, times=[Window(ahead.since, ahead.until)])
    elif is_small_talk(query):
        yield Route("small_talk", "says nothing that wants a memory: a context is empty")
        return
    relations = [] if changed else sorted(relations_asked(query))
    if is_about_caller(query) and relations:
        reason = "asks about its asker: a context looks for words of the same relations, too"
        yield Route("relations", reason, relations)
    facts = facts_asked_for(query, asked_at)
    if facts.subjects and facts.predicates:
        yield _facts(facts.predicates, query, asked_at)
    yield from _of_wants(query)


def _of_wants(query: str) -> Iterator[Route]:
    """The ways that contexts take besides, by what a prompt wants."""
    if asks_for_rules(query):
        yield Route("rules", "asks for rules: a context tells all that stand")
    elif is_request(query) or asks_leave(query) or asks_advice(query):
        reason = "something is to be done: a context tells what stands and concerns it, unasked"
        yield Route("standing", reason, sorted(topics_of(query).matters))
    if asks_steps(query):
        yield Route(
            "steps",
            "something is to be done, or how: a context tells a procedure for it whole, first",
        )
    if wants_likings(query):
        yield Route("likings", "would suit or not: a context tells the likings nearest to it")


def _facts(predicates: Sequence[str], query: str, asked_at: datetime) -> Route:
    """The way by facts about a life: those that hold, that held at a time, or all of them."""
    reason = "asks about a relation of a life: a context tells what was learned of it first"
    time = time_asked_of(query, asked_at)
    if time is not None:
        return Route("facts", f"{reason}, as it was then", predicates, [time])
    if asks_for_history(query):
        return Route("facts", f"{reason}, one after the other", predicates)
    return Route("facts", reason, predicates)
