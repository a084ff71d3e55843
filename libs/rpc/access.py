"""Who may call what: the one table of rpcs that tells agents from operators.

An operator, and a service of the suite, may do everything. An agent may call what stands in
`AGENT_RPCS`, for the callers that its key names: never past visibility, and never what looks
after a namespace or does the suite's own work. An rpc that is in neither list is an operator's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message

from libs.errors import KeyNotEntitled

_MEMORY = "/anamnesis.memory.v1.MemoryService/"
_LEDGER = "/anamnesis.memory.v1.LedgerService/"
_PROCEDURES = "/anamnesis.memory.v1.ProcedureService/"
_LESSONS = "/anamnesis.memory.v1.LessonService/"
_WORKING = "/anamnesis.memory.v1.WorkingMemoryService/"
_KNOWLEDGE = "/anamnesis.memory.v1.KnowledgeService/"
_PALACE = "/anamnesis.memory.v1.PalaceService/"
_TOPICS = "/anamnesis.memory.v1.TopicService/"
_ADMIN = "/anamnesis.memory.v1.AdminService/"
_INGESTION = "/anamnesis.ingestion.v1.IngestionService/"
_CLUSTERS = "/anamnesis.cluster.v1.ClusterService/"
_RETRIEVAL = "/anamnesis.retrieval.v1.RetrievalService/"

CALLER = "caller"
ITSELF = ""

AGENT_RPCS: Mapping[str, Sequence[str]] = {
    _MEMORY + "CreateMemory": ("memory",),
    _MEMORY + "BatchCreateMemories": ("memories",),
    _MEMORY + "GetMemory": (CALLER,),
    _MEMORY + "BatchGetMemories": (CALLER,),
    _MEMORY + "ListMemories": (CALLER,),
    _MEMORY + "DeleteMemory": (CALLER,),
    _MEMORY + "ListActivity": (CALLER,),
    _MEMORY + "UpdateMemory": (CALLER,),
    _MEMORY + "DeleteMemories": (CALLER,),
    _MEMORY + "UndoMerge": (CALLER,),
    _MEMORY + "ReportUse": (CALLER,),
    _MEMORY + "Embed": (),
    _MEMORY + "FindCandidates": (CALLER,),
    _MEMORY + "WatchMemories": (CALLER,),
    _LEDGER + "AppendEvents": (ITSELF, CALLER),
    _LEDGER + "GetSession": (CALLER,),
    _LEDGER + "ListSessions": (CALLER,),
    _LEDGER + "ListEvents": (CALLER,),
    _LEDGER + "ListSegments": (CALLER,),
    _LEDGER + "GetTrajectoryStats": (CALLER,),
    _LEDGER + "PutUpload": (CALLER,),
    _LEDGER + "ListUploads": (CALLER,),
    _LEDGER + "GetUpload": (CALLER,),
    _LEDGER + "DeleteSession": (CALLER,),
    _PROCEDURES + "CreateProcedure": ("procedure",),
    _PROCEDURES + "MatchProcedures": (CALLER,),
    _PROCEDURES + "RecordRun": (CALLER,),
    _LESSONS + "CreateLesson": ("lesson",),
    _LESSONS + "MatchLessons": (CALLER,),
    _LESSONS + "ValidateLesson": (CALLER,),
    _LESSONS + "ApplyLesson": (CALLER,),
    _WORKING + "StartSession": ("key",),
    _WORKING + "PutItem": ("key",),
    _WORKING + "GetItem": ("key",),
    _WORKING + "ClearZone": ("key",),
    _WORKING + "RenderContext": ("key",),
    _KNOWLEDGE + "AssertFact": (ITSELF,),
    _KNOWLEDGE + "RetractFact": (CALLER,),
    _KNOWLEDGE + "ListFacts": (CALLER,),
    _KNOWLEDGE + "GetEntity": (CALLER,),
    _KNOWLEDGE + "ListEntities": (CALLER,),
    _KNOWLEDGE + "MergeEntities": (CALLER,),
    _KNOWLEDGE + "SplitEntity": (CALLER,),
    _KNOWLEDGE + "GetTimeline": (CALLER,),
    _KNOWLEDGE + "Traverse": (CALLER,),
    _KNOWLEDGE + "CreateEdge": (CALLER,),
    _KNOWLEDGE + "DeleteEdge": (CALLER,),
    _PALACE + "ListWings": (CALLER,),
    _PALACE + "ListRooms": (CALLER,),
    _PALACE + "ListClosets": (CALLER,),
    _PALACE + "ListDrawers": (CALLER,),
    _PALACE + "ResolvePointer": (CALLER,),
    _PALACE + "SaveNote": (ITSELF,),
    _INGESTION + "Observe": (ITSELF,),
    _INGESTION + "ObserveStream": ("observation",),
    _INGESTION + "AppendEvents": (ITSELF,),
    _INGESTION + "IngestFile": ("header",),
    _INGESTION + "IngestText": (ITSELF,),
    _INGESTION + "EndSession": (CALLER,),
    _INGESTION + "GetPipelineStatus": (CALLER,),
    _INGESTION + "ExportSft": (CALLER,),
    _CLUSTERS + "ListClusters": (CALLER,),
    _CLUSTERS + "ListClusterMemories": (CALLER,),
    _RETRIEVAL + "Search": (CALLER,),
    _RETRIEVAL + "BuildContext": (CALLER,),
}
"""What an agent may call, and where its requests say who asks.

`CALLER` must be set where nothing else says it. Elsewhere `agent_id` and `user_id` are whose the
written records become.
"""

OPERATOR_RPCS = frozenset(
    [_ADMIN + name for name in ("CreateNamespace", "GetNamespace", "ListNamespaces", "GetStats")]
    + [_ADMIN + name for name in ("VerifyConsistency", "ExportNamespace", "ImportNamespace")]
    + [_ADMIN + name for name in ("Reembed", "GetUsage", "ReportUsage")]
    + [
        _ADMIN + name
        for name in ("UpdateNamespacePolicy", "MakePrivate", "RunSleepCycle", "ListRuns")
    ]
    + [_ADMIN + name for name in ("DeleteSubject", "DeleteNamespace", "VerifyErasure")]
    + [_LEDGER + name for name in ("ReplaceSegments", "UpdateSegment", "RecordLearned")]
    + [_LEDGER + name for name in ("PromoteEpisodes", "ClaimWork", "RenewWork", "CompleteWork")]
    + [_LEDGER + name for name in ("FailWork", "ListWork", "RetryWork")]
    + [_TOPICS + name for name in ("ListTopics", "ListTopicMembers", "AssignTopicMembers")]
    + [_INGESTION + name for name in ("ListFailures", "RetryFailures", "RunPipeline")]
)
"""What only operators and the services themselves may call."""

OPERATOR_FIELDS = ("all_visibilities", "for_assignment")
"""What an agent may not set: it passes visibility over."""

AGENT_FIELDS = {_INGESTION + "GetPipelineStatus": "session_id"}
"""What an agent must set: without it the answer is about everybody's sessions."""

PARTICIPANTS = "participants"
"""Whose a session of several people becomes."""

ANYBODY = "*"
_OWNERS = ("agent_id", "user_id")


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent's key: the agent and the user it may name; `*` is any, empty is none."""

    agent_id: str = ANYBODY
    user_id: str = ANYBODY

    def check_rpc(self, method: str) -> None:
        """Refuse what is not for agents.

        Raises:
            KeyNotEntitled: only an operator may call it.
        """
        if method not in AGENT_RPCS:
            raise KeyNotEntitled(
                f"{method} is for operators; call it with a key of security.api_keys_file"
            )

    def check_request(self, method: str, request: Message) -> None:
        """Refuse what an agent may not ask for.

        Raises:
            KeyNotEntitled: it passes visibility over, names no caller, or one that is not the
                key's.
        """
        fields = request.DESCRIPTOR.fields_by_name
        for field in OPERATOR_FIELDS:
            if field in fields and getattr(request, field):
                raise KeyNotEntitled(f"{field} is for operators; leave it unset")
        field = AGENT_FIELDS.get(method, "")
        if field and not getattr(request, field):
            raise KeyNotEntitled(f"without {field} it is for operators; set {field}")
        paths = AGENT_RPCS[method]
        for path in paths:
            self._check_named(request, path, needed=paths == (CALLER,))

    def _check_takes_part(self, path: str, named: Message) -> None:
        """Nobody makes a conversation of others, which would be theirs, without taking part."""
        others = getattr(named, PARTICIPANTS)
        taking_part = {ANYBODY, getattr(named, _OWNERS[1]), *others} - {""}
        if others and self.user_id not in taking_part:
            told = f"{self.user_id!r} must be one of them" if self.user_id else "leave it empty"
            raise KeyNotEntitled(f"{path}: this key may not name others alone; {told}")

    def _check_named(self, request: Message, path: str, *, needed: bool) -> None:
        """The caller that stands at a path is the key's."""
        for named in _at(request, path):
            ids = [getattr(named, field) for field in _OWNERS]
            if needed and not any(ids):
                raise KeyNotEntitled("no caller is named; set caller.agent_id or caller.user_id")
            if PARTICIPANTS in named.DESCRIPTOR.fields_by_name:
                self._check_takes_part(f"{path}.{PARTICIPANTS}".lstrip("."), named)
            for field, given in zip(_OWNERS, ids, strict=True):
                self._check_id(f"{path}.{field}".lstrip("."), given, getattr(self, field))

    def _check_id(self, path: str, given: str, allowed: str) -> None:
        if allowed != ANYBODY and given not in ("", allowed):
            told = f"name {allowed!r}" if allowed else "leave it empty"
            raise KeyNotEntitled(f"{path}: this key may not name {given!r}; {told}")


def _at(request: Message, path: str) -> Iterator[Message]:
    """The messages at a path: the request itself, a field of it, or each of a repeated one."""
    if path == ITSELF:
        yield request
        return
    field = request.DESCRIPTOR.fields_by_name[path]
    if field.is_repeated:
        yield from getattr(request, path)
    elif path == CALLER or request.HasField(path):
        yield getattr(request, path)
