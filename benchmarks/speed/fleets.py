"""Many namespaces in one suite: a search in one that is closed, and in one that is open."""

from benchmarks.capacity.users import Users
from benchmarks.speed.timing import Timed

MEMORIES = 200
ASKED_MAX = 200


async def fill(users: Users, filled: int, namespaces: int) -> None:
    """Fill namespaces, beyond those that are filled, up to a number."""
    for number in range(filled, namespaces):
        await users.say(_name(number), MEMORIES)


async def visit(users: Users, namespaces: int) -> tuple[Timed, Timed]:
    """Search in some, spread over all of them, twice: most are closed at first, all open then."""
    first, second = [], []
    for number in range(0, namespaces, max(namespaces // ASKED_MAX, 1)):
        first.append(await users.ask(_name(number)))
        second.append(await users.ask(_name(number)))
    held = namespaces * MEMORIES
    what = "search in one namespace of many"
    return Timed(f"{what}, first", held, first), Timed(f"{what}, again", held, second)


def _name(number: int) -> str:
    return f"user-{number}"
