"""The language of a question, as far as ranking must know it."""

import re

from anamnesis_libs.cjk import CHARACTER

# More than this share of CJK characters makes a question Chinese, Japanese or Korean.
_CJK_SHARE = 0.3
_LATIN_WORD = re.compile(r"[A-Za-z][\w.+#-]*", re.ASCII)


_NAME = re.compile(r"(?<=[a-z0-9,;:)'’\"”] )[A-Z][a-z]{2,}\b(?!['’]?[A-Z])")


_NAME_IN_CJK = re.compile(r"(?<![A-Za-z.])[A-Z][a-z]{2,}[A-Za-z]*(?![A-Za-z.])")

_READ_CJK = ("all-minilm-l6-v2+use-multilingual-v3:",)
"""Beginnings of the fingerprints of models whose cosines of such texts were measured."""


def reads_cjk(model: str) -> bool:
    """True if the vectors of a model are known to tell texts in those languages apart."""
    return model.startswith(_READ_CJK)


def names_in(text: str) -> list[str]:
    """The words that a text writes with a capital inside a sentence, or among Chinese ones."""
    return (_NAME_IN_CJK if is_cjk(text) else _NAME).findall(text)


def is_cjk(text: str) -> bool:
    """True if more than three tenths of the signs are Chinese, Japanese or Korean characters.

    A Latin word is one sign, however long: React的useEffect怎么用 asks in Chinese.
    """
    return len(CHARACTER.findall(text)) > _CJK_SHARE * len(_LATIN_WORD.sub("x", text))
