"""A cross-encoder on ONNX Runtime: it reads a question and a text together and gives one score.

Any model will do that was exported to `model.onnx` beside its `tokenizer.json`, takes token ids
(with a mask, and types where it wants them) and gives one number a pair: the ms-marco MiniLM models
and the BGE rerankers are such. What it gives is for ordering texts under one question, no more.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from anamnesis_libs.errors import ModelUnavailable, SetupInvalid
from anamnesis_libs.models import model_files
from anamnesis_libs.models.onnx_sessions import RUN_FAILED, session_of

MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
PAIR_TOKENS_MAX = 512
"""The longer part of a pair is cut to so many tokens of both: more these models have not seen."""
PART_CHARS_MAX = 8 * PAIR_TOKENS_MAX
"""A question or a text is not looked at beyond so many characters: no pair holds more."""
REMEDY = "mend retrieval.rerank_model_dir, or choose another retrieval.reranker"

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_TRIAL = ("Is it long enough?", "word " * PAIR_TOKENS_MAX)

Ids = NDArray[np.int64]


class CrossEncoder:
    """The model in this process. Blocking; safe to use from several threads."""

    def __init__(self, session: ort.InferenceSession, tokenizer: Tokenizer) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._wanted = [one.name for one in session.get_inputs()]

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts under the question, in one run of the model; higher is better.

        Raises:
            ModelUnavailable: the model fails, or gives something else than a number a pair.
        """
        pairs = [(query[:PART_CHARS_MAX], text[:PART_CHARS_MAX]) for text in texts]
        inputs = _inputs(self._tokenizer.encode_batch(pairs))
        try:
            given = self._session.run(None, {name: inputs[name] for name in self._wanted})[0]
        except RUN_FAILED as error:
            raise ModelUnavailable(f"the cross-encoder failed: {error}; {REMEDY}") from error
        if given.shape not in ((len(texts),), (len(texts), 1)) or not np.isfinite(given).all():
            raise ModelUnavailable(
                f"the cross-encoder gave {given.shape} for {len(texts)} pairs, expected is one "
                f"finite number a pair; {REMEDY}"
            )
        return [float(score) for score in given.reshape(-1)]


def load(directory: Path) -> CrossEncoder:
    """Load the model of a folder, and try it on one long pair. Blocks for a second.

    Raises:
        SetupInvalid: a file is missing, or is no such model or tokenizer.
    """
    session = session_of(str(directory / MODEL_FILE), REMEDY)
    inputs = {one.name for one in session.get_inputs()}
    if not inputs <= _INPUTS:
        raise SetupInvalid(
            f"{directory / MODEL_FILE} is no cross-encoder: it takes {sorted(inputs)}, expected "
            f"are only {sorted(_INPUTS)}; {REMEDY}"
        )
    model = CrossEncoder(session, _tokenizer(directory / TOKENIZER_FILE))
    query, text = _TRIAL
    try:
        model.scores(query, [text])
    except ModelUnavailable as error:
        raise SetupInvalid(error.message) from error
    return model


def _tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of the model, whose pairs are cut and not padded."""
    content = model_files.read(path, REMEDY)
    try:
        tokenizer: Tokenizer = Tokenizer.from_buffer(content)
    except ValueError as error:
        raise SetupInvalid(f"{path} is no tokenizer: {error}; {REMEDY}") from error
    tokenizer.enable_truncation(PAIR_TOKENS_MAX)
    tokenizer.no_padding()
    return tokenizer


def _inputs(encoded: Sequence[Encoding]) -> dict[str, Ids]:
    """The inputs of one run: a row a pair, all as long as the longest."""
    shape = (len(encoded), max(len(one.ids) for one in encoded))
    inputs = {name: np.zeros(shape, np.int64) for name in _INPUTS}
    for row, one in enumerate(encoded):
        length = len(one.ids)
        inputs["input_ids"][row, :length] = one.ids
        inputs["attention_mask"][row, :length] = 1
        inputs["token_type_ids"][row, :length] = one.type_ids
    return inputs
