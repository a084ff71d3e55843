"""Bad requests to every service: the rpc, what is asked, and the status, field and reason."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from google.protobuf.json_format import ParseDict
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from tests.support.clients import Clients
from tests.support.every_rpc import SERVED

SPACE = "bad-input"
LONG = "x" * 300
INVALID, MISSING = StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND
FIELD = "FIELD_INVALID"

_METHODS = {
    (service.name, method.name): method
    for file in SERVED
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
_SERVICES = {
    "admin": "AdminService",
    "cluster": "ClusterService",
    "ingestion": "IngestionService",
    "knowledge": "KnowledgeService",
    "ledger": "LedgerService",
    "lessons": "LessonService",
    "memory": "MemoryService",
    "palace": "PalaceService",
    "procedures": "ProcedureService",
    "projections": "ProjectionService",
    "retrieval": "RetrievalService",
    "topics": "TopicService",
    "working": "WorkingMemoryService",
}


@dataclass(frozen=True, slots=True)
class Bad:
    """A request that is refused; `rpc` is "service.Method", `asked` the request as JSON.

    It names the namespace of these tests, unless it names another itself.
    """

    name: str
    rpc: str
    asked: dict[str, object]
    field: str = ""
    reason: str = FIELD
    code: StatusCode = INVALID

    def names(self, fields: Sequence[str]) -> bool:
        """True if the fields that a refusal names are those to be named."""
        return not self.field or self.field in fields

    def call(self, clients: Clients) -> Awaitable[object]:
        """Send it; a stream of answers is read."""
        service, _, rpc = self.rpc.partition(".")
        method = _METHODS[_SERVICES[service], rpc]
        spaced = {"namespace": SPACE} if "namespace" in method.input_type.fields_by_name else {}
        request = ParseDict(spaced | self.asked, GetMessageClass(method.input_type)())
        running = getattr(getattr(clients, service), rpc)(request)
        answer: Awaitable[object] = running.read() if method.server_streaming else running
        return answer


BAD: Sequence[Bad] = (
    Bad("no memory named", "memory.GetMemory", {}, "memory_id"),
    Bad(
        "a memory that is not there",
        "memory.GetMemory",
        {"memory_id": "m-none"},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "too many memories at once",
        "memory.BatchGetMemories",
        {"memory_ids": [f"m{n}" for n in range(1001)]},
        "memory_ids",
    ),
    Bad("a negative page", "memory.ListMemories", {"page_size": -1}, "page_size"),
    Bad(
        "a filter by no kind", "memory.ListMemories", {"filter": {"kinds": [77]}}, "filter.kinds[0]"
    ),
    Bad(
        "a time range backwards",
        "memory.ListMemories",
        {
            "filter": {
                "time_range": {
                    "start_time": "2026-02-01T00:00:00Z",
                    "end_time": "2026-01-01T00:00:00Z",
                }
            }
        },
        "filter.time_range.end_time",
    ),
    Bad("a change of nothing", "memory.UpdateMemory", {"memory_id": "m-none"}, "update_mask"),
    Bad(
        "a change of an unknown field",
        "memory.UpdateMemory",
        {"memory_id": "m-none", "change": {}, "update_mask": "memoryId"},
        "update_mask",
    ),
    Bad(
        "a deletion of what is not there",
        "memory.DeleteMemory",
        {"memory_id": "m-none"},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad("a deletion of everything", "memory.DeleteMemories", {}, "filter"),
    Bad("a use of no kind", "memory.ReportUse", {"memory_ids": ["m"]}, "kind"),
    Bad(
        "an undo of no merge",
        "memory.UndoMerge",
        {"memory_id": "m-none"},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad("vectors of nothing", "memory.Embed", {}, "texts"),
    Bad(
        "a weight below nothing",
        "memory.FindCandidates",
        {"query": "q", "weights": {"text": -1}},
        "weights.text",
    ),
    Bad(
        "a watch from no revision",
        "memory.WatchMemories",
        {"after_revision": "tomorrow"},
        "after_revision",
    ),
    Bad("a session without a name", "ledger.ListEvents", {}, "session_id"),
    Bad(
        "a session that is not there",
        "ledger.GetSession",
        {"session_id": "s-none"},
        "",
        "SESSION_NOT_FOUND",
        MISSING,
    ),
    Bad("a session with a long name", "ledger.GetSession", {"session_id": LONG}, "session_id"),
    Bad(
        "a claim by nobody",
        "ledger.ClaimWork",
        {"kinds": ["WORK_KIND_SEGMENT"], "lease_seconds": 30},
        "holder",
    ),
    Bad(
        "a claim for longer than a lease",
        "ledger.ClaimWork",
        {"kinds": ["WORK_KIND_SEGMENT"], "holder": "h", "lease_seconds": 999999},
        "lease_seconds",
    ),
    Bad(
        "segments of a made-up page",
        "ledger.ListSegments",
        {"page_token": "made-up"},
        "page_token",
        "PAGE_TOKEN_INVALID",
    ),
    Bad(
        "an upload that is not there",
        "ledger.GetUpload",
        {"upload_id": "u-none"},
        "",
        "UPLOAD_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "a fact about nobody",
        "knowledge.AssertFact",
        {"predicate": "likes", "object": "tea"},
        "subject",
    ),
    Bad(
        "a fact that ends before it begins",
        "knowledge.AssertFact",
        {
            "subject": "Mara",
            "predicate": "likes",
            "object": "tea",
            "valid_from": "2026-02-01T00:00:00Z",
            "valid_to": "2026-01-01T00:00:00Z",
        },
        "valid_to",
    ),
    Bad(
        "a fact more than certain",
        "knowledge.AssertFact",
        {"subject": "Mara", "predicate": "likes", "object": "tea", "confidence": 2},
        "confidence",
    ),
    Bad(
        "a fact of before the years",
        "knowledge.AssertFact",
        {
            "subject": "Mara",
            "predicate": "likes",
            "object": "tea",
            "valid_from": "0001-01-01T00:00:00Z",
            "visibility": 9,
        },
        "visibility",
    ),
    Bad(
        "a fact that is not there",
        "knowledge.RetractFact",
        {"memory_id": "m-none"},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad("a walk from nowhere", "knowledge.Traverse", {}, "start_ids"),
    Bad(
        "a walk without end", "knowledge.Traverse", {"start_ids": ["m"], "hops_max": 99}, "hops_max"
    ),
    Bad(
        "an entity that is not there",
        "knowledge.GetEntity",
        {"name": "Nobody"},
        "",
        "ENTITY_NOT_FOUND",
        MISSING,
    ),
    Bad("a merge with none", "knowledge.MergeEntities", {"entity_id": "e"}, "merged_ids"),
    Bad(
        "an edge to itself",
        "knowledge.CreateEdge",
        {"source_id": "m", "target_id": "m", "type": "EDGE_TYPE_SUPPORTS"},
        "target_id",
    ),
    Bad("an edge of no type", "knowledge.CreateEdge", {"source_id": "m", "target_id": "n"}, "type"),
    Bad("a pointer to nowhere", "palace.ResolvePointer", {"pointer": "the attic"}, "pointer"),
    Bad("a note of nothing", "palace.SaveNote", {"content": " "}, "content"),
    Bad("rooms of no wing", "palace.ListRooms", {}, "wing_id"),
    Bad(
        "a procedure of no name",
        "procedures.CreateProcedure",
        {"procedure": {"procedure": {"goal": "deploy"}}},
        "procedure.procedure.name",
    ),
    Bad(
        "a run of what is not there",
        "procedures.RecordRun",
        {"memory_id": "m-none", "success": True},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad("a lesson without words", "lessons.CreateLesson", {"lesson": {}}, "lesson.content"),
    Bad(
        "a proof of what is not there",
        "lessons.ValidateLesson",
        {"memory_id": "m-none", "success": True},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "an item of no zone",
        "working.PutItem",
        {"key": {"namespace": SPACE, "agent_id": "a"}, "item": {"content": "x"}},
        "item.zone",
    ),
    Bad(
        "a zone that is none",
        "working.ClearZone",
        {"key": {"namespace": SPACE, "agent_id": "a"}, "zone": 9},
        "zone",
    ),
    Bad(
        "a namespace twice",
        "admin.CreateNamespace",
        {"namespace": SPACE},
        "",
        "NAMESPACE_EXISTS",
        StatusCode.ALREADY_EXISTS,
    ),
    Bad("a policy without change", "admin.UpdateNamespacePolicy", {}, "policy"),
    Bad("an erasure of nobody", "admin.DeleteSubject", {}, "subject"),
    Bad("no canary", "admin.VerifyErasure", {}, "canaries"),
    Bad("usage of more than is kept", "admin.GetUsage", {"hours": 9999}, "hours"),
    Bad("sleep of no phase", "admin.RunSleepCycle", {"phases": [99]}, "phases[0]"),
    Bad("sleep of another's phase", "admin.RunSleepCycle", {"phases": [6]}, "phases[0]"),
    Bad("a run of a phase at home", "admin.StartRun", {"phase": 1, "holder": "h"}, "phase"),
    Bad(
        "the end of a run that never was",
        "admin.FinishRun",
        {"run_id": "made-up", "lease": {"kind": 11, "token": 1}},
        "run_id",
    ),
    Bad(
        "duplicates of a made-up page",
        "lessons.ListDuplicates",
        {"page_token": "made-up"},
        "page_token",
        "PAGE_TOKEN_INVALID",
    ),
    Bad(
        "a decision under no claim",
        "lessons.SettleDuplicate",
        {"known_id": "a", "known_etag": "b", "other_id": "c", "outcome": 1},
        "lease",
    ),
    Bad("a seed of nowhere", "lessons.SeedNamespace", {}, "source_namespace"),
    Bad(
        "a seed of itself",
        "lessons.SeedNamespace",
        {"source_namespace": SPACE},
        "source_namespace",
    ),
    Bad(
        "a seed of facts",
        "lessons.SeedNamespace",
        {"source_namespace": "other", "kinds": [2]},
        "kinds[0]",
    ),
    Bad(
        "a seed for no agent",
        "lessons.SeedNamespace",
        {"source_namespace": "other", "private_to_agent": True},
        "caller.agent_id",
    ),
    Bad(
        "a seed of a source that is not there",
        "lessons.SeedNamespace",
        {"source_namespace": "nobody-made-this"},
        "",
        "NAMESPACE_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "a model's word under the claim of another phase",
        "memory.RecordRefinements",
        {"lease": {"kind": 11, "token": 1}, "model": "small"},
        "lease.kind",
    ),
    Bad(
        "a model's word that is no share",
        "memory.RecordRefinements",
        {
            "lease": {"kind": 13, "token": 1},
            "model": "small",
            "refinements": [{"memory_id": "a", "etag": "b", "importance": 1.5}],
        },
        "refinements[0].importance",
    ),
    Bad("unrefined memories without end", "memory.ListUnrefined", {"limit": 9999}, "limit"),
    Bad(
        "refining where nothing is",
        "cluster.RefineMemories",
        {"namespace": "nobody-made-this"},
        "",
        "NAMESPACE_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "seeds of a made-up page",
        "lessons.ListSeeds",
        {"page_token": "made-up"},
        "page_token",
        "PAGE_TOKEN_INVALID",
    ),
    Bad("a withdrawal of nothing", "lessons.WithdrawSeed", {}, "source_namespace"),
    Bad("merges without end", "cluster.Consolidate", {"merges_max": 9999}, "merges_max"),
    Bad(
        "a namespace that is not there",
        "admin.ExportNamespace",
        {"namespace": "nobody-made-this"},
        "",
        "NAMESPACE_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "clusters of a made-up page",
        "cluster.ListClusters",
        {"page_token": "made-up"},
        "page_token",
        "PAGE_TOKEN_INVALID",
    ),
    Bad(
        "a cluster that is not there",
        "cluster.ListClusterMemories",
        {"cluster_id": "t-none"},
        "",
        "CLUSTER_NOT_FOUND",
        MISSING,
    ),
    Bad("a cluster of no name", "cluster.GetCluster", {}, "subject"),
    Bad(
        "the cluster of a memory that is not there",
        "cluster.GetCluster",
        {"memory_id": "none"},
        "",
        "CLUSTER_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "clustering of a namespace that is not there",
        "cluster.RunInitialClustering",
        {"namespace": "no-such"},
        "",
        "NAMESPACE_NOT_FOUND",
        MISSING,
    ),
    Bad("a lesson moved nowhere", "cluster.AssignMemory", {"memory_id": "none"}, "place"),
    Bad(
        "a lesson moved that is not there",
        "cluster.AssignMemory",
        {"memory_id": "none", "nearest": True},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "a skill of a cluster that is not there",
        "cluster.CrystallizeCluster",
        {"cluster_id": "t-none"},
        "",
        "CLUSTER_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "a verdict on nothing",
        "projections.ReviewSkill",
        {"memory_id": "none", "verdict": "SKILL_VERDICT_REJECT"},
        "",
        "MEMORY_NOT_FOUND",
        MISSING,
    ),
    Bad("a skill judged neither way", "projections.ReviewSkill", {"memory_id": "m"}, "verdict"),
    Bad(
        "a profile of no tokens", "projections.GetUserProfile", {"token_budget": -1}, "token_budget"
    ),
    Bad(
        "episodes of a made-up page",
        "projections.ListEpisodes",
        {"page_token": "made-up"},
        "page_token",
        "PAGE_TOKEN_INVALID",
    ),
    Bad(
        "episodes backwards",
        "projections.ListEpisodes",
        {"time_range": {"start_time": "2026-02-01T00:00:00Z", "end_time": "2026-01-01T00:00:00Z"}},
        "time_range.end_time",
    ),
    Bad("views of no type", "projections.ListProjections", {"type": 99}, "type"),
    Bad(
        "a page about nobody known",
        "projections.GetKnowledgePage",
        {"name": "nobody-named-so"},
        "",
        "ENTITY_NOT_FOUND",
        MISSING,
    ),
    Bad(
        "a budget below nothing",
        "retrieval.BuildContext",
        {"query": "q", "token_budget": -5},
        "token_budget",
    ),
    Bad("a context of no format", "retrieval.BuildContext", {"query": "q", "format": 9}, "format"),
    Bad("a route of no question", "retrieval.RouteQuery", {"query": ""}, "query"),
    Bad(
        "a seed out of its mode",
        "retrieval.Search",
        {"query": "q", "seed_memory_id": "m"},
        "seed_memory_id",
    ),
    Bad(
        "a question of a long name",
        "retrieval.Search",
        {"query": "q", "caller": {"user_id": LONG}},
        "caller.user_id",
    ),
    Bad(
        "an observation of no time",
        "ingestion.Observe",
        {"session_id": "s", "content": "x"},
        "event_time",
    ),
    Bad(
        "a text of nothing", "ingestion.IngestText", {"text": "  ", "use_server_time": True}, "text"
    ),
    Bad(
        "the end of what did not begin",
        "ingestion.EndSession",
        {"session_id": "s-none"},
        "",
        "SESSION_NOT_FOUND",
        MISSING,
    ),
    Bad("rows better than the best", "ingestion.ExportSft", {"min_score": 2}, "min_score"),
)
