"""A small namespace with something of everything, made over the API."""

from collections.abc import Iterator, Mapping

from google.protobuf import json_format

from benchmarks.hostile.contracts import Rpc
from benchmarks.hostile.plausible import Known
from benchmarks.hostile.wire import Answer, Wire

_AT = "2026-02-0{}T09:00:00Z"
_TALK = (
    "My name is Ada Lovelace and I live in Turin.",
    "Please rename the lantern module to orbit and run the tests.",
    "The tests failed, the import of saddle is missing.",
    "Add the import of saddle. I always want small commits.",
    "Done, all tests pass now. Thank you, that works.",
    "I moved to Oslo last week and work for Copper Ltd now.",
)
Step = tuple[str, Mapping[str, object]]

STARTED_S = 120.0
"""The first thing to be learned waits for a process with its models: a busy machine takes long."""


async def fill(wire: Wire, rpcs: Mapping[str, Rpc], namespace: str, known: Known) -> None:
    """Fill a namespace; what answers told is known then.

    Raises:
        RuntimeError: the suite refused a request that is good.
    """
    for label, fields in _steps():
        await _step(wire, rpcs[label], {**fields, "namespace": namespace}, known)
    key = {"namespace": namespace, "agent_id": "agent-1", "user_id": "ada"}
    await _step(
        wire, rpcs["WorkingMemoryService.StartSession"], {"key": key, "session_id": "s-1"}, known
    )
    item = {"zone": "ZONE_ACTIVE", "content": "copper is next"}
    await _step(wire, rpcs["WorkingMemoryService.PutItem"], {"key": key, "item": item}, known)
    memories = [*known.values_for("memory_id")]
    edge = {"type": "EDGE_TYPE_SUPPORTS", "source_id": memories[-1], "target_id": memories[-2],
            "caller": {"user_id": "ada", "agent_id": "agent-1"}}  # fmt: skip
    about = {"namespace": namespace}
    await _step(wire, rpcs["KnowledgeService.CreateEdge"], {**about, **edge}, known)
    for name in ("IngestionService.RunPipeline", "AdminService.RunSleepCycle"):
        await _step(wire, rpcs[name], about, known)
    await look(wire, rpcs, namespace, known)


async def look(wire: Wire, rpcs: Mapping[str, Rpc], namespace: str, known: Known) -> None:
    """Learn the ids of the records of a namespace."""
    about: dict[str, object] = {"namespace": namespace}
    seeing = {"caller": {"user_id": "ada", "agent_id": "agent-1"}}
    for label in (
        *("MemoryService.ListMemories", "LedgerService.ListSessions", "AdminService.GetNamespace"),
        *("LedgerService.ListSegments", "KnowledgeService.ListEntities", "PalaceService.ListWings"),
        *("TopicService.ListTopics", "LedgerService.ListUploads", "PalaceService.ListDrawers"),
    ):
        own = {} if label.startswith("Admin") else seeing
        where = {"session_id": "s-1"} if label.endswith("ListDrawers") else {}
        await _step(wire, rpcs[label], about | own | where, known)


async def _step(wire: Wire, rpc: Rpc, fields: Mapping[str, object], known: Known) -> Answer:
    request = json_format.ParseDict(dict(fields), rpc.request())
    answer = await wire.send(rpc, request.SerializeToString(), within_s=STARTED_S)
    if answer.code != "OK":
        raise RuntimeError(f"{rpc.label} of good input: {answer.code} {answer.message}")
    for body in answer.received:
        known.learn(rpc.response.FromString(body))
    return answer


def _steps() -> Iterator[Step]:
    """Good requests, without their namespace."""
    for number in (1, 2, 3):
        events = [
            {"role": f"ROLE_{who}", "content": text, "event_time": _AT.format(number)}
            for text, who in zip(_TALK, ("USER", "USER", "ASSISTANT") * 2, strict=True)
        ]
        yield (
            "IngestionService.AppendEvents",
            {"session_id": f"s-{number}", "agent_id": "agent-1", "user_id": "ada",
             "project": "project-1", "events": events, "end_session": number < 3},
        )  # fmt: skip
    upload = {"session_id": "s-1", "label": "notes.txt", "content": "Y29wcGVy", "format": 1,
              "caller": {"user_id": "ada", "agent_id": "agent-1"}}  # fmt: skip
    yield "LedgerService.PutUpload", upload
    for content in ("Turin lies at the Po.", "Oslo lies by the sea.", "Copper conducts well."):
        yield (
            "MemoryService.CreateMemory",
            {"memory": {"kind": "MEMORY_KIND_SEMANTIC", "content": content, "tags": ["copper"],
                        "entities": ["Turin"]}},
        )  # fmt: skip
    for number, town in enumerate(("Turin", "Oslo"), 1):
        yield (
            "KnowledgeService.AssertFact",
            {"subject": "Ada", "predicate": "lives in", "object": town, "user_id": "ada",
             "valid_from": _AT.format(number), "single_valued": True,
             "entities": [{"name": "Ada", "kind": "ENTITY_KIND_PERSON"}, {"name": town}]},
        )  # fmt: skip
    for content in ("Run the tests before a commit.", "Never push on a Friday evening."):
        lesson = {"title": "care", "context": "commits", "resolution": content}
        new = {"content": content, "lesson": lesson, "tags": ["copper"]}
        yield "LessonService.CreateLesson", {"lesson": new}
    steps = [{"action": "run the tests"}, {"action": "commit"}]
    procedure = {"name": "commit", "goal": "a good commit", "steps": steps}
    yield "ProcedureService.CreateProcedure", {"procedure": {"procedure": procedure}}
    note = {"content": "The harbour is closed.", "user_id": "ada", "event_time": _AT.format(4)}
    yield "PalaceService.SaveNote", {**note, "role": "ROLE_USER"}
    usages = [{"purpose": "extract", "calls": 1, "input_tokens": 10, "output_tokens": 2}]
    yield "AdminService.ReportUsage", {"usages": usages}
