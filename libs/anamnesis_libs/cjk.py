"""The characters of Chinese, Japanese and Korean, written without blanks between words."""

import re

RANGES = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
"""Han, its compatibility forms, kana and hangul, as they stand in a class of characters."""
CHARACTER = re.compile(f"[{RANGES}]")
