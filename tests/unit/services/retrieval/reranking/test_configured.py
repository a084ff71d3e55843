"""Tests of reranking/configured.py: the service starts without what a reranker is made of."""

import subprocess
import sys

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_retrieval.reranking.configured import Rerankers, _installed

WITHOUT = """
import sys
for name in ("jsonschema", "numpy", "onnxruntime", "openai", "tokenizers"):
    sys.modules[name] = None
import anamnesis_retrieval.wiring
"""


def test_a_package_that_is_missing_is_named_with_the_remedy() -> None:
    def load() -> Rerankers:
        raise ModuleNotFoundError("No module named 'openai'", name="openai")

    with pytest.raises(SetupInvalid, match=r"openai: pip install 'anamnesis-retrieval\[rerank\]'"):
        _installed(load)


@pytest.mark.slow
def test_the_service_is_imported_without_what_a_reranker_is_made_of() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
