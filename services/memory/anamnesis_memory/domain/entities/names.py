"""The records of entities: who they are, how they are spelled where, and their mentions.

    KnownEntity  1 --- n  EntityName   one per scope and spelling, with how often it occurs
         |
         |  n
      Mention                          one per memory and spelling

An entity shows itself to whoever may see one of its names, under the names that they may see: a
name is as visible as the memories that spell it so, and goes with the last of them. An entity
without names is gone. Merging moves nothing: `merged_into_id` says whose part an entity is, and
splitting takes that away, so that nothing is lost in between.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from anamnesis_memory.domain.entities.folding import fold
from anamnesis_memory.domain.entities.forms import core
from anamnesis_memory.domain.entities.kinds import EntityKind

FUZZY_MIN = 6
"""Names of fewer signs have no slips, and are not looked for by their ends."""

ID_PREFIX = "e-"
"""The prefix of the ids of entities; ids of memories do not begin so."""

THIRDS = 3
"""A slip leaves the first or the last third of a name as it is."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity as a text names it."""

    name: str
    kind: EntityKind = EntityKind.UNKNOWN
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name as a store indexes it.

    Args:
        name: as spelled.
        folded: what every spelling of it has in common.
        core: that without what stands beside a name (titles, forms of companies).
        head: the first third of `folded`; empty of short names.
        tail: the last third.
    """

    name: str
    folded: str
    core: str
    head: str
    tail: str

    @classmethod
    def of(cls, name: str, kind: EntityKind) -> "Spelling":
        """A name of an entity of this kind."""
        folded = fold(name).text
        third = len(folded) // THIRDS if len(folded) >= FUZZY_MIN else 0
        return cls(
            name,
            folded,
            core(name, kind).name.text,
            folded[:third],
            folded[len(folded) - third :],
        )


@dataclass(frozen=True, slots=True)
class NameKeys:
    """The keys of the entities that a name may mean: any key in common finds one.

    Args:
        folded: of the name and its aliases.
        cores: of the name, by every kind that it may be of.
        heads: the first thirds of all names that are a slip apart.
        tails: their last thirds.
    """

    folded: frozenset[str]
    cores: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()

    @classmethod
    def of(cls, named: Named) -> "NameKeys":
        """The keys of entities that a text may name; of an unknown kind only its exact names."""
        own = fold(named.name).text
        folded = frozenset(filter(None, [own, *(fold(one).text for one in named.aliases)]))
        if named.kind is EntityKind.UNKNOWN:
            return cls(folded)
        lengths = range(max(FUZZY_MIN, len(own) - 1), len(own) + 2)
        thirds = {length // THIRDS for length in lengths if len(own) >= FUZZY_MIN}
        return cls(
            folded,
            frozenset(filter(None, [core(named.name, named.kind).name.text])),
            frozenset(own[:third] for third in thirds),
            frozenset(own[len(own) - third :] for third in thirds),
        )

    @classmethod
    def united(cls, every: Iterable["NameKeys"]) -> "NameKeys":
        """The union of keys: it finds all that each of them finds."""
        keys = list(every)
        return cls(
            frozenset().union(*(one.folded for one in keys)),
            frozenset().union(*(one.cores for one in keys)),
            frozenset().union(*(one.heads for one in keys)),
            frozenset().union(*(one.tails for one in keys)),
        )


@dataclass(frozen=True, slots=True)
class Mention:
    """A memory names an entity.

    Args:
        memory_id: what names it.
        entity_id: what is named.
        scope: who may see the memory, as `assign.scope_of` says it.
        spelling: the name that is used.
        is_alias: it is told as another name, and not used.
        time_us: when the memory was stored.
    """

    memory_id: str
    entity_id: str
    scope: str
    spelling: Spelling
    is_alias: bool
    time_us: int


@dataclass(frozen=True, slots=True)
class EntityName:
    """A spelling of an entity in one scope, and how often it occurs there.

    Args:
        scope: who may see it.
        spelling: the name.
        is_alias: it was never used there, only told as another name.
        count: mentions that spell it so.
        first_us: when the first of them was stored.
        last_us: when the last one was.
    """

    scope: str
    spelling: Spelling
    is_alias: bool
    count: int
    first_us: int
    last_us: int


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity as it is kept; `names` come with reads, the first spelled first, and are not put.

    `merged_into_id` is empty while it stands by itself.
    """

    entity_id: str
    kind: EntityKind
    create_time_us: int
    merged_into_id: str = ""
    names: tuple[EntityName, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """The first spelling that was used, of the names that came with the read."""
        used = [one for one in self.names if not one.is_alias]
        first = min(used or self.names, key=lambda one: one.first_us, default=None)
        return "" if first is None else first.spelling.name

    @property
    def aliases(self) -> tuple[str, ...]:
        """All other spellings, in order of their first mention."""
        ordered = sorted(self.names, key=lambda one: one.first_us)
        names = dict.fromkeys(one.spelling.name for one in ordered)
        names.pop(self.name, None)
        return tuple(names)
