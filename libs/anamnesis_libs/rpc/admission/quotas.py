"""Quotas: the calls and bytes that a principal may send, counted in this process.

Calls are a token bucket that holds what `BURST_S` seconds give, bytes a sum over a day from the
first call on. What is counted is of this process: each replica counts for itself, and a start
begins anew.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from anamnesis_libs.errors import QuotaExceeded
from anamnesis_libs.rpc.admission.principal import Limits, Principal

BURST_S = 2.0
DAY_S = 86_400.0
PRINCIPALS_MAX = 100_000
"""Principals counted at once; beyond it whoever was quiet for longest begins anew."""
AT_ONCE_RETRY_S = 0.5
_MIB = 1024 * 1024


@dataclass(slots=True)
class _Account:
    """The use of one principal; times by the monotonic clock."""

    tokens: float
    counted_s: float
    day_began_s: float
    bytes_today: int = 0
    running: int = 0
    namespaces: set[str] = field(default_factory=set)


class Quotas:
    """The accounts of a server's principals."""

    def __init__(
        self, default: Limits, *, namespaces_max: int, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._default = default
        self._namespaces_max = namespaces_max
        self._now_s = now_s
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    @contextmanager
    def call(self, principal: Principal) -> Iterator[None]:
        """Around one call of a principal.

        Raises:
            QuotaExceeded: it calls too often, or has too many calls running.
        """
        limits = principal.limits.over(self._default)
        account = self._account(principal, limits)
        if limits.calls_at_once and account.running >= limits.calls_at_once:
            raise QuotaExceeded("calls_at_once", limits.calls_at_once, AT_ONCE_RETRY_S)
        self._take_token(account, limits)
        account.running += 1
        try:
            yield
        finally:
            account.running -= 1

    def took(self, principal: Principal, size_bytes: int, namespace: str, *, writes: bool) -> None:
        """A request of so many bytes came, about a namespace.

        Raises:
            QuotaExceeded: the bytes of the day are used up, or it writes to too many namespaces.
        """
        limits = principal.limits.over(self._default)
        account = self._account(principal, limits)
        now_s = self._now_s()
        if now_s - account.day_began_s >= DAY_S:
            account.day_began_s, account.bytes_today = now_s, 0
        if limits.mib_per_day and account.bytes_today + size_bytes > limits.mib_per_day * _MIB:
            left_s = account.day_began_s + DAY_S - now_s
            raise QuotaExceeded("mib_per_day", limits.mib_per_day, left_s)
        if writes and namespace and not principal.namespaces:
            self._count_namespace(account, namespace)
        account.bytes_today += size_bytes

    def _count_namespace(self, account: _Account, namespace: str) -> None:
        """Writing makes a namespace that is not there: nobody makes any number of them."""
        if namespace in account.namespaces:
            return
        if len(account.namespaces) >= self._namespaces_max:
            raise QuotaExceeded("namespaces", self._namespaces_max, 0.0)
        account.namespaces.add(namespace)

    def _account(self, principal: Principal, limits: Limits) -> _Account:
        now_s = self._now_s()
        account = self._accounts.get(principal.name)
        if account is None:
            account = _Account(limits.calls_per_s * BURST_S, now_s, now_s)
            self._accounts[principal.name] = account
            if len(self._accounts) > PRINCIPALS_MAX:
                self._accounts.popitem(last=False)
        self._accounts.move_to_end(principal.name)
        return account

    def _take_token(self, account: _Account, limits: Limits) -> None:
        now_s = self._now_s()
        rate = limits.calls_per_s
        account.tokens = min(rate * BURST_S, account.tokens + (now_s - account.counted_s) * rate)
        account.counted_s = now_s
        if not rate:
            return
        if account.tokens < 1.0:
            raise QuotaExceeded("calls_per_s", rate, (1.0 - account.tokens) / rate)
        account.tokens -= 1.0
