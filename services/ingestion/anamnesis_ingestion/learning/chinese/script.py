"""Simplified characters for the rules: one for one, so that places in a text stay valid.

`characters.txt` has pairs of a traditional and a simplified character. A character that simplified
text uses too (著 in 著名) has no pair.
"""

import re
from pathlib import Path

_PAIRS = (Path(__file__).parent / "characters.txt").read_text("utf-8").split()
_TABLE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS})
# 畫 is 画 but for these words.
_WORDS = re.compile("([计规策筹谋企])画")


def plain(text: str) -> str:
    """The text in simplified characters; as long as it was."""
    return _WORDS.sub(lambda found: found[1] + "划", text.translate(_TABLE))
