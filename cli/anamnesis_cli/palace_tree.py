"""The look of the palace: a tree, each branch with its pointer, its kind and its counts."""

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp
from rich.text import Text
from rich.tree import Tree

from anamnesis.memory.v1.event_pb2 import ROLE_FILE, Role
from anamnesis.memory.v1.memory_pb2 import MEMORY_STATUS_ARCHIVED, Memory
from anamnesis.memory.v1.palace_pb2 import Closet, Room, Wing, WingKind
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerResponse
from anamnesis_cli.clocks import said_at
from anamnesis_cli.output import console, moment, one_line
from anamnesis_cli.palace_walk import ClosetSeen, PalaceSeen, RoomSeen, WingSeen
from anamnesis_libs.controls import visible
from anamnesis_libs.rpc.enums import enum_word


def print_palace(seen: PalaceSeen, namespace: str) -> None:
    """Prints what was walked through."""
    tree = Tree(f"[bold]palace of namespace {one_line(namespace)}[/]")
    for wing in seen.wings:
        _add_wing(tree, wing)
    if seen.wings_left:
        tree.add("[dim]more wings[/]")
    console().print(tree)


def print_drawer(found: ResolvePointerResponse, closet: Closet | None) -> None:
    """Prints a drawer in full, and where it stands."""
    drawer = found.memory
    beside = "  archived" if drawer.status == MEMORY_STATUS_ARCHIVED else ""
    rows = (
        ("wing", _wing_line(found.wing)),
        ("room", _room_line(found.room)),
        ("session", _session_line(found.room)),
        ("closet", _closet_line(closet) if closet else "none: the session is not cut so far"),
        ("event", f"{drawer.event_index}, {_when(drawer)}, {_origin(drawer)}"),
        ("memory", f"{one_line(drawer.memory_id)}{beside}"),
    )
    to = console()
    to.print(f"[bold]{one_line(found.pointer)}[/]")
    for name, line in rows:
        to.print(f"  [dim]{name:<8}[/]{line}", soft_wrap=True)
    to.print()
    to.print(Text(visible(drawer.content)), soft_wrap=True)


def _add_wing(tree: Tree, seen: WingSeen) -> None:
    branch = tree.add(_wing_line(seen.wing))
    for room in seen.rooms:
        _add_room(branch, room)
    if seen.rooms:
        _add_rest(branch, seen.rooms_left, "room")


def _add_room(tree: Tree, seen: RoomSeen) -> None:
    branch = tree.add(_room_line(seen.room))
    for closet in seen.closets:
        _add_closet(branch, closet)
    _add_rest(branch, seen.closets_left, "closet")
    _add_drawers(branch, seen.loose)
    _add_rest(branch, seen.drawers_left, "drawer")


def _add_closet(tree: Tree, seen: ClosetSeen) -> None:
    branch = tree.add(_closet_line(seen.closet))
    _add_drawers(branch, seen.drawers)


def _add_drawers(tree: Tree, drawers: Iterable[Memory]) -> None:
    for drawer in drawers:
        beside = " [dim]archived[/]" if drawer.status == MEMORY_STATUS_ARCHIVED else ""
        said = one_line((drawer.summary or drawer.content).split("\n", 1)[0])
        line = f"{_pointer(drawer.pointer)}{beside}  {one_line(_speaker(drawer))}: {said}"
        shown = Text.from_markup(line, overflow="ellipsis")
        shown.no_wrap = True
        tree.add(shown)


def _add_rest(tree: Tree, count: int, noun: str) -> None:
    if count > 0:
        tree.add(f"[dim]{_counted(count, noun)} more[/]")


def _wing_line(wing: Wing) -> str:
    kind = enum_word(WingKind, wing.kind)
    named = f"{kind} [bold]{one_line(wing.name)}[/]" if wing.name else kind
    counts = (_counted(wing.room_count, "room"), _counted(wing.drawer_count, "drawer"))
    last = _last(wing.last_activity_time, wing.HasField("last_activity_time"))
    line = f"{named}  [dim]{', '.join(counts)}{last}[/]"
    if wing.pointer:
        return f"{_pointer(wing.pointer)}  {line}"
    return f"{line}  [dim]{one_line(wing.wing_id)}[/]"


def _room_line(room: Room) -> str:
    counts = (_counted(room.closet_count, "closet"), _counted(room.drawer_count, "drawer"))
    last = _last(room.last_activity_time, room.HasField("last_activity_time"))
    named = one_line(_file_name(room.label) or room.session_id)
    return f"{_pointer(room.pointer)}  {named}  [dim]{', '.join(counts)}{last}[/]"


def _session_line(room: Room) -> str:
    came_from = f", from {one_line(room.label)}" if room.label else ""
    return f"{one_line(room.session_id)}{came_from}"


def _closet_line(closet: Closet) -> str:
    events = f"events {closet.first_index}-{closet.last_index}"
    topic = one_line(closet.topic or "a task")
    return f"[green]{topic}[/]  [dim]{events}, {_counted(closet.drawer_count, 'drawer')}[/]"


def _file_name(label: str) -> str:
    """The last part of a path; most labels are one."""
    return label.rstrip("/").rpartition("/")[2]


def _pointer(pointer: str) -> str:
    return f"[cyan]{one_line(pointer)}[/]"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _last(stamp: Timestamp, known: bool) -> str:
    return f", last {moment(stamp)}" if known else ""


def _when(drawer: Memory) -> str:
    return said_at(drawer) if drawer.HasField("event_time") else "at an unknown time"


def _origin(drawer: Memory) -> str:
    """The speaker of a drawer, or the document and headings that it is from."""
    is_placed = drawer.episode.role == ROLE_FILE and drawer.episode.name
    return f"{'from' if is_placed else 'by'} {one_line(_speaker(drawer))}"


def _speaker(drawer: Memory) -> str:
    """The speaker by name, else by role."""
    return drawer.episode.name or enum_word(Role, drawer.episode.role)
