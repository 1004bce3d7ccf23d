"""Boards in ``.npy`` files: a two-dimensional integer array, or a flat one if square."""

from __future__ import annotations

import re
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError
from tilework.core.formats.board_faults import check_tile_count
from tilework.core.formats.spellings import shorten
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.phrases import unreadable

MAGIC = b"\x93NUMPY"

_MAX_HEADER = 10_000
# The header is a Python dictionary; its three entries are matched, never evaluated.
_DESCR = re.compile(r"""['"]descr['"]\s*:\s*['"]([<>=|]?[iu][1248])['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)""")
_SHAPE = re.compile(r"""['"]shape['"]\s*:\s*\(\s*([0-9]{1,12})\s*,\s*([0-9]{0,12})\s*,?\s*\)""")


def read_npy(path: Path, width: int | None = None) -> Board:
    """Read a board from a file; int32 arrays are memory-mapped."""
    try:
        with path.open("rb") as file:
            layout = _read_layout(file, path.stat().st_size, str(path))
        array: NDArray[Any] = np.memmap(path, mode="r", **layout)
    except OSError as error:
        raise BoardError(unreadable(path, error.strerror)) from None
    if array.ndim == 2 and width not in (None, array.shape[1]):
        raise BoardError(
            "npy-width",
            "{name!r} has rows of {count} tiles; the width cannot be {width}",
            name=str(path),
            count=array.shape[1],
            width=width,
        )
    return Board(np.asarray(array), width)


def read_npy_bytes(content: bytes, *, max_cells: int | None = None) -> Board:
    """Read a board of at most `max_cells` cells from the bytes of a ``.npy`` file."""
    layout = _read_layout(BytesIO(content), len(content), "the upload")
    check_tile_count(prod(layout["shape"]), max_cells)
    return Board(np.ndarray(buffer=content, **layout))


def _read_layout(file: BinaryIO, size: int, name: str) -> dict[str, Any]:
    """Read the shape, order, dtype and offset of the array in a file of `size` bytes."""
    start = file.read(len(MAGIC) + 2)
    length_bytes = {1: 2, 2: 4, 3: 4}.get(start[-2] if len(start) == len(MAGIC) + 2 else 0)
    if not start.startswith(MAGIC) or length_bytes is None:
        raise BoardError("npy-file", "{name!r} is not a .npy file with one array", name=name)
    length = int.from_bytes(file.read(length_bytes), "little")
    header = file.read(min(length, _MAX_HEADER)).decode("latin-1")
    descr, order, sides = (pattern.search(header) for pattern in (_DESCR, _ORDER, _SHAPE))
    if len(header) != length or not (descr and order and sides):
        raise BoardError(
            "npy-header",
            "{name!r} does not contain rows of whole numbers: its header is {header!r}",
            name=name,
            header=shorten(header),
        )
    shape, dtype = tuple(int(side) for side in sides.groups() if side), np.dtype(descr[1])
    size -= file.tell()
    if min(shape) < 1 or size != prod(shape) * dtype.itemsize:
        raise BoardError(
            "npy-damaged",
            "{name!r} is damaged: its {size} B of data are not {dtype} of shape {shape}",
            name=name,
            size=size,
            dtype=dtype,
            shape=shape,
        )
    in_columns = order[1] == "True"
    return {
        "shape": shape,
        "dtype": dtype,
        "offset": file.tell(),
        "order": "F" if in_columns else "C",
    }
