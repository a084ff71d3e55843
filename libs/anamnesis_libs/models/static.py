"""The fast embedding model: wordllama, one vector a token and their mean.

Fifty times faster than MiniLM and nearly as good once fused with words; see
docs/adr/001-embedding-model.md. Its two files are read out of the package `wordllama`,
which is not imported: it would bring its own loader, and a compiled part not needed here.
"""

from collections.abc import Sequence

import numpy as np
from safetensors.numpy import load as load_safetensors
from tokenizers import Tokenizer

from anamnesis_libs.extras import PROJECT
from anamnesis_libs.models import model_files
from anamnesis_libs.models.ports import Matrix, Readings
from anamnesis_libs.models.vectors import NORM_MIN, unit_rows

PACKAGE = "wordllama"
REQUIREMENT = "wordllama==0.4.0.post1"
WEIGHTS_SHA256 = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
TOKENIZER_SHA256 = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
UNIT_CHARS_MAX = 65_536
QUICK_CHARS_MAX = 500
"""Texts so long take a quarter of a millisecond."""

_UNKNOWN = 0


class StaticModel:
    """The model in this process. Blocking; safe to use from several threads."""

    unit_chars_max = UNIT_CHARS_MAX
    reads_tokens = False

    def __init__(self, table: Matrix, tokenizer: Tokenizer) -> None:
        self._table = table
        self._tokenizer = tokenizer
        self.model = f"wordllama-l2-supercat-256:{WEIGHTS_SHA256[:16]}"
        self.dimension = int(table.shape[1])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Make one unit row a text, of any length; without a token, the unknown token's."""
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return unit_rows(np.stack([self._mean(one.ids) for one in encoded]))

    def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text; a token is the same in every text, so none are told."""
        return Readings(self.encode(texts), [None] * len(texts))

    def _mean(self, ids: Sequence[int]) -> Matrix:
        known = np.minimum(np.asarray(ids, np.int64), len(self._table) - 1)
        mean: Matrix = self._table[known if len(known) else [_UNKNOWN]].mean(axis=0)
        return mean if np.linalg.norm(mean) >= NORM_MIN else self._table[_UNKNOWN]


def load() -> StaticModel:
    """Load and check the model. Blocks for a third of a second.

    Raises:
        SetupInvalid: the package is not installed, or a file is not the expected one.
    """
    remedy = f"pip install --force-reinstall '{REQUIREMENT}'"
    weights = _read("weights/l2_supercat_256.safetensors", WEIGHTS_SHA256, remedy)
    tokens = _read("tokenizers/l2_supercat_tokenizer_config.json", TOKENIZER_SHA256, remedy)
    table = load_safetensors(weights)["embedding.weight"].astype(np.float32)
    tokenizer: Tokenizer = Tokenizer.from_str(tokens.decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return StaticModel(table, tokenizer)


def _read(inside: str, sha256: str, remedy: str) -> bytes:
    path = model_files.in_package(PACKAGE, inside, f"{PROJECT}[static]")
    return model_files.read_verified(path, sha256, remedy)
