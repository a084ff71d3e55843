"""The name of a user on lines of talk: the one that their id spells, or the only one on their own.

    maya, maya.l, mlindqvist, "Maya Lindqvist"    are Maya Lindqvist
    davidc                                         is David Chen beside a David Okafor
    u-4711                                         is who alone has a name on lines of theirs

What several people said together has names of all of them, so that an id which spells none of
these is nobody's there.
"""

import re
from collections.abc import Collection

KEY_CHARS_MIN = 2
"""A shorter id spells nobody's name."""
_LETTERS = re.compile(r"[^\W\d_]+")


def spelled_name(user_id: str, names: Collection[str]) -> str:
    """The one of some names that an id spells; "" where it spells none, or several alike.

    An id spells a name as a whole, by its first word with as much as there is of the next ones, or
    by an initial and the last word. A name as a whole goes before the others.
    """
    key = "".join(_words(user_id.partition("@")[0]))
    if len(key) < KEY_CHARS_MIN:
        return ""
    whole = [name for name in names if "".join(_words(name)) == key]
    spelled = whole or [name for name in names if _spells(key, _words(name))]
    return spelled[0] if len(spelled) == 1 else ""


def _words(name: str) -> list[str]:
    return _LETTERS.findall(name.casefold())


def _spells(key: str, words: list[str]) -> bool:
    if not words:
        return False
    first, *others = words
    if key.startswith(first):
        return "".join(others).startswith(key.removeprefix(first))
    return bool(others) and key == first[0] + others[-1]
