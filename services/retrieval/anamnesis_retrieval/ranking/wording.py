"""Words in which people tell what no word of a prompt is in, from `wording.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from anamnesis_retrieval.ranking.language import is_cjk


def worded(matter: str, prompt: str) -> str:
    """The words of a matter of `wording.toml`, in the language of a prompt."""
    return _held()[matter]["zh" if is_cjk(prompt) else "en"]


def all_words(matter: str) -> str:
    """The words of a matter in every language."""
    return " ".join(_held()[matter].values())


@cache
def _held() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))
