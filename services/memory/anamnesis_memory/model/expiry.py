"""The expiry of memories: the time from which on one is neither found nor counted."""

from dataclasses import dataclass

from anamnesis_libs.errors import invalid_field


@dataclass(frozen=True, slots=True)
class NewExpiry:
    """The expiry that a memory is to have; None: it does not expire."""

    at_us: int | None


@dataclass(frozen=True, slots=True)
class Expiring:
    """A memory that expires, and when."""

    memory_id: str
    expire_time_us: int


def check_expiry(expire_time_us: int | None, now_us: int, field: str) -> None:
    """Refuse an expiry that is over when it is written.

    Raises:
        InvalidArgument: the time does not lie in the future.
    """
    if expire_time_us is not None and expire_time_us <= now_us:
        raise invalid_field(field, "must lie in the future; leave it out for what does not expire")


def longer(one_us: int | None, other_us: int | None) -> int | None:
    """The later of two expiries; None, which is never, is the latest."""
    return None if one_us is None or other_us is None else max(one_us, other_us)
