"""The parser's weights are those that were measured, or nothing is read."""

from pathlib import Path

import pytest

from anamnesis_ingestion.learning.english import weights
from anamnesis_ingestion.learning.english.weights import SHA256, WeightsChanged, digest_of


def test_the_installed_weights_have_the_pinned_hash() -> None:
    assert digest_of(weights.weights_folder()) == SHA256


def test_other_bytes_give_another_hash(tmp_path: Path) -> None:
    part = tmp_path / "parser" / "model"
    part.parent.mkdir()
    part.write_bytes(b"one")
    before = digest_of(tmp_path)
    part.write_bytes(b"two")
    assert digest_of(tmp_path) != before


def test_changed_weights_are_not_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(weights, "weights_folder", lambda: tmp_path)
    weights.parser.cache_clear()
    try:
        with pytest.raises(WeightsChanged, match="install"):
            weights.parser()
    finally:
        weights.parser.cache_clear()
