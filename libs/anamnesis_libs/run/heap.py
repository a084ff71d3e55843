"""Memory that was freed and that the allocator still holds: given back to the system.

To load models takes much more for a moment than they are; glibc keeps what was freed for calls to
come, which never ask for as much again.
"""

import ctypes
import gc


def give_back() -> bool:
    """Return freed memory to the system. Blocks for some hundredths of a second.

    Returns:
        False where the C library has no such call, as musl and macOS.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        return False
    trim(0)
    return True
