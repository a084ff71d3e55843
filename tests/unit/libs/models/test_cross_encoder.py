"""Tests of models/cross_encoder.py on a tiny model: pairs, lengths, and what is no such model."""

from pathlib import Path

import pytest

from anamnesis_libs.errors import ModelUnavailable, SetupInvalid
from anamnesis_libs.models import cross_encoder
from anamnesis_libs.models.cross_encoder import PAIR_TOKENS_MAX, CrossEncoder
from tests.support.tiny_cross_encoder import write_cross_encoder

QUERY = "where does mara keep her bees"
SEPARATORS = 1
"""The points that a pair of marks adds to every score of this model."""

LOG_OF_THE_REST = """
most = Constant <value_float = 2.0> ()
rest = Sub (most, total)
logits = Log (rest)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_cross_encoder(tmp_path / "model")


@pytest.fixture
def model(folder: Path) -> CrossEncoder:
    return cross_encoder.load(folder)


def test_each_text_is_read_beside_the_question(model: CrossEncoder) -> None:
    scores = model.scores(QUERY, ["honey", "mara", "her bees on the roof", ""])
    assert scores == [SEPARATORS + shared for shared in (0, 1, 2, 0)]


def test_a_score_does_not_depend_on_what_is_read_beside_it(model: CrossEncoder) -> None:
    texts = ["bees", "word " * 300, "mara does keep bees"]
    assert model.scores(QUERY, texts) == [model.scores(QUERY, [text])[0] for text in texts]


def test_the_longer_part_of_a_pair_is_cut(model: CrossEncoder) -> None:
    inside, beyond = PAIR_TOKENS_MAX // 2, PAIR_TOKENS_MAX
    assert model.scores("bees", ["word " * inside + "bees"]) == [1 + SEPARATORS]
    assert model.scores("bees", ["word " * beyond + "bees"]) == [SEPARATORS]
    assert model.scores("word " * beyond + "bees", ["bees"]) == [SEPARATORS]
    assert len(model.scores("word " * 10_000, ["word " * 100_000])) == 1


def test_one_number_a_pair_may_come_in_a_row(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "flat", "logits = Identity (total)")
    assert cross_encoder.load(folder).scores("bees", ["bees", "roof"]) == [2, 1]


def test_what_is_no_number_is_no_score(tmp_path: Path) -> None:
    model = cross_encoder.load(write_cross_encoder(tmp_path / "logs", LOG_OF_THE_REST))
    assert model.scores("bees", ["roof"]) == [0]
    with pytest.raises(ModelUnavailable, match=r"(?s)one finite number a pair.*rerank_model_dir"):
        model.scores("bees", ["roof", "bees"])


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("model.onnx", None, r"model\.onnx"),
        ("model.onnx", b"no model", "cannot load"),
        ("tokenizer.json", None, r"tokenizer\.json"),
        ("tokenizer.json", b"{}", "is no tokenizer"),
    ],
)
def test_a_folder_without_a_model_is_refused(
    folder: Path, file: str, content: bytes | None, why: str
) -> None:
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    with pytest.raises(SetupInvalid, match=rf"(?s){why}.*retrieval\.rerank_model_dir"):
        cross_encoder.load(folder)


def test_a_model_of_something_else_is_refused(tmp_path: Path) -> None:
    per_token = write_cross_encoder(tmp_path / "tokens", "logits = ReduceSum <keepdims = 0> (seen)")
    with pytest.raises(SetupInvalid, match="one finite number a pair"):
        cross_encoder.load(per_token)
