"""The number of files that this process may hold open at once.

Sockets and databases count. Many systems start a process with a soft limit of 1,024, for the sake
of programs older than poll(); what the hard limit allows is there for the asking.
"""

import resource

BESIDE = 128
"""Files of a process beside those that are shared out: sockets, logs, models."""


def raise_limit() -> int:
    """Ask for all that the system allows.

    Returns:
        How many files may be open now.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):  # some systems call it unlimited, and bound it all the same
            return soft
    return limit()


def limit() -> int:
    """Number of files that may be open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def shares(files_each: int) -> int:
    """Number of things of so many files each that may be open at once; at least one."""
    return max((limit() - BESIDE) // files_each, 1)
