"""An OpenAPI 3.1 document of rpcs as they are called with JSON, made from their descriptors.

Every rpc without a stream of requests is a POST of its request's message to its path. Messages are
in the JSON of protocol buffers: names in camel case, 64-bit integers as strings, times in RFC 3339.
What each thing means is the comment at it in the protos, and its bounds are their rules.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    MethodDescriptor,
    ServiceDescriptor,
)

from anamnesis_libs.http.bounds import bounds_of, bounds_of_item, is_required
from anamnesis_libs.http.endpoints import path_of
from anamnesis_libs.http.json_types import Json, Object

VERSION = "3.1.0"
ERROR: Object = {
    "type": "object",
    "required": ["code"],
    "properties": {
        "code": {"type": "string", "description": "not_found, invalid_argument, ..."},
        "message": {"type": "string", "description": "for people: the fault, and the remedy"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "description": "google.rpc.ErrorInfo, ..."},
                    "value": {"type": "string", "description": "the message in base64"},
                    "debug": {"type": "object", "description": "the message in JSON"},
                },
            },
        },
    },
}
_WELL_KNOWN: Mapping[str, Object] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "examples": ["3.5s"]},
    "google.protobuf.FieldMask": {"type": "string", "examples": ["title,tags"]},
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.Value": {},
    "google.protobuf.ListValue": {"type": "array"},
    "google.protobuf.Any": {"type": "object"},
    "google.protobuf.Empty": {"type": "object"},
}
_TYPES: Mapping[int, Object] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "uint32"},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
}


def document_of(services: Iterable[ServiceDescriptor], version: str) -> Object:
    """The document of some services.

    Args:
        services: their rpcs become operations, their messages schemas.
        version: of the suite.
    """
    schemas = _Schemas()
    asked = list(services)
    methods = [method for service in asked for method in service.methods]
    paths: Object = {
        path_of(method): {"post": _operation(method, schemas)}
        for method in methods
        if not method.client_streaming
    }
    return {
        "openapi": VERSION,
        "info": {"title": "Anamnesis", "version": version},
        "tags": [{"name": one.name, **_description(one.full_name)} for one in asked],
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR, **schemas.made},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"key": []}],
    }


def _operation(method: MethodDescriptor, schemas: "_Schemas") -> Object:
    kind = "application/connect+json" if method.server_streaming else "application/json"
    service = method.containing_service.name
    return {
        "operationId": f"{service}_{method.name}",
        "tags": [service],
        **_description(method.full_name),
        "requestBody": {
            "required": True,
            "content": {kind: {"schema": schemas.of_message(method.input_type)}},
        },
        "responses": {
            "200": {
                "description": "a stream of answers" if method.server_streaming else "the answer",
                "content": {kind: {"schema": schemas.of_message(method.output_type)}},
            },
            "default": {
                "description": "an error",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }


class _Schemas:
    """Schemas of messages and enums, each made once, when it is first referred to."""

    def __init__(self) -> None:
        self.made: Object = {}

    def of_message(self, message: Descriptor) -> Object:
        """A reference to a message's schema, or the schema of a well-known type."""
        if message.full_name in _WELL_KNOWN:
            return dict(_WELL_KNOWN[message.full_name])
        if message.full_name not in self.made:
            self.made[message.full_name] = {}  # a message may hold itself
            properties: Object = {one.json_name: self._of_field(one) for one in message.fields}
            required: list[Json] = [one.json_name for one in message.fields if is_required(one)]
            self.made[message.full_name] = {
                "type": "object",
                **_description(message.full_name),
                "properties": properties,
                **({"required": required} if required else {}),
            }
        return _reference(message.full_name)

    def _of_field(self, field: FieldDescriptor) -> Object:
        return self._of_shape(field) | bounds_of(field) | _description(field.full_name)

    def _of_shape(self, field: FieldDescriptor) -> Object:
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            values = self._of_value(entry.fields_by_name["value"])
            return {"type": "object", "additionalProperties": values}
        one = self._of_value(field)
        if not field.is_repeated:
            return one
        return {"type": "array", "items": one | bounds_of_item(field)}

    def _of_value(self, field: FieldDescriptor) -> Object:
        if field.message_type is not None:
            return self.of_message(field.message_type)
        if field.enum_type is not None:
            return self._of_enum(field.enum_type)
        if field.type == FieldDescriptor.TYPE_BYTES:
            return {"type": "string", "contentEncoding": "base64"}
        return dict(_TYPES[field.cpp_type])

    def _of_enum(self, enum: EnumDescriptor) -> Object:
        names: list[Json] = [value.name for value in enum.values]
        told = _comments()
        meanings = [
            f"- {one.name}: {told.get(f'{enum.full_name}.{one.name}', '')}" for one in enum.values
        ]
        description = "\n".join([told.get(enum.full_name, ""), "", *meanings]).strip()
        self.made[enum.full_name] = {"type": "string", "enum": names, "description": description}
        return _reference(enum.full_name)


def _description(full_name: str) -> Object:
    comment = _comments().get(full_name)
    return {"description": comment} if comment else {}


@cache
def _comments() -> Mapping[str, str]:
    """Comments of the protos by full name."""
    told: Mapping[str, str] = json.loads(
        files("anamnesis_libs.http").joinpath("comments.json").read_text(encoding="utf-8")
    )
    return told


def _reference(name: str) -> Object:
    return {"$ref": f"#/components/schemas/{name}"}
