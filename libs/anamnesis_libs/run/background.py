"""A thread for what nobody waits for: the system gives it what others leave."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

_NICENESS = 10


def background_thread(name: str) -> ThreadPoolExecutor:
    """One thread that gives way to all others of the process, where the system is Linux."""
    return ThreadPoolExecutor(1, name, _give_way)


def _give_way() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
