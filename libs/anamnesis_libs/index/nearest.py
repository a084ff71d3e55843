"""The nearest documents to a vector, among those of the same kind and audience."""

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import Alike, Near, Rows
from anamnesis_libs.index.records import Records, spans
from anamnesis_libs.index.vectors import VectorRows

Slots = NDArray[np.intp]

_OWNER = {"private_to_agent": "agent_id", "private_to_user": "user_id"}
NORM_MIN = 1e-6


def nearest(records: Records, vectors: VectorRows, asked: Alike) -> list[Near]:
    """The nearest by the cosine of a document's mean, best first; of equals the older first."""
    slots = _group(records, asked)
    if not len(slots):
        return []
    cosines = _cosines(records, vectors, slots, asked)
    best = np.argsort(-cosines, kind="stable")[: asked.limit]
    near = (Near(records.ids[int(slots[at])], float(cosines[at])) for at in best)
    return [one for one in near if one.cosine >= asked.cosine_min]


def _group(records: Records, asked: Alike) -> Slots:
    """Documents with vectors that are of the kind, the category and the audience, ascending."""
    table, codes = records.table.rows, records.codes
    owner = getattr(asked, _OWNER.get(asked.visibility, ""), "")
    slots = records.audiences.of((asked.visibility, owner)).astype(np.intp)
    usable = table["alive"][slots] & table["embedded"][slots] & ~table["archived"][slots]
    for field in ("kind", "category"):
        usable &= table[field][slots] == codes.find(getattr(asked, field))
    group: Slots = slots[usable]
    return group


def _cosines(
    records: Records, vectors: VectorRows, slots: Slots, asked: Alike
) -> NDArray[np.float32]:
    """Cosine of each document's mean with the vector; shape (slots,)."""
    table = records.table.rows
    counts = table["pieces"][slots]
    rows = records.pieces.rows["row"][spans(table["first_piece"][slots], counts)]
    firsts = np.cumsum(counts) - counts
    sums = np.add.reduceat(vectors.cosines(asked.vector, rows), firsts)
    norms = np.ones(len(slots), np.float32)
    for place in np.flatnonzero(counts > 1):
        first = int(firsts[place])
        total: Rows = vectors.at(rows[first : first + int(counts[place])]).sum(axis=0)
        norms[place] = max(float(np.linalg.norm(total)), NORM_MIN)
    cosines: NDArray[np.float32] = np.divide(sums, norms, dtype=np.float32)
    return cosines
