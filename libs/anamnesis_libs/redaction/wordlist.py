"""Lists of words, written down as running text."""


def words(listed: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(listed.split())
