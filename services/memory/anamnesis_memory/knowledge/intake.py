"""Knowledge in a write of memories: what the write reads, the facts it asserts, the names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.domain.entities.names import Named, NameKeys
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.assert_fact import FactAssertions, lines_wanted
from anamnesis_memory.knowledge.entity_resolution import EntityResolver, names_of, united
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, IndexRecord, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class KnowledgeRules:
    """The rules by which facts and names come in.

    Args:
        predicates: those that have one object at a time in this namespace.
        named: what callers said of kinds and other names, by memory.
        learned: facts come out of talk, and not from somebody who states when they hold.
    """

    predicates: SingleValued = field(default_factory=SingleValued)
    named: Mapping[str, tuple[Named, ...]] = field(default_factory=dict)
    learned: bool = False

    def adding(
        self, wanted: ReadSet, memories: Iterable[Memory], mentioned: Iterable[Named] = ()
    ) -> ReadSet:
        """The read set of a write, with the lines of its facts and the entities it may name.

        `mentioned` are the entities named in memories that are stored already.
        """
        incoming = list(memories)
        told = {*mentioned, *(one for each in self.named.values() for one in each)}
        told |= {one for memory in incoming for one in names_of(memory)}
        keys = NameKeys.united(map(NameKeys.of, told)) if told else None
        return replace(wanted, lines=lines_wanted(incoming, self.predicates), names=keys)


class KnowledgeIntake:
    """Takes in what memories tell and whom they name."""

    def __init__(self, how: KnowledgeRules, seen: ReadView, stamp: CommitStamp) -> None:
        """`seen` has what `Knowledge.adding` asks for."""
        self._named = how.named
        self._revision = stamp.revision
        self._facts = FactAssertions(how.predicates, seen, stamp, learned=how.learned)
        self._entities = EntityResolver(seen, stamp)

    def tell(self, incoming: IndexRecord, part: Fact) -> Created:
        """Take in a fact."""
        return self._facts.take(incoming, part)

    def name(self, memory: Memory, sent: Memory) -> None:
        """Note whom a memory names that holds what was sent; the same words again name nobody."""
        said = self._named.get(sent.memory_id, ())
        if memory.revision != self._revision and not said:
            return
        self._entities.name(memory.memory_id, scope_of(memory), names_of(sent, said))

    def mention(self, memory: Memory, named: Iterable[Named]) -> Sequence[Named]:
        """Note whom a memory names that is there already; gives them with the kinds now known."""
        return self._entities.name(memory.memory_id, scope_of(memory), united(named))

    def edits(self) -> WriteSet:
        """The edits of all that was taken in."""
        named = self._entities.edits()
        return replace(self._facts.edits(), entities=named.entities, mentions=named.mentions)
