"""The last revision that a write returned, by namespace: reads wait for it."""

import threading


class Revisions:
    """The revisions that one's own writes have reached; views of one client share them."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._lock = threading.Lock()

    def of(self, namespace: str) -> str:
        """The revision to wait for; empty where nothing was written."""
        return self._last.get(namespace, "")

    def wrote(self, namespace: str, revision: str) -> None:
        """Keeps the revision of a write, unless one that was later told already."""
        with self._lock:
            if revision and not _is_before(revision, self._last.get(namespace, "")):
                self._last[namespace] = revision

    def drop(self, namespace: str) -> None:
        """Forgets what was reached: the namespace was deleted, restored or made anew."""
        with self._lock:
            self._last.pop(namespace, None)


def _is_before(revision: str, other: str) -> bool:
    """True if both are of one incarnation of a namespace, and the first is the earlier one."""
    incarnation, _, number = revision.partition("-")
    known, _, reached = other.partition("-")
    return incarnation == known and int(number, 16) < int(reached, 16)
