"""The places in the code at which the suite failed, from its log; in the background too."""

import re
from collections import Counter

_LOGGED = re.compile(
    r"\[(?:error|warning) *\] (?P<event>\S+) .*?\berror=(?P<error>\S+)"
    r"(?: frames=\[(?P<frames>[^\]]*)\])?"
)
_FRAME = re.compile(r"(?:services|libs)/[^ ']{1,200} [^ ',]{1,80}")
_FRAMES_SHOWN = 3


def places(log: str) -> Counter[str]:
    """Counts of failures: the logged event, the error, and the innermost frames of ours."""
    counted: Counter[str] = Counter()
    for line in log.splitlines():
        logged = _LOGGED.search(line)
        if logged and (frames := _FRAME.findall(logged["frames"] or "")):
            where = " < ".join(reversed(frames[-_FRAMES_SHOWN:]))
            counted[f"{logged['event']} {logged['error']}: {where}"] += 1
    return counted
