"""Working memories between the wire and the model."""

from anamnesis.memory.v1 import working_memory_service_pb2 as pb
from anamnesis_libs.tokens import TokenCounter
from anamnesis_memory.api.convert.enums import ZONE
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.domain.lifecycle.working import WorkingItem, Zone
from anamnesis_memory.memories.working_memory import Owner


def to_owner(key: pb.WorkingMemoryKey) -> Owner:
    """The owner of a working memory."""
    return Owner(key.agent_id, key.user_id)


def to_zones(zone: "pb.Zone.ValueType") -> tuple[Zone, ...]:
    """The zones that are cleared: UNSPECIFIED means ACTIVE and STAGING."""
    return (ZONE.from_pb(zone),) if zone else (Zone.ACTIVE, Zone.STAGING)


def to_item(item: pb.WorkingItem, item_id: str, content: str, tokens: TokenCounter) -> WorkingItem:
    """An item with its cleaned text; its time comes with the commit."""
    return WorkingItem(
        item_id=item.item_id or item_id,
        zone=ZONE.from_pb(item.zone),
        content=content,
        importance=item.importance if item.HasField("importance") else 0.5,
        create_us=0,
        token_count=tokens.count(content),
        memory_id=item.memory_id,
    )


def from_item(item: WorkingItem) -> pb.WorkingItem:
    """An item for the wire."""
    return pb.WorkingItem(
        item_id=item.item_id,
        zone=ZONE.to_pb(item.zone),
        content=item.content,
        importance=item.importance,
        memory_id=item.memory_id,
        token_count=item.token_count,
        create_time=to_timestamp(item.create_us),
        access_time=to_timestamp(item.last_us),
    )
