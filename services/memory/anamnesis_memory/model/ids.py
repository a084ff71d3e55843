"""Ids of records: opaque, unique, and sorting by the time they were made."""

import secrets


def new_id(now_us: int) -> str:
    """Twelve hex digits of milliseconds, then eighty random bits."""
    return f"{now_us // 1000:012x}{secrets.token_hex(10)}"


def new_incarnation(now_us: int) -> str:
    """Name of one life of a namespace; also names its files."""
    return f"{now_us // 1000:012x}{secrets.token_hex(4)}"
