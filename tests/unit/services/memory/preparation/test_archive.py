"""Tests of archiving a file: its speakers are known people, its tools and files are not."""

import json

from anamnesis_libs.redaction.policy import RedactionLevel, RedactionPolicy
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.preparation.archive import redacted_lines
from anamnesis_memory.preparation.prepare import Preparer

STRICT = Preparer(
    PolicyRedactor(),
    load_counter("o200k_base"),
    RedactionPolicy(RedactionLevel.STRICT, pseudonym_key=b"own"),
)


def kept(role: str) -> str:
    rows = [{"role": role, "name": "Zorblatt", "content": "x"}, {"content": "so said Zorblatt"}]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    return redacted_lines(STRICT, content)[0].decode().splitlines()[1]


def test_speakers_are_known_and_files_and_tools_are_no_people() -> None:
    assert "Zorblatt" not in kept("user")
    assert "Zorblatt" not in kept("developer")
    assert "Zorblatt" in kept("tool")
    assert "Zorblatt" in kept("File")
