"""Documents that callers name: put, read, listed, searched, deleted and expired; every store."""

import json
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import document_pb2 as nouns
from anamnesis.memory.v1 import document_service_pb2 as pb
from anamnesis.memory.v1 import event_pb2, memory_pb2, policy_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_service
from anamnesis_libs.rpc.status import from_rpc_error
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

NAME = "team-a"
MARA, LIN, NOBODY = Caller(user_id="mara"), Caller(user_id="lin"), Caller()
CREATED, REPLACED = nouns.DOCUMENT_OUTCOME_CREATED, nouns.DOCUMENT_OUTCOME_REPLACED
DELETED, ABSENT = nouns.DOCUMENT_OUTCOME_DELETED, nouns.DOCUMENT_OUTCOME_ABSENT
Path_ = tuple[str, ...]


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A memory service over each store."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


def name(path: Path_, key: str) -> nouns.DocumentName:
    return nouns.DocumentName(path=path, key=key)


def change(path: Path_, key: str, value: object, **given: Any) -> nouns.DocumentChange:  # noqa: ANN401
    """A change; a value of None deletes."""
    if value is None:
        return nouns.DocumentChange(name=name(path, key), delete=True)
    return nouns.DocumentChange(name=name(path, key), value=json.dumps(value), **given)


async def put(
    served: Served,
    *changes: nouns.DocumentChange,
    caller: Caller = MARA,
    **given: Any,  # noqa: ANN401
) -> pb.BatchPutDocumentsResponse:
    return await served.documents.BatchPutDocuments(
        pb.BatchPutDocumentsRequest(namespace=NAME, caller=caller, changes=changes, **given)
    )


async def values(
    served: Served,
    *names: tuple[Path_, str],
    caller: Caller = MARA,
    **given: Any,  # noqa: ANN401
) -> list[object]:
    answer = await served.documents.BatchGetDocuments(
        pb.BatchGetDocumentsRequest(
            namespace=NAME, caller=caller, names=[name(*one) for one in names], **given
        )
    )
    return [json.loads(one.document.value) for one in answer.records]


async def keys(
    served: Served,
    prefix: Path_ = (),
    caller: Caller = MARA,
    **given: Any,  # noqa: ANN401
) -> list[str]:
    """The keys of a place, page by page of two."""
    found: list[str] = []
    token = ""
    while True:
        answer = await served.documents.ListDocuments(
            pb.ListDocumentsRequest(
                namespace=NAME,
                caller=caller,
                path_prefix=prefix,
                page_size=2,
                page_token=token,
                **given,
            )
        )
        found += [one.document.key for one in answer.records]
        token = answer.next_page_token
        if not token:
            return found


async def paths(served: Served, *matches: nouns.PathMatch, **given: Any) -> list[Path_]:  # noqa: ANN401
    answer = await served.documents.ListDocumentPaths(
        pb.ListDocumentPathsRequest(namespace=NAME, caller=MARA, matches=matches, **given)
    )
    return [tuple(one.path) for one in answer.paths]


async def found(
    served: Served,
    query: str,
    prefix: Path_ = (),
    caller: Caller = MARA,
    **given: Any,  # noqa: ANN401
) -> list[str]:
    answer = await served.documents.SearchDocuments(
        pb.SearchDocumentsRequest(
            namespace=NAME, caller=caller, path_prefix=prefix, query=query, **given
        )
    )
    return [one.record.document.key for one in answer.hits]


def condition(field: str, operator: str, value: object) -> nouns.ValueCondition:
    return nouns.ValueCondition(
        field=field.split("."),
        operator=nouns.ValueOperator.Value(f"VALUE_OPERATOR_{operator}"),
        value=json.dumps(value),
    )


async def refused(served: Served, *changes: nouns.DocumentChange) -> list[str]:
    with pytest.raises(aio.AioRpcError) as error:
        await put(served, *changes)
    assert error.value.code() is StatusCode.INVALID_ARGUMENT
    violations = getattr(from_rpc_error(error.value, "server"), "violations", ())
    return [one.field for one in violations]


async def test_the_last_value_is_the_document(served: Served) -> None:
    first = await put(served, change(("users",), "mara", {"n": 1}))
    served.clock.move(seconds=5)
    again = await put(served, change(("users",), "mara", {"n": 2}), change(("users",), "x", None))
    assert [one.outcome for one in first.results] == [CREATED]
    assert [one.outcome for one in again.results] == [REPLACED, ABSENT]
    assert again.results[0].memory_id == first.results[0].memory_id
    assert await values(served, (("users",), "mara"), (("users",), "x")) == [{"n": 2}]
    listed = await served.documents.ListDocuments(
        pb.ListDocumentsRequest(namespace=NAME, caller=MARA)
    )
    (record,) = listed.records
    assert record.update_time.ToSeconds() - record.create_time.ToSeconds() == 5


async def test_a_batch_is_done_in_its_order(served: Served) -> None:
    await put(served, change((), "old", {"n": 0}))
    answer = await put(
        served,
        change((), "a", {"n": 1}),
        change((), "a", {"n": 2}),
        change((), "b", {"n": 3}),
        change((), "b", None),
        change((), "old", None),
        change((), "old", {"n": 4}),
    )
    outcomes = [one.outcome for one in answer.results]
    assert outcomes == [CREATED, REPLACED, CREATED, DELETED, DELETED, CREATED]
    assert await values(served, ((), "a"), ((), "b"), ((), "old")) == [{"n": 2}, {"n": 4}]
    assert await keys(served) == ["old", "a"]


async def test_a_batch_is_done_whole_or_not_at_all(served: Served) -> None:
    late = change((), "late", {"n": 1})
    late.expire_time.FromDatetime(served.clock.now() - timedelta(seconds=1))
    assert await refused(served, change((), "a", {"n": 1}), late) == ["changes[1].expire_time"]
    assert await keys(served) == []


async def test_a_value_is_a_json_object(served: Served) -> None:
    for text in ("[1]", "{", '{"a": NaN}', '{"a": 1e999}', "7", '{"a":' * 70 + "1" + "}" * 70):
        broken = nouns.DocumentChange(name=name((), "a"), value=text)
        assert await refused(served, broken) == ["changes[0].value"], text
    wrong = change((), "a", {"n": 1}, search_fields=["a", "b["])
    assert await refused(served, wrong) == ["changes[0].search_fields[1]"]
    both = change((), "a", {"n": 1}, ttl=Duration(seconds=1))
    both.expire_time.FromDatetime(served.clock.now() + timedelta(seconds=9))
    assert await refused(served, both) == ["changes[0].expire_time"]


async def test_each_scope_has_its_own(served: Served) -> None:
    shared: Mapping[str, Any] = {"visibility": event_pb2.VISIBILITY_SHARED}
    await put(served, change((), "k", {"of": "mara"}))
    await put(served, change((), "k", {"of": "lin"}), caller=LIN)
    await put(served, change((), "k", {"of": "all"}), **shared)
    assert await values(served, ((), "k")) == [{"of": "mara"}]
    assert await values(served, ((), "k"), caller=LIN) == [{"of": "lin"}]
    assert await values(served, ((), "k"), caller=LIN, **shared) == [{"of": "all"}]
    assert await values(served, ((), "k"), caller=NOBODY) == [{"of": "all"}]
    assert await found(served, "of", caller=LIN) == ["k"]
    await put(served, change((), "k", None), caller=LIN)
    assert await keys(served) == ["k"]
    assert await keys(served, caller=LIN) == []
    with pytest.raises(aio.AioRpcError) as error:
        await keys(served, caller=NOBODY, visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER)
    assert error.value.code() is StatusCode.INVALID_ARGUMENT


async def test_a_prefix_is_of_whole_segments(served: Served) -> None:
    places: list[Path_] = [("a",), ("a", "b"), ("ab",), ("a%",), ("é", "ü"), ()]
    await put(served, *(change(path, f"k{n}", {"n": n}) for n, path in enumerate(places)))
    assert await keys(served, ("a",)) == ["k0", "k1"]
    assert await keys(served, ("a%",)) == ["k3"]
    assert await keys(served, ("é",)) == ["k4"]
    assert await keys(served) == ["k5", "k0", "k1", "k3", "k2", "k4"], "by path"
    assert await paths(served) == sorted(places)


async def test_values_are_filtered(served: Served) -> None:
    await put(
        served,
        change((), "a", {"n": 1, "on": True, "in": {"x": "p"}}),
        change((), "b", {"n": 2.0, "on": False, "in": {"x": "q"}}),
        change((), "c", {"n": "2", "tags": [1, "t"], "none": None}),
    )
    for asked, expected in (
        (condition("n", "EQUAL", 2), ["b"]),
        (condition("n", "NOT_EQUAL", 2), ["a", "c"]),
        (condition("n", "GREATER", 1), ["b"]),
        (condition("n", "GREATER_OR_EQUAL", 1), ["a", "b"]),
        (condition("n", "LESS", "3"), ["c"]),
        (condition("n", "LESS_OR_EQUAL", 1), ["a"]),
        (condition("on", "EQUAL", 1), []),
        (condition("in.x", "EQUAL", "q"), ["b"]),
        (condition("in.x", "NOT_EQUAL", "q"), ["a"]),
        (condition("tags", "EQUAL", [1, "t"]), ["c"]),
        (condition("none", "EQUAL", None), ["a", "b", "c"]),
    ):
        assert await keys(served, conditions=[asked]) == expected, asked
        assert sorted(await found(served, "n", conditions=[asked])) == expected, asked


async def test_paths_are_matched(served: Served) -> None:
    places: list[Path_] = [("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("z",)]
    await put(served, *(change(path, "k", {"n": 1}) for path in places))
    begins, ends = nouns.PathMatch(prefix=["a", "b"]), nouns.PathMatch(suffix=["c"])
    assert await paths(served, begins) == places[:2]
    assert await paths(served, ends) == [places[0], places[2]]
    assert await paths(served, begins, ends) == [places[0]]
    assert await paths(served, nouns.PathMatch(prefix=["a", "*", "c"])) == [places[0], places[2]]
    assert await paths(served, nouns.PathMatch(suffix=["*", "c"])) == [places[0], places[2]]
    assert await paths(served, depth_max=1) == [("a",), ("z",)]
    page = pb.ListDocumentPathsRequest(namespace=NAME, caller=MARA, page_size=3)
    first = await served.documents.ListDocumentPaths(page)
    page.page_token = first.next_page_token
    rest = await served.documents.ListDocumentPaths(page)
    told = [tuple(one.path) for one in (*first.paths, *rest.paths)]
    assert (told, rest.next_page_token) == (places, "")


async def test_what_is_searched_is_what_the_fields_say(served: Served) -> None:
    value = {"title": "winter apples", "text": "stored in straw", "parts": [{"t": "cellar"}]}
    await put(
        served,
        change((), "all", value),
        change((), "title", value, search_fields=["title"]),
        change((), "part", value, search_fields=["parts[*].t"]),
        change((), "none", value, unsearchable=True),
        change((), "nowhere", value, search_fields=["absent"]),
    )
    assert (await found(served, "apples"))[:2] != []
    assert {*(await found(served, "apples"))} == {"all", "title", "part"}
    assert {*(await found(served, "straw"))[:1]} == {"all"}
    assert {*(await found(served, "cellar"))[:2]} == {"all", "part"}
    assert await found(served, "apples", limit=1) in (["all"], ["title"])


async def test_the_version_before_is_searched_no_more(served: Served) -> None:
    await put(served, change((), "a", {"t": "hazelnut"}), change((), "b", {"t": "almond"}))
    assert (await found(served, "hazelnut"))[:1] == ["a"]
    served.clock.move(seconds=1)
    await put(served, change((), "a", {"t": "walnut"}))
    answer = await served.documents.SearchDocuments(
        pb.SearchDocumentsRequest(namespace=NAME, caller=MARA, query="hazelnut")
    )
    assert len({round(one.score, 6) for one in answer.hits}) == 1, "nothing says it any more"
    async with served.behind.namespaces.reading(NAME) as opened:
        assert opened.follower.gone_at_s is not None, "files are to be cleaned"
        await opened.let_go(served.behind.snapshots)
    verified = await served.admin.VerifyErasure(
        admin_pb.VerifyErasureRequest(namespace=NAME, canaries=["hazelnut"])
    )
    assert {one.store for one in verified.places} <= {"cache"}, "the question itself"


async def test_conversations_do_not_see_documents(served: Served) -> None:
    await put(served, change((), "a", {"t": "hazelnut"}))
    assert await found(served, "hazelnut") == ["a"]
    asked = memory_service.FindCandidatesRequest(namespace=NAME, caller=MARA, query="hazelnut")
    assert not (await served.memory.FindCandidates(asked)).candidates
    asked.filter.kinds.append(memory_pb2.MEMORY_KIND_DOCUMENT)
    (hit,) = (await served.memory.FindCandidates(asked)).candidates
    assert hit.kind == memory_pb2.MEMORY_KIND_DOCUMENT


async def test_a_document_is_a_memory_that_only_its_service_puts(served: Served) -> None:
    made = await put(served, change(("p",), "a", {"t": "hazelnut"}))
    memory_id = made.results[0].memory_id
    held = await served.memory.GetMemory(
        memory_service.GetMemoryRequest(namespace=NAME, memory_id=memory_id, caller=MARA)
    )
    assert (held.memory.document.key, held.memory.content) == ("a", "t: hazelnut")
    assert held.memory.provenance.origin == memory_pb2.ORIGIN_ASSERTED
    new = memory_service.NewMemory(kind=memory_pb2.MEMORY_KIND_DOCUMENT, content="x")
    with pytest.raises(aio.AioRpcError) as error:
        await served.memory.CreateMemory(
            memory_service.CreateMemoryRequest(namespace=NAME, memory=new)
        )
    assert error.value.code() is StatusCode.INVALID_ARGUMENT
    for field, changed in (
        ("content", memory_service.MemoryChange(content="x")),
        ("status", memory_service.MemoryChange(status=memory_pb2.MEMORY_STATUS_ARCHIVED)),
        ("visibility", memory_service.MemoryChange(visibility=event_pb2.VISIBILITY_SHARED)),
    ):
        with pytest.raises(aio.AioRpcError) as error:
            await served.memory.UpdateMemory(
                memory_service.UpdateMemoryRequest(
                    namespace=NAME,
                    memory_id=memory_id,
                    caller=MARA,
                    change=changed,
                    update_mask=FieldMask(paths=[field]),
                )
            )
        assert error.value.code() is StatusCode.INVALID_ARGUMENT, field


async def test_what_is_derived_goes_with_a_document(served: Served) -> None:
    made = await put(served, change((), "a", {"t": "hazelnut"}))
    lesson = memory_pb2.Lesson(evidence_memory_ids=[made.results[0].memory_id])
    new = memory_service.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING, content="No nuts", lesson=lesson, user_id="mara"
    )
    await served.memory.CreateMemory(memory_service.CreateMemoryRequest(namespace=NAME, memory=new))
    await put(served, change((), "a", None), change((), "b", {"n": 1}))
    left = await served.memory.ListMemories(
        memory_service.ListMemoriesRequest(namespace=NAME, caller=MARA)
    )
    assert [one.document.key for one in left.memories] == ["b"]


async def test_a_request_is_done_once(served: Served) -> None:
    first = await put(served, change((), "a", {"n": 1}), request_id="r-1")
    await put(served, change((), "a", {"n": 2}))
    assert await put(served, change((), "a", {"n": 1}), request_id="r-1") == first
    assert await values(served, ((), "a")) == [{"n": 2}]
    await put(served, change((), "a", None))
    assert await put(served, change((), "a", {"n": 1}), request_id="r-1") == first
    assert await keys(served) == [], "nor when it is gone"


async def test_time_to_live_begins_anew_when_it_is_touched(served: Served) -> None:
    await put(
        served,
        change((), "a", {"n": 1}, ttl=Duration(seconds=60)),
        change((), "b", {"n": 1}, ttl=Duration(seconds=60)),
        change((), "c", {"n": 1}),
    )
    served.clock.move(seconds=40)
    touched = await served.documents.TouchDocuments(
        pb.TouchDocumentsRequest(
            namespace=NAME, caller=MARA, names=[name((), "a"), name((), "c"), name((), "no")]
        )
    )
    assert touched.touched == 1
    served.clock.move(seconds=40)
    assert await keys(served) == ["a", "c"]
    assert await found(served, "n") == await keys(served)
    served.clock.move(seconds=40)
    assert await keys(served) == ["c"]


async def test_secrets_are_redacted_in_values(served: Served) -> None:
    secret = "ghp_" + "a1B2" * 9
    await put(served, change((), "a", {"note": f"the token is {secret}", "deep": [{"k": secret}]}))
    (value,) = await values(served, ((), "a"))
    assert secret not in str(value)
    assert "the token is" in str(value)


async def test_verified_as_it_is_kept(served: Served) -> None:
    await put(served, *(change(("p",), f"k{n}", {"n": n}) for n in range(3)))
    await put(served, change(("p",), "k0", {"n": 9}), change(("p",), "k1", None))
    findings = [
        one
        async for one in served.admin.VerifyConsistency(
            admin_pb.VerifyConsistencyRequest(namespace=NAME)
        )
        if one.WhichOneof("told") == "finding"
    ]
    assert findings == []


async def verified(served: Served, word: str) -> set[str]:
    """The stores in which a word is found."""
    answer = await served.admin.VerifyErasure(
        admin_pb.VerifyErasureRequest(namespace=NAME, canaries=[word])
    )
    return {one.store for one in answer.places}


@pytest.mark.parametrize(
    "whose", [{"user_id": "mara"}, {"agent_id": "robot"}, {}], ids=["user", "agent", "id"]
)
async def test_nothing_of_an_erased_document_is_left(
    served: Served, whose: Mapping[str, Any]
) -> None:
    caller = Caller(agent_id="robot", user_id="mara")
    made = await put(served, change(("hers",), "a", {"t": "quokkaflute"}), caller=caller)
    await put(served, change(("his",), "b", {"t": "harbour"}), caller=LIN)
    assert "records" in await verified(served, "quokkaflute")
    if whose:
        request = admin_pb.DeleteSubjectRequest(namespace=NAME, **whose)
        await served.admin.DeleteSubject(request)
    else:
        await served.memory.DeleteMemory(
            memory_service.DeleteMemoryRequest(
                namespace=NAME, caller=caller, memory_id=made.results[0].memory_id
            )
        )
        async with served.behind.namespaces.reading(NAME) as opened:
            await opened.let_go(served.behind.snapshots)
    assert await verified(served, "quokkaflute") == set()
    assert await keys(served, caller=caller) == []
    assert await keys(served, caller=LIN) == ["b"]


async def test_documents_go_from_one_namespace_to_another(served: Served) -> None:
    await put(
        served,
        change(
            ("p", "q"), "a", {"n": 1.0, "t": "x"}, search_fields=["t"], ttl=Duration(seconds=90)
        ),
        change(("p",), "b", {"n": 2}, unsearchable=True),
    )
    listed = await served.documents.ListDocuments(
        pb.ListDocumentsRequest(namespace=NAME, caller=MARA)
    )
    content = await served.behind.exported(NAME)
    await served.behind.imported("copy", content)
    again = await served.documents.ListDocuments(
        pb.ListDocumentsRequest(namespace="copy", caller=MARA)
    )
    for one in (*listed.records, *again.records):
        one.ClearField("revision")
    assert again.records == listed.records
    answer = await served.documents.BatchPutDocuments(
        pb.BatchPutDocumentsRequest(
            namespace="copy", caller=MARA, changes=[change(("p",), "b", {"n": 3})]
        )
    )
    assert [one.outcome for one in answer.results] == [REPLACED], "it is known by its name"


async def test_sleep_leaves_documents_alone(served: Served) -> None:
    policy = policy_pb2.Policy(forgetting=policy_pb2.FORGETTING_POLICY_ADAPTIVE)
    await served.admin.CreateNamespace(
        admin_pb.CreateNamespaceRequest(namespace=NAME, policy=policy)
    )
    await put(served, change((), "a", {"t": "hazelnut"}))
    for _ in range(2):
        served.clock.move(days=400)
        async for _ in served.admin.RunSleepCycle(admin_pb.RunSleepCycleRequest(namespace=NAME)):
            pass
    assert await values(served, ((), "a")) == [{"t": "hazelnut"}]
