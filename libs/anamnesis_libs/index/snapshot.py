"""An index as one file: a header, then a manifest and arrays. Never pickle.

    magic (8 bytes), format version (4), SHA-256 of the payload (32), then the payload:
    length of the manifest (8), manifest (JSON), arrays one after another, packed.

Numbers are little-endian. The file is written beside its place and moved there when it
is on the disk, so a crash leaves the old one or the new one.
"""

import hashlib
import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.codes import Codes
from anamnesis_libs.index.port import OtherVersion
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import DOCUMENT, PIECE, Records
from anamnesis_libs.index.vectors import VectorRows

MAGIC = b"ANAMIDX\n"
VERSION = 7
"""Of the format and of the text analysis: raised when either changes."""

_HEADER = struct.Struct("<8sI32s")
_LENGTH = struct.Struct("<Q")
_INT = np.dtype(np.int32)
_FLOAT = np.dtype(np.float32)
_SIGNS = np.dtype(np.uint64)
_DTYPES = (DOCUMENT, PIECE, _SIGNS, _FLOAT, np.dtype(np.int8), _FLOAT, *[_INT] * 6)


class _Manifest(TypedDict):
    dimension: int
    ids: list[str]
    codes: list[str]
    keys: list[list[str]]
    shapes: list[list[int]]


@dataclass(frozen=True, slots=True)
class SnapshotContents:
    """The contents of a snapshot."""

    records: Records
    terms: Postings
    vectors: VectorRows


def write(path: Path, dimension: int, held: SnapshotContents) -> None:
    """Write an index, compacted before, in place of the file that is there."""
    dumps = [postings.dump() for postings in _postings(held)]
    arrays: list[NDArray[np.generic]] = [
        held.records.table.rows,
        held.records.pieces.rows,
        held.records.tokens.codes,
        *held.vectors.dump(),
        *(array for _, sizes, lists in dumps for array in (sizes, lists)),
    ]
    manifest: _Manifest = {
        "dimension": dimension,
        "ids": held.records.ids,
        "codes": held.records.codes.texts,
        "keys": [keys for keys, _, _ in dumps],
        "shapes": [list(array.shape) for array in arrays],
    }
    encoded = json.dumps(manifest).encode()
    parts: list[bytes | memoryview] = [_LENGTH.pack(len(encoded)), encoded]
    parts += map(_raw, arrays)
    _replace(path, [_HEADER.pack(MAGIC, VERSION, _digest(parts)), *parts])


def read(path: Path, dimension: int, exact_max: int) -> SnapshotContents:
    """Read a snapshot; more vectors than `exact_max` are quantised if they are not yet.

    Raises:
        OtherVersion: another version wrote the file.
        ValueError: the file is damaged or of another dimension.
        OSError: it cannot be read.
    """
    payload = _checked(path.read_bytes())
    start = _LENGTH.size + _LENGTH.unpack_from(payload)[0]
    manifest: _Manifest = json.loads(payload[_LENGTH.size : start])
    if manifest["dimension"] != dimension:
        raise ValueError(f"snapshot of dimension {manifest['dimension']}, {dimension} is wanted")
    held = SnapshotContents(Records(dimension), Postings(), VectorRows(dimension, exact_max))
    _fill(held, manifest, _arrays(payload[start:], manifest["shapes"]))
    return held


def _checked(content: bytes) -> bytes:
    """The payload, whose header says that it is whole and ours."""
    if len(content) < _HEADER.size + _LENGTH.size or not content.startswith(MAGIC):
        raise ValueError("not an index snapshot")
    _, version, digest = _HEADER.unpack_from(content)
    if version != VERSION:
        raise OtherVersion(f"snapshot of version {version}, this is version {VERSION}")
    payload = content[_HEADER.size :]
    if _digest([payload]) != digest:
        raise ValueError("snapshot is damaged: its checksum does not match")
    return payload


def _arrays(content: bytes, shapes: Sequence[Sequence[int]]) -> list[NDArray[np.void]]:
    """Views of the arrays in the payload, read-only."""
    arrays: list[NDArray[np.void]] = []
    start = 0
    for dtype, shape in zip(_DTYPES, shapes, strict=True):
        end = start + dtype.itemsize * int(np.prod(shape))
        arrays.append(np.frombuffer(content[start:end], dtype).reshape(shape))
        start = end
    return arrays


def _fill(held: SnapshotContents, manifest: _Manifest, arrays: Sequence[NDArray[np.void]]) -> None:
    documents, pieces, tokens, rows, codes, scales, *lists = arrays
    names = Codes(manifest["codes"])
    held.records.restore(documents, pieces, tokens.view(np.uint64), manifest["ids"], names)
    held.vectors.restore(rows.view(np.float32), codes.view(np.int8), scales.view(np.float32))
    for number, postings in enumerate(_postings(held)):
        sizes, joined = (each.astype(np.int32, copy=False) for each in lists[2 * number :][:2])
        postings.restore(manifest["keys"][number], sizes, joined)


def _postings(held: SnapshotContents) -> tuple[Postings, Postings, Postings]:
    return held.terms, held.records.tags, held.records.entities


def _raw(array: NDArray[np.generic]) -> memoryview:
    """The bytes of an array, without a copy where it lies in one piece."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _digest(parts: Sequence[bytes | memoryview]) -> bytes:
    state = hashlib.sha256()
    for part in parts:
        state.update(part)
    return state.digest()


def _replace(path: Path, parts: Sequence[bytes | memoryview]) -> None:
    beside = path.with_name(f"{path.name}.part")
    with beside.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
