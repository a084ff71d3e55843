"""The OpenAPI document: the comments of the protos, and their rules as bounds."""

from typing import cast

import pytest

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import memory_service_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2
from anamnesis_libs.http.endpoints import services_of
from anamnesis_libs.http.json_types import Object
from anamnesis_libs.http.openapi import document_of

MODULES = (ingestion_service_pb2, memory_service_pb2, retrieval_service_pb2)


@pytest.fixture(scope="module")
def schemas() -> Object:
    """The schemas of some services."""
    names = [one.full_name for each in MODULES for one in each.DESCRIPTOR.services_by_name.values()]
    document = cast("dict[str, Object]", document_of(services_of(names), "1"))
    return cast("Object", document["components"]["schemas"])


def properties(schemas: Object, name: str) -> dict[str, Object]:
    """The properties of a message."""
    return cast("dict[str, dict[str, Object]]", schemas)[name]["properties"]  # type: ignore[return-value]


def test_a_field_has_its_comment_and_its_bounds(schemas: Object) -> None:
    search = properties(schemas, "anamnesis.retrieval.v1.SearchRequest")
    assert search["query"].items() >= {"minLength": 1, "maxLength": 65536}.items()
    assert str(search["query"]["description"]).startswith("What is asked.")
    assert search["limit"]["minimum"] == 0
    assert str(search["namespace"]["pattern"]).startswith("^[a-z0-9]")
    append = properties(schemas, "anamnesis.ingestion.v1.AppendEventsRequest")
    assert append["events"]["maxItems"] == 1000
    assert append["participants"]["maxItems"] == 64
    assert cast("Object", append["participants"]["items"])["maxLength"] == 256


def test_what_must_be_there_is_required(schemas: Object) -> None:
    search = cast("dict[str, Object]", schemas)["anamnesis.retrieval.v1.SearchRequest"]
    assert search["required"] == ["namespace", "query"]


def test_an_enum_says_what_its_values_mean(schemas: Object) -> None:
    kind = cast("dict[str, Object]", schemas)["anamnesis.memory.v1.MemoryKind"]
    assert "- MEMORY_KIND_LEARNING: A lesson" in str(kind["description"])
