"""The messages of a JSON document, one after the other: what is decoded is one message at a time.

A document is walked twice: first to see that it is whole and where its messages are, so that
nothing is stored of one that breaks, and then for the messages. The decoder is `json`'s; here
stands what is between values.
"""

import codecs
import json
import re
from collections.abc import Iterator, Mapping

from anamnesis_libs.errors import InvalidArgument, invalid_field

LISTS = ("loglines", "messages")
"""The keys of an object under which messages stand, the first that is there."""
_WHOLE_KEYS = ("role", "message", "mapping", "chat_messages", "conversations")
"""The keys of an object that is a message, or a conversation, itself."""
_READ_BYTES = 256 * 1024
_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"[0-9.eE+-]*")
_ALONE = ""
"""The key of a document that is one message or conversation."""


class DocumentReader:
    """Walks one document."""

    def __init__(self, document: bytes | bytearray, value_chars_max: int) -> None:
        self._document = document
        self._value_chars_max = value_chars_max

    def messages(self) -> Iterator[object]:
        """Yield the messages.

        Raises:
            InvalidArgument: it breaks somewhere, or holds no conversation (DOCUMENT_UNREADABLE);
                before the first message.
        """
        key = self._checked()
        walk = self._walk()
        if key == _ALONE:
            yield walk.value()
        else:
            yield from (value for held, value in walk.elements() if held == key)

    def _walk(self) -> "_Walk":
        return _Walk(self._document, self._value_chars_max)

    def _checked(self) -> str | None:
        """Walk through all of it; the key whose list holds the messages, None for a list itself."""
        try:
            walk = self._walk()
            for _ in walk.elements():
                pass
            walk.end()
        except json.JSONDecodeError as broken:
            raise _unreadable(f"breaks at {walk.place(broken.pos)}: {broken.msg}") from broken
        except RecursionError as error:
            raise _unreadable("is nested too deeply") from error
        except UnicodeDecodeError as error:
            raise _unreadable("is not UTF-8 text: write it in UTF-8") from error
        except ValueError as error:
            raise _unreadable(f"cannot be read: {error}") from error
        return None if walk.is_list else _held_in(walk.keys)


class _Walk:
    """One way through a document, with a window of its text in hand."""

    def __init__(self, document: bytes | bytearray, value_chars_max: int) -> None:
        self._bytes = memoryview(document)
        self._chars_max = value_chars_max
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._json = json.JSONDecoder()
        self._text, self._at, self._read_bytes = "", 0, 0
        self._lines, self._columns = 0, 0
        self.is_list = False
        self.keys: dict[str, bool] = {}
        """The keys of an object, and whether each holds a list."""
        self._more()
        self._text = self._text.removeprefix("\ufeff")

    def elements(self) -> Iterator[tuple[str | None, object]]:
        """Yield the elements of the list, or of each list of an object with its key.

        Raises:
            ValueError: it is no JSON, or a value is longer than allowed.
            RecursionError: a value is nested too deeply.
        """
        opening = self._peek()
        if opening == "[":
            self.is_list = True
            yield from self._items(None)
        elif opening == "{":
            yield from self._members()
        else:
            self.value()

    def value(self) -> object:
        """The value that begins here."""
        self._peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if self._ended:
                    raise
            else:
                if self._ended or not self._may_go_on(end):
                    self._at = end
                    return value
            if len(self._text) - self._at > self._chars_max:
                raise ValueError(f"a message is longer than {self._chars_max} characters")
            self._more()

    def end(self) -> None:
        """Nothing but blanks is left."""
        if self._peek():
            raise json.JSONDecodeError("Extra data", self._text, self._at)

    def place(self, at: int) -> str:
        """Line and column of a place in the window, from 1."""
        before = self._text[:at]
        lines = before.count("\n")
        columns = at - before.rfind("\n") - 1 if lines else self._columns + at
        return f"line {self._lines + lines + 1}, column {columns + 1}"

    @property
    def _ended(self) -> bool:
        return self._read_bytes >= len(self._bytes)

    def _may_go_on(self, end: int) -> bool:
        """True if a number at the end of the window may continue behind it."""
        digits = _NUMBER.match(self._text, end)
        return digits is not None and digits.end() == len(self._text)

    def _items(self, key: str | None) -> Iterator[tuple[str | None, object]]:
        self._take("[")
        if self._peek() == "]":
            self._take("]")
            return
        while True:
            yield key, self.value()
            if self._peek() != ",":
                break
            self._take(",")
        self._take("]")

    def _members(self) -> Iterator[tuple[str | None, object]]:
        self._take("{")
        if self._peek() == "}":
            self._take("}")
            return
        while True:
            key = self._key()
            self.keys[key] = self._peek() == "["
            if self.keys[key] and key in LISTS:
                yield from self._items(key)
            else:
                self.value()
            if self._peek() != ",":
                break
            self._take(",")
        self._take("}")

    def _key(self) -> str:
        if self._peek() != '"':
            raise json.JSONDecodeError(
                "Expecting property name enclosed in double quotes", self._text, self._at
            )
        key = str(self.value())
        self._peek()
        self._take(":")
        return key

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise json.JSONDecodeError(f"Expecting {mark!r}", self._text, self._at)
        self._at += 1

    def _peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more()

    def _more(self) -> None:
        """Drop the text that was walked, and read at least as much again as is left."""
        self._let_go()
        begin = self._read_bytes
        end = min(begin + max(_READ_BYTES, len(self._text)), len(self._bytes))
        self._read_bytes = end
        self._text += self._decode(bytes(self._bytes[begin:end]), end == len(self._bytes))

    def _let_go(self) -> None:
        walked = self._text[: self._at]
        lines = walked.count("\n")
        self._lines += lines
        kept = len(walked) - walked.rfind("\n") - 1
        self._columns = kept if lines else self._columns + kept
        self._text, self._at = self._text[self._at :], 0


def _held_in(keys: Mapping[str, bool]) -> str:
    """The key of an object whose list holds the messages, or that it is one itself."""
    if any(key in keys for key in _WHOLE_KEYS):
        return _ALONE
    for key in LISTS:
        if keys.get(key):
            return key
    raise _unreadable(
        "holds no conversation: it is no list, and has none in `loglines`, `messages`, "
        "`chat_messages`, `conversations` or `mapping`"
    )


def _unreadable(what: str) -> InvalidArgument:
    return invalid_field(
        "chunk", f"the JSON document {what}; nothing was stored", reason="DOCUMENT_UNREADABLE"
    )
