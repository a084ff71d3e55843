"""Rules of protos in the words of JSON Schema, where it has them; the server checks them all."""

import re

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from anamnesis.buf.validate import validate_pb2
from anamnesis_libs.http.json_types import Object

_KEYWORDS = {
    "min_len": "minLength",
    "max_len": "maxLength",
    "max_bytes": "maxLength",  # a text has no more characters than bytes
    "pattern": "pattern",
    "gte": "minimum",
    "gt": "exclusiveMinimum",
    "lte": "maximum",
    "lt": "exclusiveMaximum",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique": "uniqueItems",
    "min_pairs": "minProperties",
    "max_pairs": "maxProperties",
}
# Rules of our own are told by the messages of the standard rules that they are made of.
_TOLD_PATTERN = re.compile(r"does not match regex pattern `(.*)`")
_TOLD_MAX = re.compile(r"must be at most (\d+) characters|no more than (\d+) item")
# Rules of what JSON has as strings, which no minimum bounds.
_UNTOLD = frozenset({"enum", "duration", "timestamp"})
# Numbers that JSON has as strings.
_IN_TEXT = frozenset({FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64})


def bounds_of(field: FieldDescriptor) -> Object:
    """The keywords that bound a field's value."""
    return _keywords(_rules_of(field), field)


def bounds_of_item(field: FieldDescriptor) -> Object:
    """The keywords that bound each item of a list."""
    return _keywords(_rules_of(field).repeated.items, field)


def is_required(field: FieldDescriptor) -> bool:
    """True if a message without the field is refused."""
    rules = _rules_of(field)
    if rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE or field.containing_oneof is not None:
        return False
    named = any(one.name == "namespace_name" for one, _ in rules.string.ListFields())
    return rules.required or named or rules.string.min_len > 0 or rules.repeated.min_items > 0


def _rules_of(field: FieldDescriptor) -> validate_pb2.FieldRules:
    return field.GetOptions().Extensions[validate_pb2.field]


def _keywords(rules: validate_pb2.FieldRules, field: FieldDescriptor) -> Object:
    name = rules.WhichOneof("type")
    if name is None or name in _UNTOLD or field.cpp_type in _IN_TEXT:
        return {}
    keywords: Object = {}
    standard: Message = getattr(rules, name)
    for rule, value in standard.ListFields():
        if rule.is_extension:
            keywords |= _told(rule)
        elif rule.name in _KEYWORDS and not (name == "bytes" and rule.name.endswith("len")):
            keywords[_KEYWORDS[rule.name]] = value
    return keywords


def _told(rule: FieldDescriptor) -> Object:
    keywords: Object = {}
    for told in rule.GetOptions().Extensions[validate_pb2.predefined].cel:
        if found := _TOLD_PATTERN.search(told.message):
            keywords["pattern"] = found[1]
        elif found := _TOLD_MAX.search(told.message):
            keywords["maxLength" if found[1] else "maxItems"] = int(found[1] or found[2])
    return keywords
