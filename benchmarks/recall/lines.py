"""Plain whole lines: the context that anybody would write, as a baseline of blocks.

    Caroline: I went to the support group.

One line a turn in the order of a ranking, without frame, date or pointer. A line is added while
it fits into the budget whole; the first that does not ends the block.
"""

import re
from collections.abc import Iterable

from anamnesis_libs.tokens import TokenCounter
from benchmarks.recall.conversations import Turn

PLAIN_LINES = "plain lines"
_SPACE = re.compile(r"\s+")


def line_of(turn: Turn) -> str:
    """The turn on one line, led by its speaker's name, or by the role where nobody is named."""
    return f"{turn.name or turn.role}: {flat(turn.content)}"


def flat(text: str) -> str:
    """The text with single spaces in place of line ends and other white space."""
    return _SPACE.sub(" ", text).strip()


def whole_lines(lines: Iterable[str], budget: int, tokens: TokenCounter) -> list[str]:
    """The first lines that fit together; tokens add up, since none crosses the end of a line."""
    taken: list[str] = []
    used = 0
    for line in lines:
        if used + tokens.count(line) > budget:
            break
        taken.append(line)
        used += tokens.count(f"{line}\n")
    return taken
