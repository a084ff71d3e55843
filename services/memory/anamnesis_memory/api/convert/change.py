"""Changes of memories between the wire and the model."""

from anamnesis.memory.v1 import memory_pb2, memory_service_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.enums import STATUS, VISIBILITY
from anamnesis_memory.api.convert.values import optional_micros
from anamnesis_memory.memories.editing.update import MemoryEdit, Text
from anamnesis_memory.model.expiry import NewExpiry
from anamnesis_memory.model.memory import Status

CHANGEABLE = frozenset(
    {
        *("content", "tags", "importance", "pinned", "visibility", "status", "needs_review"),
        "expire_time",
    }
)


def to_change(request: memory_service_pb2.UpdateMemoryRequest) -> MemoryEdit:
    """The edit that an update's mask names, its text and tags as they came.

    Raises:
        InvalidArgument: the mask is empty, or names what cannot be changed; the text is blank.
    """
    named, new = _named(request), request.change
    if "content" in named and not new.content.strip():
        raise invalid_field("change.content", "must not be blank; DeleteMemory removes a memory")
    return MemoryEdit(
        text=Text(new.content, "", "") if "content" in named else None,
        tags=tuple(new.tags) if "tags" in named else None,
        importance=new.importance if "importance" in named else None,
        pinned=new.pinned if "pinned" in named else None,
        visibility=VISIBILITY.from_pb(new.visibility) if "visibility" in named else None,
        status=_to_status(new.status) if "status" in named else None,
        needs_review=new.needs_review if "needs_review" in named else None,
        expiry=NewExpiry(optional_micros(new, "expire_time")) if "expire_time" in named else None,
    )


def _named(request: memory_service_pb2.UpdateMemoryRequest) -> frozenset[str]:
    named = frozenset(path.removeprefix("change.") for path in request.update_mask.paths)
    if not named:
        raise invalid_field("update_mask", f"must name what changes: {_listed(CHANGEABLE)}")
    if unknown := named - CHANGEABLE:
        raise invalid_field(
            "update_mask",
            f"{_listed(unknown)} cannot be changed; what can be: {_listed(CHANGEABLE)}",
        )
    return named


def _to_status(status: "memory_pb2.MemoryStatus.ValueType") -> Status:
    if not status:
        raise invalid_field("change.status", "must be ACTIVE or ARCHIVED")
    return STATUS.from_pb(status)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
