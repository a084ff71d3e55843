"""Tests of rpc/admission/principal.py: what an agent's key may ask."""

from collections.abc import Callable

import pytest
from google.protobuf.message import Message

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lesson_pb
from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import working_memory_service_pb2 as working_pb
from anamnesis_libs.errors import PermissionDenied
from anamnesis_libs.rpc.admission.principal import Principal
from anamnesis_libs.rpc.admission.rights import AGENT_RIGHTS, AGENT_RPCS, RIGHTS, Right
from tests.support.every_rpc import every_rpc

ADMIN = "/anamnesis.memory.v1.AdminService/"
MEMORY = "/anamnesis.memory.v1.MemoryService/"
LEDGER = "/anamnesis.memory.v1.LedgerService/"
INGESTION = "/anamnesis.ingestion.v1.IngestionService/"
CODER, ADA = Caller(agent_id="coder"), Caller(user_id="ada")
MINE = Principal("coder", "")
OURS = Principal("coder", "ada")


OPERATOR_RPCS = [rpc for rpc, right in RIGHTS.items() if right not in AGENT_RIGHTS]


def test_every_rpc_has_its_right() -> None:
    """By reflection: an rpc that is in no list fails here, and is an operator's alone."""
    assert {rpc.name for rpc in every_rpc()} == RIGHTS.keys()
    assert {rpc for rpc, right in RIGHTS.items() if right in AGENT_RIGHTS} == AGENT_RPCS.keys()


@pytest.mark.parametrize("right", sorted(AGENT_RIGHTS | {Right.OPERATE}))
def test_a_key_may_do_what_its_rights_say_and_no_more(right: Right) -> None:
    agent = Principal(rights=frozenset({right}))
    for method, needed in RIGHTS.items():
        if needed is right:
            agent.check_rpc(method)
        else:
            with pytest.raises(PermissionDenied):
                agent.check_rpc(method)


def test_a_key_seeds_only_from_what_it_reads() -> None:
    method = "/anamnesis.memory.v1.LessonService/SeedNamespace"
    both, one = frozenset({"new", "old"}), frozenset({"new"})
    asked = lesson_pb.SeedNamespaceRequest(namespace="new", source_namespace="old", caller=ADA)
    Principal(namespaces=both).check_request(method, asked)
    Principal().check_request(method, asked)
    for key in (
        Principal(namespaces=one),
        Principal(namespaces=both, rights=frozenset({Right.WRITE})),
    ):
        with pytest.raises(PermissionDenied, match="does not read 'old'"):
            key.check_request(method, asked)


def test_a_key_opens_its_namespaces_alone() -> None:
    agent = Principal(namespaces=frozenset({"a", "b"}))
    asked: list[tuple[str, Callable[[str], Message]]] = [
        (MEMORY + "GetMemory", lambda name: memory_pb.GetMemoryRequest(namespace=name, caller=ADA)),
        (
            INGESTION + "IngestFile",
            lambda name: ingestion_pb.IngestFileRequest(
                header=ingestion_pb.IngestFileHeader(namespace=name)
            ),
        ),
        (
            INGESTION + "ObserveStream",
            lambda name: ingestion_pb.ObserveStreamRequest(
                observation=ingestion_pb.ObserveRequest(namespace=name)
            ),
        ),
        (
            "/anamnesis.memory.v1.WorkingMemoryService/GetItem",
            lambda name: working_pb.GetItemRequest(
                key=working_pb.WorkingMemoryKey(namespace=name, user_id="ada")
            ),
        ),
    ]
    for method, request in asked:
        agent.check_request(method, request("a"))
        for name in ("c", ""):
            with pytest.raises(PermissionDenied, match="does not open"):
                agent.check_request(method, request(name))
    agent.check_request(INGESTION + "IngestFile", ingestion_pb.IngestFileRequest(chunk=b"x"))
    keeper = Principal(namespaces=frozenset({"a"}), rights=frozenset({Right.OPERATE}))
    with pytest.raises(PermissionDenied, match="all namespaces"):
        keeper.check_request(ADMIN + "ListNamespaces", admin_pb.ListNamespacesRequest())
    keeper.check_request(ADMIN + "GetStats", admin_pb.GetStatsRequest(namespace="a"))


def test_what_a_principal_writes_has_its_names_and_is_asserted_by_it() -> None:
    request = memory_pb.BatchCreateMemoriesRequest(
        namespace="a", memories=[memory_pb.NewMemory(), memory_pb.NewMemory()]
    )
    request.memories[0].provenance.origin = memory_pb2.ORIGIN_OBSERVED
    request.memories[1].provenance.origin = memory_pb2.ORIGIN_GENERATED
    OURS.check_request(MEMORY + "BatchCreateMemories", request)
    assert {(each.agent_id, each.user_id) for each in request.memories} == {("coder", "ada")}
    assert [each.provenance.origin for each in request.memories] == [
        memory_pb2.ORIGIN_ASSERTED,
        memory_pb2.ORIGIN_GENERATED,
    ]
    anybody = ledger_pb.AppendEventsRequest(namespace="a")
    Principal("coder", "*").check_request(LEDGER + "AppendEvents", anybody)
    assert (anybody.agent_id, anybody.user_id) == ("coder", "")
    plain = memory_pb.BatchCreateMemoriesRequest(namespace="a", memories=[memory_pb.NewMemory()])
    OURS.check_request(MEMORY + "BatchCreateMemories", plain)
    assert not plain.memories[0].HasField("provenance")


def test_who_may_operate_looks_past_visibility_in_its_namespaces() -> None:
    keeper = Principal(namespaces=frozenset({"a"}), rights=frozenset({Right.READ, Right.OPERATE}))
    everything = memory_pb.ListMemoriesRequest(namespace="a", all_visibilities=True)
    keeper.check_request(MEMORY + "ListMemories", everything)
    everything.namespace = "b"
    with pytest.raises(PermissionDenied):
        keeper.check_request(MEMORY + "ListMemories", everything)


def test_what_is_an_operators_or_unknown_is_refused() -> None:
    for method in (*OPERATOR_RPCS, "/anamnesis.memory.v1.MemoryService/New"):
        with pytest.raises(PermissionDenied, match=r"security\.api_keys_file"):
            Principal().check_rpc(method)
    for method in AGENT_RPCS:
        Principal().check_rpc(method)


@pytest.mark.parametrize(
    ("agent", "method", "request_"),
    [
        (Principal(), MEMORY + "GetMemory", memory_pb.GetMemoryRequest(caller=ADA)),
        (MINE, MEMORY + "GetMemory", memory_pb.GetMemoryRequest(caller=CODER)),
        (OURS, MEMORY + "GetMemory", memory_pb.GetMemoryRequest(caller=ADA)),
        (Principal("coder"), MEMORY + "GetMemory", memory_pb.GetMemoryRequest(caller=ADA)),
        (
            MINE,
            LEDGER + "ListSessions",
            ledger_pb.ListSessionsRequest(caller=CODER, agent_id="another", user_id="ada"),
        ),
        (MINE, LEDGER + "AppendEvents", ledger_pb.AppendEventsRequest(agent_id="coder")),
        (MINE, LEDGER + "AppendEvents", ledger_pb.AppendEventsRequest()),
        (MINE, INGESTION + "IngestFile", ingestion_pb.IngestFileRequest(chunk=b"x")),
        (
            MINE,
            INGESTION + "GetPipelineStatus",
            ingestion_pb.GetPipelineStatusRequest(caller=CODER, session_id="s"),
        ),
        (MINE, MEMORY + "Embed", memory_pb.EmbedRequest(texts=["x"])),
        (
            Principal(user_id="ada"),
            LEDGER + "AppendEvents",
            ledger_pb.AppendEventsRequest(participants=["bo", "ada"]),
        ),
        (
            Principal(user_id="ada"),
            INGESTION + "Observe",
            ingestion_pb.ObserveRequest(user_id="ada", participants=["bo"]),
        ),
        (
            Principal(),
            INGESTION + "Observe",
            ingestion_pb.ObserveRequest(participants=["bo", "cy"]),
        ),
    ],
)
def test_what_is_its_own_an_agent_may_ask(agent: Principal, method: str, request_: Message) -> None:
    agent.check_request(method, request_)


@pytest.mark.parametrize(
    ("method", "request_", "told"),
    [
        ("GetMemory", memory_pb.GetMemoryRequest(), "no caller is named; set caller.agent_id"),
        (
            "GetMemory",
            memory_pb.GetMemoryRequest(caller=Caller(agent_id="other")),
            "caller.agent_id: this key may not name 'other'; name 'coder'",
        ),
        (
            "GetMemory",
            memory_pb.GetMemoryRequest(caller=Caller(agent_id="coder", user_id="ada")),
            "caller.user_id: this key may not name 'ada'; leave it empty",
        ),
        (
            "ListMemories",
            memory_pb.ListMemoriesRequest(caller=CODER, all_visibilities=True),
            "all_visibilities is for operators",
        ),
        (
            "CreateMemory",
            memory_pb.CreateMemoryRequest(memory=memory_pb.NewMemory(agent_id="other")),
            "memory.agent_id: this key may not name",
        ),
        (
            "BatchCreateMemories",
            memory_pb.BatchCreateMemoriesRequest(
                memories=[memory_pb.NewMemory(), memory_pb.NewMemory(agent_id="other")]
            ),
            "memories.agent_id: this key may not name",
        ),
    ],
)
def test_what_is_not_is_refused_with_what_to_do(method: str, request_: Message, told: str) -> None:
    with pytest.raises(PermissionDenied) as refused:
        MINE.check_request(MEMORY + method, request_)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        (LEDGER + "AppendEvents", ledger_pb.AppendEventsRequest(agent_id="other")),
        (LEDGER + "AppendEvents", ledger_pb.AppendEventsRequest(caller=ADA)),
        (INGESTION + "Observe", ingestion_pb.ObserveRequest(user_id="ada")),
        (
            INGESTION + "ObserveStream",
            ingestion_pb.ObserveStreamRequest(
                observation=ingestion_pb.ObserveRequest(agent_id="other")
            ),
        ),
        (
            INGESTION + "IngestFile",
            ingestion_pb.IngestFileRequest(header=ingestion_pb.IngestFileHeader(agent_id="other")),
        ),
        (INGESTION + "IngestText", ingestion_pb.IngestTextRequest(agent_id="other")),
        (INGESTION + "GetPipelineStatus", ingestion_pb.GetPipelineStatusRequest(caller=CODER)),
        (INGESTION + "ExportSft", ingestion_pb.ExportSftRequest()),
    ],
)
def test_nor_may_it_write_or_ask_for_others(method: str, request_: Message) -> None:
    with pytest.raises(PermissionDenied):
        MINE.check_request(method, request_)


def test_a_key_of_one_user_makes_no_session_of_others() -> None:
    for agent in (MINE, Principal(user_id="ada")):
        for method, request in (
            (INGESTION + "Observe", ingestion_pb.ObserveRequest(participants=["bo", "cy"])),
            (
                INGESTION + "IngestFile",
                ingestion_pb.IngestFileRequest(
                    header=ingestion_pb.IngestFileHeader(participants=["bo"])
                ),
            ),
        ):
            with pytest.raises(PermissionDenied, match="may not name others alone"):
                agent.check_request(method, request)
