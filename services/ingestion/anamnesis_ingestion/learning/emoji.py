"""Emoji that tell a mood beside what is said, which are no words of it: "I'm vegetarian 🙂".

Where a clause begins or ends with emoji, they are blanked, so that positions stay valid. One that
is used is a thing and stays: "never use ✨", "不要用✅".
"""

import re

_EMOJI = (
    "[\\U0001F000-\\U0001FAFF\\u2600-\\u27BF\\u2B50\\u2B55\\u203C\\u2049]"
    "[\\uFE0F\\u200D\\u20E3\\U0001F3FB-\\U0001F3FF]*"
)
_RUN_MAX = 40
_RUN = rf"(?:{_EMOJI} {{0,2}}){{1,{_RUN_MAX}}}"
_CLAUSE_ENDS = r"[\n.,;:!?…)\]，。！？；：、）~～]"
_MOOD = re.compile(
    rf"(?:^[ \t]*{_RUN}|(?<!\buse )(?<!\busing )(?<!用)(?<!用 ){_RUN}(?={_CLAUSE_ENDS}|\Z))",
    re.MULTILINE | re.IGNORECASE,
)


def without_moods(text: str) -> str:
    """The text with blanks for the emoji at the beginning and end of clauses."""
    return _MOOD.sub(lambda found: " " * len(found.group()), text)
