"""Notes beside a context, on standard error: its size, what did not fit, why each line is there."""

from anamnesis.retrieval.v1.retrieval_pb2 import (
    CITATION_REASON_ANSWERS,
    CITATION_REASON_ASKED,
    CITATION_REASON_BEFORE,
    CITATION_REASON_NEWEST,
    CITATION_REASON_STANDING,
    CitationReason,
)
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    EMPTY_REASON_ALREADY_SHOWN,
    EMPTY_REASON_BUDGET_TOO_SMALL,
    EMPTY_REASON_NOTHING_VISIBLE,
    BuildContextRequest,
    BuildContextResponse,
)
from anamnesis_cli.output import error_console, is_narrow, new_table, note, one_line
from anamnesis_cli.results import note_degraded
from anamnesis_cli.scope import in_sight

BUDGET_MAX = 200_000
BUDGET_TRIED_MIN = 64
"""A smaller budget is not proposed: a block of one line may take more."""
LIMIT_MAX = 100
CONTEXT_TOKENS = 1024
"""The budget where neither request nor policy names one."""

_REASONS: dict[CitationReason.ValueType, str] = {
    CITATION_REASON_ANSWERS: "answers",
    CITATION_REASON_STANDING: "stands",
    CITATION_REASON_ASKED: "question",
    CITATION_REASON_BEFORE: "before",
    CITATION_REASON_NEWEST: "newest",
}


_UNSCORED = (CITATION_REASON_ASKED, CITATION_REASON_STANDING)
"""What comes with an answer, or unasked, is there whatever its score."""
SAID_CHARS_MAX = 32


def print_explained(answer: BuildContextResponse) -> None:
    """Prints a row for each memory of a block: where it begins, why it is there, what it says."""
    lines = answer.text.split("\n")
    to = error_console()
    wide = [] if is_narrow(to) else ["begins"]
    table = new_table("line", "why", "tokens", "score", "found by", "pointer", *wide)
    for column in table.columns:
        column.no_wrap = True
    for column in table.columns[2:4]:
        column.justify = "right"
    for one in answer.citations:
        begins = _opening(lines[one.line - 1] if one.line <= len(lines) else "")
        table.add_row(
            str(one.line),
            _REASONS.get(one.reason, "-"),
            str(one.token_count),
            "-" if one.reason in _UNSCORED else f"{one.score:.2f}",
            one_line(", ".join(one.routes)) or "-",
            one_line(one.pointer),
            *(begins for _ in wide),
        )
    to.print(table)


def _opening(line: str) -> str:
    """The first words of a line, by which one finds it in the block."""
    plain = one_line(line.strip())
    if len(plain) <= SAID_CHARS_MAX:
        return plain
    return f"{plain[: SAID_CHARS_MAX - 1].rsplit(' ', 1)[0]}…"


def note_context(answer: BuildContextResponse, asked: BuildContextRequest) -> None:
    """Tells a block's size and what did not fit, or why there is none and what to do."""
    if answer.text:
        shown = len(answer.citations)
        memories = "memory" if shown == 1 else "memories"
        note(f"{answer.token_count} of {_budget(answer, asked)} tokens, {shown} {memories} shown")
        if answer.left_out:
            note(_left_out(answer, asked))
    else:
        note(_why_empty(answer, asked))
    note_degraded(answer.degraded)


def _left_out(answer: BuildContextResponse, asked: BuildContextRequest) -> str:
    if asked.limit and len(answer.citations) >= asked.limit:
        limit = min(asked.limit + answer.left_out, LIMIT_MAX)
        return f"{answer.left_out} more are over the limit; --limit {limit} would show more"
    return f"{answer.left_out} more did not fit; {_more(answer, asked)}"


def _more(answer: BuildContextResponse, asked: BuildContextRequest) -> str:
    """The option that would show more."""
    budget = min(max(2 * _budget(answer, asked), BUDGET_TRIED_MIN), BUDGET_MAX)
    return f"--budget {budget} would show more"


def _budget(answer: BuildContextResponse, asked: BuildContextRequest) -> int:
    """The tokens that the block might have had; a server of before tells none."""
    return answer.token_budget or asked.token_budget or CONTEXT_TOKENS


def _why_empty(answer: BuildContextResponse, asked: BuildContextRequest) -> str:
    where = in_sight(asked.namespace, asked.caller)
    if answer.empty_reason == EMPTY_REASON_NOTHING_VISIBLE:
        return f"nothing is there {where}: check the filters, --user and --as-agent"
    if answer.empty_reason == EMPTY_REASON_BUDGET_TOO_SMALL:
        return (
            f"{_budget(answer, asked)} tokens are too few for any of {answer.left_out} relevant "
            f"memories; {_more(answer, asked)}"
        )
    if answer.empty_reason == EMPTY_REASON_ALREADY_SHOWN:
        return "all that is relevant was shown to this session; without --exclude-shown it is told"
    return f"nothing relevant {where}: `anamnesis search` shows what comes nearest"
