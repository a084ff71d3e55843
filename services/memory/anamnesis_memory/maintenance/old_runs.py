"""Records of runs of long ago, which go with the end of a later one."""

from anamnesis_memory.model.documents import Collection, DocumentKey
from anamnesis_memory.model.sleep_runs import RUNS_MAX
from anamnesis_memory.ports.life import LifeReads

_OLD_MAX = 200


async def old_runs(store: LifeReads) -> list[DocumentKey]:
    """Runs beyond those that are kept, as far as one write takes them."""
    kept = await store.documents(Collection.RUN, "", RUNS_MAX)
    if len(kept) < RUNS_MAX:
        return []
    old = await store.documents(Collection.RUN, kept[-1].name, _OLD_MAX)
    return [document.key for document in old]
