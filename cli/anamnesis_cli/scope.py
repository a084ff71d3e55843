"""The options that narrow what is looked at and say who looks: shared by search and context."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypedDict, TypeVar

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.event_pb2 import Visibility
from anamnesis.memory.v1.filter_pb2 import MemoryFilter, TimeRange
from anamnesis.memory.v1.memory_pb2 import MemoryKind, Origin
from anamnesis.retrieval.v1.retrieval_pb2 import Ranking, SearchMode
from anamnesis_cli.clocks import moment_there, time_zone_option, zone_asked
from anamnesis_cli.dates import ANY, WallMoment, WrittenDateOrAny, WrittenMoment
from anamnesis_cli.output import one_line
from anamnesis_cli.params import timestamp, words
from anamnesis_cli.target import Target, user_option, usual_agent
from anamnesis_libs.rpc.enums import enum_value

Run = TypeVar("Run", bound=Callable[..., object])


class ScopeOptions(TypedDict):
    """The options of a command that has a scope: its keyword arguments."""

    kind: tuple[str, ...]
    category: tuple[str, ...]
    tag: tuple[str, ...]
    entity: tuple[str, ...]
    of_agent: str
    of_user: str
    session: tuple[str, ...]
    origin: tuple[str, ...]
    after: datetime | None
    before: datetime | None
    min_importance: float
    include_archived: bool
    as_agent: str
    as_session: str
    mode: str
    ranking: str
    now: datetime | None
    time_zone: str | None
    as_of: Timestamp | str | None
    at_least_revision: str
    rerank: bool


def asked_at(scope: ScopeOptions) -> Timestamp | None:
    """When it is asked; None is now."""
    return None if scope["now"] is None else timestamp(scope["now"])


def zone_of_asker(scope: ScopeOptions) -> str:
    """Where who asks is; see `zone_asked`."""
    return zone_asked(scope["now"], scope["time_zone"])


def memory_filter(scope: ScopeOptions) -> MemoryFilter:
    """The filter of the memories that take part."""
    return MemoryFilter(
        kinds=[enum_value(MemoryKind, kind) for kind in scope["kind"]],
        categories=scope["category"],
        tags=scope["tag"],
        entities=scope["entity"],
        agent_id=scope["of_agent"],
        user_id=scope["of_user"],
        session_ids=scope["session"],
        provenance=[enum_value(Origin, origin) for origin in scope["origin"]],
        time_range=_time_range(scope),
        min_importance=scope["min_importance"],
        include_archived=scope["include_archived"],
    )


def caller_of(target: Target, as_agent: str, as_session: str) -> Caller:
    """The caller that the options name."""
    return Caller(agent_id=as_agent, user_id=target.user_id, session_id=as_session)


def in_sight(namespace: str, caller: Caller) -> str:
    """The namespace and the eyes of an answer that is empty: whose they were is overlooked."""
    names = [one_line(name) for name in (caller.user_id, caller.agent_id) if name]
    seen = f"as far as {' and '.join(names)} may see" if names else "of what everybody sees"
    return f"in namespace {namespace}, {seen}"


def search_mode(scope: ScopeOptions) -> SearchMode.ValueType:
    """The search mode that the options name."""
    return enum_value(SearchMode, scope["mode"])


def ranking_of(scope: ScopeOptions) -> Ranking.ValueType:
    """The ranking that the options name."""
    return enum_value(Ranking, scope["ranking"])


def fact_time(scope: ScopeOptions) -> Timestamp | None:
    """The time that facts are asked of, where one is named."""
    as_of = scope["as_of"]
    return as_of if isinstance(as_of, Timestamp) else None


def of_any_time(scope: ScopeOptions) -> bool:
    """True where facts of all times are asked for."""
    return scope["as_of"] == ANY


def _time_range(scope: ScopeOptions) -> TimeRange | None:
    if scope["after"] is None and scope["before"] is None:
        return None
    zone = scope["time_zone"] or ""
    start, end = (moment_there(each, zone) for each in (scope["after"], scope["before"]))
    return TimeRange(start_time=start, end_time=end)


def scope_options(run: Run) -> Run:
    """Adds the options; take them as `**scope: Unpack[Scope]`."""
    for option in reversed((*_FILTERS, *_CALLERS, *_ASKING)):
        run = option(run)
    return run


def visibility_option(run: Run) -> Run:
    """Adds the option that says who sees what is written; see `to_visibility`."""
    return _VISIBILITY(run)


def to_visibility(word: str | None) -> Visibility.ValueType:
    """The visibility of an option; left to the policy where none is given."""
    return enum_value(Visibility, word)


def who_sees(visibility: Visibility.ValueType, users: Sequence[str], agent_id: str) -> str:
    """The words of a receipt for those who see what was written."""
    if visibility == Visibility.VISIBILITY_PRIVATE_TO_USER:
        *others, last = map(one_line, users)
        return (
            f"seen by {', '.join(others)} and {last} alone" if others else f"seen by {last} alone"
        )
    if visibility == Visibility.VISIBILITY_PRIVATE_TO_AGENT:
        return f"seen by agent {one_line(agent_id)} alone"
    return "seen by all of the namespace"


def participants_option(run: Run) -> Run:
    """Adds the option that names who else takes part in a session that begins."""
    return _WITH(run)


def caller_options(run: Run) -> Run:
    """Adds only the options that say who asks."""
    for option in reversed(_CALLERS):
        run = option(run)
    return run


_FILTERS = (
    click.option(
        "--kind",
        multiple=True,
        type=words(MemoryKind),
        help="Only of these kinds.",
    ),
    click.option("--category", multiple=True, metavar="NAME", help="Only of these categories."),
    click.option("--tag", multiple=True, metavar="TAG", help="Only with one of these tags."),
    click.option("--entity", multiple=True, metavar="NAME", help="Only mentioning one of these."),
    click.option("--session", multiple=True, metavar="ID", help="Only from these sessions."),
    click.option(
        "--origin",
        multiple=True,
        type=words(Origin),
        help="Only of these: seen by somebody, stated by a caller, written by a model.",
    ),
    click.option("--of-agent", default="", metavar="ID", help="Only of this agent."),
    click.option("--of-user", default="", metavar="ID", help="Only of this person."),
    click.option("--after", type=WallMoment(), metavar="TIME", help="Happened at TIME or later."),
    click.option("--before", type=WallMoment(), metavar="TIME", help="Happened before TIME."),
    click.option(
        "--min-importance",
        type=click.FloatRange(0, 1),
        default=0.0,
        metavar="0..1",
        help="At least this important.",
    ),
    click.option("--include-archived", is_flag=True, help="Archived memories too."),
)
_VISIBILITY = click.option(
    "--visibility",
    type=words(Visibility),
    help="Readers (default: what the policy says, which is --user alone unless it was decided "
    "otherwise).",
)
_WITH = click.option(
    "--with",
    "participants",
    multiple=True,
    metavar="ID",
    help="Who takes part besides --user, in a session that begins here: it is theirs together. "
    "May be repeated.",
)
_CALLERS = (
    user_option,
    click.option(
        "--as-agent",
        default=usual_agent,
        metavar="ID",
        help="Ask as this agent: its private ones too.",
    ),
    click.option("--as-session", default="", metavar="ID", help="Ask from this session."),
)
_ASKING = (
    click.option(
        "--mode",
        type=words(SearchMode),
        default="auto",
        show_default=True,
        help="Search by what suits query and scope, by vectors, or by text and vectors; only what "
        "was distilled, or what happened in the times that QUERY names; what the graph joins.",
    ),
    click.option(
        "--ranking",
        type=words(Ranking),
        default="relevance",
        show_default=True,
        help="What comes first: what answers best, that and what is new and important, or what "
        "is new.",
    ),
    click.option(
        "--now",
        type=WrittenMoment(),
        metavar="TIME",
        help="Ask as if it were TIME (default: the server's clock).",
    ),
    time_zone_option,
    click.option(
        "--as-of",
        type=WrittenDateOrAny(),
        metavar="TIME",
        help="Leave out facts that did not hold at TIME, or none of any time (default: what has "
        "ended, unless QUERY asks for the past).",
    ),
    click.option(
        "--at-least-revision",
        default="",
        metavar="REVISION",
        help="Wait until this write can be found; `ingest` and `observe` print theirs.",
    ),
    click.option(
        "--rerank",
        is_flag=True,
        help="Have the server's reranker read the best hits again, if it has one.",
    ),
)
