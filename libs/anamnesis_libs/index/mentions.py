"""Looking for a text in what an index holds: its terms, and every string that it keeps as it is."""

from collections.abc import Iterator

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import Records


def mentions(records: Records, terms: Postings, text: str) -> int:
    """Number of pieces with all terms of a text, plus strings that contain it, case ignored.

    Pieces hold terms and not their order: one that says the same words elsewhere counts too.
    """
    folded = text.casefold()
    strings = sum(folded in held.casefold() for held in _strings(records, terms))
    return strings + _pieces(terms, text)


def _strings(records: Records, terms: Postings) -> Iterator[str]:
    yield from records.ids
    yield from records.codes.texts
    for postings in (terms, records.tags, records.entities):
        yield from postings.keys


def _pieces(terms: Postings, text: str) -> int:
    found: set[int] | None = None
    for term in set(tokens(text)):
        slots = set(terms.list_of(term)[:, 0].tolist())
        found = slots if found is None else found & slots
    return len(found or ())
