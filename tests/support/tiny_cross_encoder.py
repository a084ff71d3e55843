"""A cross-encoder in a folder, made here: its score is how often words of both parts are the same.

It is a real ONNX file beside a real tokenizer file, with a pair's marks, types and padding.
"""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

onnx = pytest.importorskip("onnx", reason="onnx comes with the extra dev: make install")

WORDS = ("where", "does", "mara", "keep", "her", "bees", "honey", "on", "the", "roof", "word")
_MARKS = ("[UNK]", "[CLS]", "[SEP]")

_GRAPH = """
<ir_version: 8, opset_import: ["" : 17]>
shared (int64[B,T] input_ids, int64[B,T] attention_mask, int64[B,T] token_type_ids)
    => (OUTPUT logits)
<int64[1] one = {1}, int64[1] two = {2}, int64[2] both = {1, 2}>
{
    seen = Cast <to = 1> (attention_mask)
    second = Cast <to = 1> (token_type_ids)
    of_text = Mul (seen, second)
    of_query = Sub (seen, of_text)
    rows = Unsqueeze (input_ids, two)
    columns = Unsqueeze (input_ids, one)
    alike = Equal (rows, columns)
    same = Cast <to = 1> (alike)
    query = Unsqueeze (of_query, two)
    text = Unsqueeze (of_text, one)
    pairs = Mul (query, text)
    shared = Mul (pairs, same)
    total = ReduceSum <keepdims = 0> (shared, both)
    LAST
}
"""


def write_cross_encoder(directory: Path, last: str = "logits = Unsqueeze (total, one)") -> Path:
    """The folder with the model; `last` makes its output, named `logits`, of `total`."""
    directory.mkdir(exist_ok=True)
    output = "float[B,1]" if "Unsqueeze" in last else "float[B]"
    graph = _GRAPH.replace("OUTPUT", output).replace("LAST", last)
    onnx.save(onnx.parser.parse_model(graph), directory / "model.onnx")
    _tokenizer().save(str(directory / "tokenizer.json"))
    return directory


def _tokenizer() -> Tokenizer:
    known = {word: place for place, word in enumerate((*_MARKS, *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])],
    )
    tokenizer.enable_padding(length=7)  # as exported tokenizers often have it; not to be heeded
    return tokenizer
