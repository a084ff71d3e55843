"""Tags: what a caller, and a memory's origin, call it by."""

from collections.abc import Sequence

TAGS_MAX = 10


def unite_tags(*lists: Sequence[str]) -> tuple[str, ...]:
    """Tags in order, first spelling kept, case ignored, ten at most."""
    united: dict[str, str] = {}
    for tag in (tag.strip() for tags in lists for tag in tags):
        if tag:
            united.setdefault(tag.casefold(), tag)
    return tuple(united.values())[:TAGS_MAX]
