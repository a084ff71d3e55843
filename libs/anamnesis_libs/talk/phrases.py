"""The phrases by which a line is known for what it is, as written in `data/phrases.*.toml`.

A name stands for the phrases of all languages, joined into one pattern that is compiled when it is
first needed. Every pattern bounds its repetitions: no text makes a search slower than linear.
"""

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Iterator, Mapping

DATA = importlib.resources.files("anamnesis_libs.talk") / "data"
LANGUAGES = ("en", "zh")
_ESCAPED = re.compile(r"\\.")
_NOTHING = r"(?!)"
"""Is in no text."""
_CAPITAL = re.compile(r"[A-Z]")


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern of some phrases, in either case.

    Raises:
        KeyError: no language has phrases of this name.
    """
    alternatives = [one for language in LANGUAGES for one in _alternatives(language, name)]
    if not alternatives:
        raise KeyError(name)
    return re.compile("|".join(alternatives), re.IGNORECASE)


def says(name: str, text: str) -> bool:
    """True if one of the phrases is in a text.

    Plain ASCII is searched in lower case and for phrases that it may hold: no Chinese one is among
    them but those that are plain ASCII themselves. That takes a quarter of a search for all.

    Raises:
        KeyError: no language has phrases of this name.
    """
    lower = _in_lower_case(name) if text.isascii() else None
    if lower is None:
        return pattern(name).search(text) is not None
    return lower.search(text.lower()) is not None


@functools.cache
def _in_lower_case(name: str) -> re.Pattern[str] | None:
    """The pattern for plain ASCII in lower case; None if it tells capitals apart.

    Raises:
        KeyError: no language has phrases of this name.
    """
    pattern(name)  # refuses a name without phrases
    chinese = (one for one in _alternatives("zh", name) if one.isascii())
    written = "|".join((*_alternatives("en", name), *chinese)) or _NOTHING
    return None if _CAPITAL.search(_ESCAPED.sub("", written)) else re.compile(written)


def _alternatives(language: str, name: str) -> Iterator[str]:
    held = _phrases(language).get(name, {})
    if words := held.get("words"):
        yield rf"\b(?:{'|'.join(words)})\b"
    yield from held.get("anywhere", ())


@functools.cache
def _phrases(language: str) -> Mapping[str, Mapping[str, list[str]]]:
    held: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
        (DATA / f"phrases.{language}.toml").read_text(encoding="utf-8")
    )
    return held
