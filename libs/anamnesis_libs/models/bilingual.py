"""The default embedding model: MiniLM for English, multilingual USE for Chinese, Japanese, Korean.

Both write into one space of MiniLM's length, each as if it were alone: the vectors of the one lie
across those of the other (cosine 0.00 +- 0.05), which reads as unrelated. The vector of an English
text is MiniLM's to the digit. Of USE's 512 numbers the first 384 are kept: what is lost does not
show (docs/adr/001-embedding-model.md). A text that is mixed gets the sum of both.

The second model is loaded with the first text that needs it.
"""

import re
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anamnesis_libs.cjk import CHARACTER
from anamnesis_libs.models import minilm, sentence_encoder
from anamnesis_libs.models.ports import Matrix, Readings, Tokens
from anamnesis_libs.models.vectors import unit_rows

MIXED_SHARE_MIN, CJK_SHARE_MIN = 0.2, 0.5
"""Below the first share of CJK words a text is English, from the second on it is not."""

_WORDS_A_CHARACTER = 0.6
_WORD = re.compile(r"[^\W\d_]+")


class Bilingual:
    """Both models in this process. Blocking; safe to use from several threads."""

    dimension = minilm.DIMENSION
    unit_chars_max = minilm.UNIT_CHARS_MAX
    reads_tokens = True

    def __init__(self, english: minilm.MiniLM) -> None:
        self._english = english
        self._cjk: sentence_encoder.SentenceEncoder | None = None
        self._loading = threading.Lock()
        digests = f"{english.model.partition(':')[2]}.{sentence_encoder.WEIGHTS_SHA256[:16]}"
        self.model = f"all-minilm-l6-v2+use-multilingual-v3:{digests}"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Make one unit row a text; see `read`."""
        return self.read(texts).rows

    def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text, by the model of its language or by both.

        Tokens are told of every text that MiniLM reads, alone or with the other.
        """
        shares = np.array([cjk_share(text) for text in texts])
        rows = np.zeros((len(texts), self.dimension), np.float32)
        tokens: list[Tokens | None] = [None] * len(texts)
        english = np.flatnonzero(shares < CJK_SHARE_MIN)
        if len(english):
            read = self._english.read([texts[place] for place in english.tolist()])
            rows[english] = read.rows
            for place, of_text in zip(english.tolist(), read.tokens, strict=True):
                tokens[place] = of_text
        cjk = np.flatnonzero(shares >= MIXED_SHARE_MIN)
        if len(cjk):
            made = self._loaded().encode([texts[place] for place in cjk.tolist()])
            rows[cjk] += unit_rows(made[:, : self.dimension])
        mixed = (shares >= MIXED_SHARE_MIN) & (shares < CJK_SHARE_MIN)
        rows[mixed] = unit_rows(rows[mixed])
        return Readings(rows, tokens)

    def _loaded(self) -> sentence_encoder.SentenceEncoder:
        with self._loading:
            if self._cjk is None:
                self._cjk = sentence_encoder.load()
            return self._cjk


def load(onnx_file: Path | None = None) -> Bilingual:
    """Load MiniLM, and check the files of both models.

    Args:
        onnx_file: another ONNX file of MiniLM; see `minilm.load`.

    Raises:
        SetupInvalid: a file is missing, or is not the expected one.
    """
    sentence_encoder.verify()
    return Bilingual(minilm.load(onnx_file))


def cjk_share(text: str) -> float:
    """The share of Chinese, Japanese and Korean in the words of a text, 0 to 1.

    A character counts six tenths of a word.
    """
    others, characters = CHARACTER.subn(" ", text)
    if not characters:
        return 0.0
    cjk = _WORDS_A_CHARACTER * characters
    return cjk / (cjk + len(_WORD.findall(others)))
