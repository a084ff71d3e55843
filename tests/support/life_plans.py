"""Plans of writes about what hangs on memories, with memories named by a number."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Tier
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import WriteSet
from tests.support.life import Put, copy, edge
from tests.support.records import lesson
from tests.support.store_model import StoreModel
from tests.support.store_plans import PICKS, NewId, picked


@dataclass(frozen=True, slots=True)
class Hang:
    """An edge, a copy and vitals are put, or an edge and a copy are removed."""

    pick: int
    other: int
    type: EdgeType
    role: CopyRole
    hits: int
    tier: Tier
    removes: bool

    def write(self, model: StoreModel, new_id: NewId) -> Put:
        """The write, as of what is stored."""
        one, other = picked(model, self.pick), picked(model, self.other)
        linked = edge(one, other, self.type, 1 / (1 + self.hits))
        was = replace(lesson(f"was {self.hits}"), memory_id="was", session_id="s-1")
        kept = copy(f"c-{self.other}", one, was, self.role)
        if self.removes:
            return Put(WriteSet(removed_edges=(linked.key,), removed_copies=(kept.copy_id,)))
        vitals = Vitals(one, self.hits, self.hits or None, 1.5, 7, self.tier, self.hits / 10)
        return Put(WriteSet(vitals=(vitals,), edges=(linked,), copies=(kept,)))


HANGS = st.builds(
    Hang,
    PICKS,
    PICKS,
    st.sampled_from([EdgeType.SIMILAR_TO, EdgeType.CO_RECALLED]),
    st.sampled_from(CopyRole),
    st.integers(0, 9),
    st.sampled_from(Tier),
    st.sampled_from([False, False, True]),
)
