"""What a write of memories wants to see, and how it takes in what they tell and whom they name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.memory.assign import scope_of
from services.memory.created import Created
from services.memory.entities.names import Named, NameKeys
from services.memory.facts.predicates import SingleValued
from services.memory.knowledge.naming import EntityDesk, names_of, united
from services.memory.knowledge.telling import FactDesk, lines_wanted
from services.memory.model import Memory
from services.memory.parts import Fact
from services.memory.ports import Edits, IndexRecord, Seen, Stamp, Wanted


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How facts and names come in.

    Args:
        predicates: those that have one object at a time in this namespace.
        named: what callers said of kinds and other names, by memory.
        learned: facts come out of talk, and not from somebody who states when they hold.
    """

    predicates: SingleValued = field(default_factory=SingleValued)
    named: Mapping[str, tuple[Named, ...]] = field(default_factory=dict)
    learned: bool = False

    def adding(
        self, wanted: Wanted, memories: Iterable[Memory], mentioned: Iterable[Named] = ()
    ) -> Wanted:
        """What a write wants to see, with the lines of its facts and whom it may name.

        `mentioned` are those whom memories name that are there already.
        """
        incoming = list(memories)
        told = {*mentioned, *(one for each in self.named.values() for one in each)}
        told |= {one for memory in incoming for one in names_of(memory)}
        keys = NameKeys.united(map(NameKeys.of, told)) if told else None
        return replace(wanted, lines=lines_wanted(incoming, self.predicates), names=keys)


class KnowledgeIntake:
    """Takes in what memories tell and whom they name."""

    def __init__(self, how: Knowledge, seen: Seen, stamp: Stamp) -> None:
        """`seen` has what `Knowledge.adding` asks for."""
        self._named = how.named
        self._facts = FactDesk(how.predicates, seen, stamp, learned=how.learned)
        self._entities = EntityDesk(seen, stamp)

    def tell(self, incoming: IndexRecord, part: Fact) -> Created:
        """Take in a fact."""
        return self._facts.take(incoming, part)

    def name(self, memory: Memory, sent: Memory) -> None:
        """Note whom a memory names that holds what was sent."""
        said = self._named.get(sent.memory_id, ())
        self._entities.name(memory.memory_id, scope_of(memory), names_of(sent, said))

    def mention(self, memory: Memory, named: Iterable[Named]) -> Sequence[Named]:
        """Note whom a memory names that is there already; gives them with the kinds now known."""
        return self._entities.name(memory.memory_id, scope_of(memory), united(named))

    def edits(self) -> Edits:
        """All that came of it."""
        named = self._entities.edits()
        return replace(self._facts.edits(), entities=named.entities, mentions=named.mentions)
