"""People in a text, for policies that do without their names."""

from collections.abc import Iterator, Sequence

from libs.redaction.replacing import Find


class Persons:
    """Finds people."""

    def find(self, text: str, known_names: Sequence[str], key: bytes) -> Iterator[Find]:
        """Yield."""
        yield from ()
