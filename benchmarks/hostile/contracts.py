"""Every rpc of the suite, out of its descriptors."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from benchmarks.installation import ROOT

_GENERATED = ROOT / "libs" / "pb"
_SEARCHES = ("Search", "BuildContext")
_READS = ("Get", "List", "BatchGet", "Find", "Match", "Resolve", "Render", "Traverse", "Embed")
_WHOLE = ("Verify", "Export", *_SEARCHES)


@dataclass(frozen=True, slots=True)
class Rpc:
    """One rpc: how it is called, and what it takes and gives."""

    path: str
    request: type[Message]
    response: type[Message]

    @property
    def name(self) -> str:
        """The name of the rpc within its service."""
        return self.path.rpartition("/")[2]

    @property
    def label(self) -> str:
        """Service and name."""
        service, _, name = self.path.rpartition("/")
        return f"{service.rpartition('.')[2]}.{name}"

    @property
    def has_pages(self) -> bool:
        """True if the rpc answers in pages."""
        return "page_token" in self.request.DESCRIPTOR.fields_by_name

    @property
    def reads(self) -> bool:
        """True if the rpc only reads."""
        return self.name.startswith((*_READS, *_WHOLE))

    @property
    def waits(self) -> bool:
        """True if the rpc goes on until its caller leaves."""
        return self.name.startswith("Watch")


def fields_of(message: Message) -> Sequence[FieldDescriptor]:
    """The fields of a message's type, set or not."""
    return cast(Sequence[FieldDescriptor], message.DESCRIPTOR.fields)


def is_map(field: FieldDescriptor) -> bool:
    """True if a field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def all_rpcs() -> Mapping[str, Rpc]:
    """Every rpc by its label, in the order of their names."""
    found = {}
    for path in sorted((_GENERATED / "anamnesis").glob("**/*_service_pb2.py")):
        relative = path.relative_to(_GENERATED).with_suffix("")
        module = importlib.import_module(".".join(relative.parts))
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                rpc = _rpc(method)
                found[rpc.label] = rpc
    return found


def _rpc(method: MethodDescriptor) -> Rpc:
    path = f"/{method.containing_service.full_name}/{method.name}"
    return Rpc(path, GetMessageClass(method.input_type), GetMessageClass(method.output_type))
