"""The comments of protos by the full names of what they stand at, as OpenAPI tells them.

Compiled descriptors have none: `libs/anamnesis_libs/http/comments.json` is generated beside them.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import Message

OWN_PACKAGES = "anamnesis."
LONG = "\n\n"


def comments_of(descriptors: Path) -> str:
    """The JSON of all comments in a descriptor set with its sources' places."""
    files = FileDescriptorSet.FromString(descriptors.read_bytes()).file
    own = (file for file in files if file.package.startswith(OWN_PACKAGES))
    comments = dict(pair for file in own for pair in _of_file(file))
    return json.dumps(comments, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def _of_file(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    for location in file.source_code_info.location:
        name = _name(file, location.path) if location.leading_comments else ""
        if name:
            yield f"{file.package}.{name}", _flowing(location.leading_comments)


def _name(file: FileDescriptorProto, path: Sequence[int]) -> str:
    """The name, below its package, of what stands at a path; empty for options and the like."""
    names: list[str] = []
    here: Message = file
    for number, index in zip(path[::2], path[1::2], strict=False):
        field = here.DESCRIPTOR.fields_by_number[number]
        if field.cpp_type != FieldDescriptor.CPPTYPE_MESSAGE or not field.is_repeated:
            return ""
        here = getattr(here, field.name)[index]
        names.append(getattr(here, "name", ""))
    return ".".join(names) if len(path) % 2 == 0 and all(names) else ""


def _flowing(comment: str) -> str:
    """A comment without the line breaks of its file; paragraphs stay."""
    return LONG.join(" ".join(part.split()) for part in comment.strip().split(LONG))
