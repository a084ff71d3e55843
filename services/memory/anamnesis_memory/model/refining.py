"""The place up to which memories were looked at for refining, as it is kept."""

import json
from dataclasses import asdict, dataclass

from anamnesis_memory.model.documents import Collection, Document, DocumentKey

PLACE_KEY = DocumentKey(Collection.REFINING, "")


@dataclass(frozen=True, slots=True, order=True)
class RefiningPlace:
    """A place in the log of changes: all up to this memory at this revision was looked at."""

    revision: int = 0
    memory_id: str = ""


def place_of(document: Document | None) -> RefiningPlace:
    """The place from what is kept; the beginning where nothing is."""
    return RefiningPlace() if document is None else RefiningPlace(**json.loads(document.body))


def place_document(place: RefiningPlace, now_us: int) -> Document:
    """The place as it is kept."""
    body = json.dumps(asdict(place))
    return Document(PLACE_KEY.collection, PLACE_KEY.name, body, now_us)
