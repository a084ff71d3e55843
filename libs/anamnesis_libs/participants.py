"""Owners of what several people share: one text that names them, in place of a user's id.

    "ada"          is ada's
    "␟ada␟bo␟"     is of ada and bo, each of whom sees it

The mark cannot be in an id that a request names. With it before and behind each name, whoever is
among them is found by one search for a text, in a store's query as well as here.
"""

from collections.abc import Iterable

MARK = "␟"


def together(users: Iterable[str]) -> str:
    """The owner of what is these users'; one stands for itself, and nobody for nobody."""
    named = sorted({user for user in users if user})
    return f"{MARK}{MARK.join(named)}{MARK}" if len(named) > 1 else "".join(named)


def participants(owner: str) -> tuple[str, ...]:
    """The users that an owner names, in order."""
    return tuple(filter(None, owner.split(MARK)))


def is_of_several(owner: str) -> bool:
    """True if the owner is several users together."""
    return owner.startswith(MARK)


def among(user: str) -> str:
    """The part that every owner has which names this user beside others; empty for nobody."""
    return f"{MARK}{user.strip(MARK)}{MARK}" if user else ""


def is_of(owner: str, user: str) -> bool:
    """True if something belongs to this user, alone or together with others."""
    return bool(user) and (owner == user or among(user) in owner)


def only_user(owner: str) -> str:
    """The user whose alone it is; empty where they are several, or none."""
    return "" if is_of_several(owner) else owner


def several(owner: str) -> tuple[str, ...]:
    """The users whose it is together; none where it is one's."""
    return participants(owner) if is_of_several(owner) else ()
