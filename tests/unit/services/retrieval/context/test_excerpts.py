"""Tests of what is shown of a passage: the sentences of the piece that is nearest come first."""

from anamnesis_libs.chunking import DOCUMENT_ROLE, split
from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.excerpts import told
from anamnesis_retrieval.model import Candidate, Remembered, ScopeShape

OPENING = "The harbour office opens on every weekday morning."
REFUND = f"Berths {'0123 ' * 60}are paid at once, {'0123 ' * 40}a third is back before June."
PASSAGE = f"{OPENING}\n\n{REFUND}\n\nDogs are kept on a lead, and so are cats."


def test_a_sentence_too_heavy_for_one_piece_is_near_with_either() -> None:
    memory = Remembered("m", "", "harbour.md", "", PASSAGE, role=DOCUMENT_ROLE)
    pieces = split(PASSAGE, DOCUMENT_ROLE)
    nearest = next(at for at, piece in enumerate(pieces) if "before June" in piece)
    assert "Berths" not in pieces[nearest]

    cosines = tuple(0.5 if at == nearest else 0.1 for at in range(len(pieces)))
    hit = Candidate("m", role=DOCUMENT_ROLE, cosine=0.5, piece_cosines=cosines)
    said = told(memory, hit, read_prompt("refunds", ScopeShape()), frozenset(), len)

    assert said is not None
    assert said.units[said.order[0]].text == " ".join(REFUND.split())
