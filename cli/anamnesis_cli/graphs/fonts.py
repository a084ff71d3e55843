"""Fonts that have the signs of a picture's texts: a missing one would be drawn as a box.

The usual font comes first. For what it lacks, fonts of this machine are looked through, those of
the package that the extra `pictures` brings among them. What none has is numbered in the picture,
and told beside it.
"""

import importlib.util
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.font_manager import FontEntry, FontManager

USUAL = "DejaVu Sans"
_CARRIER = "manimgx_fonts_cjk"
_LIKED = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei")
_NO_FONT = "Last Resort"
"""Comes with matplotlib and has a box for every sign there is."""
_FONT_FILES = (".ttf", ".otf", ".ttc")


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of texts.

    Args:
        families: in the order in which a sign is looked for.
        usual: the signs of the first.
        missing: signs that none has.
    """

    families: tuple[str, ...]
    usual: frozenset[int]
    missing: frozenset[str]

    def needs_other(self, text: str) -> bool:
        """True if a text has signs that the first font lacks."""
        return any(ord(sign) not in self.usual for sign in text if not sign.isspace())


def fonts_for(texts: Iterable[str]) -> Fonts:
    """The fonts that these texts need, as few as will do."""
    from matplotlib import font_manager

    # it tells of each text that is set in a font of another weight
    logging.getLogger(font_manager.__name__).setLevel(logging.ERROR)
    _add_carried(font_manager.fontManager)
    usual = _signs(font_manager.findfont(USUAL), 0)
    missing = {sign for text in texts for sign in text if not sign.isspace()}
    missing = {sign for sign in missing if ord(sign) not in usual}
    families = [USUAL]
    for family, path, index in _others(font_manager.fontManager) if missing else ():
        found = {sign for sign in missing if ord(sign) in _signs(path, index)}
        if found:
            families.append(family)
            missing -= found
        if not missing:
            break
    return Fonts(tuple(families), usual, frozenset(missing))


def numbered(texts: Iterable[str], missing: frozenset[str]) -> Mapping[str, str]:
    """The replacements of texts with missing signs: each run of those signs is a number."""
    if not missing:
        return {}
    runs = re.compile("[" + re.escape("".join(sorted(missing))) + "]+")
    numbers: dict[str, int] = {}

    def number(run: re.Match[str]) -> str:
        return f"[{numbers.setdefault(run[0], len(numbers) + 1)}]"

    told = {text: runs.sub(number, text) for text in dict.fromkeys(texts)}
    return {text: shown for text, shown in told.items() if text != shown}


def _add_carried(manager: "FontManager") -> None:
    """Fonts that a package of this environment carries."""
    found = importlib.util.find_spec(_CARRIER)
    for folder in (found and found.submodule_search_locations) or ():
        known = {entry.fname for entry in manager.ttflist}
        for file in sorted(Path(folder).iterdir()):
            if file.suffix in _FONT_FILES and str(file) not in known:
                manager.addfont(file)


def _others(manager: "FontManager") -> list[tuple[str, str, int]]:
    """All upright fonts: those of even weight first, and of these the liked ones."""

    def place(entry: "FontEntry") -> tuple[bool, int, int, str]:
        liked = _LIKED.index(entry.name) if entry.name in _LIKED else len(_LIKED)
        weight = entry.weight if isinstance(entry.weight, int) else 400
        return _CARRIER in entry.fname, liked, abs(weight - 400), entry.name

    upright = [
        entry
        for entry in manager.ttflist
        if entry.style == "normal" and not entry.name.startswith(_NO_FONT)
    ]
    return [
        (entry.name, entry.fname, getattr(entry, "index", 0))
        for entry in sorted(upright, key=place)
    ]


def _signs(path: str, index: int) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    font = FT2Font(path, face_index=index) if index else FT2Font(path)
    return frozenset(font.get_charmap())
