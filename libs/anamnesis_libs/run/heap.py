"""The heap once all is loaded: what was freed is given back, what is left is there for good.

To load models takes much more for a moment than they are; glibc keeps what was freed for calls to
come, which never ask for as much again. And what is left is most of all objects: to look through
them for garbage halts every call for a tenth of a second.
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


def keep() -> None:
    """Leave what is there by now out of every search for garbage, for the life of the process."""
    gc.freeze()
