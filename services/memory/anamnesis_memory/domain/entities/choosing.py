"""Choice of the known entity that a text means: first those with that very name, then others.

The first row that finds an entity decides. Where a row finds several, only the first row chooses
(the eldest is meant); any other row chooses none: better a new entity than a wrong one.

| row | finds | of which kind |
|---|---|---|
| written | a name that was used, word for word | the same, else an unknown one |
| run together | one that was used, with words parted elsewhere | the same, else an unknown one |
| told | the name of one was told as another of the other | the same, else an unknown one |
| near | they differ by a title and the like, or by a slip of the pen | the same |

So a name leads to the same entity for good once it has been used: what comes later can make an
entity better known, and never two of one name. Where a text tells no kind, each known one will do,
and only names count. Two people are not made one by the short name that both go by: Mara Lopez,
called Mara, and Mara Lund, called Mara, have full names that differ.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.domain.entities.folding import Folded, fold
from anamnesis_memory.domain.entities.forms import Agreement, core
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.matching import Entity, MatchReason, match, resolve
from anamnesis_memory.domain.entities.names import KnownEntity, Named

_NEAR = frozenset({MatchReason.BESIDE, MatchReason.SLIP})


@dataclass(frozen=True, slots=True)
class EntityCandidate:
    """A known entity that may be meant.

    Args:
        entity: with its names.
        kind: what it is, by all that is known of those that it is one with.
    """

    entity: KnownEntity
    kind: EntityKind

    @property
    def used(self) -> list[Folded]:
        """The names that were used for the entity."""
        return [fold(one.spelling.name) for one in self.entity.names if not one.is_alias]

    @property
    def spelled(self) -> list[Folded]:
        """All names of the entity."""
        return [fold(one.spelling.name) for one in self.entity.names]


def choose(named: Named, known: Sequence[EntityCandidate]) -> EntityCandidate | None:
    """The one that is meant, if there is one and no doubt; `known` are the eldest first."""
    for circle in _circles(named, known):
        if written := next((one for one in circle if _written(named, one)), None):
            return written
    circles = _circles(named, [one for one in known if not _two_people(named, one)])
    for means in (_run_together, _told):
        for circle in circles:
            found = [one for one in circle if means(named, one)]
            if found:
                return found[0] if len(found) == 1 else None
    return None if named.kind is EntityKind.UNKNOWN else _near(named, circles[0])


def _circles(
    named: Named, known: Sequence[EntityCandidate]
) -> tuple[Sequence[EntityCandidate], ...]:
    """The candidates in the order of looking: those of the name's kind, then those of no kind."""
    if named.kind is EntityKind.UNKNOWN:
        return (known,)
    same = [one for one in known if one.kind is named.kind]
    return same, [one for one in known if one.kind is EntityKind.UNKNOWN]


def by_full_name(named: Named, meant: EntityCandidate) -> Named:
    """A person as named, by the full name where the short one is another person's."""
    if not _two_people(named, meant):
        return named
    full = next(name for name in named.aliases if _is_full(name))
    others = (named.name, *(name for name in named.aliases if name != full))
    return replace(named, name=full, aliases=others)


def _written(named: Named, one: EntityCandidate) -> bool:
    tokens = fold(named.name).tokens
    return any(tokens == used.tokens for used in one.used)


def _run_together(named: Named, one: EntityCandidate) -> bool:
    name = fold(named.name)
    return any(name.same(used) for used in one.used)


def _told(named: Named, one: EntityCandidate) -> bool:
    name, aliases = fold(named.name), [fold(alias) for alias in named.aliases]
    return _any_same([name], one.spelled) or _any_same(aliases, one.used)


def _any_same(names: Iterable[Folded], others: Sequence[Folded]) -> bool:
    return any(name.same(other) for name in names for other in others)


def _near(named: Named, known: Sequence[EntityCandidate]) -> EntityCandidate | None:
    entities = [Entity(one.entity.name, one.kind, one.entity.aliases) for one in known]
    found = resolve(Entity(named.name, named.kind, named.aliases), entities)
    return known[found.place] if found.place is not None and found.reason in _NEAR else None


def _two_people(named: Named, one: EntityCandidate) -> bool:
    """True if both are people with full names, and have no name in common."""
    if EntityKind.PERSON not in (named.kind, one.kind):
        return False
    names = [name for name in (named.name, *named.aliases) if _is_full(name)]
    others = [each.spelling.name for each in one.entity.names if _is_full(each.spelling.name)]
    if not names or not others:
        return False
    return not any(_same_person(name, other) for name in names for other in others)


def _same_person(name: str, other: str) -> bool:
    return match(Entity(name, EntityKind.PERSON), Entity(other, EntityKind.PERSON)).same


def _is_full(name: str) -> bool:
    """True if the name is a given name and a surname."""
    return core(name, EntityKind.PERSON).agreement is Agreement.ANY
