"""A document gives the messages that `json` reads of it as a whole, however small the window."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.intake.files import document_reading
from anamnesis_ingestion.intake.files.document_reading import DocumentReader
from anamnesis_libs.errors import InvalidArgument

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


@pytest.fixture(autouse=True)
def _small_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_reading, "_READ_BYTES", 5)


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]), st.booleans())
def test_messages_are_those_of_the_whole(
    messages: list[object], indent: int | None, escaped: bool
) -> None:
    for document in (messages, {"a": {"b": [1]}, "messages": messages, "z": 12}):
        content = json.dumps(document, indent=indent, ensure_ascii=escaped)
        read = DocumentReader(content.encode("utf-8", "replace"), 10_000).messages()
        assert list(read) == json.loads(json.dumps(messages, ensure_ascii=escaped))


@given(st.lists(VALUES, min_size=1, max_size=4), st.data())
def test_a_document_that_is_cut_anywhere_gives_nothing(
    messages: list[object], data: st.DataObject
) -> None:
    content = json.dumps(messages, indent=1).encode()
    at = data.draw(st.integers(1, len(content) - 1))
    with pytest.raises(InvalidArgument, match="breaks at line"):
        next(DocumentReader(content[:at], 10_000).messages())


def test_a_message_beyond_the_limit_is_refused() -> None:
    content = json.dumps([{"content": "x" * 500}]).encode()
    with pytest.raises(InvalidArgument, match="longer than 100 characters"):
        next(DocumentReader(content, 100).messages())
