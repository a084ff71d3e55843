"""Pages of a list: a size within bounds, and an opaque token that says where to go on.

The token holds the sort key of the last item given and a digest of the query it belongs to,
so that a token shown to another query is refused instead of giving a wrong page. Nothing in it is
secret and nothing of it is trusted: whoever alters one gets another page of the same list, or is
refused because no key of that list has such a form.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from anamnesis_libs.errors import InvalidArgument, invalid_field

PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 500
_TOKEN_CHARS_MAX = 4096

_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1

SortKey = tuple[str | int, ...]
Form = tuple[type[str] | type[int], ...]
"""The types of the parts of a list's sort keys."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """The page that a list call returns: at most `size` items that sort after `after`."""

    size: int
    after: SortKey | None
    digest: str

    def next_token(self, last: SortKey) -> str:
        """The token for the page that follows the item with this sort key."""
        text = json.dumps([self.digest, list(last)], separators=(",", ":"), ensure_ascii=False)
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def take(self, found: Sequence[T], key: Callable[[T], SortKey]) -> tuple[Sequence[T], str]:
        """The page out of `size + 1` records asked for, and the token of the next one, or none."""
        if len(found) <= self.size:
            return found, ""
        items = found[: self.size]
        return items, self.next_token(key(items[-1]))


def read_page(page_size: int, page_token: str, query: bytes, *forms: Form) -> Page:
    """The page a request asks for; `query` is what the list depends on, namespace included.

    `forms` are those of the list's sort keys: `after` has one of them, or is None.

    `query` must leave out `page_size` and `page_token`: for a proto, clear both in a copy and
    take `SerializeToString(deterministic=True)`.
    """
    digest = hashlib.blake2b(query, digest_size=12).hexdigest()
    after = _after(page_token, digest, forms) if page_token else None
    return Page(size=coerced_size(page_size), after=after, digest=digest)


def coerced_size(page_size: int) -> int:
    """0 means the default, more than the maximum means the maximum, less than 0 is an error."""
    if page_size < 0:
        raise invalid_field("page_size", "must not be negative; leave it out for the default")
    return min(page_size or PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)


def page_token_refused(why: str = "was not given by this service") -> InvalidArgument:
    """The error for a token that belongs to no page of the list."""
    return invalid_field(
        "page_token", f"{why}, or leave it empty to start over", reason="PAGE_TOKEN_INVALID"
    )


def _after(page_token: str, digest: str, forms: tuple[Form, ...]) -> SortKey:
    given, key = _decoded(page_token)
    if given != digest:
        raise page_token_refused(
            "belongs to another query; repeat the call that gave it, unchanged"
        )
    if tuple(map(type, key)) not in forms or not all(map(_may_be_stored, key)):
        raise page_token_refused()
    return tuple(key)


def _decoded(page_token: str) -> tuple[str, list[str | int]]:
    """The digest and the key of a token; what the key is made of is not looked at yet."""
    if len(page_token) > _TOKEN_CHARS_MAX:
        raise page_token_refused()
    try:
        padded = page_token + "=" * (-len(page_token) % 4)
        digest, key = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, UnicodeError, ValueError, TypeError, RecursionError) as error:
        raise page_token_refused() from error
    if not isinstance(key, list):
        raise page_token_refused()
    return str(digest), key


def _may_be_stored(part: str | int) -> bool:
    """True if a store could hold the part: whole characters, or a number of 64 bits."""
    if isinstance(part, int):
        return _INT_MIN <= part <= _INT_MAX
    return not any("\ud800" <= char <= "\udfff" for char in part)
