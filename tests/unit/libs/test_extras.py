"""An installation without an extra starts, and says what is missing where it is asked for."""

import subprocess
import sys

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.extras import needs_extra
from tests.support.processes import environment

_PLAIN = """
import sys
for name in ("neo4j", "openai", "jwt", "cryptography", "wordllama", "matplotlib"):
    sys.modules[name] = None
import anamnesis_cli.process
import anamnesis_cluster.wiring, anamnesis_ingestion.wiring
import anamnesis_memory.wiring, anamnesis_retrieval.wiring
from anamnesis_libs.models.factory import load_chat
from anamnesis_libs.rpc.server import key_ring
from anamnesis_libs.settings import Models, Security
assert load_chat(Models()) is None
key_ring(Security())
for call, asked in ((load_chat, Models(chat_model="m")), (key_ring, Security(jwt_issuer="i"))):
    try:
        call(asked)
    except Exception as error:
        print(error)
"""


def test_a_plain_install_needs_no_extra_until_it_is_asked_for() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _PLAIN],
        env=environment(),
        capture_output=True,
        check=False,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    chat, tokens = told.stdout.splitlines()
    assert chat.startswith("models.chat_model needs the package openai")
    assert "pip install 'anamnesis-suite[openai]'" in chat
    assert "pip install 'anamnesis-suite[tokens]'" in tokens


def test_a_fault_inside_is_no_missing_extra() -> None:
    with pytest.raises(ZeroDivisionError), needs_extra("openai", "models.chat_model"):
        _ = 1 / 0
    missing = pytest.raises(SetupInvalid, match="needs the package there_is_none")
    with missing, needs_extra("openai", "models.chat_model"):
        import there_is_none  # type: ignore[import-not-found]  # noqa: F401
