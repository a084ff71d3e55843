"""How to ask the palace something at random: places that are there, that are not, or of others."""

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from google.protobuf.message import Message

from anamnesis.memory.v1 import palace_service_pb2 as palace_pb

if TYPE_CHECKING:  # which lists these among all reads
    from tests.support.seen_reads import Ask


def pointer(rng: random.Random) -> str:
    """A wing, a room or a drawer near the door."""
    numbers = (rng.randint(1, 9), rng.randint(1, 4), rng.randint(1, 6))
    parts = [f"{letter}-{number}" for letter, number in zip("WRD", numbers, strict=True)]
    return "/".join(parts[: rng.randint(1, 3)])


PALACE: Mapping[str, Callable[["Ask"], Message]] = {
    "memory.v1.PalaceService/ListWings": lambda ask: palace_pb.ListWingsRequest(
        page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListRooms": lambda ask: palace_pb.ListRoomsRequest(
        wing_id=f"W-{ask.rng.randint(1, 9)}", page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListClosets": lambda ask: palace_pb.ListClosetsRequest(
        session_id=ask.any_of(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ListDrawers": lambda ask: palace_pb.ListDrawersRequest(
        session_id=ask.any_of(ask.world.sessions), page_size=ask.page_size
    ),
    "memory.v1.PalaceService/ResolvePointer": lambda ask: palace_pb.ResolvePointerRequest(
        pointer=pointer(ask.rng)
    ),
}
"""Every rpc of the palace that reads, with a request that lacks who asks, and where."""
