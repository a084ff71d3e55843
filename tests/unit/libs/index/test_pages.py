"""Passages of pages: their pieces are the lines of one text, not draws of their own."""

import numpy as np

from anamnesis_libs.chunking import DOCUMENT_ROLE, split
from anamnesis_libs.index.port import Query
from tests.unit.libs.index.makers import document, embedded, filled, unit_rows

LINES = (
    "The harbour opens on every weekday morning, and closes at the bell of the old church there.",
    "Whoever leaves with a boat before the first of June gets a third of the season's money back.",
    "Dogs are kept on a lead and cats in a basket, by those who brought them and by nobody else.",
)
PASSAGE = "\n".join(LINES)


def test_the_words_of_a_passage_count_once_and_in_whichever_line_they_stand() -> None:
    repeating = "\n".join(
        "A dog, a dog and one more dog were at the quay, it is told." for _ in LINES
    )
    index = filled(
        document("says-all", PASSAGE, role=DOCUMENT_ROLE),
        document("repeats-one", repeating, role=DOCUMENT_ROLE),
        document("other", "There is tea.", role=DOCUMENT_ROLE),
    )
    hits = {hit.memory_id: hit for hit in index.find(Query("harbour boat dog", None)).hits}
    assert hits["says-all"].text > hits["repeats-one"].text > hits["other"].text


def test_a_passage_of_many_lines_is_as_near_as_its_nearest_line() -> None:
    count = len(split(PASSAGE, DOCUMENT_ROLE))
    assert count > 1
    vectors = unit_rows(3, count)
    line = embedded("line", "A third of the money.", 9)
    index = filled(
        document("passage", PASSAGE, role=DOCUMENT_ROLE, vectors=vectors),
        document("same", "Money back.", role=DOCUMENT_ROLE, vectors=vectors[1:2]),
        line,
    )
    hits = {hit.memory_id: hit for hit in index.find(Query("", vectors[1])).hits}
    assert np.isclose(hits["passage"].dense, hits["same"].dense)
    assert hits["passage"].dense > hits["line"].dense
    assert np.argmax(hits["passage"].piece_cosines) == 1
    assert len(hits["passage"].piece_cosines) == count
    assert hits["line"].piece_cosines == ()
