"""People in a text, for policies that do without their names: pseudonyms that stay the same.

The pseudonym is made of the name as it is written, case and width aside, under a key of the
namespace: what is told of somebody still meets, and nobody without the key can try names out.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from threading import Lock

from anamnesis_libs.redaction.policy import PERSON, PSEUDONYM_HEX
from anamnesis_libs.redaction.replacing import Find

Rule = Callable[[str], Iterator[tuple[int, int]]]
"""Yields where people are named in a text."""

_KNOWN_CHARS_MIN = 2
_PART_CHARS_MIN = 3
_LATIN = r"A-Za-z0-9_\u00c0-\u024f"
_HAN = re.compile(r"[\u3400-\u9fff]")
_PATTERNS_KEPT = 1024


class Persons:
    """Finds people, known ones by their names and others by rules.

    The rules need lexicons: a second and some 60 MB, spent by the first text that is looked at,
    on its thread. A process whose namespaces all leave people in never has them.
    """

    def __init__(self) -> None:
        self._loading = Lock()
        self._rules: tuple[Rule, Rule] | None = None

    def find(self, text: str, known_names: Sequence[str], key: bytes) -> Iterator[Find]:
        """Yield every person named in `text` with a pseudonym."""
        western, chinese = self._rules or self._load()
        spans = [*western(text), *_known_spans(text, tuple(known_names))]
        if not text.isascii():
            spans += chinese(text)
        for start, end in spans:
            yield Find(start, end, PERSON, pseudonym(text[start:end], key))

    def _load(self) -> tuple[Rule, Rule]:
        """The rules; whoever comes while they are loaded waits for them."""
        with self._loading:
            if self._rules is None:
                # the imports alone are most of the cost
                from anamnesis_libs.redaction.chinese import Chinese
                from anamnesis_libs.redaction.western import Western

                self._rules = Western().spans, Chinese().spans
            return self._rules


def pseudonym(name: str, key: bytes) -> str:
    """The pseudonym of a person: HMAC-SHA-256 of the folded name under `key`."""
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    digest = hmac.new(key, folded.encode(), hashlib.sha256).hexdigest()
    return f"<{PERSON}_{digest[:PSEUDONYM_HEX]}>"


def _known_spans(text: str, names: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    pattern = _known(names)
    return (match.span() for match in pattern.finditer(text)) if pattern else iter(())


@lru_cache(_PATTERNS_KEPT)
def _known(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Matches the names and, of those of several words, each long one, the longest first."""
    wanted = {name.strip() for name in names if len(name.strip()) >= _KNOWN_CHARS_MIN}
    parts = {part for name in wanted for part in name.split() if len(part) >= _PART_CHARS_MIN}
    ordered = sorted(wanted | parts, key=lambda name: (-len(name), name))
    return re.compile("|".join(map(_whole, ordered)), re.IGNORECASE) if ordered else None


def _whole(name: str) -> str:
    """A pattern of a name as a word of its own, however it is spaced; Han needs no boundary."""
    spelled = r"\s{1,3}".join(map(re.escape, name.split()))
    return spelled if _HAN.search(name) else rf"(?<![{_LATIN}]){spelled}(?![{_LATIN}])"
