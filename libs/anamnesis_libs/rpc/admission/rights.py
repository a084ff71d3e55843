"""The table of rights: which right each rpc needs, and where its requests say who asks."""

from collections.abc import Mapping, Sequence
from enum import StrEnum


class Right(StrEnum):
    """The right of a key; the services use `WORK` among themselves."""

    READ = "read"
    WRITE = "write"
    DESTROY = "destroy"
    OPERATE = "operate"
    WORK = "work"


_MEMORY = "/anamnesis.memory.v1.MemoryService/"
_LEDGER = "/anamnesis.memory.v1.LedgerService/"
_PROCEDURES = "/anamnesis.memory.v1.ProcedureService/"
_LESSONS = "/anamnesis.memory.v1.LessonService/"
_WORKING = "/anamnesis.memory.v1.WorkingMemoryService/"
_KNOWLEDGE = "/anamnesis.memory.v1.KnowledgeService/"
_PALACE = "/anamnesis.memory.v1.PalaceService/"
_DOCUMENTS = "/anamnesis.memory.v1.DocumentService/"
_TOPICS = "/anamnesis.memory.v1.TopicService/"
_ADMIN = "/anamnesis.memory.v1.AdminService/"
_INGESTION = "/anamnesis.ingestion.v1.IngestionService/"
_CLUSTERS = "/anamnesis.cluster.v1.ClusterService/"
_PROJECTIONS = "/anamnesis.cluster.v1.ProjectionService/"
_RETRIEVAL = "/anamnesis.retrieval.v1.RetrievalService/"

CALLER = "caller"
ITSELF = ""

_READ: Mapping[str, Sequence[str]] = {
    _MEMORY + "GetMemory": (CALLER,),
    _MEMORY + "BatchGetMemories": (CALLER,),
    _MEMORY + "ListMemories": (CALLER,),
    _MEMORY + "ListActivity": (CALLER,),
    _MEMORY + "Embed": (),
    _MEMORY + "FindCandidates": (CALLER,),
    _MEMORY + "WatchMemories": (CALLER,),
    _LEDGER + "GetSession": (CALLER,),
    _LEDGER + "ListSessions": (CALLER,),
    _LEDGER + "ListEvents": (CALLER,),
    _LEDGER + "ListSegments": (CALLER,),
    _LEDGER + "GetTrajectoryStats": (CALLER,),
    _LEDGER + "ListUploads": (CALLER,),
    _LEDGER + "GetUpload": (CALLER,),
    _PROCEDURES + "MatchProcedures": (CALLER,),
    _LESSONS + "MatchLessons": (CALLER,),
    _LESSONS + "ListDuplicates": (CALLER,),
    _LESSONS + "ListSeeds": (CALLER,),
    _WORKING + "GetItem": ("key",),
    _WORKING + "RenderContext": ("key",),
    _KNOWLEDGE + "ListFacts": (CALLER,),
    _KNOWLEDGE + "GetEntity": (CALLER,),
    _KNOWLEDGE + "ListEntities": (CALLER,),
    _KNOWLEDGE + "GetTimeline": (CALLER,),
    _KNOWLEDGE + "Traverse": (CALLER,),
    _DOCUMENTS + "BatchGetDocuments": (CALLER,),
    _DOCUMENTS + "ListDocuments": (CALLER,),
    _DOCUMENTS + "ListDocumentPaths": (CALLER,),
    _DOCUMENTS + "SearchDocuments": (CALLER,),
    _PALACE + "ListWings": (CALLER,),
    _PALACE + "ListRooms": (CALLER,),
    _PALACE + "ListClosets": (CALLER,),
    _PALACE + "ListDrawers": (CALLER,),
    _PALACE + "ResolvePointer": (CALLER,),
    _INGESTION + "GetPipelineStatus": (CALLER,),
    _INGESTION + "ExportSft": (CALLER,),
    _CLUSTERS + "ListClusters": (CALLER,),
    _CLUSTERS + "ListClusterMemories": (CALLER,),
    _CLUSTERS + "GetCluster": (CALLER,),
    _PROJECTIONS + "GetUserProfile": (CALLER,),
    _PROJECTIONS + "ListEpisodes": (CALLER,),
    _PROJECTIONS + "ListTaskPatterns": (CALLER,),
    _PROJECTIONS + "ListToolFailures": (CALLER,),
    _PROJECTIONS + "GetKnowledgePage": (CALLER,),
    _PROJECTIONS + "ListProjections": (CALLER,),
    _PROJECTIONS + "ListSkills": (CALLER,),
    _CLUSTERS + "ListCrystallizations": (CALLER,),
    _RETRIEVAL + "Search": (CALLER,),
    _RETRIEVAL + "BuildContext": (CALLER,),
    _RETRIEVAL + "RouteQuery": (CALLER,),
}
"""Looking, and asking."""
_WRITE: Mapping[str, Sequence[str]] = {
    _KNOWLEDGE + "RetractFact": (CALLER,),
    _WORKING + "ClearZone": ("key",),
    _MEMORY + "CreateMemory": ("memory",),
    _MEMORY + "BatchCreateMemories": ("memories",),
    _MEMORY + "UpdateMemory": (CALLER,),
    _MEMORY + "UndoMerge": (CALLER,),
    _MEMORY + "ReportUse": (CALLER,),
    _LEDGER + "AppendEvents": (ITSELF, CALLER),
    _LEDGER + "PutUpload": (CALLER,),
    _PROCEDURES + "CreateProcedure": ("procedure",),
    _PROCEDURES + "RecordRun": (CALLER,),
    _PROCEDURES + "ReviewProcedure": (CALLER,),
    _PROJECTIONS + "ReviewSkill": (CALLER,),
    _CLUSTERS + "CrystallizeCluster": (CALLER,),
    _LESSONS + "CreateLesson": ("lesson",),
    _LESSONS + "ValidateLesson": (CALLER,),
    _LESSONS + "ApplyLesson": (CALLER,),
    _LESSONS + "SeedNamespace": (CALLER,),
    _WORKING + "StartSession": ("key",),
    _WORKING + "PutItem": ("key",),
    _KNOWLEDGE + "AssertFact": (ITSELF,),
    _KNOWLEDGE + "MergeEntities": (CALLER,),
    _KNOWLEDGE + "SplitEntity": (CALLER,),
    _KNOWLEDGE + "CreateEdge": (CALLER,),
    _DOCUMENTS + "BatchPutDocuments": (CALLER,),
    _DOCUMENTS + "TouchDocuments": (CALLER,),
    _PALACE + "SaveNote": (ITSELF,),
    _INGESTION + "Observe": (ITSELF,),
    _INGESTION + "ObserveStream": ("observation",),
    _INGESTION + "AppendEvents": (ITSELF,),
    _INGESTION + "IngestFile": ("header",),
    _INGESTION + "IngestText": (ITSELF,),
    _INGESTION + "EndSession": (CALLER,),
    _CLUSTERS + "AssignMemory": (CALLER,),
}
"""Remembering, correcting, and saying what was of use."""
_DESTROY: Mapping[str, Sequence[str]] = {
    _MEMORY + "DeleteMemory": (CALLER,),
    _MEMORY + "DeleteMemories": (CALLER,),
    _LEDGER + "DeleteSession": (CALLER,),
    _LEDGER + "TruncateSession": (CALLER,),
    _KNOWLEDGE + "DeleteEdge": (CALLER,),
    _LESSONS + "WithdrawSeed": (CALLER,),
}
"""Taking back what was remembered."""
_OPERATE = (
    *(_ADMIN + name for name in ("CreateNamespace", "GetNamespace", "ListNamespaces", "GetStats")),
    *(_ADMIN + name for name in ("VerifyConsistency", "ExportNamespace", "ImportNamespace")),
    *(_ADMIN + name for name in ("Reembed", "GetUsage", "UpdateNamespacePolicy", "MakePrivate")),
    *(_ADMIN + name for name in ("RunSleepCycle", "ListRuns", "DeleteSubject", "DeleteNamespace")),
    _ADMIN + "VerifyErasure",
    *(_LEDGER + name for name in ("ListWork", "RetryWork")),
    _CLUSTERS + "RunInitialClustering",
    *(_INGESTION + name for name in ("ListFailures", "RetryFailures", "RunPipeline")),
    _CLUSTERS + "Consolidate",
    *(_CLUSTERS + name for name in ("CrystallizeReady", "RefineMemories")),
)
"""Looking after namespaces."""
_WORK = (
    *(_ADMIN + name for name in ("ReportUsage", "StartRun", "FinishRun")),
    _LESSONS + "SettleDuplicate",
    *(_LEDGER + name for name in ("ReplaceSegments", "UpdateSegment", "RecordLearned")),
    *(_LEDGER + name for name in ("PromoteEpisodes", "ClaimWork", "RenewWork", "CompleteWork")),
    _LEDGER + "FailWork",
    *(_TOPICS + name for name in ("ListTopics", "ListTopicMembers", "AssignTopicMembers")),
    _TOPICS + "RecordCrystallization",
    *(_MEMORY + name for name in ("ListUnrefined", "RecordRefinements")),
)
"""Rpcs that only the services call."""

AGENT_RPCS: Mapping[str, Sequence[str]] = {**_READ, **_WRITE, **_DESTROY}
"""Rpcs that an agent may call, and the fields of their requests that name the caller.

`CALLER` must be set where nothing else says it. Elsewhere `agent_id` and `user_id` are whose the
written records become.
"""

RIGHTS: Mapping[str, Right] = {
    **dict.fromkeys(_READ, Right.READ),
    **dict.fromkeys(_WRITE, Right.WRITE),
    **dict.fromkeys(_DESTROY, Right.DESTROY),
    **dict.fromkeys(_OPERATE, Right.OPERATE),
    **dict.fromkeys(_WORK, Right.WORK),
}
"""The right that each rpc needs; one that is in none of the lists needs an operator's key."""

AGENT_RIGHTS = frozenset((Right.READ, Right.WRITE, Right.DESTROY))
"""Those of a key whose line does not say otherwise."""

KEY_RIGHTS = AGENT_RIGHTS | {Right.OPERATE, Right.WORK}
"""Those that a line of the agents' keys may give."""

OPERATOR_FIELDS = ("all_visibilities", "for_assignment")
"""Fields that only an operator or a service may set: they pass visibility over."""

READING_RPCS = frozenset((_LESSONS + "SeedNamespace",))
"""Rpcs that read a second namespace, `source_namespace`, which the key has to open, to read."""

AGENT_FIELDS = {_INGESTION + "GetPipelineStatus": "session_id"}
"""Fields that an agent must set: without them the answer is about everybody's sessions."""
