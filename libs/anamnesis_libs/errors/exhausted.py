"""Resources that are full for now, or used up: the kinds of ResourceExhausted; see `errors`."""

from datetime import datetime

from anamnesis_libs.errors.root import AnamnesisError, Metadata


class Later(AnamnesisError):
    """An error that passes: carries how long to wait before the next try."""

    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float = 1.0,
        reason: str = "",
        metadata: Metadata = None,
    ) -> None:
        super().__init__(message, reason=reason, metadata=metadata)
        self.retry_after_s = retry_after_s


class ResourceExhausted(Later):
    """A queue or a budget is full."""

    reason = "QUEUE_FULL"


class TooLarge(ResourceExhausted):
    """A message or file beyond its limit; waiting does not help, so no retry time is sent."""

    reason = "TOO_LARGE"

    def __init__(self, what: str, limit_bytes: int) -> None:
        super().__init__(
            f"{what} is larger than {limit_bytes} bytes; send it in smaller parts",
            retry_after_s=0.0,
            metadata={"limit_bytes": str(limit_bytes)},
        )


class QuotaExceeded(ResourceExhausted):
    """A key or token has used up what it may call; a quota that no wait renews sends no time."""

    reason = "QUOTA_EXCEEDED"

    def __init__(self, quota: str, limit: float, retry_after_s: float) -> None:
        super().__init__(
            f"this key's quota {quota} of {limit:g} is used up; wait, or ask an operator for more",
            retry_after_s=retry_after_s,
            metadata={"quota": quota, "limit": f"{limit:g}"},
        )


class ZoneFull(ResourceExhausted):
    """A zone of working memory that evicts nothing has no room; waiting does not help."""

    reason = "ZONE_FULL"

    def __init__(self, zone: str, tokens_left: int) -> None:
        super().__init__(
            f"zone {zone} has {tokens_left} tokens left and evicts nothing; clear it, or replace "
            "one of its items",
            retry_after_s=0.0,
            metadata={"zone": zone, "tokens_left": str(tokens_left)},
        )


class BudgetExhausted(ResourceExhausted):
    """A namespace has used up its calls or tokens of the hour; nothing was sent."""

    reason = "MODEL_BUDGET_EXHAUSTED"

    def __init__(self, namespace: str, what: str, turns: datetime, retry_after_s: float) -> None:
        """`what` is used up (`calls`, `tokens`); `turns` is when the next hour begins."""
        at = turns.isoformat(timespec="seconds")
        super().__init__(
            f"the model {what} of this hour are used up for namespace {namespace!r}; the hour "
            f"turns at {at}",
            retry_after_s=retry_after_s,
            metadata={"namespace": namespace, "budget": what, "turns": at},
        )
