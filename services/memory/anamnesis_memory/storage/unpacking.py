"""Unpacking what is kept of an upload."""

import zlib


def unpacked(packed: bytes) -> bytes:
    """What is kept of an upload."""
    return zlib.decompress(packed)
