"""Making documents ready to be stored: their values redacted, the texts searched made of them."""

from dataclasses import replace

from anamnesis_memory.domain.documents.fields import field_path
from anamnesis_memory.domain.documents.values import parsed_object, searchable_text
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.preparation.levels import summarise
from anamnesis_memory.preparation.prepare import Preparer


def prepared(prepare: Preparer, memory: Memory, document: JsonDocument) -> Memory:
    """A document as it will be stored: what is searched of its redacted value is its text.

    Where nothing is, its text is its key, and no search of documents finds it.

    Raises:
        RedactionBlocked: the policy refuses such a value.
    """
    value = prepare.document(document.value)
    fields = tuple(map(field_path, document.search_fields))
    text = "" if document.unsearchable else searchable_text(parsed_object(value), fields)
    content = prepare.clean(text) or document.key
    summary, overview = summarise(content, prepare.tokens)
    part = replace(document, value=value, unsearchable=not text)
    return replace(memory, content=content, summary=summary, overview=overview, part=part)
