"""Boards in NumPy's ``.npy`` files: one integer array, two-dimensional, or flat where square.

Pickled objects are refused, and a header that claims more than the file holds is refused before
anything is allocated.
"""

from __future__ import annotations

from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from core.errors import BoardError
from core.puzzle.board import Board

MAGIC = b"\x93NUMPY"


def read_npy(path: Path, width: int | None = None) -> Board:
    """Read a board from a file; one of int32 is mapped, not loaded.

    Raises
    ------
    BoardError
        If the file cannot be read or is no board.
    """
    try:
        with path.open("rb") as file:
            shape, fortran, kind = _header(file, str(path))
            offset = file.tell()
            _check_length(path.stat().st_size - offset, shape, kind, str(path))
        array: NDArray[Any] = np.memmap(
            path,
            dtype=kind,
            mode="r",
            offset=offset,
            shape=shape,
            order="F" if fortran else "C",
        )
    except OSError as error:
        raise BoardError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    return Board(np.asarray(array), width)


def read_npy_bytes(content: bytes, width: int | None = None) -> Board:
    """Read a board from the bytes of a ``.npy`` file.

    Raises
    ------
    BoardError
        If the bytes are no board.
    """
    file = BytesIO(content)
    shape, fortran, kind = _header(file, "the upload")
    _check_length(len(content) - file.tell(), shape, kind, "the upload")
    flat: NDArray[Any] = np.frombuffer(content, dtype=kind, offset=file.tell())
    return Board(flat.reshape(shape, order="F" if fortran else "C"), width)


def _header(file: BinaryIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = npy_format.read_magic(file)
        if version == (1, 0):
            header = npy_format.read_array_header_1_0(file)
        elif version == (2, 0):
            header = npy_format.read_array_header_2_0(file)
        else:
            raise BoardError(f"{name!r} is a .npy of version {version}; versions 1 and 2 are read")
    except ValueError:
        raise BoardError(f"{name!r} is not a .npy file of one array") from None
    return header


def _check_length(held: int, shape: tuple[int, ...], kind: np.dtype[Any], name: str) -> None:
    if kind.kind not in "iu" or not 1 <= len(shape) <= 2 or min(shape) < 1:
        raise BoardError(f"{name!r} holds {kind} of shape {shape}, not rows of whole numbers")
    if held != prod(shape) * kind.itemsize:
        raise BoardError(f"{name!r} is damaged: {held} bytes are not {kind} of shape {shape}")
