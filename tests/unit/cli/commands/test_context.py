"""`anamnesis context` against a scripted server."""

import json

import pytest

from anamnesis.retrieval.v1.retrieval_pb2 import (
    CITATION_REASON_ANSWERS,
    CITATION_REASON_ASKED,
    CITATION_REASON_BEFORE,
    CITATION_REASON_STANDING,
    Citation,
)
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    CONTEXT_FORMAT_JSON,
    EMPTY_REASON_BUDGET_TOO_SMALL,
    EMPTY_REASON_NOTHING_RELEVANT,
    EMPTY_REASON_NOTHING_VISIBLE,
    BuildContextRequest,
    BuildContextResponse,
    EmptyReason,
)
from tests.support.scripted_suite import Script
from tests.unit.cli.conftest import Run

_BLOCK = "<memory_context>\n- [bold] \x1b[1mpeanuts § W-001/R-002/D-003\n</memory_context>"


def _block() -> BuildContextResponse:
    cited = Citation(pointer="§ W-001/R-002/D-003", memory_id="m-1")
    return BuildContextResponse(text=_BLOCK, token_count=17, citations=[cited], revision="r-7")


def test_prints_the_block_alone_and_unchanged(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    answer = run("context", "plan", "a", "dinner")
    assert answer.stdout == _BLOCK + "\n"
    assert "17 of 1024 tokens, 1 memory shown" in answer.stderr
    assert "did not fit" not in answer.stderr


def test_sends_budget_limit_and_format(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    asked_for = ("--budget", "200", "--limit", "2", "--format", "json", "--tag", "a", "--rerank")
    run("context", "dinner", *asked_for)
    (asked,) = script.asked(BuildContextRequest)
    assert (asked.token_budget, asked.limit, asked.format) == (200, 2, CONTEXT_FORMAT_JSON)
    assert list(asked.filter.tags) == ["a"]
    assert asked.rerank


def test_without_a_question_it_asks_for_a_brief(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    assert run("context", "--budget", "600").stdout == _BLOCK + "\n"
    (asked,) = script.asked(BuildContextRequest)
    assert (asked.query, asked.token_budget) == ("", 600)


def test_json_holds_the_citations(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    document = json.loads(run("context", "dinner", "--json").stdout)
    assert document["text"] == _BLOCK
    assert document["citations"][0]["memory_id"] == "m-1"


def test_only_what_is_asked_for_bounds_it(run: Run, script: Script) -> None:
    script.answer("BuildContext", _block())
    run("context", "dinner")
    run("context", "dinner", "--pointers")
    plain, pointed = script.asked(BuildContextRequest)
    assert (plain.limit, plain.token_budget, plain.pointers) == (0, 0, False)
    assert pointed.pointers


def test_the_budget_is_told_that_the_server_took(run: Run, script: Script) -> None:
    block = _block()
    block.token_budget = 400
    script.answer("BuildContext", block)
    assert "17 of 400 tokens" in run("context", "dinner").stderr


def test_says_how_many_did_not_fit_and_what_would_show_them(run: Run, script: Script) -> None:
    block = _block()
    block.left_out = 3
    script.answer("BuildContext", block)
    answer = run("context", "dinner", "--budget", "300")
    assert "3 more did not fit; --budget 600 would show more" in answer.stderr
    answer = run("context", "dinner", "--limit", "1")
    assert "3 more are over the limit; --limit 4 would show more" in answer.stderr
    answer = run("context", "dinner", "--budget", "150000")
    assert "--budget 200000 would show more" in answer.stderr


@pytest.mark.parametrize(
    ("reason", "left_out", "told"),
    [
        (EMPTY_REASON_NOTHING_RELEVANT, 0, "nothing relevant in namespace default, as far as"),
        (EMPTY_REASON_NOTHING_VISIBLE, 0, "nothing is there in namespace default, as far as"),
        (
            EMPTY_REASON_BUDGET_TOO_SMALL,
            2,
            "20 tokens are too few for any of 2 relevant memories; --budget 64 would show more",
        ),
    ],
)
def test_prints_nothing_and_says_why(
    run: Run, script: Script, reason: EmptyReason.ValueType, left_out: int, told: str
) -> None:
    script.answer(
        "BuildContext",
        BuildContextResponse(revision="r-7", empty_reason=reason, left_out=left_out),
    )
    answer = run("context", "dinner", "--budget", "20", "--explain")
    assert answer.exit_code == 0
    assert answer.stdout == ""
    assert told in answer.stderr


def test_explain_tells_each_line_beside_the_block(run: Run, script: Script) -> None:
    def cited(line: int, reason: int, tokens: int, *routes: str) -> Citation:
        return Citation(
            pointer="§ W-001/R-002/D-003",
            line=line,
            reason=reason,  # type: ignore[arg-type]
            token_count=tokens,
            score=1.234 if routes else 0,
            routes=routes,
        )

    block = _block()
    block.ClearField("citations")
    block.citations.extend(
        [
            cited(3, CITATION_REASON_STANDING, 12, "window"),
            cited(5, CITATION_REASON_ASKED, 8),
            cited(6, CITATION_REASON_ANSWERS, 21, "text", "dense", "window", "fact"),
            cited(7, CITATION_REASON_BEFORE, 9, "text"),
        ]
    )
    script.answer("BuildContext", block)
    answer = run("context", "dinner", "--explain")
    assert answer.stdout == _BLOCK + "\n"
    lines = answer.stderr.splitlines()
    rows = [line.split() for line in lines if "W-001" in line]
    pointer = ["§", "W-001/R-002/D-003"]
    told = [
        ["3", "stands", "12", "-", "window", *pointer],
        ["5", "question", "8", "-", "-", *pointer],
        ["6", "answers", "21", "1.23", "text,", "dense,", "window,", "fact", *pointer],
        ["7", "before", "9", "1.23", "text", *pointer],
    ]
    assert [row[: len(each)] for row, each in zip(rows, told, strict=True)] == told
    assert rows[0][len(told[0]) :] == _BLOCK.splitlines()[2].split()
    assert max(map(len, lines)) <= 100
    assert "W-001" not in run("context", "dinner").stderr


def test_help_shows_how(run: Run) -> None:
    shown = run("context", "--help").stdout
    assert {"--pointers", "--explain", "--limit", "--budget"} <= set(shown.split())
    assert 'anamnesis context "where do I live?" --user ada --explain' in shown
    assert max(map(len, shown.splitlines())) <= 80
