"""Tests of models/bilingual.py and sentence_encoder.py: two models in one space."""

from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models import bilingual, model_files, sentence_encoder
from anamnesis_libs.models.bilingual import Bilingual, cjk_share
from anamnesis_libs.models.minilm import MiniLM

pytestmark = pytest.mark.slow

PAIRS = Path(__file__).parents[3] / "data" / "paraphrases"
ENGLISH = ["A cat sits on the mat.", "", "We moved to 上海 in the spring of the year before."]
CHINESE = [
    "家里养了一只橘猫",
    "ペットは猫です。",
    "고양이를 키우고 있어요",
    "我用GitHub Copilot写代码",
]
MIXED = "Meeting with 王小明 at the office"


@pytest.fixture(scope="session")
def model(mini_lm: MiniLM) -> Bilingual:
    return Bilingual(mini_lm)


def pairs(name: str) -> tuple[list[str], list[str]]:
    lines = [line.split("\t") for line in (PAIRS / name).read_text().splitlines()]
    return [said for said, _ in lines], [asked for _, asked in lines]


def bigrams(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2].isalpha()}


def test_paraphrases_without_a_common_pair_of_characters_find_each_other(model: Bilingual) -> None:
    said, asked = pairs("zh.tsv")
    assert not any(bigrams(one) & bigrams(other) for one, other in zip(said, asked, strict=True))
    cosines = model.encode(said) @ model.encode(asked).T
    truth = np.arange(len(said))
    assert (cosines.argmax(axis=1) == truth).sum() >= 48
    assert (cosines.argmax(axis=0) == truth).sum() >= 46


def test_english_vectors_are_those_of_minilm_to_the_digit(
    model: Bilingual, mini_lm: MiniLM
) -> None:
    assert np.array_equal(model.encode(ENGLISH), mini_lm.encode(ENGLISH))
    among_others = model.encode([CHINESE[0], *ENGLISH])[1:]
    assert np.abs(among_others - mini_lm.encode(ENGLISH)).max() < 1e-6


def test_the_two_languages_lie_across_each_other(model: Bilingual) -> None:
    english, _ = pairs("en-zh.tsv")
    chinese, _ = pairs("zh.tsv")
    cosines = model.encode(english) @ model.encode(chinese).T
    assert abs(cosines.mean()) < 0.02
    assert np.abs(cosines).max() < 0.25


def test_a_mixed_text_is_near_what_either_model_makes_of_it(
    model: Bilingual, mini_lm: MiniLM
) -> None:
    mixed, chinese = model.encode([MIXED, "和王小明在办公室开会"])
    assert mixed @ mini_lm.encode([MIXED])[0] > 0.6
    assert mixed @ chinese > 0.3


def test_rows_are_of_unit_length_whatever_the_text(model: Bilingual) -> None:
    texts = ["", "🙂", "好", "字" * 5000, "字 " * 500, "\u3400", MIXED, *CHINESE, "\u4e00\x00"]
    rows = model.encode(texts)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_vector_does_not_depend_on_its_batch(model: Bilingual) -> None:
    texts = [*CHINESE, "她说" * 40, *ENGLISH, MIXED]
    alone = np.concatenate([model.encode([text]) for text in texts])
    assert np.abs(model.encode(texts) - alone).max() < 1e-5
    assert np.abs(model.encode(texts[::-1])[::-1] - alone).max() < 1e-5


def test_a_text_beyond_the_window_is_not_cut_off(model: Bilingual) -> None:
    filler = "今天天气很好，路也很长，我们一边走一边聊。" * 40
    plain, about_cats, cat = model.encode([filler, filler + "家里的猫在睡觉。" * 30, "猫睡着了"])
    assert about_cats @ cat > plain @ cat + 0.1


def test_no_text_in_english_loads_the_second_model(
    mini_lm: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_encoder, "load", lambda: pytest.fail("it was loaded"))
    Bilingual(mini_lm).encode(ENGLISH)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0),
        ("two words", 0),
        ("你好吗朋友", 1),
        ("你好吗朋友 one two three", 0.5),
        ("12 ? 🙂", 0),
    ],
)
def test_a_character_counts_six_tenths_of_a_word(text: str, share: float) -> None:
    assert cjk_share(text) == pytest.approx(share)


def test_the_fingerprint_names_both_files(model: Bilingual, mini_lm: MiniLM) -> None:
    english = mini_lm.model.partition(":")[2]
    own = sentence_encoder.WEIGHTS_SHA256[:16]
    assert model.model == f"all-minilm-l6-v2+use-multilingual-v3:{english}.{own}"


def test_damaged_weights_are_refused_before_anything_is_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = model_files.in_package(sentence_encoder.PACKAGE, "", sentence_encoder.REQUIREMENT)
    package = tmp_path / sentence_encoder.PACKAGE
    (package / "resources").mkdir(parents=True)
    (package / "__init__.py").touch()
    content = (good / "resources" / "sp.model").read_bytes()
    (package / "resources" / "weights.npz").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SetupInvalid, match=r"weights.npz has the SHA-256 .*sentence-encoder"):
        bilingual.load()
