"""Unpacking what is kept of an upload."""

import zlib


def unpacked(packed: bytes) -> bytes:
    """The bytes of an upload, as they were before packing."""
    return zlib.decompress(packed)
