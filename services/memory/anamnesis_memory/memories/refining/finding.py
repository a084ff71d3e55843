"""Finding the next memories to refine: by the log of changes, from where the last record stood.

So a namespace at rest costs nothing, and what was asked about is not asked about again until it
changes, whatever came of it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from anamnesis_memory.memories.refining.wanted import Wanted, wanted_of
from anamnesis_memory.model.memory import LoggedChange, Memory
from anamnesis_memory.model.refining import RefiningPlace
from anamnesis_memory.ports import NamespaceStore

LOOK_MAX = 500
"""Changes of one read of the log."""
READS_MAX = 20
"""Reads of the log in one search, which may find nothing."""


@dataclass(frozen=True, slots=True)
class Unrefined:
    """A memory, and what is wanted of a model."""

    memory: Memory
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class UnrefinedPage:
    """The next memories; `through` is the place behind them, as it was where nothing is new."""

    found: Sequence[Unrefined]
    through: RefiningPlace
    more: bool


async def find_unrefined(
    store: NamespaceStore, place: RefiningPlace, unmined: Collection[str], limit: int
) -> UnrefinedPage:
    """Look on from a place; of `unmined` agents nothing is found.

    Raises:
        StoreUnavailable: the store does not answer.
    """
    found: list[Unrefined] = []
    after = max(place.revision - 1, 0)
    for _ in range(READS_MAX):
        log = await store.changes(after, LOOK_MAX)
        ahead = sorted(_ahead(log.changes, place))
        for one in await _looked(store, ahead, unmined):
            found.append(one)
            if len(found) == limit:
                return UnrefinedPage(found, _at(one.memory), more=True)
        place = max([place, *ahead[-1:]])
        if log.revision >= store.revision:
            return UnrefinedPage(found, place, more=False)
        after = log.revision
    return UnrefinedPage(found, place, more=True)


def _ahead(changes: Sequence[LoggedChange], place: RefiningPlace) -> Iterator[RefiningPlace]:
    for one in changes:
        at = RefiningPlace(one.revision, one.memory_id)
        if not one.deleted and at > place:
            yield at


async def _looked(
    store: NamespaceStore, ahead: Sequence[RefiningPlace], unmined: Collection[str]
) -> list[Unrefined]:
    memories = await store.memories([one.memory_id for one in ahead], None)
    looked = [Unrefined(one, wanted_of(one)) for one in sorted(memories, key=_at)]
    return [one for one in looked if one.wanted and one.memory.agent_id not in unmined]


def _at(memory: Memory) -> RefiningPlace:
    return RefiningPlace(memory.revision, memory.memory_id)
