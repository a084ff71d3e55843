"""The door of a server: the caller, the right to what is called, and the quota."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import grpc
from google.protobuf.message import Message

from anamnesis_libs.rpc.admission.key_ring import KeyRing
from anamnesis_libs.rpc.admission.open_calls import OpenCalls
from anamnesis_libs.rpc.admission.principal import Principal
from anamnesis_libs.rpc.admission.quotas import Quotas
from anamnesis_libs.rpc.admission.rights import RIGHTS, Right

HEALTH_PREFIX = "/grpc.health.v1.Health/"
REFLECTION_PREFIX = "/grpc.reflection."


@dataclass(frozen=True, slots=True)
class Door:
    """The conditions of a server on its callers."""

    keys: KeyRing
    quotas: Quotas
    open_calls: OpenCalls
    open_prefixes: tuple[str, ...]
    """Names of rpcs that begin so need no key."""

    def principal(self, details: grpc.HandlerCallDetails) -> Principal | None:
        """The principal that calls, once it may call this rpc; None for an operator.

        Raises:
            Unauthenticated: no key, or none that is accepted.
            KeyNotEntitled: the key has no right to this rpc.
        """
        if details.method.startswith(self.open_prefixes):
            return None
        principal = self.keys.check(tuple(details.invocation_metadata or ()))
        if principal is not None and not details.method.startswith(REFLECTION_PREFIX):
            principal.check_rpc(details.method)
        return principal

    @contextmanager
    def call(self, principal: Principal | None) -> Iterator[None]:
        """Around one call.

        Raises:
            QuotaExceeded: the principal calls too often, or has too many calls running.
        """
        with nullcontext() if principal is None else self.quotas.call(principal):
            yield

    def check(
        self, principal: Principal | None, method: str, request: Message, namespace: str
    ) -> None:
        """Stamp a request of a principal's with its names, or refuse it.

        Raises:
            KeyNotEntitled: the key may not ask this.
            QuotaExceeded: the principal has sent too much.
        """
        if principal is None:
            return
        principal.check_request(method, request)
        writes = RIGHTS.get(method) is Right.WRITE
        self.quotas.took(principal, request.ByteSize(), namespace, writes=writes)
