"""Tests of what an import may hold: a record that no write could have stored makes nothing."""

import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from anamnesis_libs.clock import LAST_US
from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.memories.policy import shared_as_before
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edge_evidence import shown_by
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Kind, Origin, Provenance, Work
from anamnesis_memory.model.memory_details import Fact, Lesson, Procedure
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import Session, Wing
from anamnesis_memory.model.sleep_runs import document_of, new_run
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.operations.import_reading import Reader
from anamnesis_memory.operations.import_rules import check, fault_of_merges
from anamnesis_memory.operations.portable import Encoder, ExportTally, Manifest
from anamnesis_memory.ports.upkeep import Cursors, KeptMemory, Record
from anamnesis_memory.preparation.archive import UNPACKED_BYTES_MAX
from tests.support.kept import upload
from tests.support.life import copy, document, edge
from tests.support.records import BASE_US, lesson

FAR_US = 10**18
MEMORY = KeptMemory(lesson("wash plums first"), None)
SESSION = Session("s", BASE_US, BASE_US, 1, wing=1, room=1)
SEGMENT = Segment("g", "s", 2, 5, "f", "", "", "", BASE_US, BASE_US, 1)
WORK = WorkItem(Work.SEGMENT, "s", WorkState.PENDING, BASE_US, BASE_US)
RUN = document_of(new_run(Work.TIER, BASE_US), BASE_US)
POLICY = shared_as_before(BASE_US)
COPY = copy("c", "m", MEMORY.memory)


def memory(**fields: object) -> KeptMemory:
    """The memory with other fields."""
    return replace(MEMORY, memory=replace(MEMORY.memory, **fields))  # type: ignore[arg-type]


GOOD: list[Record] = [
    *(MEMORY, SESSION, SEGMENT, WORK, RUN, POLICY, COPY, document("d"), upload("what came")),
    memory(part=Fact("Ada", "likes", "tea", valid_to_us=LAST_US + 1)),
    *(memory(event_time_us=LAST_US), edge("a", "b"), Wing(1, "user:ada"), Cursors(2, 1, 1)),
    replace(edge("a", "b", EdgeType.SIMILAR_TO), detail='[["number", "5", "6"]]'),
    replace(edge("a", "b", EdgeType.CAUSED_BY), detail=shown_by((3, 9))),
]
BAD: list[tuple[str, Record]] = [
    ("event_time_us", memory(event_time_us=FAR_US)),
    ("event_time_us", memory(event_time_us=LAST_US + 2)),
    ("create_time_us", memory(create_time_us=-FAR_US)),
    ("create_time_us", replace(COPY, memory=memory(create_time_us=FAR_US).memory)),
    ("importance", memory(importance=1.5)),
    ("hit_count", memory(hit_count=2**63 - 1)),
    ("event_index", memory(event_index=2**31)),
    ("last_event_index", memory(provenance=Provenance(Origin.OBSERVED, last_event_index=2**40))),
    ("stability_days", memory(stability_days=-1.0)),
    ("impact", memory(part=Lesson(impact=-0.5))),
    ("runs", memory(kind=Kind.PROCEDURAL, part=Procedure("p", runs=2**31))),
    ("content", memory(content="\ud800")),
    ("confidence", memory(confidence=float("nan"))),
    ("update_time_us", memory(update_time_us=10**400)),
    ("tags", memory(tags=("good", "a\udfff"))),
    ("next_room", Wing(1, "user:ada", next_room=0)),
    ("next_index", replace(SESSION, next_index=2**31)),
    ("revision", replace(SESSION, revision=-1)),
    ("revision", Cursors(2**63 - 1, 0, 0)),
    ("first_index", replace(SEGMENT, first_index=6)),
    ("score", replace(SEGMENT, score=7.0)),
    ("metrics_json", replace(SEGMENT, metrics_json="[1]")),
    ("attempts", replace(WORK, attempts=10_000)),
    ("attempts", replace(WORK, state=WorkState.CLAIMED)),
    ("calls", HourUsage(0, "extract", -1, 0, 0)),
    ("output_tokens", HourUsage(0, "extract", 0, 0, 2**63 - 1)),
    ("detail", replace(edge("a", "b", EdgeType.SIMILAR_TO), detail='[["colour", "a", "b"]]')),
    ("detail", replace(edge("a", "b", EdgeType.CAUSED_BY), detail='{"events": [-1]}')),
    ("weight", replace(edge("a", "b"), weight=-1.0)),
    ("packed", upload("what came", packed=b"no zlib")),
    ("packed", upload("bomb", packed=zlib.compress(bytes(UNPACKED_BYTES_MAX + 1)))),
    ("body", replace(RUN, body="{}")),
    ("body", replace(RUN, body=RUN.body.replace(f"{BASE_US}", '"soon"'))),
    ("start_us", replace(RUN, body=RUN.body.replace(f"{BASE_US}", f"{FAR_US}"))),
    ("body", replace(RUN, body="[" * 100_000)),
    ("body", document("d", '{"session_id": "s", "items": [{"item_id": 5}]}')),
    ("body", replace(POLICY, body='{"visibility": "everybody"}')),
    ("body", replace(POLICY, body='{"visibility": "shared", "agents": [["a", 1, 2]]}')),
    ("body", Document(Collection.POLICY, "", "NaN", BASE_US)),
]


@pytest.mark.parametrize("record", GOOD, ids=lambda one: type(one).__name__)
def test_what_a_write_stores_may_be_imported(record: Record) -> None:
    check(record)


@pytest.mark.parametrize(("field", "record"), BAD)
def test_what_no_write_could_have_stored_is_refused(field: str, record: Record) -> None:
    with pytest.raises(ValueError, match=rf"^{field}: "):
        check(record)


@pytest.mark.parametrize(
    ("merged", "told"),
    [
        ({"a": "", "b": "a", "c": "b"}, ""),
        ({"a": "a"}, "each other"),
        ({"a": "b", "b": "c", "c": "a", "d": ""}, "each other"),
        ({"a": "b", "b": "elsewhere"}, "not there"),
    ],
)
def test_the_way_to_the_whole_of_an_entity_ends(merged: dict[str, str], told: str) -> None:
    assert told in fault_of_merges(merged)
    assert bool(told) == bool(fault_of_merges(merged))


def nested(line: bytes) -> bytes:
    """The line with a value that is nested deeply."""
    return line.replace(b"{", b'{"deep":' + b"[" * 100_000 + b"]" * 100_000 + b",", 1)


LINES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("deep", nested),
    ("UTF-8", lambda line: line.replace(b"plums", b"pl\xed\xa0\x80ms")),
    ("half a character", lambda line: line.replace(b"plums", b"\\ud800")),
    ("no type", lambda line: line.replace(b'"memory"', b"[]", 1)),
    ("too large", lambda line: line.replace(b'"importance":0.5', b'"importance":1e999')),
    ("64 bits", lambda line: line.replace(b'"hit_count":0', b'"hit_count":' + b"9" * 4000)),
]


@pytest.mark.parametrize(("told", "damage"), LINES, ids=[told for told, _ in LINES])
def test_a_line_that_cannot_be_read_is_told_by_its_number(
    told: str, damage: Callable[[bytes], bytes]
) -> None:
    encoder, reader = Encoder(), Reader()
    reader.feed(encoder.manifest(Manifest("n", "i", BASE_US, 1, "model", 4, ExportTally().counts)))
    line = encoder.records([MEMORY])
    assert damage(line) != line
    with pytest.raises(InvalidArgument, match=r"^line 2: ") as refused:
        reader.feed(damage(line))
    assert refused.value.reason == "EXPORT_DAMAGED"
    assert told in refused.value.message
