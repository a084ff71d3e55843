"""`anamnesis palace`: what is kept, as wings, rooms, closets and drawers to walk through."""

import click
import grpc

from anamnesis.memory.v1.palace_pb2 import POINTER_STATE_GONE, Closet, WingKind
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerResponse
from anamnesis_cli.call import run
from anamnesis_cli.named_memories import POINTER
from anamnesis_cli.output import console, note, one_line, print_json
from anamnesis_cli.palace_tree import print_drawer, print_palace
from anamnesis_cli.palace_walk import DEPTHS, PalaceSeen, Walk
from anamnesis_cli.params import words
from anamnesis_cli.scope import caller_of, caller_options, in_sight
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_value

_EPILOG = """\
\b
Examples:
  anamnesis palace                              wings and their rooms
  anamnesis palace mara                         the wing of a person, with its closets
  anamnesis palace W-001 --depth drawers        all the way down
  anamnesis palace "§ W-001/R-02/D-007"         one drawer in full, and where it stands
  anamnesis palace --kind entity --kind topic   what drawers mention
"""

_Found = PalaceSeen | tuple[ResolvePointerResponse, Closet | None]


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("place", default="", metavar="[WING|POINTER]")
@click.option(
    "--depth",
    type=click.Choice(DEPTHS),
    help="Depth of the walk (default: rooms; closets of one wing, drawers of one room).",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=words(WingKind),
    help="Only wings of these kinds.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=20,
    metavar="N",
    help="Most wings, rooms of a wing, drawers of a room (default 20).",
)
@caller_options
@target_options
@pass_target
def palace(
    target: Target,
    place: str,
    depth: str | None,
    kinds: tuple[str, ...],
    limit: int,
    as_agent: str,
    as_session: str,
) -> None:
    """Walk through what is kept: the wings of a palace, their rooms, closets and drawers.

    A wing is everything about one person, project or agent: its rooms are sessions, the closets of
    a room are the tasks that the session was cut into, and a drawer holds one message, word for
    word. Each has a pointer that never moves, which search and context cite. Entities and topics
    have wings too ("E-..."): they show the drawers of all other wings that mention them.

    WING is a name, upper or lower case, or what the tree shows beside it; POINTER leads to a wing,
    a room or a drawer, and its "§" and spaces may be left out. What was deleted is told to be gone.
    """
    walk_kinds = [enum_value(WingKind, kind) for kind in kinds]
    caller = caller_of(target, as_agent, as_session)

    def walked(channel: grpc.Channel) -> _Found:
        walk = Walk(channel, target, caller, limit, depth or _depth(place), walk_kinds)
        return _found(walk, place)

    found = run(target, walked)
    if isinstance(found, PalaceSeen):
        sight = in_sight(target.working_namespace, caller)
        _show(found, target, f"{_nothing(place, kinds)} {sight}")
    else:
        _show_pointer(*found, target)


def _depth(place: str) -> str:
    """The depth to show by default: one level below the named place."""
    if not place:
        return "rooms"
    return "drawers" if POINTER.fullmatch(place) and "/" in place else "closets"


def _found(walk: Walk, place: str) -> _Found:
    if not place:
        return walk.wings()
    if not POINTER.fullmatch(place):
        return walk.named(place)
    found = walk.resolved(place)
    if found.state == POINTER_STATE_GONE:
        return found, None
    if found.HasField("memory"):
        return found, walk.closet_of(found.memory)
    return walk.at(found)


def _nothing(place: str, kinds: tuple[str, ...]) -> str:
    """The message if no wing is found."""
    if place:
        return f"no wing is called {place!r}"
    return f"there are no wings of {', '.join(kinds)}" if kinds else "nothing is kept yet"


def _show(found: PalaceSeen, target: Target, otherwise: str) -> None:
    if target.as_json:
        print_json(found.as_json())
    elif found.wings:
        print_palace(found, target.working_namespace)
    else:
        note(otherwise)


def _show_pointer(found: ResolvePointerResponse, closet: Closet | None, target: Target) -> None:
    if target.as_json:
        print_json(found)
    elif found.state == POINTER_STATE_GONE:
        console().print(f"[bold]{one_line(found.pointer)}[/] is gone: what was there was deleted")
    else:
        print_drawer(found, closet)
