"""Redaction of JSON: of what it says, not of how it is written.

Written as JSON, a line break before a secret is an `n` that stands glued to it and hides it. So
JSON is parsed, each text in it is cleaned, and the whole is written anew. What is lost by taking
texts apart is put back: a value is looked at behind its key, for "password" is said there.
"""

import json
from collections.abc import Callable

TAG = "<REDACTED_CREDENTIAL>"
_PROBE = "Xx1-xXx1"
_KEYED_CHARS_MAX = 4096
_OPENS = ("{", "[")


class JsonRedaction:
    """Cleans parsed JSON with `clean`, which cleans a text."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._secret_keys: dict[str, bool] = {}

    def text(self, text: str) -> str:
        """A text without what must not be kept; one that is JSON is cleaned as such.

        JSON that holds nothing to be cleaned stays as it is written.
        """
        if not text.lstrip().startswith(_OPENS):
            return self._clean(text)
        try:
            value = json.loads(text)
            cleaned = self.value(value)
            return self._clean(text) if cleaned == value else written(cleaned)
        except (ValueError, RecursionError):
            return self._clean(text)

    def value(self, value: object) -> object:
        """A JSON value with every text in it cleaned, keys too, whatever the depth.

        Raises:
            RecursionError: the value is nested too deeply.
        """
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(one) for one in value]
            case dict():
                return {self._clean(key): self._under(key, one) for key, one in value.items()}
            case _:
                return value

    def _under(self, key: str, value: object) -> object:
        """A value that stands behind a key."""
        match value:
            case bool() | None:
                return value
            case int() | float():
                said = f'"{key}": {value}'
                return value if self._clean(said) == said else TAG
            case str() if len(value) > 2 and self._names_a_secret(key):
                return TAG
            case str() if len(value) <= _KEYED_CHARS_MAX:
                return self.text(self._behind(key, value))
            case _:
                return self.value(value)

    def _names_a_secret(self, key: str) -> bool:
        """True if redaction takes any text behind this key for a secret."""
        known = self._secret_keys.get(key)
        if known is None:
            said = f'"{key}": "{_PROBE}"'
            known = self._secret_keys[key] = self._clean(said) != said
        return known

    def _behind(self, key: str, value: str) -> str:
        """The text as it is cleaned behind its key."""
        start, end = f'"{key}": "', '"'
        cleaned = self._clean(f"{start}{value}{end}")
        if cleaned.startswith(start) and cleaned.endswith(end):
            return cleaned[len(start) : -len(end)]
        return value


def written(value: object) -> str:
    """JSON as kept: on one line, without spaces between, and always to be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        return json.dumps(value, separators=(",", ":"))
    return text
