"""Working memory: the few texts that an agent has at hand, in three zones with token budgets.

A board is a value; every change gives a new one. SYSTEM is never evicted from. The others give up
what matters least and is oldest. Token counts come in with the items.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from anamnesis_libs.controls import visible
from anamnesis_libs.errors import ZoneFull, invalid_field

HOUR_US = 3600 * 1_000_000
TOUCH_US = 60 * 1_000_000
"""How exactly it is known when an item was read last."""
IMPORTANCE_SHARE = 0.7
RECENCY_SHARE = 0.3
_LINE_END = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_BRACKET = re.compile(r"^[^\S\n]{0,99}[\u200b-\u200d\u2060\ufeff]{0,99}[\[［【]", re.MULTILINE)
"""Brackets that may open the head of a zone, or look as if they did."""


class Zone(StrEnum):
    """A part of working memory, in the order in which it is shown."""

    SYSTEM = "system"
    ACTIVE = "active"
    STAGING = "staging"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens that each zone holds at most."""

    system_tokens: int = 2048
    active_tokens: int = 6144
    staging_tokens: int = 512

    def of(self, zone: Zone) -> int:
        """The tokens of one zone."""
        match zone:
            case Zone.SYSTEM:
                return self.system_tokens
            case Zone.ACTIVE:
                return self.active_tokens
            case Zone.STAGING:
                return self.staging_tokens


DEFAULT_BUDGETS = Budgets()


@dataclass(frozen=True, slots=True)
class WorkingItem:
    """One text at hand; `memory_id` if it was recalled from one. `importance` is in [0, 1].

    `access_us` is when it was read last; 0 where it was only put.
    """

    item_id: str
    zone: Zone
    content: str
    importance: float
    create_us: int
    token_count: int
    memory_id: str = ""
    access_us: int = 0

    @property
    def last_us(self) -> int:
        """The time at which it was put or read last."""
        return max(self.create_us, self.access_us)


@dataclass(frozen=True, slots=True)
class WorkingBoard:
    """The working memory of one agent; ids of items are unique on it."""

    owner: str
    session_id: str
    items: tuple[WorkingItem, ...] = ()


def put(
    board: WorkingBoard, item: WorkingItem, now_us: int, budgets: Budgets = DEFAULT_BUDGETS
) -> tuple[WorkingBoard, tuple[WorkingItem, ...]]:
    """The board with the item on it, and what had to go, the least first.

    An item of the same id is replaced, in whatever zone it was. The new item competes with the
    others: one that matters less than all of them may itself go.

    Raises:
        InvalidArgument: no tokens, or more than the zone holds.
        ZoneFull: no room in SYSTEM, from which nothing is evicted.
    """
    _check(item, budgets.of(item.zone))
    others = tuple(each for each in board.items if each.item_id != item.item_id)
    full = replace(board, items=(*others, item))
    over = zone_tokens(full, item.zone) - budgets.of(item.zone)
    if over > 0 and item.zone is Zone.SYSTEM:
        raise ZoneFull(item.zone, item.token_count - over)
    return _evicted(full, item.zone, over, now_us)


def standing(item: WorkingItem, now_us: int) -> float:
    """0.7 * importance + 0.3 / (1 + age in hours): the item of the least goes first.

    The age counts from when it was put or read last.
    """
    age_hours = max(0, now_us - item.last_us) / HOUR_US
    return IMPORTANCE_SHARE * item.importance + RECENCY_SHARE / (1 + age_hours)


def touched(board: WorkingBoard, item_id: str, now_us: int) -> WorkingBoard:
    """The board after one of its items was read; unchanged within a minute of the last time."""
    items = (
        replace(each, access_us=now_us)
        if each.item_id == item_id and now_us - each.last_us >= TOUCH_US
        else each
        for each in board.items
    )
    return replace(board, items=tuple(items))


def cleared(board: WorkingBoard, zone: Zone) -> WorkingBoard:
    """The board without the items of a zone."""
    return replace(board, items=tuple(each for each in board.items if each.zone is not zone))


def started(board: WorkingBoard, session_id: str) -> WorkingBoard:
    """The board in a session: another one clears ACTIVE and STAGING, the same changes nothing."""
    if board.session_id == session_id:
        return board
    return replace(cleared(cleared(board, Zone.ACTIVE), Zone.STAGING), session_id=session_id)


def zone_tokens(board: WorkingBoard, zone: Zone) -> int:
    """The tokens of the items of a zone, as they came in."""
    return sum(each.token_count for each in board.items if each.zone is zone)


def rendered(board: WorkingBoard) -> str:
    """The board as plain text: each zone that holds something, under its name."""
    return "\n\n".join(_rendered(board, zone) for zone in Zone if zone_tokens(board, zone))


def in_order(board: WorkingBoard) -> list[WorkingItem]:
    """The items zone by zone, what matters most first, of equals the oldest put."""
    order = list(Zone)
    return sorted(board.items, key=lambda each: (order.index(each.zone), -each.importance))


def _rendered(board: WorkingBoard, zone: Zone) -> str:
    contents = (_inside(each.content) for each in in_order(board) if each.zone is zone)
    return "\n".join((f"[{zone}]", *contents))


def _inside(content: str) -> str:
    """The content without anything that a reader could take for the head of a zone."""
    return _BRACKET.sub(r"  \g<0>", visible(_LINE_END.sub("\n", content)))


def _check(item: WorkingItem, tokens_max: int) -> None:
    if item.token_count < 1:
        raise invalid_field("item.content", "must hold at least one token")
    if item.token_count > tokens_max:
        raise invalid_field(
            "item.content",
            f"holds {item.token_count} tokens; zone {item.zone} takes {tokens_max} at most",
        )


def _evicted(
    board: WorkingBoard, zone: Zone, over: int, now_us: int
) -> tuple[WorkingBoard, tuple[WorkingItem, ...]]:
    """The board after giving up `over` tokens of a zone; of equals the older goes, then by id."""
    in_zone = (each for each in board.items if each.zone is zone)
    least_first = sorted(
        in_zone, key=lambda each: (standing(each, now_us), each.create_us, each.item_id)
    )
    gone: list[WorkingItem] = []
    for item in least_first:
        if over <= 0:
            break
        gone.append(item)
        over -= item.token_count
    ids = {each.item_id for each in gone}
    items = tuple(each for each in board.items if each.item_id not in ids)
    return replace(board, items=items), tuple(gone)
