"""The accepted credentials: `authorization: Bearer KEY` on every call, a key or a token."""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from anamnesis_libs.errors import Unauthenticated
from anamnesis_libs.rpc.admission.key_files import digest_of
from anamnesis_libs.rpc.admission.principal import Principal

if TYPE_CHECKING:
    # it needs an extra, which only those have who accept tokens
    from anamnesis_libs.rpc.admission.web_tokens import WebTokens

_HEADER = "authorization"
_SCHEME = "bearer "


class KeyRing:
    """The accepted keys, as digests, and the issuer of accepted tokens; empty, it accepts all."""

    def __init__(
        self,
        operators: Iterable[bytes] = (),
        agents: Mapping[bytes, Principal] | None = None,
        tokens: "WebTokens | None" = None,
    ) -> None:
        held: list[tuple[bytes, Principal | None]] = [(digest, None) for digest in operators]
        held += (agents or {}).items()
        self.held = tuple(held)
        self._own: tuple[tuple[bytes, Principal | None], ...] = ()
        self._tokens = tokens

    @property
    def closed(self) -> bool:
        """True if a call needs a key."""
        return bool(self.held or self._tokens)

    def add_own(self, key: str) -> None:
        """Accept the key with which the services of this process call each other."""
        self._own = ((digest_of(key), None),)

    def renew(self, read: "KeyRing") -> None:
        """Accept what was read anew from now on, and what these services call each other with."""
        self.held, self._tokens = read.held, read._tokens  # noqa: SLF001  # one of its kind

    def check(self, metadata: Sequence[tuple[str, str | bytes]]) -> Principal | None:
        """The principal of the presented key; None for an operator.

        A call without an accepted key is refused in a time that says nothing about the keys.

        Raises:
            Unauthenticated: no key, one that is not known, or a token that is not accepted.
        """
        if not self.closed:
            return None
        presented = _presented(metadata)
        given = digest_of(presented)
        held = (*self.held, *self._own)
        matches = [who for digest, who in held if hmac.compare_digest(given, digest)]
        if matches:
            return matches[0]
        if self._tokens is not None and presented.count(".") == 2:
            return self._tokens.principal(presented)
        raise Unauthenticated(
            "no API key, or one that is not known; send it as 'authorization: Bearer KEY'"
        )


def _presented(metadata: Sequence[tuple[str, str | bytes]]) -> str:
    for name, value in metadata:
        if name == _HEADER and isinstance(value, str) and value.lower().startswith(_SCHEME):
            return value[len(_SCHEME) :].strip()
    return ""
