"""Rows of hops, wings, rooms and closets to values; shared by the databases."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.ports.knowledge import (
    AllocatedPointers,
    ClosetCount,
    Link,
    NamedCount,
    RoomCount,
    WingSummary,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import segment_of


def link_of(row: rows.Record) -> Link:
    """A row of a hop."""
    return Link(
        source_id=rows.text(row["source_id"]),
        target_id=rows.text(row["target_id"]),
        type=rows.text(row["type"]),
        weight=rows.real(row["weight"]),
        create_time_us=rows.number(row["create_time_us"]),
        detail=rows.text(row["detail"]),
    )


def heaviest(links: Iterable[Link], limit: int) -> list[Link]:
    """Links by weight, the greatest first; of those that are one, as old as the eldest."""
    one: dict[tuple[str, str, str], Link] = {}
    for link in links:
        key = (link.source_id, link.target_id, link.type)
        known = one.setdefault(key, link)
        if link.create_time_us < known.create_time_us:
            one[key] = replace(known, create_time_us=link.create_time_us)
    return sorted(one.values(), key=lambda link: (-link.weight, link))[:limit]


def home_of(row: rows.Record) -> WingSummary:
    """A row of homes."""
    return WingSummary(
        wing=rows.number(row["wing"]),
        key=rows.text(row["wing_key"]),
        rooms=rows.number(row["rooms"]),
        drawers=rows.number(row["drawers"]),
        last_us=rows.optional(row["last_us"]),
    )


def room_of(row: rows.Record) -> RoomCount:
    """A row of rooms."""
    return RoomCount(
        session_id=rows.text(row["session_id"]),
        wing=rows.number(row["wing"]),
        room=rows.number(row["room"]),
        label=rows.text(row["label"]),
        closets=rows.number(row["closets"]),
        drawers=rows.number(row["drawers"]),
        start_us=rows.optional(row["start_time_us"]),
        last_us=rows.optional(row["last_us"]),
    )


def counts_of(found: Iterable[rows.Record], groups: Sequence[object]) -> list[NamedCount]:
    """Rows of what names entities, by the place of their group; a group without one has nothing."""
    by_place = {
        rows.number(row["place"]): NamedCount(
            rooms=rows.number(row["rooms"]),
            drawers=rows.number(row["drawers"]),
            last_us=rows.optional(row["last_us"]),
        )
        for row in found
    }
    return [by_place.get(place, NamedCount()) for place in range(len(groups))]


def closet_of(row: rows.Record) -> ClosetCount:
    """A row of segments with what is in them."""
    return ClosetCount(segment_of(row), rows.number(row["drawers"]), rows.optional(row["last_us"]))


def given_of(row: rows.Record) -> AllocatedPointers:
    """A row of a wing, with the session of one of its rooms or nulls."""
    key, rooms = rows.text(row["wing_key"]), rows.number(row["next_room"]) - 1
    if row["session_id"] is None:
        return AllocatedPointers(key, rooms)
    return AllocatedPointers(
        key,
        rooms,
        drawers=rows.number(row["next_drawer"]) - 1,
        session_id=rows.text(row["session_id"]),
        visibility=Visibility(rows.text(row["visibility"])),
        agent_id=rows.text(row["agent_id"]),
        user_id=rows.text(row["user_id"]),
    )
