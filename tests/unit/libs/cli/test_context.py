"""`anamnesis context` against a scripted server."""

import json

from anamnesis.retrieval.v1.retrieval_pb2 import Citation
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    CONTEXT_FORMAT_JSON,
    BuildContextRequest,
    BuildContextResponse,
)
from tests.support.scripted_suite import Script
from tests.unit.libs.cli.conftest import Run

_BLOCK = "<memory_context>\n- [bold] \x1b[1mpeanuts § W-001/R-002/D-003\n</memory_context>"


def _block() -> BuildContextResponse:
    cited = Citation(pointer="§ W-001/R-002/D-003", memory_id="m-1")
    return BuildContextResponse(text=_BLOCK, token_count=17, citations=[cited], revision="r-7")


def test_prints_the_block_alone_and_unchanged(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    answer = run("context", "plan", "a", "dinner")
    assert answer.stdout == _BLOCK + "\n"
    assert "17 of 1024 tokens, 1 memories cited" in answer.stderr


def test_sends_budget_limit_and_format(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    run("context", "dinner", "--budget", "200", "--limit", "2", "--format", "json", "--tag", "a")
    (asked,) = script.asked(BuildContextRequest)
    assert (asked.token_budget, asked.limit, asked.format) == (200, 2, CONTEXT_FORMAT_JSON)
    assert list(asked.filter.tags) == ["a"]


def test_json_holds_the_citations(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    document = json.loads(run("context", "dinner", "--json").stdout)
    assert document["text"] == _BLOCK
    assert document["citations"][0]["memory_id"] == "m-1"


def test_prints_nothing_where_nothing_is_relevant(run: Run, script: Script) -> None:
    script.answer("BuildContext", BuildContextResponse(revision="r-7"))
    answer = run("context", "dinner")
    assert answer.exit_code == 0
    assert answer.stdout == ""
    assert "nothing relevant" in answer.stderr
