"""ProjectionService: views of what the memory service holds at the call, as its caller sees it."""

from datetime import UTC, datetime
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.cluster.v1 import projection_pb2, projection_service_pb2_grpc
from anamnesis.cluster.v1 import projection_service_pb2 as pb
from anamnesis.memory.v1 import entity_pb2, filter_pb2
from anamnesis_cluster.api.reviews import ReviewRpcs
from anamnesis_cluster.convert.views import (
    from_line,
    from_page,
    from_pattern,
    from_profile,
    from_tool_failure,
    is_person,
    names_of,
)
from anamnesis_cluster.peers.knowledge import Reading, ScopedKnowledge
from anamnesis_cluster.view_model import KnowledgePage
from anamnesis_cluster.views.episodes import Place, episodes_of, place_of
from anamnesis_cluster.views.page import cited, in_order, page_of
from anamnesis_cluster.views.profile import TOKEN_BUDGET, profile_of, sections_of
from anamnesis_cluster.views.tasks import task_patterns
from anamnesis_cluster.views.tool_failures import tool_failures
from anamnesis_cluster.views.wording import page_markdown
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.paging import coerced_size, read_page
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_libs.tokens import TokenCounter

_PLACE_FORM = (int, str)
_Request = TypeVar(
    "_Request",
    pb.GetUserProfileRequest,
    pb.ListEpisodesRequest,
    pb.ListTaskPatternsRequest,
    pb.ListToolFailuresRequest,
    pb.GetKnowledgePageRequest,
    pb.ListProjectionsRequest,
)
_Response = TypeVar("_Response")


class ProjectionServicer(ReviewRpcs, projection_service_pb2_grpc.ProjectionServiceServicer):
    """Serves views; see the proto for what each rpc promises."""

    def __init__(
        self, channels: Channels, clock: Clock, tokens: TokenCounter, timeout_s: float
    ) -> None:
        super().__init__(channels, timeout_s)
        self._channels = channels
        self._clock = clock
        self._tokens = tokens

    async def GetUserProfile(
        self,
        request: pb.GetUserProfileRequest,
        context: aio.ServicerContext[pb.GetUserProfileRequest, pb.GetUserProfileResponse],
    ) -> pb.GetUserProfileResponse:
        """Show what holds now of one person."""
        memory = self._knowledge(request, context)
        subject, facts, revision = await memory.facts_of_life(request.subject)
        budget = request.token_budget or TOKEN_BUDGET
        profile = profile_of(subject, facts, self._clock.now(), budget, self._tokens)
        return pb.GetUserProfileResponse(profile=from_profile(profile), revision=revision)

    async def ListEpisodes(
        self,
        request: pb.ListEpisodesRequest,
        context: aio.ServicerContext[pb.ListEpisodesRequest, pb.ListEpisodesResponse],
    ) -> pb.ListEpisodesResponse:
        """List what happened to a subject, by time."""
        page = read_page(request.page_size, request.page_token, _query(request), _PLACE_FORM)
        after: Place | None = (int(page.after[0]), str(page.after[1])) if page.after else None
        start, end = _range(request.time_range)
        memory = self._knowledge(request, context)
        _, facts, revision = await memory.facts_of_life(request.subject)
        found = [
            episode
            for episode in episodes_of(facts, start, end)
            if after is None or place_of(episode) > after
        ]
        episodes, token = page.take(found[: page.size + 1], place_of)
        return pb.ListEpisodesResponse(
            episodes=map(from_line, episodes), next_page_token=token, revision=revision
        )

    async def ListTaskPatterns(
        self,
        request: pb.ListTaskPatternsRequest,
        context: aio.ServicerContext[pb.ListTaskPatternsRequest, pb.ListTaskPatternsResponse],
    ) -> pb.ListTaskPatternsResponse:
        """List the kinds of task that were done."""
        memory = self._knowledge(request, context)
        revision = await memory.revision()
        tasks, truncated = await memory.tasks()
        patterns = task_patterns(tasks, await memory.procedures())
        return pb.ListTaskPatternsResponse(
            patterns=map(from_pattern, patterns), revision=revision, truncated=truncated
        )

    async def ListToolFailures(
        self,
        request: pb.ListToolFailuresRequest,
        context: aio.ServicerContext[pb.ListToolFailuresRequest, pb.ListToolFailuresResponse],
    ) -> pb.ListToolFailuresResponse:
        """List the tools that failed."""
        memory = self._knowledge(request, context)
        revision = await memory.revision()
        tasks, truncated = await memory.tasks()
        failures = tool_failures(tasks, await memory.lessons())
        return pb.ListToolFailuresResponse(
            tools=map(from_tool_failure, failures), revision=revision, truncated=truncated
        )

    async def GetKnowledgePage(
        self,
        request: pb.GetKnowledgePageRequest,
        context: aio.ServicerContext[pb.GetKnowledgePageRequest, pb.GetKnowledgePageResponse],
    ) -> pb.GetKnowledgePageResponse:
        """Show all that is known of one entity."""
        memory = self._knowledge(request, context)
        entity, facts, revision = await memory.timeline(request.entity_id, request.name)
        names = names_of(entity)
        lessons = await memory.lessons(names)
        page = page_of(
            names,
            facts,
            [lesson.line for lesson in lessons],
            self._clock.now(),
            is_person=is_person(entity),
        )
        sources = in_order(await memory.sources(cited(page)))
        whole = KnowledgePage(page.names, page.sections, sources)
        return pb.GetKnowledgePageResponse(
            page=from_page(whole, entity, page_markdown(whole)), revision=revision
        )

    async def ListProjections(
        self,
        request: pb.ListProjectionsRequest,
        context: aio.ServicerContext[pb.ListProjectionsRequest, pb.ListProjectionsResponse],
    ) -> pb.ListProjectionsResponse:
        """List the views that the caller can read."""
        memory = self._knowledge(request, context)
        revision = await memory.revision()
        wanted = request.type
        views = (
            []
            if request.page_token or wanted == projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE
            else await _views(memory, self._clock.now())
        )
        token = ""
        if wanted in (
            projection_pb2.PROJECTION_TYPE_UNSPECIFIED,
            projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE,
        ):
            listed = await memory.entities(coerced_size(request.page_size), request.page_token)
            views += map(_page_view, listed.entities)
            token = listed.next_page_token
        return pb.ListProjectionsResponse(
            projections=[view for view in views if view.size and wanted in (0, view.type)],
            next_page_token=token,
            revision=revision,
        )

    def _knowledge(
        self, request: _Request, context: aio.ServicerContext[_Request, _Response]
    ) -> ScopedKnowledge:
        """The memory service for one request."""
        reading = Reading(request.namespace, request.caller, request.at_least_revision)
        return ScopedKnowledge(self._channels, reading, remaining_s(context, self._timeout_s))


async def _views(memory: ScopedKnowledge, now: datetime) -> list[projection_pb2.Projection]:
    """The views that are no knowledge pages, with their sizes."""
    subject, facts, _ = await memory.facts_of_life("")
    tasks, _ = await memory.tasks()
    lines = sum(len(section.lines) for section in sections_of(facts, now))
    kinds = len({task.task_type for task in tasks})
    return [
        projection_pb2.Projection(
            type=projection_pb2.PROJECTION_TYPE_USER_PROFILE,
            key=subject,
            title=f"Profile of {subject}",
            size=lines,
        ),
        projection_pb2.Projection(
            type=projection_pb2.PROJECTION_TYPE_EPISODIC_TIMELINE,
            key=subject,
            title=f"Episodes of {subject}",
            size=len(episodes_of(facts)),
        ),
        projection_pb2.Projection(
            type=projection_pb2.PROJECTION_TYPE_TASK_PATTERN, title="Task patterns", size=kinds
        ),
        projection_pb2.Projection(
            type=projection_pb2.PROJECTION_TYPE_TOOL_FAILURE_CATALOG,
            title="Tool failures",
            size=len(tool_failures(tasks, ())),
        ),
    ]


def _page_view(entity: entity_pb2.Entity) -> projection_pb2.Projection:
    return projection_pb2.Projection(
        type=projection_pb2.PROJECTION_TYPE_KNOWLEDGE_PAGE,
        key=entity.entity_id,
        title=entity.name,
        size=entity.mention_count,
        entity_kind=entity.kind,
    )


def _range(asked: filter_pb2.TimeRange) -> tuple[datetime | None, datetime | None]:
    """The beginning and the end of a range of time.

    Raises:
        InvalidArgument: it ends before it begins, or names a time that is none.
    """
    start = _moment(asked.start_time, "start_time") if asked.HasField("start_time") else None
    end = _moment(asked.end_time, "end_time") if asked.HasField("end_time") else None
    if start is not None and end is not None and end < start:
        raise invalid_field("time_range.end_time", "must not be before start_time")
    return start, end


def _moment(stamp: Timestamp, field: str) -> datetime:
    try:
        return stamp.ToDatetime(UTC)
    except ValueError as error:
        said = "must be a time between the years 1 and 9999"
        raise invalid_field(f"time_range.{field}", said) from error


def _query(request: pb.ListEpisodesRequest) -> bytes:
    """The request without its place in pages: the query that a page token belongs to."""
    query = pb.ListEpisodesRequest()
    query.CopyFrom(request)
    for field in ("page_size", "page_token", "at_least_revision"):
        query.ClearField(field)
    return query.SerializeToString(deterministic=True)
